// SPDX-License-Identifier: Apache-2.0
//
// Control of an engine: takes commands and runs the program beside it (mf_rsa_program), which has
// the kinds of commands and the rows. mf_engine_job turns a step into jobs of the word unit,
// mf_engine_guard watches the flow, mf_engine_wipe lists the memory to overwrite.
//
// State    action
// Boot     after reset: all words of both memories are overwritten
// Idle     commands are taken
// Fetch    the place of a step is decoded
// Read     the step of the program is read
// Step     returns; of other steps the first operands
// Call     calls, whose number is known
// Pick     the operands of a further phase or half
// Place    the operands' places, in values
// Base     in words
// Issue    waits for the half, then starts the word unit
// Words    waits for the word unit; conditions, next half, next phase, next step
// End      after the program: the result is kept or not, a key is valid or not
// Clear    after the program, an error, an abort: halves are reset, which wipes them, then ranges
//          of memory are overwritten, listed in mf_engine_wipe: a failed slot with random words and
//          zeros, work with or without the result, the host's key windows
// Finish   done, with the error or the released result
//
// Zeroize:  at any time. Slots are not valid from the next cycle on; an operation under way ends as
//           by an abort, a wipe is finished first; then the slots that were named are overwritten.
//
// Errors:   an error of integrity, of the random source, the watchdogs (2^WatchdogBits cycles in
//           one step or four times as many in all, without those in which a random word is
//           awaited) and an abort end the program at once; the first condition that fails is the
//           error. An illegal value of a state register wipes all memories, with ErrFault. A wipe
//           that takes 2^(WatchdogBits + 2) cycles ends with ErrFault, and no key is valid. If an
//           operation lasts 2^(WatchdogBits + 4) cycles, as with a stuck bit of the state, the host
//           reads ErrFault; windows stay shut, and no command is taken before a reset.
// Flow:     mf_engine_guard. Copies of slot, operation, lengths, instruction and the word unit's
//           job are compared in every cycle. A result that is written after its first check is not
//           released.

module mf_engine_control
  import mf_engine_pkg::*;
#(
  parameter engine_t Engine,

  localparam int unsigned AddrW          = Engine.addr_w,
  localparam int unsigned Exponentiators = Engine.exponentiators,
  localparam int unsigned HalfW          = (Exponentiators > 1) ? $clog2(Exponentiators) : 1,
  localparam int unsigned SlotW          = (Engine.keys > 1) ? $clog2(Engine.keys) : 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        start_i,
  input  logic                        abort_i,
  input  logic                        zeroize_slot_i,
  input  logic                        zeroize_all_i,
  input  logic [3:0]                  op_i,
  input  logic [3:0]                  slot_i,
  input  logic [15:0]                 n_bits_i,
  input  logic [15:0]                 e_bits_i,
  /// The host's n is written.
  input  logic                        n_write_i,
  output logic                        busy_o,
  /// The engine uses the memories: from a command on to the cycle after its end, and until reset if
  /// an operation does not end.
  output logic                        occupied_o,
  output logic                        wiping_o,
  output logic                        done_o,
  output logic [7:0]                  error_o,
  output logic [15:0]                 slots_valid_o,
  output logic [31:0]                 cycles_o,
  /// 0 idle, 1 wipe, 2 load and its checks, 3 constants, 4 reduce and enter, 5 blind,
  /// 6 exponentiate, 7 leave and renew, 8 recombine, 9 check, 10 release.
  output logic [3:0]                  phase_o,
  output logic                        done_event_o,
  output logic                        error_event_o,
  output logic                        alert_event_o,
  /// The result may be read.
  output logic                        release_o,

  output logic                        words_start_o,
  output logic                        words_stop_o,
  output word_e                       words_op_o,
  output logic [AddrW-1:0]            z_base_o,
  output logic [AddrW-1:0]            z_len_o,
  output logic                        z_host_o,
  output logic [AddrW-1:0]            x_base_o,
  output logic [AddrW-1:0]            x_len_o,
  output logic [1:0]                  x_kind_o,
  output logic [AddrW-1:0]            y_base_o,
  output logic [AddrW-1:0]            y_len_o,
  output logic [1:0]                  y_kind_o,
  output logic [15:0]                 amount_o,
  output logic                        flag_o,
  input  logic                        words_busy_i,
  input  logic                        borrow_i,
  input  logic                        nonzero_i,
  input  logic                        odd_i,
  input  logic                        top_i,
  input  logic                        integrity_i,
  input  logic                        random_error_i,
  input  logic                        random_waits_i,
  /// A word of the result was written, in the cycle before.
  input  logic                        result_write_i,

  /// Resets of the exponentiators, from registers, one after the other.
  output logic [Exponentiators-1:0]   half_rst_no,
  /// The exponentiator that the word unit loads or stores: of p, of q, or that of full width.
  output logic [HalfW-1:0]            half_o,
  output logic [Exponentiators-1:0]   go_o,
  output go_t                         fn_o,
  output logic [Engine.length_w-1:0]  length_o,
  input  logic [Exponentiators-1:0]   half_busy_i,

  /// Of the command that comes.
  input  kind_t                       next_kind_i,
  output program_state_t              state_o,
  output program_event_t              event_o,
  output logic [15:0]                 n_bits_o,
  output logic                        waits_o,
  input  program_row_t                row_i,
  input  program_value_t              value_i
);

  localparam int unsigned Slots = Engine.keys;
  localparam int unsigned Depth = 8;  // of calls

  // ---------------------------------------------------------------- registers

  typedef enum logic [3:0] {
    SqBoot, SqIdle, SqFetch, SqRead, SqStep, SqCall, SqPick, SqPlace, SqBase, SqIssue, SqWords,
    SqEnd, SqClear, SqClearWait, SqFinish
  } state_e;

  typedef logic [SlotW-1:0] slot_t;

  typedef struct packed {
    logic [3:0]  op;
    logic [3:0]  slot;
    logic [15:0] n_bits;
    logic [15:0] e_bits;
  } command_t;

  typedef struct packed {
    segment_t    segment;
    logic [4:0]  step;
    logic [15:0] again;   // calls of the segment after this one
    logic        halves;  // it is called for one half after the other
    logic        single;  // steps are for one half
    logic        which;   // that of q
    logic        full;    // steps are of full width, with all variables full
  } frame_t;

  state_e       state_q;
  command_t     command_q, command_copy_q;  // the copy is inverted
  frame_t       frame_q;
  frame_t       stack_q[Depth];
  logic [2:0]   level_q;
  instruction_t i_q, i_copy_q;              // the copy is inverted
  logic [3:0]   phase_q;
  logic         bank_q, bank_last_q;
  error_e       error_q;
  logic         failed_q;                   // error_q is an error, a cycle behind
  logic         again_q;
  logic [1:0]   flag_q;
  logic         done_q, busy_q;
  logic         quiet_q;             // a wipe after reset, or from an illegal state
  logic         due_q, due_copy_q;   // the operation has a result if it ends without error
  logic         moves_q;             // the state is not SqIdle, a cycle behind
  logic         refused_q;           // a command came while busy
  logic         operation_q;         // an operation is under way, not a wipe alone
  logic [31:0]  cycles_q;
  logic         counts_q;            // an operation is under way, a cycle behind
  logic         cycles_carry_q;      // of the lower half to the upper one, a cycle behind
  logic         halves_busy_q;       // an exponentiator is busy, a cycle behind
  logic         half_waits_q;        // that of the job is

  logic [Exponentiators-1:0] half_clear_q, half_rst_q;  // a reset passes to the next one

  logic [Slots-1:0]       valid_q;
  logic [Slots-1:0]       locked_q;                 // a fault overwrote the key
  logic [Slots-1:0][15:0] n_bits_q, n_bits_copy_q;  // the copies are inverted
  logic [15:0]            n_bits_now_q;             // of the operation

  logic   running, words_end, last_bank, last_phase, violated, uses_half;
  logic   program_end, end_now, slot_legal, asked, begins, loses_key, result_good, bank_first;
  logic   starts, refuses, starts_result, zeroizes, late, finished, holds, outcome_ok, fault;
  logic   faulty, lost, lost_now;
  logic   copies_bad, changes, ended, under_way, outcome_now;
  logic   one_modulus_q, loads_q;  // of the command under way
  error_e fatal, error_start, last_error, end_error;

  // ---------------------------------------------------------------- program

  kind_t       kind;
  logic [15:0] n_bits;
  slot_t       slot, slot_start;
  logic        one_half;  // the call is for one half after the other

  assign kind     = row_i.kind;
  assign slot     = (32'(command_q.slot) < Slots) ? slot_t'(command_q.slot) : '0;
  assign n_bits   = (kind.loads || kind.one_modulus) ? command_q.n_bits : n_bits_q[slot];
  assign one_half = Engine.halves == 1 && row_i.for_halves;
  assign n_bits_o = n_bits_now_q;
  assign waits_o  = half_waits_q;
  assign state_o  = '{
    op: command_q.op, slot: 4'(slot), e_bits: command_q.e_bits, running: running,
    segment: frame_q.segment, step: frame_q.step, full: frame_q.full,
    amount: i_q.amount, called: i_q.segment, times: i_q.times, again: frame_q.again
  };
  assign event_o  = '{
    forget: n_write_i || zeroize_all_i || state_q == SqBoot,
    load: begins && next_kind_i.loads && error_start == ErrNone, late: late, ends: ended,
    error: end_error,
    turns_clear: state_q == SqStep && i_q.step == StepCall && row_i.counts
  };

  // ---------------------------------------------------------------- job of the word unit

  logic             banked, bank, job_ok;
  word_e            job_word;
  logic [3:0]       first_sub, phase_last;
  logic [AddrW-1:0] z_base, z_len;

  assign banked = i_q.z.form inside {FormHalf, FormWide, FormShort};
  assign bank   = banked ? bank_q : i_q.z.form == FormQ;

  mf_engine_job #(
    .Engine(Engine)
  ) u_job (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .step_i       (i_q.step),
    .word_i       (i_q.word),
    .z_i          (i_q.z),
    .x_i          (i_q.x),
    .y_i          (i_q.y),
    .amount_i     (value_i.amount),
    .phase_i      (phase_q),
    .bank_i       (bank),
    .full_i       (row_i.full),
    .full_unit_i  (row_i.full_unit),
    .one_modulus_i(one_modulus_q),
    .self_test_i  (loads_q),
    .slot_i       (slot),
    .n_bits_i     (n_bits_now_q),
    .length_i     (value_i.length),
    .first_sub_o  (first_sub),
    .phase_last_o (phase_last),
    .word_o       (job_word),
    .amount_o     (amount_o),
    .z_base_o     (z_base),
    .z_len_o      (z_len),
    .x_base_o     (x_base_o),
    .x_len_o      (x_len_o),
    .x_kind_o     (x_kind_o),
    .y_base_o     (y_base_o),
    .y_len_o      (y_len_o),
    .y_kind_o     (y_kind_o),
    .copies_ok_o  (job_ok)
  );

  // ---------------------------------------------------------------- wipes

  logic             clearing, clear_any, clear_host, clear_random, clear_set;
  logic [AddrW-1:0] clear_base, clear_len;
  clear_t           clear_list;
  logic             keep_result, drop_result, ask_all, ask_slot;
  logic             wipe_due, wipe_all, wipe_next;
  slot_t            wipe_slot;

  mf_engine_wipe #(
    .Engine(Engine)
  ) u_wipe (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .set_i     (clear_set),
    .list_i    (clear_list),
    .next_i    (state_q == SqClearWait && !words_busy_i),
    .slot_i    (slot),
    .any_o     (clear_any),
    .base_o    (clear_base),
    .len_o     (clear_len),
    .host_o    (clear_host),
    .random_o  (clear_random),
    .end_i     (ended),
    .good_i    (result_good),
    .drop_i    (drop_result),
    .keep_o    (keep_result),
    .ask_all_i (ask_all),
    .ask_slot_i(ask_slot),
    .asked_i   (slot_start),
    .begin_i   (wipe_next),
    .forget_i  (late),
    .due_o     (wipe_due),
    .due_all_o (wipe_all),
    .due_slot_o(wipe_slot)
  );

  localparam clear_t ClearAll  = '{all_main: 1'b1, all_host: 1'b1, default: 1'b0};
  localparam clear_t ClearSlot = '{slot_random: 1'b1, slot_zero: 1'b1, work: 1'b1, default: 1'b0};

  always_comb begin
    clear_set  = ended;
    clear_list = '{work: 1'b1, host: kind.wipes_host, default: 1'b0};
    unique case (state_q)
      SqBoot: begin
        clear_set  = 1'b1;
        clear_list = ClearAll;
      end
      SqIdle: begin
        clear_set  = asked;
        clear_list = '0;
        if (!busy_q && zeroize_all_i) clear_list = ClearAll;
        else if (!busy_q && zeroize_slot_i && slot_legal) clear_list = ClearSlot;
      end
      SqFinish: begin
        clear_set  = wipe_next;
        clear_list = wipe_all ? ClearAll : ClearSlot;
      end
      default: begin
        if (loses_key) begin
          clear_list      = ClearSlot;
          clear_list.host = kind.loads;
        end
      end
    endcase
  end

  // A result that is written after its check, or if a further wipe begins, is not kept.
  assign changes     = result_write_i || integrity_i || copies_bad;
  assign drop_result = state_q == SqBoot || (state_q == SqIdle && asked) || wipe_next || late ||
                       ((clearing || state_q == SqFinish || moves_q) && changes);

  assign clearing   = state_q == SqClear || state_q == SqClearWait;
  assign words_op_o = !clearing ? job_word : clear_random ? WordRandom : WordWipe;
  assign z_base_o   = clearing ? clear_base : z_base;
  assign z_len_o    = clearing ? clear_len : z_len;
  assign z_host_o   = clearing && clear_host;
  assign flag_o     = flag_q[bank];
  assign half_o     = row_i.full_unit ? HalfW'(Engine.halves)
                                          : HalfW'((Engine.halves > 1) && bank);

  // ---------------------------------------------------------------- the end of a program

  assign running    = state_q inside {SqFetch, SqRead, SqStep, SqCall, SqPick, SqPlace, SqBase,
                                      SqIssue, SqWords};
  assign words_end  = state_q == SqWords && !words_busy_i;
  assign last_bank  = !banked || bank_q == bank_last_q;
  assign last_phase = phase_q == phase_last;
  assign violated   = words_end && !holds;
  assign uses_half  = job_word inside {WordLoadAB, WordLoadB, WordLoadNK, WordLoadE,
                                       WordLoadPublic, WordStore};
  assign slot_legal = 32'(slot_i) < Slots;
  assign slot_start = slot_legal ? slot_t'(slot_i) : '0;
  assign bank_first = frame_q.single && frame_q.which;

  always_comb begin
    error_start = ErrNone;
    if (!next_kind_i.legal) error_start = ErrOperation;
    else if (next_kind_i.one_modulus) error_start = ErrNone;
    else if (!slot_legal) error_start = ErrUse;
    else if (!next_kind_i.loads && !valid_q[slot_start]) begin
      error_start = locked_q[slot_start] ? ErrUse : ErrSlotEmpty;
    end
  end

  // While the host reads that the engine is busy, a start is refused.
  assign starts        = start_i && state_q == SqIdle && !moves_q;
  assign refuses       = start_i && !starts;
  assign starts_result = starts && next_kind_i.has_result;
  assign asked         = starts || zeroize_slot_i || zeroize_all_i;
  assign begins        = starts && !busy_q && !zeroize_all_i && !zeroize_slot_i;
  logic unused_kind;
  assign unused_kind = ^{next_kind_i.wipes_host, kind.legal, kind.segment};
  assign ask_all  = state_q != SqIdle && zeroize_all_i;
  assign ask_slot = state_q != SqIdle && zeroize_slot_i && slot_legal;
  assign zeroizes = zeroize_all_i || (zeroize_slot_i && slot_legal) || wipe_due;

  mf_engine_guard #(
    .WatchdogBits(Engine.watchdog_bits)
  ) u_guard (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .running_i        (running),
    .fetch_i          (state_q == SqFetch),
    .end_i            (ended),
    .after_i          (ended || clearing || state_q == SqFinish),
    .rest_i           (state_q inside {SqBoot, SqIdle}),
    .occupied_i       (occupied_o),
    .random_waits_i   (random_waits_i),
    .integrity_i      (integrity_i),
    .result_write_i   (result_write_i),
    .copies_ok_i      (command_copy_q == ~command_q && i_copy_q == ~i_q && job_ok &&
                       (kind.loads || kind.one_modulus ||
                        n_bits_copy_q[slot] == ~n_bits_q[slot])),
    .condition_i      (i_q.condition),
    .borrow_i         (borrow_i),
    .nonzero_i        (nonzero_i),
    .odd_i            (odd_i),
    .length_ok_i      (value_i.length_ok),
    .turns_ok_i       (value_i.turns_ok),
    .holds_o          (holds),
    .words_end_i      (words_end),
    .condition_error_i(i_q.error),
    .code_i           (i_q.code),
    .seed_i           (begins),
    .code_end_i       (row_i.code_end),
    .judged_i         (end_now && error_q == ErrNone && fatal == ErrNone),
    .outcome_ok_o     (outcome_ok),
    .outcome_now_o    (outcome_now),
    .fault_o          (fault),
    .faulty_o         (faulty),
    .copies_bad_o     (copies_bad),
    .late_o           (late),
    .lost_o           (lost),
    .lost_event_o     (lost_now)
  );

  // Errors that end the program at once.
  always_comb begin
    fatal = ErrNone;
    if (abort_i || zeroizes) fatal = ErrAborted;
    if (random_error_i) fatal = ErrRandom;
    if (faulty) fatal = ErrFault;
  end

  assign program_end = state_q == SqStep && i_q.step == StepReturn && level_q == '0 && !again_q;
  assign end_now     = running && (fatal != ErrNone || program_end ||
                       (state_q == SqStep && i_q.step == StepStop && failed_q));

  // The self-test of a key, a Fermat test of its primes, has the code of its exponents.
  always_comb begin
    last_error = error_q;
    if (error_q == ErrNone && (!outcome_ok || failed_q)) last_error = ErrFault;
    if (kind.loads && last_error == ErrFault) last_error = ErrExponent;
    if (fatal != ErrNone) last_error = fatal;
    if (fault) last_error = ErrFault;
  end

  // In SqEnd. An error in the state alone leaves the outcome's codes as they are.
  assign ended       = state_q == SqEnd;
  assign under_way   = running || ended;
  assign end_error   = (error_q == ErrNone && !outcome_ok) ? ErrFault : error_q;
  assign result_good = kind.has_result && end_error == ErrNone && !changes;
  // A key that is not complete, or one that an operation failed with.
  assign loses_key   = kind.loads ? end_error != ErrNone
                                    : !kind.one_modulus && end_error == ErrFault;

  // ---------------------------------------------------------------- main state machine

  assign finished  = state_q == SqFinish && ((!halves_busy_q && !zeroizes) || late);
  assign wipe_next = state_q == SqFinish && !halves_busy_q && wipe_due && !late;

  // An error at the same time stops the word unit, too.
  assign words_start_o = (state_q == SqIssue && !half_waits_q) ||
                         (state_q == SqClear && clear_any);
  assign words_stop_o  = (running && fatal != ErrNone) || late ||
                         (state_q == SqClearWait && random_error_i);
  assign fn_o          = i_q.go;
  assign length_o      = Engine.length_w'(amount_o);

  always_comb begin
    go_o = '0;
    go_o[half_o] = words_end && i_q.step == StepGo && fatal == ErrNone;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q            <= SqBoot;
      command_q          <= '0;
      command_copy_q     <= '1;
      frame_q            <= '0;
      level_q            <= '0;
      i_q                <= '0;
      i_copy_q           <= '1;
      phase_q            <= '0;
      bank_q             <= 1'b0;
      bank_last_q        <= 1'b0;
      error_q            <= ErrNone;
      failed_q           <= 1'b0;
      moves_q            <= 1'b1;
      again_q            <= 1'b0;
      flag_q             <= '0;
      done_q             <= 1'b0;
      quiet_q            <= 1'b1;
      due_q              <= 1'b0;
      due_copy_q         <= 1'b1;
      busy_q             <= 1'b1;
      refused_q          <= 1'b0;
      operation_q        <= 1'b0;
      half_clear_q       <= '0;
      half_rst_q         <= '0;
      halves_busy_q      <= 1'b1;
      half_waits_q       <= 1'b0;
      valid_q            <= '0;
      locked_q           <= '0;
      n_bits_q           <= '0;
      n_bits_copy_q      <= '1;
      n_bits_now_q       <= '0;
      one_modulus_q      <= 1'b0;
      loads_q            <= 1'b0;
      cycles_q           <= '0;
      counts_q           <= 1'b0;
      cycles_carry_q     <= 1'b0;
      for (int unsigned l = 0; l < Depth; l++) stack_q[l] <= '0;
    end else begin
      n_bits_now_q  <= n_bits;
      one_modulus_q <= kind.one_modulus;
      loads_q       <= kind.loads;
      failed_q      <= error_q != ErrNone;
      moves_q       <= state_q != SqIdle;
      half_clear_q  <= Exponentiators'({half_clear_q, 1'b0});
      half_rst_q    <= ~half_clear_q;
      halves_busy_q <= half_busy_i != '0;
      counts_q      <= under_way;
      half_waits_q  <= uses_half && half_busy_i[half_o];
      {cycles_carry_q, cycles_q[15:0]} <= {1'b0, cycles_q[15:0]} + 17'(counts_q);
      if (cycles_carry_q) cycles_q[31:16] <= cycles_q[31:16] + 16'd1;
      if (refuses) refused_q <= 1'b1;

      unique case (state_q)
        // After reset, or from an illegal state.
        SqBoot: begin
          error_q         <= quiet_q ? ErrNone : ErrFault;
          valid_q         <= '0;
          half_clear_q[0] <= 1'b1;
          state_q         <= SqClear;
        end
        SqIdle: begin
          if (asked) begin
            done_q             <= 1'b0;
            quiet_q            <= 1'b0;
            due_q              <= starts_result;
            due_copy_q         <= !starts_result;
            busy_q             <= 1'b1;
            refused_q          <= 1'b0;
            operation_q        <= starts;
            command_q          <= '{op: op_i, slot: slot_i, n_bits: n_bits_i,
                                    e_bits: e_bits_i};
            command_copy_q     <= ~{op_i, slot_i, n_bits_i, e_bits_i};
            // Of a start with a wipe, and of a wipe while the host still sees an operation busy.
            error_q            <= (starts || (moves_q && operation_q)) ? ErrAborted : ErrNone;
          end
          if (busy_q) begin
            state_q <= SqBoot;  // not from SqFinish
          end else if (zeroize_all_i) begin
            valid_q         <= '0;
            locked_q        <= '0;
            half_clear_q[0] <= 1'b1;
            state_q         <= SqClear;
          end else if (zeroize_slot_i) begin
            if (slot_legal) begin
              valid_q[slot_start]  <= 1'b0;
              locked_q[slot_start] <= 1'b0;
              half_clear_q[0]      <= 1'b1;
            end else begin
              error_q <= ErrUse;
            end
            state_q <= SqClear;
          end else if (starts) begin
            error_q       <= error_start;
            cycles_q      <= '0;
            level_q       <= '0;
            frame_q       <= '{segment: next_kind_i.segment, step: '0, again: '0, halves: 1'b0,
                               single: 1'b0, which: 1'b0, full: 1'b0};
            again_q       <= 1'b0;
            if (error_start == ErrNone) begin
              state_q <= SqFetch;
              if (next_kind_i.loads) begin
                valid_q[slot_start]  <= 1'b0;
                locked_q[slot_start] <= 1'b0;
              end
            end else begin
              state_q <= SqFinish;
            end
          end
        end
        SqFetch: state_q <= SqRead;
        SqRead: begin
          i_q         <= row_i.row;
          i_copy_q    <= ~row_i.row;
          phase_q     <= '0;
          bank_q      <= bank_first;
          bank_last_q <= !row_i.full && (!frame_q.single || frame_q.which);
          state_q     <= SqStep;
        end
        SqStep: begin
          state_q <= SqFetch;
          unique case (i_q.step)
            StepCall: state_q <= SqCall;
            StepStop: frame_q.step <= frame_q.step + 5'd1;
            StepReturn: begin
              again_q      <= 1'b0;
              frame_q.step <= '0;
              if (!again_q) begin
                if (frame_q.again != '0) begin
                  frame_q.again <= frame_q.again - 16'd1;
                  frame_q.which <= frame_q.which || frame_q.halves;
                end else begin
                  level_q <= level_q - 3'd1;
                  frame_q <= stack_q[level_q-3'd1];
                end
              end
            end
            StepReduce: begin
              phase_q <= first_sub;
              state_q <= SqPick;
            end
            default: state_q <= SqPlace;
          endcase
        end
        SqCall: begin
          state_q      <= SqFetch;
          frame_q.step <= frame_q.step + 5'd1;
          if (value_i.times != '0) begin
            stack_q[level_q]      <= frame_q;
            stack_q[level_q].step <= frame_q.step + 5'd1;
            level_q               <= level_q + 3'd1;
            frame_q.segment       <= i_q.segment;
            frame_q.step          <= '0;
            frame_q.again         <= value_i.times - 16'd1;
            frame_q.halves        <= one_half;
            frame_q.single        <= frame_q.single || one_half;
            frame_q.full          <= frame_q.full || row_i.for_full;
          end
        end
        SqPick:  state_q <= SqPlace;
        SqPlace: state_q <= SqBase;
        SqBase:  state_q <= SqIssue;
        SqIssue: if (!half_waits_q) state_q <= SqWords;
        SqWords: begin
          if (words_end) begin
            if (job_word inside {WordSub, WordCompare} && !row_i.keeps_flag) begin
              flag_q[bank] <= borrow_i;
            end
            if (job_word == WordLow) flag_q[bank] <= odd_i;
            if (job_word == WordStore) flag_q[bank] <= top_i;
            if (violated) begin
              if (i_q.error == Again) again_q <= 1'b1;
              else if (error_q == ErrNone) error_q <= i_q.error;
            end
            state_q <= SqPick;
            if (!last_bank) begin
              bank_q <= 1'b1;
            end else if (!last_phase) begin
              phase_q <= phase_q + 4'd1;
              bank_q  <= bank_first;
            end else begin
              frame_q.step <= frame_q.step + 5'd1;
              state_q      <= SqFetch;
            end
          end
        end
        SqEnd: begin
          error_q         <= end_error;
          half_clear_q[0] <= 1'b1;
          state_q         <= SqClear;
          if (kind.loads && end_error == ErrNone) begin
            valid_q[slot]       <= 1'b1;
            n_bits_q[slot]      <= command_q.n_bits;
            n_bits_copy_q[slot] <= ~command_q.n_bits;
          end else if (loses_key) begin
            valid_q[slot]  <= 1'b0;
            locked_q[slot] <= !kind.loads;
          end
        end
        SqClear: state_q <= clear_any ? SqClearWait : SqFinish;
        SqClearWait: begin
          if (!words_busy_i) state_q <= SqClear;
        end
        SqFinish: begin
          if (wipe_next) begin
            half_clear_q[0] <= 1'b1;
            if (operation_q) error_q <= ErrAborted;
            if (wipe_all) begin
              valid_q      <= '0;
              locked_q     <= '0;
            end else begin
              valid_q[wipe_slot]      <= 1'b0;
              locked_q[wipe_slot]     <= 1'b0;
              command_q.slot          <= 4'(wipe_slot);
              command_copy_q.slot     <= ~4'(wipe_slot);
            end
            state_q <= SqClear;
          end else if (finished) begin
            done_q  <= !quiet_q || late;
            busy_q  <= 1'b0;
            state_q <= SqIdle;
          end
        end
        default: state_q <= SqBoot;
      endcase

      // Zeroizing is asked for while a command is under way.
      if (ask_all) valid_q <= '0;
      if (ask_slot) valid_q[slot_start] <= 1'b0;

      // A wipe exceeds its cycles.
      if (late) begin
        error_q            <= ErrFault;
        quiet_q            <= 1'b0;
        valid_q            <= '0;
        if (clearing) state_q <= SqFinish;
      end

      if (end_now) begin
        state_q <= SqEnd;
        error_q <= last_error;
      end
    end
  end

  // ---------------------------------------------------------------- outputs to the host

  assign occupied_o = busy_q || moves_q;
  assign busy_o     = occupied_o && !lost;
  assign wiping_o   = state_q == SqBoot || ended || clearing;
  assign done_o     = (done_q && !moves_q) || lost;

  always_comb begin
    phase_o = value_i.phase;
    if (state_q == SqFinish) phase_o = PhaseRelease;
    else if (wiping_o) phase_o = PhaseWipe;
    else if (!running) phase_o = PhaseIdle;
  end

  logic due;
  assign due = due_q || !due_copy_q;

  always_comb begin
    error_o = ErrNone;
    if (lost) error_o = ErrFault;
    else if (refused_q && busy_q) error_o = ErrBusy;
    else if (!busy_o) error_o = (error_q == ErrNone && due && !release_o) ? ErrFault : error_q;
  end

  assign cycles_o      = cycles_q;
  assign half_rst_no   = half_rst_q;
  assign slots_valid_o = 16'(valid_q);
  assign done_event_o  = (finished && (!quiet_q || late)) || lost_now;
  assign error_event_o = (done_event_o && (error_q != ErrNone || late || lost_now)) ||
                         refuses;
  assign alert_event_o = (end_now && last_error == ErrFault) || late || lost_now;
  assign release_o     = state_q == SqIdle && done_q && !busy_q && !lost && keep_result &&
                         outcome_now && command_copy_q == ~command_q;

endmodule
