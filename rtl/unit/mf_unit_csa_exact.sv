// SPDX-License-Identifier: Apache-2.0
//
// Carry-save Montgomery multiplier of radix 2^DigitW for a scaled modulus, with the exact tail.
//
// Source, recurrence, phases, latency, K, n-bar, n': see mf_unit_csa_core.
// Computes: p = a * b * R^-1 mod n, R = 2^(w K + L), w = DigitW, L = w Delay.
// Contract: n odd, 3 <= n < 2^Width; two's complement, |a|, |b|, |p| < n (closed).
//           Nonnegative: n is added to a negative p, 0 <= p < n.
// Constant time: yes.

module mf_unit_csa_exact #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width  = 256,
  /// Bits of a digit; 3 to 24.
  parameter int unsigned DigitW = 8,
  /// Cycles from a digit of the accumulator to the addition of its multiple of n-bar; 2 or 3.
  parameter int unsigned Delay  = 2,
  /// Bits of a group of the conversion to binary; 4 to 64.
  parameter int unsigned GroupW = 8,
  /// 0 <= p < n instead of |p| < n.
  parameter bit          Nonnegative = 1'b0,
  /// The next request is accepted before the conversion; without Nonnegative.
  parameter bit          Overlap     = 1'b0,
  /// Columns with select registers of their own: 16 to 256, with a Delay of 3; 0: one for all.
  parameter int unsigned RegionW     = 0,

  localparam int unsigned ScaleW   = DigitW * Delay,
  localparam int unsigned OperandW = Width + 1,
  localparam int unsigned ResultW  = Nonnegative ? Width : Width + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [Width-1:0]    n_i,
  /// n-bar, two's complement.
  input  logic [Width-1:0]    n_scaled_i,
  /// n' modulo 2^L.
  input  logic [ScaleW-1:0]   n_inverse_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [ResultW-1:0]  p_o
);

  logic [OperandW-1:0] p;

  mf_unit_csa_core #(
    .Width(Width), .DigitW(DigitW), .Delay(Delay), .GroupW(GroupW), .Exact(1'b1),
    .Nonnegative(Nonnegative), .Overlap(Overlap), .RegionW(RegionW)
  ) u_core (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .a_i, .b_i, .n_i, .n_scaled_i, .n_inverse_i,
    .rsp_valid_o, .rsp_ready_i,
    .p_o(p)
  );

  assign p_o = p[ResultW-1:0];

  if (Nonnegative) begin : gen_no_sign
    logic unused_sign;
    assign unused_sign = p[OperandW-1];
  end

endmodule
