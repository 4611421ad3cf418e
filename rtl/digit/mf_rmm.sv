// SPDX-License-Identifier: Apache-2.0
//
// Rescheduled Montgomery Multiplier (RMM): K digits, M digit multipliers, a static schedule.
//
// Source:   Grale, Swartzlander, "Improved Montgomery Multiplication", Section IV, Fig. 5.
// Computes: p = a * b * R^-1 mod n, R = 2^(K * DigitBits), from digit products of
//           T = A B, Q = T M' mod R and U = Q M, each issued on a free multiplier as soon as the
//           schedule says that its operand digit is final.
// Takes:    n_prime_i = -n^-1 mod R.
// Contract: n odd, 3 <= n < 2^Width.
//           Variant 0 (published): a, b, p < n, R >= 2^Width; T, Q and U have an accumulator each,
//           P = T1 + U1 + (T0 != 0), and n is subtracted if P >= n (the paper's P > n is wrong).
//           Variant 1 to 3: a, b, p < 2n, R >= 2^(Width+2); U is added on top of T, whose low half
//           becomes 0 by itself, and nothing is subtracted. Variant 1 computes all of U. Variant 2
//           omits the columns below K-2 of U and rounds: P = round((T + U') / R). Variant 3 omits
//           column K-2 too and adds an estimate of it, from the top bits of its digits.
// Latency:  issue cycles of the schedule + 1 + Stages, + 1 with Accumulator = 1, + 2 in variant 0,
//           for all operands. The schedule depends on OperandLatency, the number of cycles from
//           the issue of a product until its sum can be an operand: 1 + Stages, + 1 with
//           Accumulator = 1 or 2.
// Contexts = 2: two operations share the multipliers; each has registers and accumulators of its
//           own. A request is accepted in the step in which its context's schedule begins.
// Constant time: yes. The schedule does not depend on data.
//
// Step      a counter that runs through the plan's period while an operation is under way.
// Load      step s: operand digits, selected by registered one-hot lines, enter x_q and y_q.
// Multiply  Stages cycles in mf_digit_multiplier.
// Add       the halves of the products enter the accumulators at their digits. The digits of T
//           and Q are operands as they leave the adder (Accumulator = 0), as the sum of the
//           register pair (1), or from the register (2).
//
// The plan is computed at elaboration (function planned); src/montforge/schedule.py explains the
// policies and shows that variants 1 to 3 have the fewest possible issue cycles.

module mf_rmm #(
  /// Bits of the widest modulus; at least 3.
  parameter int unsigned Width      = 256,
  /// Digits; 2 to 16.
  parameter int unsigned K          = 4,
  /// Digit multipliers; 1 to K*K.
  parameter int unsigned M          = 4,
  /// 0 published, 1 in place, 2 truncated (K of at least 3), 3 with an estimated column.
  parameter int unsigned Variant    = 3,
  /// Structure of the digit multipliers (mf_digit_multiplier).
  parameter int unsigned Multiplier = 2,
  /// Register levels of the digit multipliers; 1 or 2.
  parameter int unsigned Stages     = 1,
  /// Style of the adders (mf_adder).
  parameter int unsigned AdderStyle = 0,
  /// 0 binary, 1 carry-save (not with variant 0), 2 binary and digits are read from the register.
  parameter int unsigned Accumulator = 0,
  /// Interleaved operations; 1 or 2.
  parameter int unsigned Contexts   = 1,

  // Bits of the estimate's factors: 4^g W >= 2 ((K-1) (2 2^g - 1) W + (K-2) 4^g), W large.
  localparam int unsigned TopBits   = K == 2 ? 2 : K == 3 ? 3 : K <= 5 ? 4 : K <= 9 ? 5 : 6,
  // Digits of at least three bits, and wide enough for what the variants leave out.
  localparam int unsigned MinDigit  = Variant == 3 ? TopBits + 1 + $clog2(K) :
                                      (Variant == 2 && K > 4) ? 1 + $clog2(K) : 3,
  localparam int unsigned Needed    = (Variant == 0 ? Width + K - 1 : Width + 1 + K) / K,
  localparam int unsigned DigitBits = Needed < MinDigit ? MinDigit : Needed,
  localparam int unsigned RBits     = K * DigitBits,
  localparam int unsigned OperandW  = Variant == 0 ? Width : Width + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [Width-1:0]    n_i,
  input  logic [RBits-1:0]    n_prime_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3) begin : gen_illegal_width
    $fatal(1, "mf_rmm: Width must be at least 3");
  end
  if (K < 2 || K > 16) begin : gen_illegal_k
    $fatal(1, "mf_rmm: K must be 2 to 16");
  end
  if (M < 1 || M > K * K) begin : gen_illegal_m
    $fatal(1, "mf_rmm: M must be 1 to K*K");
  end
  if (Variant > 3 || (Variant == 2 && K < 3)) begin : gen_illegal_variant
    $fatal(1, "mf_rmm: Variant must be 0 to 3, and 2 needs a K of at least 3");
  end
  if (Accumulator > 2 || (Accumulator == 1 && Variant == 0)) begin : gen_illegal_accumulator
    $fatal(1, "mf_rmm: Accumulator must be 0 to 2, and not 1 with Variant 0");
  end
  if (Contexts < 1 || Contexts > 2) begin : gen_illegal_contexts
    $fatal(1, "mf_rmm: Contexts must be 1 or 2");
  end

  // ---------------------------------------------------------------- plan (elaboration)

  localparam bit          Published      = Variant == 0;
  localparam bit          CarrySave      = Accumulator == 1;
  localparam int unsigned OperandLatency = 1 + Stages + (Accumulator == 0 ? 0 : 1);
  localparam int unsigned Overhead       = 1 + Stages + 32'(CarrySave) + (Published ? 2 : 0);
  // From an operation's last issue to the next first issue in its context.
  localparam int unsigned Turnaround     = Overhead + 2;

  // Lowest column of U that is computed.
  localparam int unsigned Kept      = Variant == 3 ? K - 1 : Variant == 2 ? K - 2 : 0;
  localparam int unsigned Products  = 2 * K * K + K * (K + 1) / 2 - Kept * (Kept + 1) / 2;
  localparam int unsigned MaxCycles = (Products + M - 1) / M + 4 * OperandLatency + 8;
  localparam int unsigned MaxSteps  = Contexts * (MaxCycles + Turnaround);

  // Products of one operation in the order of issue: {cycle, phase, i, j}, and the cycles taken.
  // Phases are 0 T, 1 Q, 2 U.
  localparam int unsigned EntryW = 16 + 2 + 4 + 4;
  localparam int unsigned ListW  = Products * EntryW + 16;
  // What a multiplier does in a step: {valid, context, phase, i, j}.
  localparam int unsigned IssueW = 1 + 1 + 2 + 4 + 4;
  // The plan: steps, and below them the start of context 1, issue cycles and period.
  localparam int unsigned PlanW  = MaxSteps * M * IssueW + 48;

  typedef logic [MaxSteps-1:0][15:0] room_t;

  // Schedule one operation on room[cycle] multipliers. Policy 0 is the published one, in column
  // order; 1 to 3 are list scheduling: row order, row order with the high columns of T after Q,
  // column order with the high columns of T after Q.
  function automatic logic [ListW-1:0] scheduled(int unsigned policy, room_t room);
    logic [ListW-1:0]        list;
    logic [3:0][K-1:0][7:0]  next_j, end_j;  // low T, Q, high T, U
    logic [1:0][K-1:0][7:0]  missing;        // products that a digit of T, Q still waits for
    logic [1:0][K-1:0][15:0] final_at;
    logic [1:0][7:0]         final_digits, readable;
    logic                    stopped, picking, in_columns;
    logic [15:0]             cycles;
    int unsigned issued, q_left, taken, best, best_key, key, last_class;

    in_columns = policy == 0 || policy == 3;
    for (int unsigned i = 0; i < K; i++) begin
      next_j[0][i] = '0;
      end_j[0][i]  = policy < 2 ? 8'(K) : 8'(K - i);
      next_j[1][i] = '0;
      end_j[1][i]  = 8'(K - i);
      next_j[2][i] = end_j[0][i];
      end_j[2][i]  = 8'(K);
      next_j[3][i] = int'(i) < int'(Kept) ? 8'(Kept - i) : '0;
      end_j[3][i]  = 8'(K);
      for (int unsigned p = 0; p < 2; p++) begin
        missing[p][i]  = 8'(i + 1);
        final_at[p][i] = '0;
      end
    end
    final_digits = '0;
    readable     = '0;
    issued       = 0;
    q_left       = K * (K + 1) / 2;
    cycles       = '0;

    for (int unsigned t = 0; t < MaxSteps; t++) begin
      if (issued < Products) begin
        for (int unsigned p = 0; p < 2; p++) begin
          readable[p] = '0;
          for (int unsigned e = 0; e < K; e++) begin
            if (e < 32'(final_digits[p]) && 32'(final_at[p][e]) + OperandLatency <= t) begin
              readable[p] = readable[p] + 8'd1;
            end
          end
        end
        taken      = 0;
        stopped    = 1'b0;
        last_class = 0;
        for (int unsigned c = 0; c < 4; c++) begin
          picking = 1'b1;
          for (int unsigned n = 0; n < M; n++) begin
            if (picking && !stopped && taken < 32'(room[t]) && (c != 3 || q_left == 0)) begin
              best     = K;
              best_key = 0;
              for (int unsigned i = 0; i < K; i++) begin
                if (next_j[c][i] < end_j[c][i] &&
                    (policy == 0 || c % 2 == 0 || i < 32'(readable[c/2]))) begin
                  key = in_columns ? i + 32'(next_j[c][i]) : i;
                  if (best == K || key < best_key) begin
                    best     = i;
                    best_key = key;
                  end
                end
              end
              if (best == K) begin
                picking = 1'b0;
              end else if (policy == 0 &&
                           ((c % 2 == 1 && best >= 32'(readable[c/2])) ||
                            (taken > M / 2 && last_class != c))) begin
                stopped = 1'b1;
              end else begin
                list[16 + issued*EntryW +: EntryW] =
                    {16'(t), c == 1 ? 2'd1 : c == 3 ? 2'd2 : 2'd0, 4'(best), 4'(next_j[c][best])};
                if (c != 3 && best + 32'(next_j[c][best]) < K) begin
                  missing[c%2][best+32'(next_j[c][best])] =
                      missing[c%2][best+32'(next_j[c][best])] - 8'd1;
                end
                if (c == 1) q_left = q_left - 1;
                next_j[c][best] = next_j[c][best] + 8'd1;
                issued          = issued + 1;
                taken           = taken + 1;
                last_class      = c;
              end
            end
          end
        end
        for (int unsigned p = 0; p < 2; p++) begin
          for (int unsigned e = 0; e < K; e++) begin
            if (e == 32'(final_digits[p]) && missing[p][e] == 8'd0) begin
              final_at[p][e]  = 16'(t);
              final_digits[p] = final_digits[p] + 8'd1;
            end
          end
        end
        cycles = 16'(t) + 16'd1;
      end
    end
    list[15:0] = issued == Products ? cycles : 16'hffff;
    return list;
  endfunction

  function automatic logic [PlanW-1:0] planned();
    logic [PlanW-1:0] plan;
    logic [ListW-1:0] first, second, trial;
    room_t            room, left;
    logic [M-1:0]     busy;
    int unsigned      policy, period, start, free, slot, step, used;
    logic             found;

    for (int unsigned t = 0; t < MaxSteps; t++) room[t] = 16'(M);
    for (int unsigned s = 0; s < MaxSteps * M; s++) plan[48 + s*IssueW +: IssueW] = '0;

    policy = Published ? 0 : 1;
    first  = scheduled(policy, room);
    if (!Published) begin
      for (int unsigned other = 2; other < 4; other++) begin
        trial = scheduled(other, room);
        if (trial[15:0] < first[15:0]) begin
          first  = trial;
          policy = other;
        end
      end
    end

    second = first;
    start  = 0;
    period = 32'(first[15:0]) + Overhead;
    if (Contexts == 2) begin
      found  = 1'b0;
      period = 32'(first[15:0]) + Turnaround - 1;
      if (period + 1 < (2 * Products + M - 1) / M) period = (2 * Products + M - 1) / M - 1;
      for (int unsigned tries = 0; tries < MaxSteps; tries++) begin
        if (!found) begin
          period = period + 1;
          for (int unsigned t = 0; t < MaxSteps; t++) left[t] = t < period ? 16'(M) : 16'd0;
          for (int unsigned p = 0; p < Products; p++) begin
            step       = 32'(first[16 + p*EntryW + 10 +: 16]);
            left[step] = left[step] - 16'd1;
          end
          start = period;
          free  = 0;
          for (int unsigned t = 0; t < MaxSteps; t++) begin
            if (free < Products && start > 0) begin
              start = start - 1;
              free  = free + 32'(left[start]);
            end
          end
          if (free >= Products) begin
            for (int unsigned t = 0; t < MaxSteps; t++) begin
              if (!found) begin
                for (int unsigned s = 0; s < MaxSteps; s++) begin
                  room[s] = start + s < period ? left[start+s] : 16'(M);
                end
                second = scheduled(policy, room);
                if (start + 32'(second[15:0]) <= period) found = 1'b1;
                else if (start > 0) start = start - 1;
              end
            end
          end
          if (found && 32'(second[15:0]) + Turnaround > period) found = 1'b0;
        end
      end
    end

    for (int unsigned c = 0; c < Contexts; c++) begin
      trial = c == 0 ? first : second;
      used  = MaxSteps;
      busy  = '0;
      for (int unsigned p = 0; p < Products; p++) begin
        step = 32'(trial[16 + p*EntryW + 10 +: 16]) + (c == 0 ? 0 : start);
        if (step != used) begin
          used = step;
          for (int unsigned s = 0; s < M; s++) busy[s] = plan[48 + (step*M+s)*IssueW + 11];
        end
        slot = (32'(trial[16 + p*EntryW +: 4]) + 32'(trial[16 + p*EntryW + 4 +: 4])) % M;
        for (int unsigned s = 0; s < M; s++) begin
          if (busy[slot]) slot = (slot + 1) % M;
        end
        busy[slot] = 1'b1;
        plan[48 + (step*M+slot)*IssueW +: IssueW] = {1'b1, 1'(c), trial[16 + p*EntryW +: 10]};
      end
    end
    plan[15:0]  = 16'(period);
    plan[31:16] = first[15:0] < second[15:0] ? second[15:0] : first[15:0];
    plan[47:32] = 16'(start);
    return plan;
  endfunction

  localparam logic [PlanW-1:0] Plan        = planned();
  localparam int unsigned      Period      = 32'(Plan[15:0]);
  localparam int unsigned      IssueCycles = 32'(Plan[31:16]);
  localparam int unsigned      Start1      = 32'(Plan[47:32]);
  localparam int unsigned      Latency     = IssueCycles + Overhead;
  localparam int unsigned      StepW       = $clog2(Period);

  // What a multiplier does in a step.
  function automatic logic valid_at(int unsigned step, int unsigned slot);
    return Plan[48 + (step*M+slot)*IssueW + 11];
  endfunction
  function automatic int unsigned context_at(int unsigned step, int unsigned slot);
    return 32'(Plan[48 + (step*M+slot)*IssueW + 10]);
  endfunction
  function automatic int unsigned phase_at(int unsigned step, int unsigned slot);
    return 32'(Plan[48 + (step*M+slot)*IssueW + 8 +: 2]);
  endfunction
  function automatic int unsigned first_digit_at(int unsigned step, int unsigned slot);
    return 32'(Plan[48 + (step*M+slot)*IssueW + 4 +: 4]);
  endfunction
  function automatic int unsigned second_digit_at(int unsigned step, int unsigned slot);
    return 32'(Plan[48 + (step*M+slot)*IssueW +: 4]);
  endfunction
  function automatic int unsigned column_at(int unsigned step, int unsigned slot);
    return first_digit_at(step, slot) + second_digit_at(step, slot);
  endfunction

  // Accumulators: T (and U on top of it), Q, and U of variant 0.
  localparam int unsigned Accumulators = Published ? 3 : 2;
  function automatic int unsigned accumulator_at(int unsigned step, int unsigned slot);
    return phase_at(step, slot) == Accumulators ? 0 : phase_at(step, slot);
  endfunction

  // A product consists of parts, each added at a digit of its own: 0 the low half, at the digit of
  // its column, 1 the high half, one digit up, 2 the top bit, two digits up. Parts that enter a
  // digit of an accumulator in the same step lie on different lanes, but for a low half and a top
  // bit, which have no bit in common.
  localparam int unsigned Parts  = Multiplier == 2 ? 3 : 2;
  localparam int unsigned Digits = 2 * K + 1;

  // Lane of each part of each product, and above them the lanes that each digit of an accumulator
  // of a context has at most. High halves have the first lanes.
  localparam int unsigned LaneTableW = Period * M * Parts * 8;
  localparam int unsigned MostTableW = Contexts * Accumulators * Digits * 8;
  function automatic logic [MostTableW+LaneTableW-1:0] lanes_of_plan();
    logic [LaneTableW-1:0]                                lanes;
    logic [Contexts-1:0][Accumulators-1:0][Digits-1:0][7:0] most, high, others;
    int unsigned c, a, e;
    most = '0;
    for (int unsigned t = 0; t < Period; t++) begin
      high = '0;
      for (int unsigned s = 0; s < M; s++) begin
        c = context_at(t, s);
        a = accumulator_at(t, s);
        e = column_at(t, s) + 1;
        lanes[((t*M+s)*Parts+1)*8 +: 8] = high[c][a][e];
        if (valid_at(t, s)) high[c][a][e] = high[c][a][e] + 8'd1;
      end
      for (int unsigned c0 = 0; c0 < Contexts; c0++) begin
        for (int unsigned a0 = 0; a0 < Accumulators; a0++) begin
          for (int unsigned e0 = 0; e0 < Digits; e0++) begin
            if (high[c0][a0][e0] > most[c0][a0][e0]) most[c0][a0][e0] = high[c0][a0][e0];
          end
        end
      end
      for (int unsigned p = 0; p < Parts; p = p + 2) begin
        others = high;
        for (int unsigned s = 0; s < M; s++) begin
          c = context_at(t, s);
          a = accumulator_at(t, s);
          e = column_at(t, s) + p;
          lanes[((t*M+s)*Parts+p)*8 +: 8] = others[c][a][e];
          if (valid_at(t, s)) begin
            others[c][a][e] = others[c][a][e] + 8'd1;
            if (others[c][a][e] > most[c][a][e]) most[c][a][e] = others[c][a][e];
          end
        end
      end
    end
    return {most, lanes};
  endfunction
  localparam logic [MostTableW+LaneTableW-1:0] LaneTable = lanes_of_plan();

  function automatic int unsigned lane_at(int unsigned step, int unsigned slot, int unsigned part);
    return 32'(LaneTable[((step*M+slot)*Parts+part)*8 +: 8]);
  endfunction

  // Lanes that a digit of an accumulator has at most in a step.
  function automatic int unsigned lanes_in(
      int unsigned owner, int unsigned accumulator, int unsigned digit);
    return 32'(LaneTable[LaneTableW + ((owner*Accumulators+accumulator)*Digits+digit)*8 +: 8]);
  endfunction

  // Steps in which a multiplier's first (second) operand is digit `index` in a phase.
  function automatic logic [Period-1:0] operand_steps(
      int unsigned slot, int unsigned owner, int unsigned phase, int unsigned index, bit second);
    logic [Period-1:0] steps;
    for (int unsigned t = 0; t < Period; t++) begin
      steps[t] = valid_at(t, slot) && context_at(t, slot) == owner && phase_at(t, slot) == phase &&
                 (second ? second_digit_at(t, slot) : first_digit_at(t, slot)) == index;
    end
    return steps;
  endfunction

  // Steps in which each part of a multiplier's product is at a digit and lane of an accumulator.
  function automatic logic [2:0][Period-1:0] placed_steps(
      int unsigned slot, int unsigned owner, int unsigned accumulator, int unsigned digit,
      int unsigned lane);
    logic [2:0][Period-1:0] steps;
    int unsigned            part;
    steps = '0;
    for (int unsigned t = 0; t < Period; t++) begin
      part = digit - column_at(t, slot);  // huge if the digit is below the column
      if (part < Parts && valid_at(t, slot) && context_at(t, slot) == owner &&
          accumulator_at(t, slot) == accumulator && lane_at(t, slot, part) == lane)
        steps[part][t] = 1'b1;
    end
    return steps;
  endfunction

  // ---------------------------------------------------------------- control

  logic [StepW-1:0]              step_d, step_q;
  logic [Contexts-1:0]           ready_d, ready_q;      // this step accepts for the context
  logic [Contexts-1:0]           busy_d, busy_q;        // from acceptance until taken
  logic [Contexts-1:0]           issuing_d, issuing_q;  // its products are issued
  logic [Contexts-1:0]           done_d, done_q;        // its result waits to be taken
  logic [Contexts-1:0]           initialise_q;
  logic [Contexts-1:0]           correct_d, correct_q;  // last cycle of accumulation
  logic [Contexts-1:0]           accept, take, oldest;
  logic [Stages:0][StepW-1:0]    past_step;
  logic [Stages:0][Contexts-1:0] past_issuing;

  assign accept = ready_q & {Contexts{req_valid_i}};
  assign take   = done_q & oldest & {Contexts{rsp_ready_i}};
  assign busy_d = (busy_q & ~take) | accept;

  // With nothing under way the counter stands where context 0 can begin at once.
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
    // The context whose response is due first.
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

  assign req_ready_o = |ready_q;
  assign rsp_valid_o = |(done_q & oldest);

  // ---------------------------------------------------------------- operands

  logic [Contexts-1:0][K-1:0][DigitBits-1:0] a_q, b_q, n_q, n_prime_q;
  logic [Contexts-1:0][K-1:0][DigitBits-1:0] t_digits, q_digits;

  for (genvar c = 0; c < Contexts; c++) begin : gen_operands
    always_ff @(posedge clk_i) begin
      if (ready_q[c]) begin
        a_q[c]       <= RBits'(a_i);
        b_q[c]       <= RBits'(b_i);
        n_q[c]       <= RBits'(n_i);
        n_prime_q[c] <= n_prime_i;
      end
    end
  end

  logic [Contexts-1:0][2:0][K-1:0][DigitBits-1:0] x_digits, y_digits;
  for (genvar c = 0; c < Contexts; c++) begin : gen_digits
    assign x_digits[c] = {q_digits[c], t_digits[c], a_q[c]};
    assign y_digits[c] = {n_q[c], n_prime_q[c], b_q[c]};
  end

  // ---------------------------------------------------------------- load and multiply

  logic [M-1:0][DigitBits-1:0]   x_q, y_q;
  logic [M-1:0][2*DigitBits-1:0] product_sum, product_carry;
  logic [M-1:0]                  product_top;

  for (genvar s = 0; s < M; s++) begin : gen_multiplier
    logic [Contexts-1:0][2:0][K-1:0] x_select_q, y_select_q;
    logic [DigitBits-1:0]            x, y;

    for (genvar c = 0; c < Contexts; c++) begin : gen_context
      for (genvar f = 0; f < 3; f++) begin : gen_phase
        for (genvar i = 0; i < K; i++) begin : gen_digit
          localparam logic [Period-1:0] XSteps = operand_steps(s, c, f, i, 1'b0);
          localparam logic [Period-1:0] YSteps = operand_steps(s, c, f, i, 1'b1);
          if (XSteps == '0) begin : gen_no_x
            assign x_select_q[c][f][i] = 1'b0;
          end else begin : gen_x
            always_ff @(posedge clk_i or negedge rst_ni) begin
              if (!rst_ni) x_select_q[c][f][i] <= 1'b0;
              else x_select_q[c][f][i] <= XSteps[step_d] & issuing_d[c];
            end
          end
          if (YSteps == '0) begin : gen_no_y
            assign y_select_q[c][f][i] = 1'b0;
          end else begin : gen_y
            always_ff @(posedge clk_i or negedge rst_ni) begin
              if (!rst_ni) y_select_q[c][f][i] <= 1'b0;
              else y_select_q[c][f][i] <= YSteps[step_d] & issuing_d[c];
            end
          end
        end
      end
    end

    mf_one_hot_mux #(.Width(DigitBits), .Inputs(Contexts * 3 * K)) u_x_mux (
      .select_i(x_select_q),
      .data_i  (x_digits),
      .data_o  (x)
    );
    mf_one_hot_mux #(.Width(DigitBits), .Inputs(Contexts * 3 * K)) u_y_mux (
      .select_i(y_select_q),
      .data_i  (y_digits),
      .data_o  (y)
    );
    always_ff @(posedge clk_i) begin
      x_q[s] <= x;
      y_q[s] <= y;
    end

    mf_digit_multiplier #(
      .Width     (DigitBits),
      .Structure (Multiplier),
      .AdderStyle(AdderStyle),
      .Stages    (Stages)
    ) u_multiplier (
      .clk_i  (clk_i),
      .x_i    (x_q[s]),
      .y_i    (y_q[s]),
      .sum_o  (product_sum[s]),
      .carry_o(product_carry[s]),
      .top_o  (product_top[s])
    );
  end

  // ---------------------------------------------------------------- accumulate

  // T < n^2 and U < R n; in place T + U < 2 n R (4 n^2 <= R n).
  localparam int unsigned AccumulatorW = RBits + Width + (Published ? 0 : 1);

  // A carry-save product is 2^(2 DigitBits) too large: minus that, for all products of a phase.
  function automatic logic [AccumulatorW-1:0] excess_of(int unsigned phase);
    logic [AccumulatorW-1:0] excess, one;
    int unsigned             place;
    excess = '0;
    one    = 1;
    for (int unsigned i = 0; i < K; i++) begin
      for (int unsigned j = 0; j < K; j++) begin
        place = (i + j + 2) * DigitBits;
        if (place < AccumulatorW && (phase != 1 || i + j < K) &&
            (phase != 2 || int'(i + j) >= int'(Kept))) begin
          excess = excess - (one << place);
        end
      end
    end
    return Multiplier == 2 ? excess : '0;
  endfunction

  // The excess of U touches no digit that Q reads if columns are omitted: an accumulator in place
  // can start with it.
  function automatic logic [AccumulatorW-1:0] initial_of(int unsigned accumulator);
    return excess_of(accumulator) + (accumulator == 0 && Kept != 0 ? excess_of(2) : '0);
  endfunction

  // What is added with the last products, in place: the excess of U, if it was not there from the
  // beginning, or one half for the rounding and the estimate of column K-2.
  localparam int unsigned EstimateW  = 2 * TopBits + $clog2(K) + 1;
  localparam int unsigned EstimateAt = RBits - 2 * TopBits;
  localparam logic [Digits*DigitBits-1:0] One = 1;
  localparam logic [Digits*DigitBits-1:0] CorrectionMask =
      Variant == 3 ? ((One << EstimateW) - One) << EstimateAt :
      Variant == 2 ? One << (RBits - 1) :
      Variant == 1 ? (Digits * DigitBits)'(excess_of(2)) : '0;

  // Lane of the correction at a digit: the first that the last products leave free.
  function automatic int unsigned correction_lane(int unsigned owner, int unsigned digit);
    int unsigned last, lane;
    last = ((owner == 0 ? 0 : Start1) + IssueCycles - 1) % Period;
    lane = 0;
    for (int unsigned s = 0; s < M; s++) begin
      for (int unsigned p = 0; p < Parts; p++) begin
        if (valid_at(last, s) && column_at(last, s) + p == digit &&
            context_at(last, s) == owner && accumulator_at(last, s) == 0 &&
            lane_at(last, s, p) >= lane)
          lane = lane_at(last, s, p) + 1;
      end
    end
    return lane;
  endfunction

  function automatic int unsigned all_lanes_in(
      int unsigned owner, int unsigned accumulator, int unsigned digit);
    int unsigned lanes;
    lanes = lanes_in(owner, accumulator, digit);
    if (accumulator == 0 && CorrectionMask[digit*DigitBits +: DigitBits] != '0 &&
        correction_lane(owner, digit) >= lanes)
      lanes = correction_lane(owner, digit) + 1;
    return lanes;
  endfunction

  function automatic int unsigned lanes_of(int unsigned owner, int unsigned accumulator);
    int unsigned most, here;
    most = 1;
    for (int unsigned e = 0; e < Digits; e++) begin
      here = all_lanes_in(owner, accumulator, e);
      if (here > most) most = here;
    end
    return most;
  endfunction

  // Parts that lie above the accumulators.
  logic unused_products;
  assign unused_products = ^{product_sum, product_carry, product_top};

  logic [Contexts-1:0][OperandW-1:0] result;

  for (genvar c = 0; c < Contexts; c++) begin : gen_accumulate
    logic [Accumulators-1:0][AccumulatorW-1:0] value, register_value;
    logic [Digits*DigitBits-1:0]               correction;

    for (genvar a = 0; a < Accumulators; a++) begin : gen_accumulator
      localparam int unsigned AccW     = a == 1 ? RBits : AccumulatorW;
      localparam int unsigned Here     = (AccW + DigitBits - 1) / DigitBits;
      localparam int unsigned Lanes    = lanes_of(c, a);
      localparam int unsigned LaneRows = Multiplier == 2 ? 2 : 1;
      localparam logic [AccumulatorW-1:0] Initial = initial_of(a);

      logic [Lanes-1:0][1:0][Here*DigitBits-1:0] placed;
      logic [Lanes*LaneRows-1:0][AccW-1:0]       rows;

      for (genvar e = 0; e < Here; e++) begin : gen_digit
        localparam int unsigned LanesHere = all_lanes_in(c, a, e);
        for (genvar l = 0; l < Lanes; l++) begin : gen_lane
          logic [1:0][DigitBits-1:0] halves;
          if (l >= LanesHere) begin : gen_none
            assign halves = '0;
          end else begin : gen_parts
            localparam bit Corrected =
                a == 0 && CorrectionMask[e*DigitBits +: DigitBits] != '0 &&
                l == correction_lane(c, e);
            logic [1:0][M-1:0]                 select_q;
            logic [1:0][M-1:0][2*DigitBits-1:0] parts;
            logic [M-1:0]                      top;
            logic [1:0][DigitBits-1:0]         chosen;
            for (genvar s = 0; s < M; s++) begin : gen_source
              localparam logic [2:0][Period-1:0] Steps = placed_steps(s, c, a, e, l);
              for (genvar p = 0; p < 2; p++) begin : gen_half
                assign parts[p][s] = {product_carry[s][p*DigitBits +: DigitBits],
                                      product_sum[s][p*DigitBits +: DigitBits]};
                if (Steps[p] == '0) begin : gen_no_half
                  assign select_q[p][s] = 1'b0;
                end else begin : gen_select
                  always_ff @(posedge clk_i or negedge rst_ni) begin
                    if (!rst_ni) select_q[p][s] <= 1'b0;
                    else select_q[p][s] <= Steps[p][past_step[Stages]] & past_issuing[Stages][c];
                  end
                end
              end

              if (Steps[2] == '0) begin : gen_no_top
                assign top[s] = 1'b0;
              end else begin : gen_top
                logic select_top_q;
                always_ff @(posedge clk_i or negedge rst_ni) begin
                  if (!rst_ni) select_top_q <= 1'b0;
                  else select_top_q <= Steps[2][past_step[Stages]] & past_issuing[Stages][c];
                end
                assign top[s] = product_top[s] & select_top_q;
              end
            end
            mf_one_hot_mux #(.Width(2 * DigitBits), .Inputs(2 * M)) u_place (
              .select_i(select_q),
              .data_i  (parts),
              .data_o  (chosen)
            );
            // The lowest carry bit of a low half is 0, and so is that of no half.
            assign halves[1] = {chosen[1][DigitBits-1:1], chosen[1][0] | (|top)};
            if (Corrected) begin : gen_corrected
              assign halves[0] = chosen[0] | correction[e*DigitBits +: DigitBits];
            end else begin : gen_not_corrected
              assign halves[0] = chosen[0];
            end
          end
          assign placed[l][0][e*DigitBits +: DigitBits] = halves[0];
          assign placed[l][1][e*DigitBits +: DigitBits] = halves[1];
        end
      end

      // A lane's halves lie side by side; what lies above the accumulator is cut off.
      for (genvar l = 0; l < Lanes; l++) begin : gen_row
        for (genvar r = 0; r < LaneRows; r++) begin : gen_vector
          assign rows[l*LaneRows+r] = placed[l][r][AccW-1:0];
        end
      end
      logic unused_placed;
      assign unused_placed = ^placed;

      mf_digit_accumulator #(
        .Width     (AccW),
        .Rows      (Lanes * LaneRows),
        .CarrySave (CarrySave),
        .AdderStyle(AdderStyle),
        .Initial   (Initial[AccW-1:0])
      ) u_accumulator (
        .clk_i       (clk_i),
        .initialise_i(initialise_q[c]),
        .rows_i      (rows),
        .value_o     (value[a][AccW-1:0]),
        .register_o  (register_value[a][AccW-1:0])
      );
      if (AccW < AccumulatorW) begin : gen_shorter
        assign value[a][AccumulatorW-1:AccW]          = '0;
        assign register_value[a][AccumulatorW-1:AccW] = '0;
      end
    end

    if (Accumulator == 2) begin : gen_read_register
      assign t_digits[c] = register_value[0][RBits-1:0];
      assign q_digits[c] = register_value[1][RBits-1:0];
    end else begin : gen_read_adder
      assign t_digits[c] = value[0][RBits-1:0];
      assign q_digits[c] = value[1][RBits-1:0];
    end

    if (Published) begin : gen_published_result
      // Final Sum: P = T1 + U1 + (T0 != 0), then P - n if that is not negative.
      logic             low_is_not_zero_q;
      logic [Width:0]   sum_q;
      logic [Width+1:0] difference;
      logic [Width-1:0] reduced_q;
      assign difference = {1'b0, sum_q} - {2'b00, Width'(n_q[c])};
      always_ff @(posedge clk_i) begin
        low_is_not_zero_q <= |register_value[0][RBits-1:0];
        sum_q             <= {1'b0, register_value[0][RBits+:Width]} +
                             {1'b0, register_value[2][RBits+:Width]} +
                             (Width + 1)'(low_is_not_zero_q);
        reduced_q         <= difference[Width+1] ? sum_q[Width-1:0] : difference[Width-1:0];
      end
      assign result[c]  = reduced_q;
      assign correction = '0;

      // Nothing is corrected here, and of U only the high half is used.
      logic unused_published;
      assign unused_published = ^{correct_q[c], correction, value, register_value};
    end else begin : gen_result
      if (CarrySave) begin : gen_register
        logic [OperandW-1:0] result_q;
        always_ff @(posedge clk_i) result_q <= register_value[0][RBits+:OperandW];
        assign result[c] = result_q;
      end else begin : gen_accumulator_register
        assign result[c] = register_value[0][RBits+:OperandW];
      end

      if (Variant == 3) begin : gen_estimate
        logic [K-2:0][TopBits-1:0] q_top;
        logic [EstimateW-1:0]      estimate, estimate_q;
        for (genvar i = 0; i < K - 1; i++) begin : gen_top
          if (CarrySave) begin : gen_pair
            always_ff @(posedge clk_i) begin
              q_top[i] <= register_value[1][(i+1)*DigitBits-1 -: TopBits];
            end
          end else begin : gen_binary
            assign q_top[i] = register_value[1][(i+1)*DigitBits-1 -: TopBits];
          end
        end
        always_comb begin
          estimate = EstimateW'(1) << (2 * TopBits - 1);
          for (int unsigned i = 0; i < K - 1; i++) begin
            for (int unsigned bit_of_q = 0; bit_of_q < TopBits; bit_of_q++) begin
              estimate += EstimateW'(n_q[c][K-2-i][DigitBits-1 -: TopBits] &
                                     {TopBits{q_top[i][bit_of_q]}}) << bit_of_q;
            end
          end
        end
        always_ff @(posedge clk_i) estimate_q <= estimate;
        assign correction = (Digits * DigitBits)'(estimate_q & {EstimateW{correct_q[c]}}) <<
                            EstimateAt;
      end else begin : gen_constant
        assign correction = CorrectionMask & {(Digits * DigitBits){correct_q[c]}};
      end
      // Q is read for the estimate only, and a correction may be 0.
      logic unused_register;
      assign unused_register = ^{register_value, value, correction};
    end
  end

  if (Contexts == 1) begin : gen_one_result
    assign p_o = result[0];
  end else begin : gen_older_result
    assign p_o = oldest[1] ? result[1] : result[0];
  end

endmodule
