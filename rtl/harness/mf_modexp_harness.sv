// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. A writer and a reader of words around mf_modexp_words (ports core_*), with the
// ports of mf_modexp.
//
// After acceptance all operands are written, with pauses at random; then the core starts. The words
// of its result are read with pauses at random, and the response is taken with that of the harness.
// Data and addresses are unknown in cycles that do not use them.
// Latency: that of mf_modexp_words, LoadCycles and ReadCycles, and 2.

module mf_modexp_harness #(
  /// Parameters of mf_modexp_words, as far as they decide the ports.
  parameter int unsigned Width        = 256,
  parameter int unsigned ExponentBits = 256,
  parameter int unsigned Adder        = 32,
  parameter int unsigned ConstantBits = 1,

  localparam int unsigned LengthW       = $clog2(ExponentBits + 1),
  localparam int unsigned OperandWords  = (Width + Adder - 1) / Adder,
  localparam int unsigned ConstantWords = (ConstantBits + Adder - 1) / Adder,
  localparam int unsigned ExponentWords = (ExponentBits + Adder - 1) / Adder,
  localparam int unsigned Written       = 4 * OperandWords + ConstantWords + ExponentWords,
  localparam int unsigned WriteW        = $clog2(Written),
  localparam int unsigned ReadW         = (OperandWords > 1) ? $clog2(OperandWords) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  logic [Width-1:0]        x_i,
  input  logic [ExponentBits-1:0] e_i,
  input  logic [LengthW-1:0]      e_len_i,
  input  logic [Width-1:0]        n_i,
  input  logic [ConstantBits-1:0] constants_i,
  input  logic [Width-1:0]        r1_i,
  input  logic [Width-1:0]        r2_i,
  input  logic                    abort_i,
  output logic                    rsp_valid_o,
  input  logic                    rsp_ready_i,
  output logic [Width-1:0]        y_o,
  output logic [3:0]              error_o,

  output logic                    core_write_valid_o,
  input  logic                    core_write_ready_i,
  output logic [WriteW-1:0]       core_write_addr_o,
  output logic [Adder-1:0]        core_write_data_o,
  output logic                    core_req_valid_o,
  input  logic                    core_req_ready_i,
  output logic [LengthW-1:0]      core_e_len_o,
  input  logic                    core_rsp_valid_i,
  output logic                    core_rsp_ready_o,
  input  logic [3:0]              core_error_i,
  output logic [ReadW-1:0]        core_read_addr_o,
  input  logic [Adder-1:0]        core_read_data_i,
  output logic                    core_abort_o
);

  localparam int unsigned LoadCycles = 2 * Written + 4;
  localparam int unsigned ReadCycles = 2 * OperandWords + 5;
  localparam int unsigned PaddedW    = OperandWords * Adder;

  // Bits above an operand have no effect.
  localparam logic [PaddedW-1:0] Above = ~PaddedW'({Width{1'b1}});

  logic                                load, read, step, step_q, running, core_ready;
  logic                                control_req_ready;
  logic [$clog2(OperandWords + 1)-1:0] count;
  logic [LengthW-1:0]                  e_len_q;
  logic [PaddedW-1:0]                  y_q;

  mf_harness_control #(.LoadCycles(LoadCycles), .ReadCycles(ReadCycles)) u_control (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid_i && core_ready),
    .req_ready_o(control_req_ready),
    .load_o     (load),
    .request_o  (core_req_valid_o),
    .accepted_i (core_req_ready_i),
    .running_o  (running),
    .finished_i (core_rsp_valid_i),
    .read_o     (read),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i)
  );

  // After reset the core wipes its memories.
  assign core_ready  = core_write_ready_i && core_req_ready_i;
  assign req_ready_o = control_req_ready && core_ready;

  mf_memory_writer #(.WordWidth(Adder), .Words(Written), .Seed(16'h1234)) u_operands (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .load_i (load),
    .d_i    ({(ExponentWords * Adder)'(e_i), Above | PaddedW'(x_i),
              (ConstantWords * Adder)'(constants_i), Above | PaddedW'(n_i), Above | PaddedW'(r2_i),
              Above | PaddedW'(r1_i)}),
    .valid_o(core_write_valid_o),
    .index_o(core_write_addr_o),
    .word_o (core_write_data_o)
  );
  mf_harness_pacer #(.Steps(OperandWords), .Seed(16'h5678)) u_result (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .start_i(read),
    .ready_i(1'b1),
    .step_o (step),
    .count_o(count)
  );

  always_ff @(posedge clk_i) begin
    if (load) e_len_q <= e_len_i;
    step_q <= step;
    if (step_q) y_q <= PaddedW'({core_read_data_i, y_q} >> Adder);
    if (rst_ni) begin
      if (core_write_valid_o) begin
        a_word_is_taken : assert (core_write_ready_i);
      end
      if (core_rsp_valid_i) begin
        a_response_belongs_to_a_request : assert (running || !control_req_ready);
      end
    end
  end

  assign core_e_len_o     = core_req_valid_o ? e_len_q : 'x;
  assign core_read_addr_o = step ? ReadW'(count) : 'x;
  assign core_rsp_ready_o = rsp_valid_o && rsp_ready_i;
  assign core_abort_o     = abort_i;
  assign y_o              = Width'(y_q);
  assign error_o          = core_error_i;

  // The bits above a result are zeros; at count OperandWords nothing is read.
  logic unused_high;
  assign unused_high = ^{y_q, count};

endmodule
