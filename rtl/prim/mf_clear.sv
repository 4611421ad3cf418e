// SPDX-License-Identifier: Apache-2.0
//
// Between a core and its user: overwrites the core's registers when the core has nothing to do.
//
// Clearing:  after Idle cycles without a request and without an operation under way, and after
//            reset. The core is reset for two cycles, which sets the registers of its control, and
//            then does Operations operations on Constants, whose results are dropped. Constants
//            are legal inputs, so that the time does not depend on what was there before.
// Requests:  reach the core in their cycle, and responses the user in theirs; a request that
//            comes during clearing waits for its end.
// Inputs:    the core has Constants at its inputs in all cycles without a request. From the end of
//            clearing to the next request nothing that the user drives reaches it.
//
// state_q    Reset: of the core; Clear: operations on Constants; Clean: no request came since;
//            Used: one did.

module mf_clear #(
  /// Cycles without work before clearing; at least 1.
  parameter int unsigned Idle       = 1,
  /// Operations that overwrite all registers; at least 1.
  parameter int unsigned Operations = 1,
  /// Most operations under way at a time; at least 1.
  parameter int unsigned InFlight   = 1,
  /// Bits of all data inputs of the core; at least 1.
  parameter int unsigned InputW     = 1,
  /// A legal value of the inputs.
  parameter logic [InputW-1:0] Constants = '0
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              req_valid_i,
  output logic              req_ready_o,
  input  logic [InputW-1:0] inputs_i,
  output logic              rsp_valid_o,
  input  logic              rsp_ready_i,
  /// Other inputs of the core are the user's; else they must have no effect.
  output logic              passing_o,

  output logic              core_rst_no,
  output logic              core_req_valid_o,
  input  logic              core_req_ready_i,
  output logic [InputW-1:0] core_inputs_o,
  input  logic              core_rsp_valid_i,
  output logic              core_rsp_ready_o
);

  if ($signed(Idle) < 1) begin : gen_illegal_idle
    $fatal(1, "mf_clear: Idle must be at least 1");
  end
  if ($signed(Operations) < 1) begin : gen_illegal_operations
    $fatal(1, "mf_clear: Operations must be at least 1");
  end
  if ($signed(InFlight) < 1) begin : gen_illegal_in_flight
    $fatal(1, "mf_clear: InFlight must be at least 1");
  end
  if ($signed(InputW) < 1) begin : gen_illegal_input_w
    $fatal(1, "mf_clear: InputW must be at least 1");
  end

  localparam int unsigned IdleW       = $clog2(Idle + 1);
  localparam int unsigned OperationsW = $clog2(Operations + 1);
  localparam int unsigned InFlightW   = $clog2(InFlight + 1);

  typedef enum logic [1:0] {Reset, Clear, Clean, Used} state_e;

  state_e                 state_d, state_q;
  logic                   reset_again_q;
  logic [IdleW-1:0]       idle_q;
  logic [OperationsW-1:0] left_q;
  logic [InFlightW-1:0]   under_way_q;
  logic                   serving, busy, full, requested, accepted, answered, quiet, expired;

  assign serving   = state_q == Clean || state_q == Used;
  assign busy      = under_way_q != '0;
  assign full      = under_way_q == InFlightW'(InFlight);
  assign requested = serving ? req_valid_i : state_q == Clear && left_q != '0;
  assign accepted  = core_req_valid_o && core_req_ready_i;
  assign answered  = busy && core_rsp_valid_i && core_rsp_ready_o;
  assign quiet     = state_q == Used && !busy && !req_valid_i;
  assign expired   = quiet && idle_q == IdleW'(Idle - 1);

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Reset:   if (reset_again_q) state_d = Clear;
      Clear:   if (left_q == '0 && !busy) state_d = Clean;
      Clean:   if (req_valid_i) state_d = Used;
      Used:    if (expired) state_d = Reset;
      default: state_d = Reset;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= Reset;
      core_rst_no   <= 1'b0;
      reset_again_q <= 1'b0;
      idle_q        <= '0;
      left_q        <= '0;
      under_way_q   <= '0;
    end else begin
      state_q       <= state_d;
      core_rst_no   <= state_d != Reset;
      reset_again_q <= state_q == Reset;
      idle_q        <= quiet && !expired ? idle_q + IdleW'(1) : '0;
      if (state_q == Reset) left_q <= OperationsW'(Operations);
      else if (state_q == Clear && accepted) left_q <= left_q - OperationsW'(1);
      under_way_q   <= under_way_q + InFlightW'(accepted) - InFlightW'(answered);
    end
  end

  assign passing_o        = state_q == Used || (state_q == Clean && req_valid_i);
  assign req_ready_o      = serving && !full && core_req_ready_i;
  assign rsp_valid_o      = state_q == Used && busy && core_rsp_valid_i;
  assign core_req_valid_o = requested && !full;
  assign core_rsp_ready_o = state_q != Used || rsp_ready_i;
  assign core_inputs_o    = serving && req_valid_i ? inputs_i : Constants;

endmodule
