// SPDX-License-Identifier: Apache-2.0
//
// Control of mf_rmm: the step counter, and the operation in each context.
//
// Step: counts Period steps while an operation is under way, and stays at the last one otherwise,
//       so that context 0 can begin in the next cycle. A request is accepted in the cycle before
//       its context's first step. Responses come in the order of the requests.

module mf_rmm_control #(
  /// Interleaved operations; 1 or 2.
  parameter int unsigned Contexts    = 1,
  /// Register levels of the digit multipliers.
  parameter int unsigned Stages      = 1,
  /// Steps after which the plan repeats.
  parameter int unsigned Period      = 16,
  /// First step of context 1.
  parameter int unsigned Start1      = 0,
  /// Steps from an operation's first issue to its last one, both included.
  parameter int unsigned IssueCycles = 10,
  /// Cycles from acceptance to the result.
  parameter int unsigned Latency     = 12,

  localparam int unsigned StepW = $clog2(Period)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  input  logic                          req_valid_i,
  output logic                          req_ready_o,
  output logic                          rsp_valid_o,
  input  logic                          rsp_ready_i,

  /// The next cycle's step, and whether the context's products are issued in it.
  output logic [StepW-1:0]              next_step_o,
  output logic [Contexts-1:0]           next_issuing_o,
  /// The step whose products are in the multipliers' last register in the next cycle.
  output logic [StepW-1:0]              product_step_o,
  output logic [Contexts-1:0]           product_issuing_o,
  /// Operands are loaded.
  output logic [Contexts-1:0]           load_o,
  /// Accumulators begin.
  output logic [Contexts-1:0]           initialise_o,
  /// Last cycle of accumulation.
  output logic [Contexts-1:0]           correct_o,
  /// One-hot: the context whose response is due first.
  output logic [Contexts-1:0]           oldest_o
);

  logic [StepW-1:0]              step_d, step_q;
  logic [Contexts-1:0]           ready_d, ready_q;      // this step accepts for the context
  logic [Contexts-1:0]           busy_d, busy_q;        // from acceptance until taken
  logic [Contexts-1:0]           issuing_d, issuing_q;  // its products are issued
  logic [Contexts-1:0]           done_d, done_q;        // its result waits to be taken
  logic [Contexts-1:0]           initialise_q;
  logic [Contexts-1:0]           correct_d, correct_q;
  logic [Contexts-1:0]           accept, take, oldest;
  logic [Stages:0][StepW-1:0]    past_step;
  logic [Stages:0][Contexts-1:0] past_issuing;

  assign accept = ready_q & {Contexts{req_valid_i}};
  assign take   = done_q & oldest & {Contexts{rsp_ready_i}};
  assign busy_d = (busy_q & ~take) | accept;

  assign step_d = (busy_d == '0) ? StepW'(Period - 1) :
                  (step_q == StepW'(Period - 1)) ? '0 : step_q + StepW'(1);

  for (genvar c = 0; c < Contexts; c++) begin : gen_control
    localparam int unsigned Start       = c == 0 ? 0 : Start1;
    localparam int unsigned ReadyStep   = (Start + Period - 1) % Period;
    localparam int unsigned CorrectStep = (Start + IssueCycles + Stages - 1) % Period;
    localparam int unsigned DoneStep    = (Start + Latency - 1) % Period;
    assign ready_d[c]   = (step_d == StepW'(ReadyStep)) && !busy_d[c];
    assign issuing_d[c] = accept[c] | (issuing_q[c] & (step_q != StepW'(Period - 1)));
    assign correct_d[c] = busy_q[c] & ~done_q[c] & (step_q == StepW'(CorrectStep));
    assign done_d[c]    = busy_q[c] & ~take[c] & (done_q[c] | (step_q == StepW'(DoneStep)));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q       <= StepW'(Period - 1);
      ready_q      <= Contexts'(1);
      busy_q       <= '0;
      issuing_q    <= '0;
      done_q       <= '0;
      initialise_q <= '0;
      correct_q    <= '0;
    end else begin
      step_q       <= step_d;
      ready_q      <= ready_d;
      busy_q       <= busy_d;
      issuing_q    <= issuing_d;
      done_q       <= done_d;
      initialise_q <= accept;
      correct_q    <= correct_d;
    end
  end

  if (Contexts == 1) begin : gen_one_context
    assign oldest = 1'b1;
  end else begin : gen_two_contexts
    logic second_is_older_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        second_is_older_q <= 1'b0;
      end else if (|take) begin
        second_is_older_q <= take[0];
      end else if (busy_q == '0) begin
        second_is_older_q <= accept[1];
      end
    end
    assign oldest = {second_is_older_q, ~second_is_older_q};
  end

  assign past_step[0]    = step_q;
  assign past_issuing[0] = issuing_q;
  for (genvar s = 1; s <= Stages; s++) begin : gen_past
    always_ff @(posedge clk_i) past_step[s] <= past_step[s-1];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) past_issuing[s] <= '0;
      else past_issuing[s] <= past_issuing[s-1];
    end
  end

  assign req_ready_o       = |ready_q;
  assign rsp_valid_o       = |(done_q & oldest);
  assign next_step_o       = step_d;
  assign next_issuing_o    = issuing_d;
  assign product_step_o    = past_step[Stages];
  assign product_issuing_o = past_issuing[Stages];
  assign load_o            = ready_q;
  assign initialise_o      = initialise_q;
  assign correct_o         = correct_q;
  assign oldest_o          = oldest;

endmodule
