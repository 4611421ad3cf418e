// SPDX-License-Identifier: Apache-2.0
//
// Montgomery multiplier for one modulus, which is a parameter: one result a cycle.
//
// Source:   Montgomery 1985 on full words; constants in signed digits, truncated products.
// Computes: p = a * b * R^-1 mod n, R = 2^(S w), w = Word (0: Width + 2), S = ceil((Width + 2) / w)
//           steps, Width + 3 in place of Width + 2 if n = 1 mod 2^w. Fold: R = 1. Square: b = a.
// Contract: n = Modulus, odd, of Width bits; 0 <= a, b, p < 2n (closed); Fold: n = 2^Width - c with
//           4 c^2 + 2 c <= 2^Width.
// Latency:  that of T = a b (mf_fixed_product), then that of S steps (mf_fixed_step) or two folds
//           (mf_fixed_fold), for all operands. Interval: 1.
// Constant time: yes.
//
// The pipeline never stalls: results wait in a buffer, in which each request has a place.

module mf_fixed_prime #(
  /// Bits of the modulus; 3 to 768.
  parameter int unsigned Width     = 8,
  /// n; odd, its bit Width-1 is 1.
  parameter logic [mf_fixed_pkg::modulus_bits(Width)-1:0] Modulus = 199,
  /// Karatsuba levels of T; 0 to 4.
  parameter int unsigned Karatsuba = 0,
  /// Levels of full adders between registers; 1 to 16.
  parameter int unsigned Levels    = 3,
  /// Bits that a step clears; 2 to Width + 2, or 0 for Width + 2.
  parameter int unsigned Word      = 0,
  /// Reduction by folding (mf_fixed_fold).
  parameter bit          Fold      = 1'b0,
  /// a * a; b_i is not used.
  parameter bit          Square    = 1'b0
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           req_valid_i,
  output logic           req_ready_o,
  input  logic [Width:0] a_i,
  input  logic [Width:0] b_i,

  output logic           rsp_valid_o,
  input  logic           rsp_ready_i,
  output logic [Width:0] p_o
);

  localparam mf_fixed_pkg::wide_t N      = mf_fixed_pkg::wide_t'(Modulus);
  localparam int unsigned         Cycles =
      mf_fixed_pkg::core_cycles(N, Width, Karatsuba, Levels, Word, Fold, Square);

  logic [Cycles-1:0] valid_q;
  logic [Width:0]    result;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[Cycles-2:0], req_valid_i && req_ready_o};
  end

  mf_fixed_core #(
    .Width(Width), .Modulus(Modulus), .Karatsuba(Karatsuba), .Levels(Levels), .Word(Word),
    .Fold(Fold), .Square(Square)
  ) u_core (
    .clk_i(clk_i), .a_i(a_i), .b_i(b_i), .p_o(result)
  );

  mf_credit_buffer #(.Width(Width + 1), .Depth(Cycles + 2)) u_buffer (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid_i),
    .req_ready_o(req_ready_o),
    .put_i      (valid_q[Cycles-1]),
    .result_i   (result),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .result_o   (p_o)
  );

endmodule
