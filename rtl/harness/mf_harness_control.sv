// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. The phases of an operation behind a harness, one operation at a time:
// load_o with the request; LoadCycles cycles in which the harness fills the memories that the core
// reads; request_o until accepted_i; the core runs until finished_i; with ReadCycles > 0, read_o in
// that cycle and ReadCycles cycles in which the harness reads the result; the response until it is
// taken.
//
// From the request to the core's acceptance there are LoadCycles + 1 edges, from finished_i to the
// response ReadCycles + 1.

module mf_harness_control #(
  /// Cycles to load; at least 1.
  parameter int unsigned LoadCycles = 8,
  /// Cycles to read; 0 for a result that is there with finished_i.
  parameter int unsigned ReadCycles = 0
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic req_valid_i,
  output logic req_ready_o,
  output logic load_o,

  output logic request_o,
  input  logic accepted_i,
  output logic running_o,
  input  logic finished_i,
  output logic read_o,

  output logic rsp_valid_o,
  input  logic rsp_ready_i
);

  localparam int unsigned CountW = $clog2(LoadCycles + ReadCycles + 1);

  typedef enum logic [2:0] {StIdle, StLoad, StRequest, StRun, StRead, StDone} phase_e;

  phase_e            phase_q;
  logic [CountW-1:0] count_q;

  assign req_ready_o = phase_q == StIdle;
  assign load_o      = req_valid_i && phase_q == StIdle;
  assign request_o   = phase_q == StRequest;
  assign running_o   = phase_q == StRun;
  assign read_o      = phase_q == StRun && finished_i && ReadCycles != 0;
  assign rsp_valid_o = phase_q == StDone;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
      count_q <= '0;
    end else begin
      count_q <= phase_q == StLoad || phase_q == StRead ? count_q + CountW'(1) : '0;
      unique case (phase_q)
        StIdle:    if (req_valid_i) phase_q <= StLoad;
        StLoad:    if (count_q == CountW'(LoadCycles - 1)) phase_q <= StRequest;
        StRequest: if (accepted_i) phase_q <= StRun;
        StRun:     if (finished_i) phase_q <= ReadCycles != 0 ? StRead : StDone;
        StRead:    if (count_q + CountW'(1) == CountW'(ReadCycles)) phase_q <= StDone;
        StDone:    if (rsp_ready_i) phase_q <= StIdle;
        default:   phase_q <= StIdle;
      endcase
    end
  end

endmodule
