// SPDX-License-Identifier: Apache-2.0
//
// Simplified multiplexer "SM3": selects 0, N, B or D = B + N by the operand and quotient bits.
//
// Source: Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 8(d): a NAND2, a MUXI2 and a MUX2 in place
//         of a 4-to-1 multiplexer, since one input is 0.

module mf_sm3 #(
  /// Bits of the vectors; at least 1.
  parameter int unsigned Width = 8
) (
  input  logic             a_i,
  input  logic             q_i,
  input  logic [Width-1:0] n_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] x_o
);

  assign x_o = a_i ? (q_i ? d_i : b_i) : (n_i & {Width{q_i}});

endmodule
