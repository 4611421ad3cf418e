// SPDX-License-Identifier: Apache-2.0
//
// Carry-save Montgomery multiplier of radix 4, 8 or 16 with Booth recoding; operands and result are
// signed carry-save pairs.
//
// Source, latency, phases: see mf_booth_csa_core.
// Computes: p = a * b * R^-1 mod n, R = 2^(w ceil((Width + 2) / w)), w = log2(Radix).
// Contract: n odd, 3 <= n < 2^Width; a = a_s_i + a_c_i, the sum vector in two's complement, and so
//           for b and p; |a|, |b|, |p| < n (closed). Nonnegative: returns p + n, 0 < p + n < 2n.
// Constant time: yes.

module mf_booth_csa #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width       = 256,
  /// 4, 8 or 16.
  parameter int unsigned Radix       = 4,
  /// p + n instead of p: 0 < p + n < 2n.
  parameter bit          Nonnegative = 1'b0,

  localparam int unsigned OperandW = Width + 3,
  localparam int unsigned CarryW   = Width + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_s_i,
  input  logic [CarryW-1:0]   a_c_i,
  input  logic [OperandW-1:0] b_s_i,
  input  logic [CarryW-1:0]   b_c_i,
  input  logic [Width-1:0]    n_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_s_o,
  output logic [CarryW-1:0]   p_c_o
);

  if (Radix != 4 && Radix != 8 && Radix != 16) begin : gen_illegal_radix
    $fatal(1, "mf_booth_csa: Radix must be 4, 8 or 16");
  end

  logic [OperandW-1:0] p_c;

  mf_booth_csa_core #(
    .Width(Width), .Radix(Radix), .Pipelined(1'b0), .Nonnegative(Nonnegative)
  ) u_core (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .n_i, .rsp_valid_o, .rsp_ready_i,
    .a_i       ({{2'b00, a_c_i}, a_s_i}),
    .b_i       ({{2'b00, b_c_i}, b_s_i}),
    .n_scaled_i('0),
    .p_o       ({p_c, p_s_o})
  );

  assign p_c_o = p_c[CarryW-1:0];

  // The carry vector is less than 2^CarryW.
  logic unused_zeros;
  assign unused_zeros = ^p_c[OperandW-1:CarryW];

endmodule
