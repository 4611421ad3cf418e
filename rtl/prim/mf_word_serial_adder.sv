// SPDX-License-Identifier: Apache-2.0
//
// Word-serial carry-propagate adder: one word of a sum in each cycle, the lowest first.
//
// Source:   "CPA_FC" of Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 3: a short adder and a
//           carry register.
// Computes: word_o = (x_i + y_i + carry) mod 2^Width; the carry goes into the next cycle's word.
// Contract: in the cycle before the lowest word, start_i is high and start_carry_i is the carry
//           into that word (0 to add; 1, with y inverted, to subtract).

module mf_word_serial_adder #(
  /// Bits of a word; at least 1.
  parameter int unsigned Width = 32
) (
  input  logic             clk_i,
  input  logic             start_i,
  input  logic             start_carry_i,
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  output logic [Width-1:0] word_o,
  /// Carry out of this word.
  output logic             carry_o
);

  if ($signed(Width) < 1) begin : gen_illegal_width
    $fatal(1, "mf_word_serial_adder: Width must be at least 1");
  end

  logic carry_q;

  assign {carry_o, word_o} = {1'b0, x_i} + {1'b0, y_i} + {{Width{1'b0}}, carry_q};

  // No reset: start_i comes before the first word.
  always_ff @(posedge clk_i) begin
    carry_q <= start_i ? start_carry_i : carry_o;
  end

endmodule
