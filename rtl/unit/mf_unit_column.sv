// SPDX-License-Identifier: Apache-2.0
//
// One word of the two accumulators of mf_unit_dsp, with one adder: that of the present operation,
// and that of the operation before, whose last two steps (its tail) fall into cycles in which the
// present one holds.
//
// A word has WordW bits and a carry of at most 2. A step takes two cycles: a shift, which takes the
// word above and adds one product word, and the addition of another product word. The carry of a
// word belongs to the word above, which after the shift is this one again; two cycles later one
// unit of it is the carry-in of the sum of product words, another that of the accumulator's adder.
// So no sum has more than two operands: word + sum of product words + 1 <= (2^WordW - 1) +
// (2^(WordW+1) - 1) + 1 < 3 2^WordW.
//
// Cycle        controls                     the accumulator that takes becomes
// first        Nothing, take_i              sum_q
// shift        Above, take_i                above_i + sum_q + carry_q
// addition     Word, take_i                 its word + sum_q + carry_q
// last one     and take_tail_i              of both
// tail         TailAbove, take_tail_i       tail_above_i + sum_q + carry_q
//
// carry_q, top_q  the adder's carry of one cycle ago, and one bit of the carry of two cycles ago
//
// While a tail runs, cycles of the two operations alternate; carries follow the adder's order.
// pass_i is low where a carry must not be added: that of the last shift, which would enter the next
// operation's first sum and is in shifted_carry_o instead; that of the tail's last cycle, a shift,
// which is in tail_carry_o; and where no operation runs.

module mf_unit_column
  import mf_unit_dsp_pkg::*;
#(
  /// Bits of a word; at least 3.
  parameter int unsigned WordW = 18
) (
  input  logic             clk_i,
  /// Low word of this place's product.
  input  logic [WordW-1:0] low_i,
  /// High word of the product of the place below.
  input  logic [WordW-1:0] high_i,
  /// Words of the place above.
  input  logic [WordW-1:0] above_i,
  input  logic [WordW-1:0] tail_above_i,
  /// Addend of the next cycle.
  input  addend_e          addend_i,
  input  logic             take_i,
  input  logic             take_tail_i,
  /// The carry is added two cycles later.
  input  logic             pass_i,
  /// The carry is for shifted_carry_o.
  input  logic             save_i,
  output logic [WordW-1:0] word_o,
  output logic [WordW-1:0] tail_word_o,
  output logic [1:0]       tail_carry_o,
  output logic [1:0]       shifted_carry_o
);

  addend_e          addend_q;
  logic [WordW:0]   sum_d, sum_q;
  logic [WordW-1:0] addend, word_d;
  logic [1:0]       carry_d, carry_q;
  logic             top_q;
  logic             unused_sum, unused_word;

  // A register in each column: synthesis would share one, far from most columns.
  (* keep *) always_ff @(posedge clk_i) addend_q <= addend_i;

  always_comb begin
    unique case (addend_q)
      Above:     addend = above_i;
      Word:      addend = word_o;
      TailAbove: addend = tail_above_i;
      default:   addend = '0;
    endcase
  end

  // A carry-in is a place below the lowest one.
  assign {sum_d, unused_sum} = {1'b0, low_i, 1'b1} + {1'b0, high_i, |carry_q};
  assign {carry_d, word_d, unused_word} = {2'b00, addend, 1'b1} + {1'b0, sum_q, top_q};

  always_ff @(posedge clk_i) begin
    sum_q   <= sum_d;
    carry_q <= pass_i ? carry_d : '0;
    top_q   <= carry_q[1];
    if (take_i) word_o <= word_d;
    if (take_tail_i) {tail_carry_o, tail_word_o} <= {carry_d, word_d};
    if (save_i) shifted_carry_o <= carry_d;
  end

endmodule
