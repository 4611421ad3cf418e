// SPDX-License-Identifier: Apache-2.0
//
// The engine's side of mf_bus_axi for a plain core: its inputs and results as windows of words,
// start as its request, and the response held until the next one.
//
// Windows:  inputs_o, the core's inputs, each filled up to words, from 1000 (hexadecimal), write
//           only; outputs_i, its results, each filled up to words, from 8000, read only, zeros
//           unless the last operation is done without an error. win_error_o answers other
//           addresses, writes while busy, and writes of ones where no input has a bit (Mask).
// Start:    makes one request, and counts the cycles from acceptance until rsp_valid_i. A start
//           while busy is ignored. error_o: the core's status core_error_i, or 15 after an abort.
// Loads:    a start with op_i 6 makes a load and counts the cycles from its acceptance until
//           req_ready_i; there is no result then. Other starts end with error 16 before a load.
// Abort:    core_rst_no resets the core for two cycles, which forgets a load. Zeroize does the
//           same, and inputs become 0.
// Paths:    outputs_i to win_rdata_o through a register.
//
// state_q   Idle; Load, Request: until it is accepted; Loading: until requests are accepted; Run:
//           until the response; Done: the core holds the response; Refuse: no load was made; Reset:
//           of the core.

module mf_core_windows #(
  /// Words of all inputs; 1 to 7168.
  parameter int unsigned InputWords  = 8,
  /// Words of all results; 1 to 8192.
  parameter int unsigned OutputWords = 4,
  /// The core has a load phase.
  parameter bit          Loads       = 1'b0,
  /// Ones where an input has a bit.
  parameter logic [32*InputWords-1:0] Mask = '1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic                      start_i,
  /// With Loads: which operation; read with start_i.
  input  logic [3:0]                op_i,
  input  logic                      abort_i,
  input  logic                      zeroize_i,
  output logic                      busy_o,
  output logic                      done_o,
  output logic [7:0]                error_o,
  output logic [31:0]               cycles_o,
  output logic                      done_event_o,
  output logic                      error_event_o,

  input  logic                      win_valid_i,
  input  logic                      win_write_i,
  input  logic [15:0]               win_addr_i,
  input  logic [31:0]               win_wdata_i,
  output logic                      win_rvalid_o,
  output logic [31:0]               win_rdata_o,
  output logic                      win_error_o,

  output logic                      core_rst_no,
  output logic                      load_valid_o,
  input  logic                      load_ready_i,
  output logic                      req_valid_o,
  input  logic                      req_ready_i,
  output logic [32*InputWords-1:0]  inputs_o,
  input  logic                      rsp_valid_i,
  output logic                      rsp_ready_o,
  input  logic [32*OutputWords-1:0] outputs_i,
  input  logic [7:0]                core_error_i
);

  if (InputWords < 1 || InputWords > 7168) begin : gen_illegal_input_words
    $fatal(1, "mf_core_windows: InputWords must be 1 to 7168");
  end
  if (OutputWords < 1 || OutputWords > 8192) begin : gen_illegal_output_words
    $fatal(1, "mf_core_windows: OutputWords must be 1 to 8192");
  end

  localparam logic [3:0] SetUp          = 4'd6;
  localparam logic [7:0] ErrorAborted   = 8'd15;
  localparam logic [7:0] ErrorOperation = 8'd16;
  localparam int unsigned PlaceW = 14;

  typedef enum logic [2:0] {Idle, Load, Loading, Request, Run, Done, Refuse, Reset} state_e;

  state_e     state_d, state_q, first;
  logic       aborted_q, reset_again_q, loaded_q, end_it, taken, answered, ended;
  logic       no_result_q;  // of a load, or of a refused request
  logic [7:0] status;       // of the operation that is done

  assign end_it   = zeroize_i || (abort_i && busy_o);
  assign taken    = (req_valid_o && req_ready_i) || (load_valid_o && load_ready_i);
  assign answered = (state_q == Run && rsp_valid_i) || (state_q == Loading && req_ready_i);
  assign ended    = (answered || state_q == Refuse) && !end_it;
  assign first    = !Loads ? Request : op_i == SetUp ? Load : loaded_q ? Request : Refuse;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:    if (start_i) state_d = first;
      Load:    if (taken) state_d = Loading;
      Request: if (taken) state_d = Run;
      Loading: if (answered) state_d = Done;
      Run:     if (answered) state_d = Done;
      Done:    if (start_i) state_d = first;
      Refuse:  state_d = Done;
      Reset:   if (reset_again_q) state_d = Idle;
      default: state_d = Idle;
    endcase
    if (end_it) state_d = Reset;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= Idle;
      core_rst_no   <= 1'b0;
      reset_again_q <= 1'b0;
      aborted_q     <= 1'b0;
      loaded_q      <= 1'b0;
      no_result_q   <= 1'b0;
      cycles_o      <= '0;
    end else begin
      state_q       <= state_d;
      core_rst_no   <= state_d != Reset;
      reset_again_q <= state_q == Reset;
      if (end_it) aborted_q <= abort_i && busy_o;
      else if (start_i && !busy_o) aborted_q <= 1'b0;
      loaded_q <= !end_it && (loaded_q || (load_valid_o && load_ready_i));
      if (start_i && !busy_o) no_result_q <= first != Request;
      if (taken || state_q == Refuse) cycles_o <= '0;
      else if ((state_q inside {Run, Loading}) && !answered) cycles_o <= cycles_o + 32'd1;
    end
  end

  // The next start takes the response that the core holds.
  assign load_valid_o  = state_q == Load;
  assign req_valid_o   = state_q == Request;
  assign rsp_ready_o   = state_q == Done && start_i;
  assign busy_o        = !(state_q inside {Idle, Done});
  assign done_o        = state_q == Done || (state_q == Idle && aborted_q);
  assign status        = !no_result_q ? core_error_i : loaded_q ? '0 : ErrorOperation;
  assign error_o       = aborted_q ? ErrorAborted : state_q == Done ? status : '0;
  assign done_event_o  = ended || (state_q == Reset && reset_again_q && aborted_q);
  assign error_event_o = done_event_o && (aborted_q || status != '0);

  // ---------------------------------------------------------------- windows

  logic [InputWords-1:0][31:0]  words_q;
  logic [OutputWords-1:0][31:0] results;
  logic [PlaceW-1:0]            input_place, output_place;
  logic                         is_input, is_output, put, bad_bits;
  logic [InputWords-1:0][31:0]  mask;

  assign mask         = Mask;
  assign results      = outputs_i;
  assign inputs_o     = words_q;
  assign input_place  = win_addr_i[15:2] - PlaceW'('h1000 / 4);
  assign output_place = win_addr_i[15:2] - PlaceW'('h8000 / 4);
  assign is_input     = !win_addr_i[15] && input_place < PlaceW'(InputWords);
  assign is_output    = win_addr_i[15] && output_place < PlaceW'(OutputWords);

  always_comb begin
    bad_bits = 1'b0;
    for (int unsigned i = 0; i < InputWords; i++) begin
      if (input_place == PlaceW'(i)) bad_bits = (win_wdata_i & ~mask[i]) != '0;
    end
  end

  assign put = win_valid_i && win_write_i && is_input && !busy_o && !bad_bits;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      words_q <= '0;
    end else if (zeroize_i) begin
      words_q <= '0;
    end else begin
      for (int unsigned i = 0; i < InputWords; i++) begin
        if (put && input_place == PlaceW'(i)) words_q[i] <= win_wdata_i;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      win_rvalid_o <= 1'b0;
      win_error_o  <= 1'b0;
      win_rdata_o  <= '0;
    end else begin
      win_rvalid_o <= win_valid_i;
      win_error_o  <= win_valid_i && !put && (win_write_i || !is_output);
      win_rdata_o  <= '0;
      if (win_valid_i && !win_write_i && state_q == Done && !no_result_q &&
          core_error_i == '0) begin
        for (int unsigned i = 0; i < OutputWords; i++) begin
          if (is_output && output_place == PlaceW'(i)) win_rdata_o <= results[i];
        end
      end
    end
  end

  // Not used: the port takes addresses of words only.
  logic unused_place;
  assign unused_place = ^win_addr_i[1:0];

  if (!Loads) begin : gen_no_loads
    logic unused_load;
    assign unused_load = ^{op_i, load_ready_i};
  end

endmodule
