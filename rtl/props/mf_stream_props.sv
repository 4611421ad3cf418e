// SPDX-License-Identifier: Apache-2.0
//
// Properties of a stream of words into a core that can't wait for its source, for binding: an
// operation takes exactly Beats words, the last one at the latest in the cycle in which the next
// operation is accepted. Then a FIFO that feeds the core neither runs empty nor keeps a word.

module mf_stream_props #(
  /// Words of an operation.
  parameter int unsigned Beats = 1
) (
  input logic clk_i,
  input logic rst_ni,
  /// An operation is accepted.
  input logic accept_i,
  /// A word is taken.
  input logic taken_i
);

  logic [31:0] owed_d, owed_q;  // words that operations have yet to take

  assign owed_d = owed_q + (accept_i ? 32'(Beats) : 32'd0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) owed_q <= '0;
    else owed_q <= owed_d - 32'(taken_i);
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (taken_i) begin
        no_word_too_many_is_taken : assert (owed_d != '0);
      end
      if (accept_i) begin
        all_words_before_were_taken : assert (owed_q == '0 || (owed_q == 32'd1 && taken_i));
      end
    end
  end

endmodule
