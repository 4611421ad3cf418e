// SPDX-License-Identifier: Apache-2.0
//
// Two-level carry-save adder: one iteration of the radix-2 algorithm without its shift.
//
// Source:   Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 2, steps 3 and 4; adder of Fig. 3 and 4.
// Computes: sum + carry = s + c + a * b + q * n, with the quotient digit q that makes it even.
// Contract: n odd, all sums modulo 2^Width; the lowest bits of sum_o and carry_o are 0.
//           With even s and c and a = 0, q is 0 and the adder two rows of half adders.

module mf_two_level_csa #(
  /// Bits of the vectors; at least 2.
  parameter int unsigned Width = 8
) (
  /// The multiplier bit of this iteration.
  input  logic             a_i,
  input  logic [Width-1:0] s_i,
  input  logic [Width-1:0] c_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] n_i,
  output logic [Width-1:0] sum_o,
  output logic [Width-1:0] carry_o
);

  logic [Width-1:0] sum1, carry1;
  logic             quotient_digit;

  mf_full_adder_row #(.Width(Width)) u_row1 (
    .s_i    (s_i),
    .c_i    (c_i),
    .x_i    (b_i & {Width{a_i}}),
    .sum_o  (sum1),
    .carry_o(carry1)
  );

  // The lowest bit of carry1 is 0.
  assign quotient_digit = sum1[0];

  mf_full_adder_row #(.Width(Width)) u_row2 (
    .s_i    (sum1),
    .c_i    (carry1),
    .x_i    (n_i & {Width{quotient_digit}}),
    .sum_o  (sum_o),
    .carry_o(carry_o)
  );

endmodule
