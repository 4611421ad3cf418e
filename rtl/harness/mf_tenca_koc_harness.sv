// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. FIFOs around the native form mf_tenca_koc (ports core_*), with the ports of
// mf_tenca_koc_par.
//
// After acceptance the FIFOs of a, b and n are filled, b and n once for each round; then the core
// begins. Latency: LoadCycles + 1, and that of mf_tenca_koc.

module mf_tenca_koc_harness #(
  /// Parameters of mf_tenca_koc, as far as they decide the ports and the number of words.
  parameter int unsigned Width    = 256,
  parameter int unsigned Word     = 16,
  parameter int unsigned Elements = 8,
  parameter bit          Closed   = 1'b1,

  localparam int unsigned OperandW = Closed ? Width + 1 : Width
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [Width-1:0]    n_i,
  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [Width:0]      p_o,

  output logic                core_req_valid_o,
  input  logic                core_req_ready_i,
  input  logic                core_a_taken_i,
  output logic                core_a_bit_o,
  input  logic                core_word_taken_i,
  output logic [Word-1:0]     core_b_word_o,
  output logic [Word-1:0]     core_n_word_o,
  input  logic                core_p_valid_i,
  input  logic                core_p_last_i,
  input  logic [Word-1:0]     core_p_word_i
);

  localparam int unsigned Iterations = Closed ? Width + 2 : Width;
  localparam int unsigned SumW       = Closed ? Width + 2 : Width + 1;
  localparam int unsigned Words      = (SumW + Word - 1) / Word;
  localparam int unsigned StoreW     = Words * Word;
  localparam int unsigned Rounds     = (Iterations - 1) / Elements + 1;
  localparam int unsigned Longest    = Iterations > Rounds * Words ? Iterations : Rounds * Words;
  localparam int unsigned LoadCycles = 2 * Longest + 6;

  logic                       load, unused_read, running;
  logic [$clog2(Words+1)-1:0] words_q;
  logic [StoreW-1:0]          p_q;

  mf_harness_control #(.LoadCycles(LoadCycles)) u_control (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid_i),
    .req_ready_o(req_ready_o),
    .load_o     (load),
    .request_o  (core_req_valid_o),
    .accepted_i (core_req_ready_i),
    .running_o  (running),
    .finished_i (core_p_last_i),
    .read_o     (unused_read),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i)
  );

  mf_stream_source #(.WordWidth(1), .Words(Iterations), .Seed(16'h1234)) u_a (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   (Iterations'(a_i)),
    .show_i(core_a_taken_i),
    .take_i(core_a_taken_i),
    .word_o(core_a_bit_o)
  );
  mf_stream_source #(.WordWidth(Word), .Words(Rounds * Words), .Seed(16'h5678)) u_b (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   ({Rounds{StoreW'(b_i)}}),
    .show_i(core_word_taken_i),
    .take_i(core_word_taken_i),
    .word_o(core_b_word_o)
  );
  mf_stream_source #(.WordWidth(Word), .Words(Rounds * Words), .Seed(16'h9abc)) u_n (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   ({Rounds{StoreW'(n_i)}}),
    .show_i(core_word_taken_i),
    .take_i(core_word_taken_i),
    .word_o(core_n_word_o)
  );

  always_ff @(posedge clk_i) begin
    if (load) words_q <= '0;
    if (core_p_valid_i) begin
      p_q     <= StoreW'({core_p_word_i, p_q} >> Word);
      words_q <= words_q + 1'b1;
    end
    if (rst_ni) begin
      if (core_p_valid_i) begin
        a_word_belongs_to_an_operation : assert (running);
      end
      if (rsp_valid_o) begin
        all_words_came : assert (words_q == $clog2(Words + 1)'(Words));
      end
    end
  end

  assign p_o = p_q[Width:0];

  // The result is below 2n.
  logic unused_high;
  assign unused_high = ^{1'b0, p_q >> (Width + 1)};

endmodule
