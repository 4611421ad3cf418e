// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. The native form mf_tenca_koc behind FIFOs, with the ports of mf_tenca_koc_par.
//
// After acceptance the FIFOs of a, b and n are filled (mf_stream_source), b and n as often as there
// are rounds; then the core begins. Latency: LoadCycles + 1, and that of mf_tenca_koc.

module mf_tenca_koc_harness #(
  /// Parameters of mf_tenca_koc.
  parameter int unsigned Width    = 256,
  parameter int unsigned Word     = 16,
  parameter int unsigned Elements = 8,
  parameter int unsigned Offset   = 2,
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
  output logic [Width:0]      p_o
);

  localparam int unsigned Iterations = Closed ? Width + 2 : Width;
  localparam int unsigned SumW       = Closed ? Width + 2 : Width + 1;
  localparam int unsigned Words      = (SumW + Word - 1) / Word;
  localparam int unsigned StoreW     = Words * Word;
  localparam int unsigned Rounds     = (Iterations - 1) / Elements + 1;
  localparam int unsigned Longest    = Iterations > Rounds * Words ? Iterations : Rounds * Words;
  localparam int unsigned LoadCycles = 2 * Longest + 6;
  localparam int unsigned CountW     = $clog2(LoadCycles + 1);

  typedef enum logic [2:0] {StIdle, StLoad, StRequest, StRun, StDone} phase_e;

  phase_e            phase_q;
  logic [CountW-1:0] count_q;
  logic              load, core_ready, a_taken, a_bit, word_taken, p_valid, p_last;
  logic [Word-1:0]   b_word, n_word, p_word;
  logic [StoreW-1:0] p_q;

  assign load        = req_valid_i && phase_q == StIdle;
  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = p_q[Width:0];

  mf_stream_source #(.WordWidth(1), .Words(Iterations), .Seed(16'h1234)) u_a (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   (Iterations'(a_i)),
    .take_i(a_taken),
    .word_o(a_bit)
  );
  mf_stream_source #(.WordWidth(Word), .Words(Rounds * Words), .Seed(16'h5678)) u_b (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   ({Rounds{StoreW'(b_i)}}),
    .take_i(word_taken),
    .word_o(b_word)
  );
  mf_stream_source #(.WordWidth(Word), .Words(Rounds * Words), .Seed(16'h9abc)) u_n (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   ({Rounds{StoreW'(n_i)}}),
    .take_i(word_taken),
    .word_o(n_word)
  );

  mf_tenca_koc #(
    .Width   (Width),
    .Word    (Word),
    .Elements(Elements),
    .Offset  (Offset),
    .Closed  (Closed)
  ) u_core (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_valid_i (phase_q == StRequest),
    .req_ready_o (core_ready),
    .a_taken_o   (a_taken),
    .a_bit_i     (a_bit),
    .word_taken_o(word_taken),
    .b_word_i    (b_word),
    .n_word_i    (n_word),
    .p_valid_o   (p_valid),
    .p_last_o    (p_last),
    .p_word_o    (p_word)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
      count_q <= '0;
    end else begin
      count_q <= phase_q == StLoad ? count_q + CountW'(1) : '0;
      unique case (phase_q)
        StIdle:    if (req_valid_i) phase_q <= StLoad;
        StLoad:    if (count_q == CountW'(LoadCycles - 1)) phase_q <= StRequest;
        StRequest: if (core_ready) phase_q <= StRun;
        StRun:     if (p_last) phase_q <= StDone;
        StDone:    if (rsp_ready_i) phase_q <= StIdle;
        default:   phase_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) if (p_valid) p_q <= StoreW'({p_word, p_q} >> Word);

endmodule
