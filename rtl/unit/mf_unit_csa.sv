// SPDX-License-Identifier: Apache-2.0
//
// Carry-save Montgomery multiplier of radix 2^DigitW for a scaled modulus; operands and result may
// exceed n by the scale.
//
// Source, recurrence, phases, latency, n-bar: see mf_unit_csa_core.
// Computes: p = a * b * R^-1 mod n, R = 2^(w ceil((Width + L) / w)), w = DigitW, L = w Delay.
// Contract: n odd, 3 <= n < 2^Width; two's complement, |a|, |b|, |p| < 2^(L-1) n (closed).
// Constant time: yes.

module mf_unit_csa #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width  = 256,
  /// Bits of a digit; 2 to 24.
  parameter int unsigned DigitW = 8,
  /// Cycles from a digit of the accumulator to the addition of its multiple of n-bar; 2 or 3.
  parameter int unsigned Delay  = 2,
  /// Bits of a group of the conversion to binary; 4 to 64.
  parameter int unsigned GroupW = 8,
  /// The next request is accepted before the conversion.
  parameter bit          Overlap = 1'b0,
  /// Columns with select registers of their own: 16 to 256, with a Delay of 3; 0: one for all.
  parameter int unsigned RegionW = 0,

  localparam int unsigned ScaleW   = DigitW * Delay,
  localparam int unsigned OperandW = Width + ScaleW
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  /// n-bar, two's complement.
  input  logic [Width-1:0]    n_scaled_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  mf_unit_csa_core #(
    .Width(Width), .DigitW(DigitW), .Delay(Delay), .GroupW(GroupW), .Overlap(Overlap),
    .RegionW(RegionW)
  ) u_core (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .a_i, .b_i, .n_scaled_i,
    .rsp_valid_o, .rsp_ready_i, .p_o,
    .n_i        ('0),
    .n_inverse_i('0)
  );

endmodule
