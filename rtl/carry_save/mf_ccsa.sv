// SPDX-License-Identifier: Apache-2.0
//
// One-level configurable carry-save adder: a row of configurable full adders (CFA).
//
// Source:   Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 8(b) and 8(c).
// Computes: full_adder_i = 1 ("1F_CSA"): sum + carry = s + c + x, one three-input row.
//           full_adder_i = 0 ("2H_CSA"): sum + carry = s + c + carry_i, two rows of half adders
//           in series.
// Contract: the lowest bit of carry_o is 0; overflow_o is the carry out of the highest cell.
//
// Cell j has a half adder of s and c (propagate, generate) and a second one of propagate and t:
// x[j], or with full_adder_i = 0 the generate of cell j-1, which then does not reach the carry
// output.

module mf_ccsa #(
  /// Bits of the vectors; at least 1.
  parameter int unsigned Width = 8
) (
  /// Selects the full-adder row (1) or the two half-adder rows (0).
  input  logic             full_adder_i,
  input  logic [Width-1:0] s_i,
  input  logic [Width-1:0] c_i,
  input  logic [Width-1:0] x_i,
  /// Carry into the lowest place of the second row of half adders.
  input  logic             carry_i,
  output logic [Width-1:0] sum_o,
  output logic [Width-1:0] carry_o,
  output logic             overflow_o
);

  logic [Width-1:0] propagate, generates, t, carry;

  assign propagate = s_i ^ c_i;
  assign generates = s_i & c_i;
  assign t         = full_adder_i ? x_i : Width'({generates, carry_i});
  assign carry     = ({Width{full_adder_i}} & generates) | (propagate & t);

  assign sum_o   = propagate ^ t;
  assign carry_o = Width'({carry, 1'b0});

  // At most one of the two rows' carries is set.
  assign overflow_o = generates[Width-1] | carry[Width-1];

endmodule
