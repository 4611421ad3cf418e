// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. FIFOs around the native form mf_fios_dsp (ports core_*), with the ports of
// mf_fios_dsp_par.
//
// After acceptance the FIFOs of x, y and n are filled; then the core begins. One operation is under
// way. Latency: LoadCycles + 1, and that of mf_fios_dsp_par.

module mf_fios_dsp_harness #(
  /// Parameters of mf_fios_dsp_par, as far as they decide the ports and the number of words.
  parameter int unsigned Width     = 256,
  parameter int unsigned WordWidth = 17,
  parameter int unsigned Words     = 16,
  parameter int unsigned Variant   = 0,

  localparam bit          IsUnit   = Variant == mf_fios_pkg::Unit,
  localparam int unsigned OperandW = IsUnit ? Width + 1 + WordWidth : Width + 1,
  localparam int unsigned ModulusW = IsUnit ? Width : Width + WordWidth
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 req_valid_i,
  output logic                 req_ready_o,
  input  logic [OperandW-1:0]  a_i,
  input  logic [OperandW-1:0]  b_i,
  input  logic [ModulusW-1:0]  n_words_i,
  output logic                 rsp_valid_o,
  input  logic                 rsp_ready_i,
  output logic [OperandW-1:0]  p_o,

  output logic                 core_op_room_next_o,
  output logic                 core_op_valid_o,
  input  logic                 core_op_ready_i,
  input  logic                 core_op_ready_next_i,
  input  logic                 core_x_next_i,
  output logic [WordWidth-1:0] core_x_word_o,
  input  logic                 core_y_next_i,
  output logic [WordWidth-1:0] core_y_word_o,
  input  logic                 core_n_next_i,
  output logic [WordWidth-1:0] core_n_word_o,
  input  logic                 core_p_valid_i,
  input  logic                 core_p_last_i,
  input  logic [WordWidth-1:0] core_p_word_i,
  input  logic [WordWidth-1:0] core_p_top_i
);

  localparam int unsigned TotalW     = WordWidth * Words;
  localparam int unsigned NWords     = IsUnit ? Words : Words + 1;
  localparam int unsigned Beats      = Variant == mf_fios_pkg::Fast ? Words - 1 : Words;
  localparam int unsigned LoadCycles = 2 * NWords + 6;
  localparam int unsigned CountW     = $clog2(Words + 1);

  logic                            load, unused_read, running, ready_q;
  logic [CountW-1:0]               beats_q;
  logic [Words-1:0][WordWidth-1:0] p_q;

  assign core_op_room_next_o = 1'b1;

  mf_harness_control #(.LoadCycles(LoadCycles)) u_control (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid_i),
    .req_ready_o(req_ready_o),
    .load_o     (load),
    .request_o  (core_op_valid_o),
    .accepted_i (core_op_ready_i),
    .running_o  (running),
    .finished_i (core_p_last_i),
    .read_o     (unused_read),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i)
  );

  mf_stream_source #(.WordWidth(WordWidth), .Words(Words), .Seed(16'h1234)) u_x (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   (TotalW'(a_i)),
    .show_i(core_x_next_i),
    .take_i(core_x_next_i),
    .word_o(core_x_word_o)
  );
  mf_stream_source #(.WordWidth(WordWidth), .Words(Words), .Seed(16'h5678)) u_y (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   (TotalW'(b_i)),
    .show_i(core_y_next_i),
    .take_i(core_y_next_i),
    .word_o(core_y_word_o)
  );
  mf_stream_source #(.WordWidth(WordWidth), .Words(NWords), .Seed(16'h9abc)) u_n (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   ((NWords * WordWidth)'(n_words_i)),
    .show_i(core_n_next_i),
    .take_i(core_n_next_i),
    .word_o(core_n_word_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ready_q <= 1'b1;
    else ready_q <= core_op_ready_next_i;
  end

  always_ff @(posedge clk_i) begin
    if (load) beats_q <= '0;
    if (core_p_valid_i) begin
      beats_q      <= beats_q + CountW'(1);
      p_q[beats_q] <= core_p_word_i;
      if (core_p_last_i && Beats < Words) p_q[Words-1] <= core_p_top_i;
    end
    if (rst_ni) begin
      if (core_p_valid_i) begin
        a_word_belongs_to_an_operation : assert (running);
      end
      if (rsp_valid_o) begin
        all_words_came : assert (beats_q == CountW'(Beats));
      end
      ready_is_said_a_cycle_before : assert (core_op_ready_i == ready_q);
    end
  end

  assign p_o = OperandW'(p_q);

  // The result is below its bound.
  logic unused_high;
  assign unused_high = ^{1'b0, p_q >> OperandW};

endmodule
