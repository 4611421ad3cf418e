// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. The words of an operation in a FIFO, for a core that takes a stream of words
// and can't wait for them.
//
// After load_i the words of d_i, the lowest first, enter the FIFO with pauses at random, all of
// them within 2 Words + 4 cycles. The core begins after that, and takes a word in each cycle with
// take_i. word_o is the next word in cycles with show_i, take_i among them, and unknown in others.
// The core must not take a word before it is in the FIFO, nor leave one until the next load.

module mf_stream_source #(
  /// Bits of a word; at least 1.
  parameter int unsigned WordWidth = 8,
  /// Words of an operation; at least 1.
  parameter int unsigned Words     = 4,
  /// Seed of the pauses; not 0.
  parameter logic [15:0] Seed      = 16'hace1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            load_i,
  input  logic [Words-1:0][WordWidth-1:0] d_i,
  input  logic                            show_i,
  input  logic                            take_i,
  output logic [WordWidth-1:0]            word_o
);

  localparam int unsigned CountW = $clog2(Words + 1);

  logic [CountW-1:0]               put, taken_q;  // words in the FIFO so far, and taken
  logic [Words-1:0][WordWidth-1:0] source_q, fifo_q;
  logic                            push;

  assign word_o = show_i ? fifo_q[taken_q] : 'x;

  mf_harness_pacer #(.Steps(Words), .Seed(Seed)) u_pacer (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .start_i(load_i),
    .ready_i(1'b1),
    .step_o (push),
    .count_o(put)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_q <= CountW'(Words);
    else if (load_i) taken_q <= '0;
    else if (take_i) taken_q <= taken_q + CountW'(1);
  end

  always_ff @(posedge clk_i) begin
    if (load_i) source_q <= d_i;
    if (push) fifo_q[put] <= source_q[put];
    if (rst_ni) begin
      if (load_i) begin
        all_words_were_taken : assert (taken_q == CountW'(Words));
      end
      if (show_i) begin
        the_word_is_there : assert (taken_q < put);
      end
    end
  end

endmodule
