// SPDX-License-Identifier: Apache-2.0
//
// Sequencer of the systolic FIOS multiplier: accepts operations and streams them to the elements.
//
// The sequencer sends the steps of the first iteration and, two cycles after each step, its word of
// y or n, and the words of x, one for each iteration. y_next_o, n_next_o, x_next_o request words.
//
// cycle after acceptance   action (cycle 1 is the first one after the accepting edge)
// 1 + c                    step c is on step_o, and its word is requested
// 3 + c                    its word is on word_o; the element issues the step in the next cycle
// 2 + start(i)             x_i is requested; start(i): cycle in which iteration i starts
// 3 + start(i)             x_i is on x_o
//
// Constant time: yes; no control signal depends on words.

module mf_fios_sequencer #(
  /// Bits of a word.
  parameter int unsigned WordWidth = 17,
  /// Words of an operand.
  parameter int unsigned Words     = 16,
  /// 0: published, 1: fast, 2: unit modulus.
  parameter int unsigned Variant   = 0,
  /// Cycles from operands to result of the multiplier-accumulator: 1, 2 or 3.
  parameter int unsigned Pipeline  = 3,
  /// Cycles between two acceptances; at least 3.
  parameter int unsigned Interval  = 172,
  /// Cycles between two words of x.
  parameter int unsigned XPeriod   = 9,
  /// Words of x in a round.
  parameter int unsigned XRound    = 5,
  /// Cycles that are added after each round of words of x.
  parameter int unsigned XPause    = 0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  /// Room for the result of an operation that is accepted in the next cycle. The input stays high
  /// until an operation is accepted, and has no effect in the cycle after the acceptance.
  input  logic                 op_room_next_i,
  input  logic                 op_valid_i,
  output logic                 op_ready_o,
  /// op_ready_o in the next cycle.
  output logic                 op_ready_next_o,

  output logic                 x_next_o,
  input  logic [WordWidth-1:0] x_word_i,
  output logic                 y_next_o,
  input  logic [WordWidth-1:0] y_word_i,
  output logic                 n_next_o,
  input  logic [WordWidth-1:0] n_word_i,

  /// Steps, and whether step_o or word_o is of an operation.
  output mf_fios_pkg::step_t   step_o,
  output logic                 step_valid_o,
  output logic [WordWidth-1:0] word_o,
  output logic                 word_valid_o,
  output logic [WordWidth-1:0] x_o,
  output logic                 x_last_o
);

  import mf_fios_pkg::*;

  if (Interval < 3) begin : gen_illegal_interval
    $fatal(1, "mf_fios_sequencer: Interval must be at least 3");
  end

  localparam step_t       PairStart    = step_t'(prologue_steps(Variant, Pipeline));
  localparam step_t       PrologueLast = PairStart - step_t'(1);
  localparam step_t       PairLast     = PairStart + step_t'(1);
  localparam step_t       TailStart    = PairStart + step_t'(2);
  localparam step_t       LastStep     = PairLast + step_t'(tail_steps(Variant));
  localparam int unsigned Pairs        = pairs(Variant, Pipeline, Words);
  localparam int unsigned PairW        = $clog2(Pairs + 2);
  localparam int unsigned IntervalW    = $clog2(Interval + 1);
  localparam int unsigned WordsW       = $clog2(Words + 1);
  localparam int unsigned PeriodW      = $clog2(XPeriod + XPause + 1);
  localparam int unsigned RoundW       = $clog2(XRound + 1);
  // The sources of words do not depend on the C register.
  localparam code_t       Code         = code_of(Variant, Pipeline, 1);

  // ---------------------------------------------------------------- acceptance

  logic                 accept, accepted_q;
  logic [IntervalW-1:0] wait_q;    // counts down to the next acceptance
  logic                 waited_q;  // it can be in the next cycle
  logic                 ready_d, ready_q;
  // !ready_q in another register, for all logic outside: it can be placed at the registers of the
  // operands, and ready_q at the sequencer.
  logic                 busy_d, busy_q;

  assign accept  = op_valid_i && ready_q;
  assign ready_d = op_room_next_i && waited_q && !accept;
  assign busy_d  = !(op_room_next_i && waited_q) || (op_valid_i && !busy_q);

  assign op_ready_o      = !busy_q;
  assign op_ready_next_o = !busy_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q     <= '0;
      waited_q   <= 1'b1;
      ready_q    <= 1'b1;
      busy_q     <= 1'b0;
      accepted_q <= 1'b0;
    end else begin
      wait_q     <= waited_q ? IntervalW'(Interval - 3) : wait_q - IntervalW'(1);
      waited_q   <= waited_q ? !accept : wait_q == '0;
      ready_q    <= ready_d;
      busy_q     <= busy_d;
      accepted_q <= accept;
    end
  end

  // ---------------------------------------------------------------- steps

  step_t            step_d, step_q;  // step_d: unless an operation is accepted
  logic             step_valid_q;
  logic [PairW-1:0] pairs_q;         // remaining pairs, with the present one

  always_comb begin
    unique case (step_q)
      StepIdle:     step_d = StepIdle;
      LastStep:     step_d = StepIdle;
      PrologueLast: step_d = Pairs == 0 ? TailStart : PairStart;
      PairLast:     step_d = pairs_q == PairW'(1) ? TailStart : PairStart;
      default:      step_d = step_q + step_t'(1);
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q       <= StepIdle;
      step_valid_q <= 1'b0;
      pairs_q      <= '0;
    end else begin
      step_q       <= accept ? '0 : step_d;
      step_valid_q <= accept || step_d != StepIdle;
      // Operations overlap in their last steps only, after the pairs.
      if (ready_q) begin
        pairs_q <= PairW'(Pairs);
      end else if (step_q == PairLast) begin
        pairs_q <= pairs_q - PairW'(1);
      end
    end
  end

  assign step_o       = step_q;
  assign step_valid_o = step_valid_q;

  // ---------------------------------------------------------------- words of y and n

  micro_t               micro_step;
  logic                 y_next_q, n_next_q;
  logic [1:0]           valid_q;
  logic [WordWidth-1:0] word_q, late_word_q;

  assign micro_step = micro(Code, step_d);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      y_next_q <= 1'b0;
      n_next_q <= 1'b0;
      valid_q  <= '0;
    end else begin
      // The first word is y_0.
      y_next_q <= accept || micro_step.b == BFromY;
      n_next_q <= !accept && micro_step.b == BFromN;
      valid_q  <= {valid_q[0], step_valid_q};
    end
  end

  always_ff @(posedge clk_i) begin
    word_q      <= n_next_q ? n_word_i : y_word_i;
    late_word_q <= word_q;
  end

  assign y_next_o     = y_next_q;
  assign n_next_o     = n_next_q;
  assign word_o       = late_word_q;
  assign word_valid_o = valid_q[1];

  // ---------------------------------------------------------------- words of x

  logic [WordsW-1:0]    x_left, x_left_q;    // words that are not requested yet
  logic [PeriodW-1:0]   x_wait_q;
  logic [RoundW-1:0]    x_round, x_round_q;  // those of this round
  logic                 x_next_d, x_next_q, x_last_q, x_was_last_q;
  logic [WordWidth-1:0] x_q;
  logic                 round_ends;

  assign x_next_d   = accepted_q || (x_left_q != '0 && x_wait_q == '0);
  assign x_left     = accepted_q ? WordsW'(Words) : x_left_q;
  assign x_round    = accepted_q ? RoundW'(XRound) : x_round_q;
  assign round_ends = XPause != 0 && x_round == RoundW'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      x_left_q  <= '0;
      x_wait_q  <= '0;
      x_round_q <= '0;
      x_next_q  <= 1'b0;
      x_last_q  <= 1'b0;
    end else begin
      x_next_q <= x_next_d;
      x_last_q <= x_left_q == WordsW'(1);
      if (x_next_d) begin
        x_left_q  <= x_left - WordsW'(1);
        x_wait_q  <= PeriodW'(round_ends ? XPeriod + XPause - 1 : XPeriod - 1);
        x_round_q <= round_ends ? RoundW'(XRound) : x_round - RoundW'(1);
      end else if (x_wait_q != '0) begin
        x_wait_q <= x_wait_q - PeriodW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (x_next_q) begin
      x_q          <= x_word_i;
      x_was_last_q <= x_last_q;
    end
  end

  assign x_next_o = x_next_q;
  assign x_o      = x_q;
  assign x_last_o = x_was_last_q;

  // Only the source of a word is used here.
  logic unused_micro;
  assign unused_micro = ^micro_step;

endmodule
