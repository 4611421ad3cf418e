// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. The native form mf_fios_dsp behind FIFOs, with the ports of mf_fios_dsp_par.
//
// After acceptance the FIFOs of x, y and n are filled (mf_stream_source); then the core begins.
// One operation is under way. Latency: LoadCycles + 1, and that of mf_fios_dsp_par.

module mf_fios_dsp_harness #(
  /// Parameters of mf_fios_dsp_par.
  parameter int unsigned Width     = 256,
  parameter int unsigned WordWidth = 17,
  parameter int unsigned Words     = 16,
  parameter int unsigned Elements  = 5,
  parameter bit          Expanded  = 1'b0,
  parameter int unsigned Results   = 2,
  parameter int unsigned Variant   = 0,
  parameter int unsigned Pipeline  = 3,
  parameter bit          CRegister = 1'b1,
  parameter int unsigned Block     = 0,

  localparam bit          IsUnit   = Variant == mf_fios_pkg::Unit,
  localparam int unsigned OperandW = IsUnit ? Width + 1 + WordWidth : Width + 1,
  localparam int unsigned ModulusW = IsUnit ? Width : Width + WordWidth
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [ModulusW-1:0] n_words_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  localparam int unsigned TotalW     = WordWidth * Words;
  localparam int unsigned NWords     = IsUnit ? Words : Words + 1;
  localparam int unsigned Beats      = Variant == mf_fios_pkg::Fast ? Words - 1 : Words;
  localparam int unsigned LoadCycles = 2 * NWords + 6;
  localparam int unsigned CountW     = $clog2(LoadCycles + 1);

  typedef enum logic [2:0] {StIdle, StLoad, StRequest, StRun, StDone} phase_e;

  phase_e               phase_q;
  logic [CountW-1:0]    count_q, beats_q;
  logic                 load, core_ready, core_ready_next, x_next, y_next, n_next, p_valid, p_last;
  logic [WordWidth-1:0] x_word, y_word, n_word, p_word, p_top;
  logic [Words-1:0][WordWidth-1:0] p_q;

  assign load        = req_valid_i && phase_q == StIdle;
  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = OperandW'(p_q);

  mf_stream_source #(.WordWidth(WordWidth), .Words(Words), .Seed(16'h1234)) u_x (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   (TotalW'(a_i)),
    .take_i(x_next),
    .word_o(x_word)
  );
  mf_stream_source #(.WordWidth(WordWidth), .Words(Words), .Seed(16'h5678)) u_y (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   (TotalW'(b_i)),
    .take_i(y_next),
    .word_o(y_word)
  );
  mf_stream_source #(.WordWidth(WordWidth), .Words(NWords), .Seed(16'h9abc)) u_n (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   ((NWords * WordWidth)'(n_words_i)),
    .take_i(n_next),
    .word_o(n_word)
  );

  mf_fios_dsp #(
    .WordWidth(WordWidth),
    .Words    (Words),
    .Elements (Elements),
    .Expanded (Expanded),
    .Variant  (Variant),
    .Pipeline (Pipeline),
    .CRegister(CRegister),
    .Block    (Block)
  ) u_core (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .op_room_next_i (1'b1),
    .op_valid_i     (phase_q == StRequest),
    .op_ready_o     (core_ready),
    .op_ready_next_o(core_ready_next),
    .x_next_o       (x_next),
    .x_word_i       (x_word),
    .y_next_o       (y_next),
    .y_word_i       (y_word),
    .n_next_o       (n_next),
    .n_word_i       (n_word),
    .p_valid_o      (p_valid),
    .p_last_o       (p_last),
    .p_word_o       (p_word),
    .p_top_o        (p_top)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
      count_q <= '0;
      beats_q <= '0;
    end else begin
      count_q <= phase_q == StLoad ? count_q + CountW'(1) : '0;
      beats_q <= phase_q == StIdle ? '0 : beats_q + CountW'(p_valid);
      unique case (phase_q)
        StIdle:    if (req_valid_i) phase_q <= StLoad;
        StLoad:    if (count_q == CountW'(LoadCycles - 1)) phase_q <= StRequest;
        StRequest: if (core_ready) phase_q <= StRun;
        StRun:     if (p_last) phase_q <= StDone;
        StDone:    if (rsp_ready_i) phase_q <= StIdle;
        default:   phase_q <= StIdle;
      endcase
      if (phase_q == StDone && beats_q != CountW'(Beats)) begin
        $error("mf_fios_dsp_harness: the result has another number of words");
      end
      if (p_valid && phase_q != StRun) $error("mf_fios_dsp_harness: a word without an operation");
    end
  end

  always_ff @(posedge clk_i) begin
    if (p_valid) begin
      p_q[beats_q] <= p_word;
      if (p_last && Beats < Words) p_q[Words-1] <= p_top;
    end
  end

  logic unused_core;
  assign unused_core = core_ready_next ^ (Results == 0);

endmodule
