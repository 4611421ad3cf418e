// SPDX-License-Identifier: Apache-2.0
//
// Skip look-ahead: in iteration i, finds the next iteration that adds an operand, at most Skips
// iterations later than i + 1, and its operand.
//
// Source:   Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 12, extended to any odd modulus and to
//           several skips.
// Computes: bit j of S[i] + q_i * N-hat is q_{i+j} if iterations i+1 .. i+j-1 are skipped; B-hat
//           does not touch these bits. An iteration is skipped if its multiplier bit and its
//           quotient digit are 0, and is never skipped if it is the one after the last (end_i).
// Contract: value_i, n_i: bits Skips+1 .. 1 of S[i] (binary) and of N-hat; bit 0 of S[i] is q_i,
//           that of N-hat is 0. bits_i[j], end_i[j] belong to iteration i+1+j; bits_i[j] is 0
//           where end_i[j] is set. enable_i = 0 gives 0 on all outputs; before the first
//           iteration enable_i is 1 and shift_enable_i is 0, value_i and q_i are 0.

module mf_skip_lookahead #(
  /// Largest number of iterations that a cycle skips; at least 1.
  parameter int unsigned Skips = 1
) (
  input  logic             enable_i,
  input  logic             shift_enable_i,
  input  logic [Skips+1:1] value_i,
  input  logic [Skips+1:1] n_i,
  input  logic             q_i,
  input  logic [Skips:0]   bits_i,
  input  logic [Skips:0]   end_i,
  /// One-hot: bit j goes to iteration i + 1 + j. shift_o is the same, for the state.
  output logic [Skips:0]   advance_o,
  output logic [Skips:0]   shift_o,
  /// Operand that the next iteration adds, one-hot; all bits are 0 for no operand.
  output logic             add_n_o,
  output logic             add_b_o,
  output logic             add_d_o,
  /// The present iteration is the last.
  output logic             end_o
);

  logic [Skips+1:1] digit, carry;
  // Iteration i + 1 + j adds an operand or is the end; all before it are skipped.
  logic [Skips:0]   found, reached;

  always_comb begin
    carry = '0;
    for (int unsigned j = 1; j <= Skips; j++) begin
      carry[j + 1] = (value_i[j] & n_i[j] & q_i) | ((value_i[j] | (n_i[j] & q_i)) & carry[j]);
    end
  end

  assign digit = value_i ^ (n_i & {(Skips + 1){q_i}}) ^ carry;

  always_comb begin
    add_n_o = 1'b0;
    add_b_o = 1'b0;
    add_d_o = 1'b0;
    end_o   = 1'b0;
    for (int unsigned j = 0; j <= Skips; j++) begin
      found[j]   = bits_i[j] | end_i[j] | digit[j + 1] | (j == Skips);
      reached[j] = 1'b1;
      for (int unsigned i = 0; i < j; i++) reached[j] &= !found[i];

      advance_o[j] = enable_i & reached[j] & found[j];
      shift_o[j]   = shift_enable_i & reached[j] & found[j];
      add_n_o |= enable_i & reached[j] & digit[j + 1] & !bits_i[j] & !end_i[j];
      add_b_o |= enable_i & reached[j] & !digit[j + 1] & bits_i[j];
      add_d_o |= enable_i & reached[j] & digit[j + 1] & bits_i[j];
      end_o   |= enable_i & reached[j] & end_i[j];
    end
  end

endmodule
