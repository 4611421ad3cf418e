// SPDX-License-Identifier: Apache-2.0
//
// Handshake of a core that is checked: one operation at a time, each answered in its cycle whatever
// a fault makes of the core, with error_o if the core was not in time.
//
// Phase   cycles     the core
// Idle    -          takes a request; one that is not ready, or shows a response, is reset
// Run     Answer     until it responds; without Fixed, until then, and Answer is too late
// Check   Wait       holds its result, which is checked
// Done    to taking  holds its result
// Reset   1          is reset, so that no fault outlives its operation
//
// Latency:  Answer + Wait + 1 cycles from a request to rsp_valid_o (Fixed). Interval: 2 more.
// Reset:    resets the core up to the next clock edge; a request waits for that.
//
// No single flip of a register here hangs the handshake, loses a request or gives a response
// without error_o in another cycle. Phases are one-hot; what is none is seen a cycle later, and a
// register of its own (busy_q) tells whether a response is owed then. Two counters, one up, one
// down, end a phase; error_o is set unless they end together.

module mf_check_sequencer #(
  /// Cycles from a request to the core's response; without Fixed more than the most; at least 2.
  parameter int unsigned Answer = 8,
  /// The fewest cycles from a request to the core's response; 1 to Answer.
  parameter int unsigned Soonest = Answer,
  /// Whether the core's response comes after Answer cycles exactly.
  parameter bit          Fixed  = 1'b1,
  /// Cycles of the check; at least 2.
  parameter int unsigned Wait   = 8
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic req_valid_i,
  output logic req_ready_o,
  output logic rsp_valid_o,
  input  logic rsp_ready_i,
  /// Valid with rsp_valid_o.
  output logic error_o,

  output logic core_rst_no,
  output logic core_req_valid_o,
  input  logic core_req_ready_i,
  input  logic core_rsp_valid_i,
  output logic core_rsp_ready_o,

  /// The ports may have operands: one for each wide register that takes them, which differ in
  /// phases that do not matter, so that synthesis does not make one of them, which would be slow.
  output logic [2:0] load_o,
  /// Neither load_o[i] nor, for i = 0, result_o: the wide registers go on.
  output logic [2:0] feed_o,
  /// A request is accepted.
  output logic start_o,
  /// The first cycle of Check.
  output logic result_o,
  /// The cycles after it.
  output logic hold_o
);

  if ($signed(Answer) < 2) begin : gen_illegal_answer
    $fatal(1, "mf_check_sequencer: Answer must be at least 2");
  end else if ($signed(Wait) < 2) begin : gen_illegal_wait
    $fatal(1, "mf_check_sequencer: Wait must be at least 2");
  end

  localparam int unsigned Longest = Answer < Wait ? Wait : Answer;
  localparam int unsigned CountW  = $clog2(Longest + 1);

  localparam int unsigned Idle = 0, Run = 1, Check = 2, Done = 3, Reset = 4;

  logic [Reset:Idle] phase_d, phase_q;
  logic [CountW-1:0] left_q, age_q;        // cycles of the phase: those left, up to Answer
  logic              left_last_q, age_last_q, early_q;
  logic              busy_q, error_q, illegal_q;
  logic              awake_q;              // Idle, and the core is out of its reset
  logic              idle, done, counts, ends, ends_both, leave_run, late, stray;

  assign idle = !illegal_q && phase_q == (Reset + 1)'(1 << Idle);
  assign done = !illegal_q && phase_q == (Reset + 1)'(1 << Done);

  // ---------------------------------------------------------------- phases

  assign ends      = left_last_q || age_last_q;
  assign ends_both = left_last_q && age_last_q;
  assign leave_run = ends || (!Fixed && core_rsp_valid_i);
  assign counts    = (phase_q[Run] && !leave_run) || phase_q[Check];
  assign stray     = awake_q && (!core_req_ready_i || core_rsp_valid_i);

  always_comb begin
    phase_d        = '0;
    phase_d[Idle]  = (phase_q[Idle] && !start_o && !stray) || phase_q[Reset];
    phase_d[Run]   = (phase_q[Idle] && start_o) || (phase_q[Run] && !leave_run);
    phase_d[Check] = (phase_q[Run] && leave_run) || (phase_q[Check] && !ends);
    phase_d[Done]  = (phase_q[Check] && ends) || (phase_q[Done] && !rsp_ready_i);
    phase_d[Reset] = (phase_q[Done] && rsp_ready_i) || (phase_q[Idle] && stray);
    if (illegal_q) begin
      phase_d        = '0;
      phase_d[Done]  = busy_q;
      phase_d[Reset] = !busy_q;
    end
  end

  logic [2:0] load_d;
  logic       result_d;

  assign load_d[0] = phase_d[Idle] || phase_d[Reset];
  assign load_d[1] = phase_d[Idle] || phase_d[Done];
  assign load_d[2] = phase_d[Idle] || phase_d[Done] || phase_d[Reset];
  assign result_d  = phase_q[Run] && phase_d[Check];

  // Whether the core's response or a counter is early or late.
  always_comb begin
    late = 1'b0;
    if (phase_q[Run]) begin
      if (Fixed) late |= core_rsp_valid_i != ends || ends != ends_both;
      else late |= ends || (early_q && core_rsp_valid_i);
    end
    if (phase_q[Check]) late |= ends != ends_both || !core_rsp_valid_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q     <= (Reset + 1)'(1 << Idle);
      illegal_q   <= 1'b0;
      busy_q      <= 1'b0;
      error_q     <= 1'b0;
      core_rst_no <= 1'b0;
      awake_q     <= 1'b0;
      load_o      <= '1;
      feed_o      <= '0;
      result_o    <= 1'b0;
      hold_o      <= 1'b0;
      left_q      <= '0;
      age_q       <= '0;
      left_last_q <= 1'b0;
      age_last_q  <= 1'b0;
      early_q     <= 1'b1;
    end else begin
      phase_q     <= phase_d;
      illegal_q   <= !$onehot(phase_q);
      busy_q      <= start_o || (busy_q && !(done && rsp_ready_i));
      error_q     <= !idle && (error_q || late || illegal_q);
      core_rst_no <= !phase_d[Reset];
      awake_q     <= phase_d[Idle];
      load_o      <= load_d;
      feed_o      <= ~{load_d[2:1], load_d[0] || result_d};
      result_o    <= result_d;
      hold_o      <= (phase_q[Check] && phase_d[Check]) || phase_d[Done];
      left_last_q <= counts && left_q == CountW'(1);
      age_last_q  <= counts && age_q == CountW'(Answer - 1);
      early_q     <= !Fixed && (phase_q[Idle] || (early_q && age_q < CountW'(Soonest - 1)));
      // In the last cycle of a phase left_q = 0.
      if (phase_q[Idle]) begin
        left_q <= CountW'(Answer - 1);
        age_q  <= CountW'(1);
      end else if (phase_q[Run] && leave_run) begin
        left_q <= CountW'(Wait - 1);
        age_q  <= CountW'(Answer) - CountW'(Wait - 1);
      end else begin
        left_q <= left_q - CountW'(1);
        age_q  <= age_q + CountW'(1);
      end
    end
  end

  assign req_ready_o      = idle && awake_q && core_req_ready_i && !core_rsp_valid_i;
  assign start_o          = req_valid_i && req_ready_o;
  assign core_req_valid_o = start_o;
  assign rsp_valid_o      = done;
  assign core_rsp_ready_o = done && rsp_ready_i;
  assign error_o          = error_q || !core_rsp_valid_i;

endmodule
