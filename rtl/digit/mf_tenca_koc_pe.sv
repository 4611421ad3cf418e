// SPDX-License-Identifier: Apache-2.0
//
// Processing element of mf_tenca_koc: one bit of a against all words of b and n, word by word.
//
// Source:   Tenca, Koc, IEEE TC 52(9), 2003 (MWR2MM).
// Computes: in word j: v = S_j + a_i Y_j + q N_j + carry, q the lowest bit in word 0; the halved
//           words are S'_(j-1) = {v[0], lowest Word-1 bits of the word before, moved down}.
//
// first_i marks word 0. v_q is the halved word before without its top bit, which is v_low_o in the
// same cycle. s_top_i may be the v_low_o of the element before: v_low_o does not depend on it.

module mf_tenca_koc_pe #(
  /// Bits of a word; at least 2.
  parameter int unsigned Word = 16
) (
  input  logic            clk_i,
  input  logic            first_i,
  /// Bit of a; read in word 0.
  input  logic            a_bit_i,
  input  logic            s_top_i,
  input  logic [Word-2:0] s_low_i,
  input  logic [Word-1:0] y_i,
  input  logic [Word-1:0] n_i,
  output logic            v_low_o,
  output logic [Word-1:1] v_q
);

  logic            a_bit, a_bit_q, q, q_q, low;
  logic [1:0]      carry, carry_q;
  logic [Word+1:0] v;

  assign a_bit = first_i ? a_bit_i : a_bit_q;
  assign q     = first_i ? s_low_i[0] ^ (a_bit_i & y_i[0]) : q_q;
  assign carry = first_i ? 2'b00 : carry_q;

  assign v = {2'b00, s_top_i, s_low_i} + {2'b00, y_i & {Word{a_bit}}} +
             {2'b00, n_i & {Word{q}}} + (Word + 2)'(carry);

  // The lowest bit of the sum, without its carry chain.
  assign low     = s_low_i[0] ^ (a_bit & y_i[0]) ^ (q & n_i[0]) ^ carry[0];
  assign v_low_o = low;

  always_ff @(posedge clk_i) begin
    a_bit_q <= a_bit;
    q_q     <= q;
    carry_q <= v[Word+1:Word];
    v_q     <= v[Word-1:1];
  end

  logic unused_lowest;
  assign unused_lowest = v[0];

endmodule
