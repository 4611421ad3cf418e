// SPDX-License-Identifier: Apache-2.0
//
// Montgomery squarer for one modulus, which is a parameter: one result a cycle.
//
// Computes: p = a * a * R^-1 mod n; R, contract and reduction as in mf_fixed_prime. The square has
//           half the partial products of a product (mf_square_rows).
// Latency:  as in mf_fixed_prime, with the rows of a square. Interval: 1. Constant time: yes.

module mf_fixed_square #(
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
  parameter bit          Fold      = 1'b0
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           req_valid_i,
  output logic           req_ready_o,
  input  logic [Width:0] a_i,

  output logic           rsp_valid_o,
  input  logic           rsp_ready_i,
  output logic [Width:0] p_o
);

  mf_fixed_prime #(
    .Width(Width), .Modulus(Modulus), .Karatsuba(Karatsuba), .Levels(Levels), .Word(Word),
    .Fold(Fold), .Square(1'b1)
  ) u_prime (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .a_i, .rsp_valid_o, .rsp_ready_i, .p_o,
    .b_i('0)
  );

endmodule
