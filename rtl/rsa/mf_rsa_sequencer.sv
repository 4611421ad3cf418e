// SPDX-License-Identifier: Apache-2.0
//
// Sequencer of the RSA engine: takes commands, runs the microprogram, guards its flow, wipes.
//
// State    what happens
// Boot     after reset: all words of both memories are overwritten
// Idle     commands are taken
// Fetch    a step of the microprogram is read
// Step     calls, returns; the others' first operands
// Pick     the operands of a further phase or half
// Place    the operands' places
// Issue    waits for the half, then starts the word unit
// Words    waits for the word unit; conditions, next half, next phase, next step
// Clear    after the program, an error, an abort: halves are reset, which wipes them, then ranges
//          of memory are overwritten, listed in clear_q: a failed slot with random words and zeros,
//          work with or without the result, the host's key windows
// Finish   done, with the error or the released result
//
// Zeroize:  at any time. Slots are not valid from the next cycle on; an operation under way ends as
//           by an abort, a wipe is finished first; then what was asked for is overwritten.
//
// Errors:   an error of integrity, of the random source, the watchdogs (2^WatchdogBits cycles in
//           one step or four times as many in all, without those in which a random word is
//           awaited) and an abort end the program at once; the first condition that fails is the
//           error. A state that can't be wipes all memories, with ErrFault. A wipe that takes
//           2^(WatchdogBits + 2) cycles ends with ErrFault, and no key is valid. What is under way
//           for 2^(WatchdogBits + 4) cycles, as with a stuck bit of the state, ends with ErrFault
//           for the host; the windows stay shut, and only a reset makes the engine take commands.
// Outcome:  two codes start from a seed with each command. A check that holds takes its code one
//           step on, one that fails sets it to 0. The result is released if both codes are what the
//           number of checks gives, and only while the sequencer is idle.
// Flow:     turns of the halves are compared with what L, the window and e give. Copies of slot,
//           operation, lengths, instruction and the word unit's job are compared in every cycle.
//           A result that is written after its check is not released.

module mf_rsa_sequencer
  import mf_rsa_pkg::*;
#(
  parameter config_t Config,

  localparam layout_t     Layout         = layout_of(Config),
  localparam int unsigned AddrW          = Layout.addr_w,
  localparam int unsigned Exponentiators = Layout.exponentiators,
  localparam int unsigned HalfW          = (Exponentiators > 1) ? $clog2(Exponentiators) : 1
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
  /// The memories are the sequencer's: while it is busy, and for ever if that had no end.
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
  /// A word of the result is written.
  input  logic                        result_write_i,
  /// The first word of an exponent that is loaded.
  input  logic                        exponent_word_valid_i,
  input  logic [31:0]                 exponent_word_i,

  /// Reset of the halves, from a register.
  output logic                        half_rst_no,
  /// Which exponentiator the word unit loads and stores: the halves', then that of full width.
  output logic [HalfW-1:0]            half_o,
  output logic [Exponentiators-1:0]   go_o,
  output go_e                         fn_o,
  output logic [Layout.length_w-1:0]  length_o,
  output logic                        turns_clear_o,
  input  logic [Exponentiators-1:0]   half_busy_i,
  input  logic [Exponentiators-1:0][15:0] turns_i
);

  localparam int unsigned HalfKind = Config.half.constant_kind;
  localparam int unsigned FullKind = Config.full.constant_kind;

  localparam int unsigned PairLife  = 32;  // operations of a blinding pair
  localparam int unsigned Units     = 2;  // values of a variable
  localparam int unsigned Halves    = Config.halves;
  localparam int unsigned Slots     = Config.slots;
  localparam bit          Public    = Config.has_full;
  localparam int unsigned Check     = Config.check;
  localparam int unsigned DigitW    = Config.window;
  localparam int unsigned Words     = Layout.words;
  localparam int unsigned SlotVars  = Layout.slot_variables;
  localparam int unsigned WatchdogBits = Config.watchdog_bits;
  localparam int unsigned WorkUnit  = Layout.slots * SlotVars * Units;
  localparam int unsigned WorkUnits = WorkVariables * Units;
  localparam int unsigned HostKey   = Units * 2;  // E and the key's windows
  localparam int unsigned ShortLen  = 64 / Config.word_w;
  localparam int unsigned Depth     = 8;          // of calls

  // ---------------------------------------------------------------- registers

  typedef enum logic [3:0] {
    SqBoot, SqIdle, SqFetch, SqStep, SqPick, SqPlace, SqIssue, SqWords, SqClear, SqClearWait,
    SqFinish
  } state_e;

  localparam int unsigned SlotW = (Slots > 1) ? $clog2(Slots) : 1;
  typedef logic [SlotW-1:0] slot_t;

  typedef struct packed {
    logic [3:0]  op;
    logic [3:0]  slot;
    logic [15:0] n_bits;
    logic [15:0] e_bits;
  } command_t;

  typedef struct packed {
    segment_e    segment;
    logic [4:0]  step;
    logic [15:0] again;   // calls of the segment after this one
    logic        halves;  // it is called for one half after the other
    logic        single;  // steps are for one half
    logic        which;   // that of q
    logic        full;    // steps are for p q, with all variables full
  } frame_t;

  // What is to be overwritten.
  typedef struct packed {
    logic slot_random;
    logic slot_zero;
    logic work;
    logic host;
    logic all_main;
    logic all_host;
  } clear_t;

  typedef struct packed {
    logic [AddrW-1:0] base;
    logic [AddrW-1:0] len;
    logic [1:0]       kind;
  } place_t;

  // The job of the word unit, from the second cycle after a phase and a half are chosen on.
  typedef struct packed {
    word_e       word;
    operand_t    z;
    operand_t    x;
    operand_t    y;
    logic [15:0] amount;
    logic [15:0] slot_unit;  // where the slot's variables begin, in values
  } picked_t;

  typedef struct packed {
    place_t z;
    place_t x;
    place_t y;
  } placed_t;

  state_e       state_q;
  picked_t      picked_q, picked_copy_q;         // the copy is inverted
  placed_t      placed_q, placed_copy_q;         // the copy is inverted
  command_t     command_q, command_copy_q;  // the copy is inverted
  frame_t       frame_q;
  frame_t       stack_q[Depth];
  logic [2:0]   level_q;
  instruction_t rom, i_q, i_copy_q;              // the copy is inverted
  logic [3:0]   phase_q;
  logic         bank_q, bank_last_q;
  error_e       error_q;
  logic         again_q;
  logic [31:0]  code_first_q, code_second_q;
  logic [1:0]   flag_q;
  clear_t       clear_q;
  logic         keep_result_q, keep_result_copy_q;
  logic         done_q, busy_q;
  logic         quiet_q;             // a wipe that nobody asked for
  logic         due_q, due_copy_q;   // the operation has a result if it ends without error
  logic         refused_q;           // a command came while busy
  logic         operation_q;         // what is under way is an operation, no wipe alone
  logic         wipe_all_q;          // to be zeroized when what is under way has ended
  logic [31:0]  cycles_q;
  logic         half_rst_q;
  logic [WatchdogBits-1:0] watchdog_q;  // of the step
  logic [WatchdogBits+1:0] total_q;     // of the program, then of the wipe
  logic [WatchdogBits+3:0] deadline_q;  // of all that is under way, whatever the state says
  logic                    lost_q;      // it has no end

  logic [Slots-1:0]       valid_q;
  logic [Slots-1:0]       locked_q;       // a fault overwrote the key
  logic [Slots-1:0]       wipe_slots_q;   // as wipe_all_q
  logic                   n_valid_q;      // the constants of the host's n are there
  logic [15:0]            n_valid_bits_q;
  logic [Slots-1:0][15:0] n_bits_q, n_bits_copy_q;  // the copies are inverted
  logic [Slots-1:0][5:0]  life_q;                   // operations that the blinding pair is good for

  // ---------------------------------------------------------------- program

  logic full;       // a step is for one modulus
  logic full_unit;  // it is for the exponentiator of full width

  phase_e row_phase;
  logic   half_waits;

  mf_rsa_rows #(
    .Config(Config)
  ) u_rows (
    .full_i       (full),
    .segment_i    (frame_q.segment),
    .step_i       (frame_q.step),
    .waits_i      (half_waits),
    .instruction_o(rom),
    .phase_o      (row_phase)
  );

  // ---------------------------------------------------------------- lengths

  logic [15:0] n_bits, l_bits;
  logic        loading, length_ok, copies_ok;
  logic        one_n;  // an operation on one modulus
  slot_t       slot, slot_start;

  assign loading   = command_q.op == CommandLoad;
  assign slot      = (32'(command_q.slot) < Slots) ? slot_t'(command_q.slot) : '0;
  assign one_n     = Public && !(command_q.op inside {CommandLoad, CommandPrivate});
  assign full      = one_n || (Check != CheckPq && frame_q.full);
  assign full_unit = full || (Check != CheckPq && frame_q.segment == SegCheckFull);
  assign n_bits    = (loading || one_n) ? command_q.n_bits : n_bits_q[slot];
  assign l_bits    = full ? n_bits : (n_bits + 16'd1) >> 1;
  assign length_ok = 32'(n_bits) <= Config.bits &&
                     (one_n ? n_bits >= 16'd2 && 32'(command_q.e_bits) <= Config.bits
                            : 32'(n_bits) >= Config.min_bits);
  assign copies_ok = command_copy_q == ~command_q && i_copy_q == ~i_q &&
                     picked_copy_q == ~picked_q && placed_copy_q == ~placed_q &&
                     (loading || one_n || n_bits_copy_q[slot] == ~n_bits_q[slot]);

  // Of the phases that estimate a quotient.
  logic        top_phase, quotient_phase;
  logic [15:0] scale;
  assign scale = full_unit ? 16'(Config.full.scale) : 16'(Config.half.scale);

  logic [15:0] amount;

  always_comb begin
    unique case (i_q.amount)
      AmountL:    amount = l_bits;
      AmountTop:  amount = l_bits - 16'd1;
      AmountNTop: amount = n_bits - 16'd1;
      AmountD:    amount = l_bits + 16'(Config.eblind);
      AmountE:    amount = command_q.e_bits;
      AmountOne:  amount = 16'd1;
      Amount32:   amount = 16'd32;
      default:    amount = 16'd64;
    endcase
    if (top_phase) amount = (full_unit ? n_bits : l_bits) - 16'd2;
    if (quotient_phase) amount = scale + 16'd4;
  end

  // ---------------------------------------------------------------- phases of a step

  // Put: store; if the multiplier is signed, add n to what is negative; then subtract n from what
  // is not below, as often as corrections says. Reduce: the subtraction alone.
  // Results v below 2^(Scale + 1) n, with n of l bits: before that, v - q n, which is in [0, 2 n)
  // for q = floor(floor(v / 2^(l - 2)) floor(2^(l + Scale + 2) / n) / 2^(Scale + 4)): with v / n =
  // a b / 2^(Scale + 4), a = v / 2^(l - 2) and b = 2^(l + Scale + 2) / n, both below 2^(Scale + 3),
  // to round a and b down takes less than 1 away, and the last floor less than 1.
  localparam logic [3:0] PutAdd      = 4'd1;  // of signed results
  localparam logic [3:0] PutSign     = 4'd2;
  localparam logic [3:0] PutTop      = 4'd1;  // of results beyond 2 n: a
  localparam logic [3:0] PutEstimate = 4'd2;  // a b
  localparam logic [3:0] PutQuotient = 4'd3;  // q
  localparam logic [3:0] PutMultiple = 4'd4;  // q n
  localparam logic [3:0] PutRest     = 4'd5;  // v - q n
  localparam logic [3:0] PutSub      = 4'd1;  // the first subtraction if there is none of these

  word_e      word;
  operand_t   z, x, y, n, rest, quotient;
  logic       has_sign, scaled, estimates;
  logic [3:0] first_sub, phase_last, corrections;
  logic       corrects, select_phase, sub_phase, add_phase;

  assign has_sign     = full_unit ? Config.full.has_sign : Config.half.has_sign;
  assign corrections  = full_unit ? 4'(Config.full.corrections) : 4'(Config.half.corrections);
  assign scaled       = scale != '0;
  assign first_sub    = has_sign ? PutSign + 4'd1 : scaled ? PutRest + 4'd1 : PutSub;
  assign corrects     = i_q.step inside {StepPut, StepReduce} && phase_q >= first_sub;
  assign sub_phase    = corrects && phase_q[0] == first_sub[0];
  assign select_phase = corrects && phase_q[0] != first_sub[0];
  assign estimates    = scaled && i_q.step == StepPut && !corrects;
  assign top_phase      = estimates && phase_q == PutTop;
  assign quotient_phase = estimates && phase_q == PutQuotient;
  assign add_phase    = has_sign && i_q.step == StepPut && phase_q == PutAdd;
  // The modulus: p q in a step of full width on a key.
  assign n            = '{name: (full_unit && !full) ? SlotM : SlotN, form: i_q.z.form};
  assign rest         = '{name: WorkT, form: i_q.z.form};
  assign quotient     = '{name: WorkK, form: FormShort};

  always_comb begin
    word       = i_q.word;
    z          = i_q.z;
    x          = i_q.x;
    y          = i_q.y;
    phase_last = '0;
    if (i_q.step == StepPut) phase_last = first_sub + (corrections << 1) - 4'd1;
    if (i_q.step == StepReduce) phase_last = first_sub + 4'd1;
    if (sub_phase) begin
      word = WordSub;
      z    = rest;
      x    = i_q.z;
      y    = n;
    end else if (select_phase) begin
      word = WordSelect;  // the flag is the borrow
      z    = i_q.z;
      x    = i_q.z;
      y    = rest;
    end else if (add_phase) begin
      word = WordAdd;
      z    = rest;
      x    = i_q.z;
      y    = n;
    end else if (has_sign && i_q.step == StepPut && phase_q == PutSign) begin
      word = WordSelect;  // the flag is the sign
      z    = i_q.z;
      x    = rest;
      y    = i_q.z;
    end else if (estimates) begin
      unique case (phase_q)
        PutTop: begin
          word = WordShift;
          z    = quotient;
          x    = i_q.z;
        end
        PutEstimate: begin
          word = WordMul;
          z    = rest;
          x    = quotient;
          y    = '{name: (full_unit && !full) ? SlotFullEstimate : SlotEstimate, form: FormShort};
        end
        PutQuotient: begin
          word = WordShift;
          z    = quotient;
          x    = rest;
        end
        PutMultiple: begin
          word = WordMul;
          z    = rest;
          x    = quotient;
          y    = n;
        end
        PutRest: begin
          word = WordSub;
          x    = i_q.z;
          y    = rest;
        end
        default: ;
      endcase
    end
  end

  // ---------------------------------------------------------------- places

  picked_t picked;
  placed_t placed;
  assign picked = '{
    word: word, z: z, x: x, y: y, amount: amount,
    slot_unit: 16'(full ? 5'(Slots) : 5'(slot)) * 16'(SlotVars * Units)
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      picked_q      <= '0;
      picked_copy_q <= '1;
      placed_q      <= '0;
      placed_copy_q <= '1;
    end else begin
      picked_q      <= picked;
      picked_copy_q <= ~picked;
      placed_q      <= placed;
      placed_copy_q <= ~placed;
    end
  end

  function automatic place_t place(input operand_t given, input logic one, input logic of_q,
                                   input logic [15:0] slot_unit, input logic self_test);
    place_t      found;
    logic [15:0] unit;
    logic [4:0]  number;
    variable_t   name;
    operand_t    operand;
    operand = given;
    if (one && given.form == FormHalf) operand.form = FormFull;
    name   = (self_test && operand.name == HostX) ? WorkS : operand.name;
    number = name[4:0];
    unit   = 16'(number) * 16'(Units);
    unique case (operand.form)
      FormFull: found.len = AddrW'(2 * Words);
      FormWide: begin
        unit      = unit + (of_q ? 16'd2 : 16'd0);
        found.len = AddrW'(2 * Words);
      end
      FormQ: begin
        unit      = unit + 16'd1;
        found.len = AddrW'(Words);
      end
      FormP:     found.len = AddrW'(Words);
      FormShort: begin
        unit      = unit + 16'(of_q);
        found.len = AddrW'(ShortLen);
      end
      default: begin
        unit      = unit + 16'(of_q);
        found.len = AddrW'(Words);
      end
    endcase
    unique case (name[6:5])
      2'd0:    unit = unit + slot_unit;
      2'd1:    unit = unit + 16'(WorkUnit);
      default: ;
    endcase
    found.kind = (name[6:5] == 2'd3) ? 2'd2 : (name[6:5] == 2'd2) ? 2'd1 : 2'd0;
    found.base = '0;
    for (int unsigned i = 0; i < 16; i++) begin  // times Words; not in a DSP block
      if (Words[i]) found.base = found.base + AddrW'(32'(unit) << i);
    end
    if (name[6:5] == 2'd3) found.base = AddrW'(number);
    return found;
  endfunction

  logic unused_kind;
  logic banked, bank;
  assign banked  = i_q.z.form inside {FormHalf, FormWide, FormShort};
  assign bank    = banked ? bank_q : i_q.z.form == FormQ;
  always_comb begin
    placed.z = place(picked_q.z, full, bank, picked_q.slot_unit, loading);
    placed.x = place(picked_q.x, full, bank, picked_q.slot_unit, loading);
    placed.y = place(picked_q.y, full, bank, picked_q.slot_unit, loading);
    if (picked_q.word == WordLoadE) placed.z.len = AddrW'(one_n ? 2 * Words : Layout.e_words);
  end
  assign unused_kind = ^placed_q.z.kind;  // results are in the main memory

  // The ranges that are overwritten.
  place_t clear_place;
  logic   clear_random;

  always_comb begin
    clear_place.kind = 2'd0;
    clear_random     = 1'b0;
    if (clear_q.slot_random || clear_q.slot_zero) begin
      clear_place.base = AddrW'(32'(slot) * SlotVars * Units * Words);
      clear_place.len  = AddrW'(SlotVars * Units * Words);
      clear_random     = clear_q.slot_random;
    end else if (clear_q.work) begin
      // Without the result, which is the first variable, if it is kept.
      clear_place.base = keep_result_q ? AddrW'((WorkUnit + Units) * Words)
                                       : AddrW'(WorkUnit * Words);
      clear_place.len  = keep_result_q ? AddrW'((WorkUnits - Units) * Words)
                                       : AddrW'(WorkUnits * Words);
    end else if (clear_q.host) begin
      clear_place.base = AddrW'(HostKey * Words);
      clear_place.len  = AddrW'(Layout.host_depth - HostKey * Words);
      clear_place.kind = 2'd1;
    end else if (clear_q.all_main) begin
      clear_place.base = '0;
      clear_place.len  = AddrW'(Layout.main_depth);
    end else begin
      clear_place.base = '0;
      clear_place.len  = AddrW'(Layout.host_depth);
      clear_place.kind = 2'd1;
    end
  end

  logic clearing;
  assign clearing   = state_q == SqClear || state_q == SqClearWait;
  assign words_op_o = !clearing ? picked_q.word : clear_random ? WordRandom : WordWipe;
  assign z_base_o   = clearing ? clear_place.base : placed_q.z.base;
  assign z_len_o    = clearing ? clear_place.len : placed_q.z.len;
  assign z_host_o   = clearing && clear_place.kind == 2'd1;
  assign x_base_o   = placed_q.x.base;
  assign x_len_o    = placed_q.x.len;
  assign x_kind_o   = placed_q.x.kind;
  assign y_base_o   = placed_q.y.base;
  assign y_len_o    = placed_q.y.len;
  assign y_kind_o   = placed_q.y.kind;
  assign amount_o   = picked_q.amount;
  assign flag_o     = flag_q[bank];
  assign half_o     = full_unit ? HalfW'(Halves) : HalfW'((Halves > 1) && bank);

  // ---------------------------------------------------------------- turns that are due

  // Window: D is found by subtractions. Public power: from the exponent as it is loaded.
  // bits(e) + HW(e) - 2, a bit a cycle from the highest on.
  logic [15:0] rest_q, window_turns_q, e_turns_q, full_e_turns_q, each_turns;
  logic        counting_q, turns_ok, halves_ok;
  logic [31:0] e_rest_q;
  logic [5:0]  e_left_q;
  logic        e_seen_q;   // a higher bit is 1
  logic        e_full_q;   // the exponent is for the exponentiator of full width
  logic [15:0] e_more;

  assign e_more = 16'(e_seen_q) + 16'(e_seen_q && e_rest_q[31]);

  // Of the half of q; that of p takes more.
  localparam logic [15:0] MoreOfP = 16'(products_of_p(Check) - products_of_q(Check));
  assign each_turns = window_turns_q + 16'(products_of_q(Check)) +
                      ((public_powers(Check) != 0) ? e_turns_q : '0);
  assign turns_ok   = halves_ok && (Check == CheckPq ||
                      turns_i[Exponentiators-1] == full_e_turns_q + 16'(products_of_n(Check)));

  if (Halves == 2) begin : gen_two_counts
    assign halves_ok = turns_i[0] == each_turns + MoreOfP && turns_i[1] == each_turns;
  end else begin : gen_one_count
    assign halves_ok = turns_i[0] == (each_turns << 1) + MoreOfP;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counting_q     <= 1'b0;
      rest_q         <= '0;
      window_turns_q <= '0;
      e_turns_q      <= '0;
      full_e_turns_q <= '0;
      e_rest_q       <= '0;
      e_left_q       <= '0;
      e_seen_q       <= 1'b0;
      e_full_q       <= 1'b0;
    end else begin
      if (turns_clear_o) begin
        counting_q     <= 1'b1;
        rest_q         <= l_bits + 16'(Config.eblind);
        window_turns_q <= 16'((1 << DigitW) - 2);
      end else if (counting_q) begin
        counting_q <= rest_q > 16'(DigitW);
        rest_q     <= rest_q - 16'(DigitW);
        if (rest_q > 16'(DigitW)) window_turns_q <= window_turns_q + 16'(DigitW + 1);
      end
      if (exponent_word_valid_i) begin
        e_rest_q <= exponent_word_i;
        e_left_q <= 6'd32;
        e_seen_q <= 1'b0;
        e_full_q <= full_unit;
        if (full_unit) full_e_turns_q <= '0;
        else e_turns_q <= '0;
      end else if (e_left_q != '0) begin
        e_rest_q <= e_rest_q << 1;
        e_left_q <= e_left_q - 6'd1;
        e_seen_q <= e_seen_q || e_rest_q[31];
        if (e_full_q) full_e_turns_q <= full_e_turns_q + e_more;
        else e_turns_q <= e_turns_q + e_more;
      end
    end
  end

  // ---------------------------------------------------------------- conditions

  logic holds;

  always_comb begin
    unique case (i_q.condition)
      IfLess:     holds = borrow_i;
      IfNotLess:  holds = !borrow_i;
      IfEqual:    holds = !nonzero_i;
      IfNotEqual: holds = nonzero_i;
      IfOdd:      holds = odd_i;
      IfLength:   holds = length_ok;
      IfTurns:    holds = turns_ok;
      default:    holds = 1'b1;
    endcase
  end

  localparam logic [31:0] CodeEnd   = code_after(private_checks(Check));
  localparam logic [31:0] PowerEnd  = code_after(PowerChecks);
  localparam logic [31:0] SetupEnd  = code_after(0);
  logic [31:0] code_end;
  logic first_ok, second_ok;
  assign code_end  = !one_n ? CodeEnd : (command_q.op == CommandSetup) ? SetupEnd : PowerEnd;
  assign first_ok  = code_first_q == code_end;
  assign second_ok = code_second_q == code_end;

  // ---------------------------------------------------------------- how often a segment is called

  localparam int unsigned RBits       = $clog2(Config.half.r_exponent + 1);
  localparam int unsigned PublicRBits = $clog2(Config.full.r_exponent + 1);

  logic [15:0] r_value;
  assign r_value = full ? 16'(Config.full.r_exponent) : 16'(Config.half.r_exponent);
  logic [15:0] inverse_bits;
  logic        steps, inverse_signed;
  assign inverse_bits   = full ? 16'(Config.full.inverse_bits) : 16'(Config.half.inverse_bits);
  assign inverse_signed = full ? Config.full.inverse_signed : Config.half.inverse_signed;
  assign steps          = full ? has_steps(FullKind) : has_steps(HalfKind);

  logic [15:0] times;

  always_comb begin
    unique case (i_q.times)
      TimesHalves: times = 16'(2 / Halves);
      TimesDouble: times = r_value - l_bits;
      TimesEstimate: times = scale + 16'd2;
      TimesSquare: times = 16'((full ? PublicRBits : RBits) - 1);
      // The bit of the call that is under way, which counts down to the lowest.
      TimesBit:    times = 16'(r_value[frame_q.again[3:0]]);
      TimesInverse:    times = steps ? inverse_bits - 16'(inverse_signed) : '0;
      TimesInverseEnd: times = 16'(steps && inverse_signed);
      TimesConstant:   times = 16'(full ? is_made(FullKind) : is_made(HalfKind));
      TimesSetup:      times = 16'(!n_valid_q || n_valid_bits_q != n_bits);
      TimesPower:      times = 16'(command_q.op != CommandSetup);
      TimesWindow:     times = 16'(command_q.op == CommandFull);
      TimesPublic:     times = 16'(command_q.op != CommandFull);
      TimesFull:       times = 16'(Check != CheckPq);
      TimesNonzero:    times = 16'(nonzero_i);
      TimesRenew:  times = 16'(life_q[slot] == '0 && !loading);
      Times32:     times = 16'd32;
      default:     times = 16'd1;
    endcase
  end

  // ---------------------------------------------------------------- the end of a program

  logic   running, words_end, last_bank, last_phase, violated, uses_half;
  logic   program_end, end_now, slot_legal;
  error_e fatal, error_start, last_error;

  assign running    = state_q inside {SqFetch, SqStep, SqPick, SqPlace, SqIssue, SqWords};
  assign words_end  = state_q == SqWords && !words_busy_i;
  assign last_bank  = !banked || bank_q == bank_last_q;
  assign last_phase = phase_q == phase_last;
  assign violated   = words_end && !holds;
  assign uses_half  = picked_q.word inside {WordLoadAB, WordLoadB, WordLoadNK, WordLoadE,
                                            WordStore};
  assign half_waits = uses_half && half_busy_i[half_o];
  assign slot_legal = 32'(slot_i) < Slots;
  assign slot_start = slot_legal ? slot_t'(slot_i) : '0;

  always_comb begin
    error_start = ErrNone;
    if (op_i < CommandLoad || op_i > (Public ? CommandSetup : CommandPrivate)) begin
      error_start = ErrOperation;
    end else if (op_i > CommandPrivate) error_start = ErrNone;
    else if (!slot_legal) error_start = ErrUse;
    else if (op_i == CommandPrivate && !valid_q[slot_start]) begin
      error_start = locked_q[slot_start] ? ErrUse : ErrSlotEmpty;
    end
  end

  logic  zeroizes, wipe_due, wipe_next;
  slot_t wipe_slot;
  assign wipe_due = wipe_all_q || wipe_slots_q != '0;
  assign zeroizes = zeroize_all_i || (zeroize_slot_i && slot_legal) || wipe_due;

  always_comb begin
    wipe_slot = '0;
    for (int unsigned s = 0; s < Slots; s++) begin
      if (wipe_slots_q[s]) wipe_slot = slot_t'(s);
    end
  end

  // A fault ends the program in the cycle after it is seen; no result is released in between.
  logic fault, fault_q, fault_copy_q;
  assign fault = running && (integrity_i || (&watchdog_q) || (&total_q) || !copies_ok);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fault_q      <= 1'b0;
      fault_copy_q <= 1'b1;
    end else begin
      fault_q      <= fault;
      fault_copy_q <= !fault;
    end
  end

  // What ends the program at once.
  always_comb begin
    fatal = ErrNone;
    if (abort_i || zeroizes) fatal = ErrAborted;
    if (random_error_i) fatal = ErrRandom;
    if (fault_q || !fault_copy_q) fatal = ErrFault;
  end

  assign program_end = state_q == SqStep && i_q.step == StepReturn && level_q == '0 && !again_q;
  assign end_now     = running && (fatal != ErrNone || program_end ||
                       (state_q == SqStep && i_q.step == StepStop && error_q != ErrNone));

  // The self-test of a key, a Fermat test of its primes, has the code of its exponents.
  always_comb begin
    last_error = error_q;
    if (error_q == ErrNone && !(first_ok && second_ok)) last_error = ErrFault;
    if (loading && last_error == ErrFault) last_error = ErrExponent;
    if (fatal != ErrNone) last_error = fatal;
    if (fault) last_error = ErrFault;
  end

  // ---------------------------------------------------------------- main state machine

  logic bank_first, result_good, late, finished, has_result;
  assign has_result  = start_i && op_i inside {[CommandPrivate:CommandModexp]};
  assign result_good = !loading && command_q.op != CommandSetup && last_error == ErrNone;
  assign bank_first = frame_q.single && frame_q.which;

  assign late      = (clearing || state_q == SqFinish) && (&total_q);
  assign finished  = state_q == SqFinish && ((half_busy_i == '0 && !zeroizes) || late);
  assign wipe_next = state_q == SqFinish && half_busy_i == '0 && wipe_due && !late;

  assign words_start_o = (state_q == SqIssue && !half_waits && fatal == ErrNone) ||
                         (state_q == SqClear && clear_q != '0);
  assign words_stop_o  = (running && fatal != ErrNone) || late ||
                         (state_q == SqClearWait && random_error_i);
  assign fn_o          = i_q.go;
  assign length_o      = Layout.length_w'(amount_o);
  assign turns_clear_o = state_q == SqStep && i_q.step == StepCall && i_q.segment == SegHalf;

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
      again_q            <= 1'b0;
      code_first_q       <= '0;
      code_second_q      <= '0;
      flag_q             <= '0;
      clear_q            <= '0;
      keep_result_q      <= 1'b0;
      keep_result_copy_q <= 1'b0;
      done_q             <= 1'b0;
      quiet_q            <= 1'b1;
      due_q              <= 1'b0;
      due_copy_q         <= 1'b1;
      busy_q             <= 1'b1;
      refused_q          <= 1'b0;
      operation_q        <= 1'b0;
      wipe_all_q         <= 1'b0;
      wipe_slots_q       <= '0;
      half_rst_q         <= 1'b0;
      watchdog_q         <= '0;
      total_q            <= '0;
      valid_q            <= '0;
      locked_q           <= '0;
      n_valid_q          <= 1'b0;
      n_valid_bits_q     <= '0;
      n_bits_q           <= '0;
      n_bits_copy_q      <= '1;
      life_q             <= '0;
      cycles_q           <= '0;
      for (int unsigned l = 0; l < Depth; l++) stack_q[l] <= '0;
    end else begin
      if (running) cycles_q <= cycles_q + 32'd1;
      if (!running || state_q == SqFetch) watchdog_q <= '0;
      else if (!random_waits_i) watchdog_q <= watchdog_q + WatchdogBits'(1);
      if (state_q inside {SqBoot, SqIdle} || end_now) total_q <= '0;
      else if (!random_waits_i && !(&total_q)) total_q <= total_q + (WatchdogBits + 2)'(1);
      if (start_i && state_q != SqIdle) refused_q <= 1'b1;
      if (n_write_i || zeroize_all_i || state_q == SqBoot) n_valid_q <= 1'b0;

      unique case (state_q)
        // After reset, or from a state that there is not.
        SqBoot: begin
          error_q <= quiet_q ? ErrNone : ErrFault;
          valid_q <= '0;
          keep_result_q      <= 1'b0;
          keep_result_copy_q <= 1'b0;
          half_rst_q <= 1'b0;
          clear_q <= '{all_main: 1'b1, all_host: 1'b1, default: 1'b0};
          state_q <= SqClear;
        end
        SqIdle: begin
          if (start_i || zeroize_slot_i || zeroize_all_i) begin
            done_q             <= 1'b0;
            quiet_q            <= 1'b0;
            due_q              <= has_result;
            due_copy_q         <= !has_result;
            busy_q             <= 1'b1;
            refused_q          <= 1'b0;
            operation_q        <= start_i;
            keep_result_q      <= 1'b0;
            keep_result_copy_q <= 1'b0;
            command_q          <= '{op: op_i, slot: slot_i, n_bits: n_bits_i,
                                    e_bits: e_bits_i};
            command_copy_q     <= ~{op_i, slot_i, n_bits_i, e_bits_i};
            clear_q            <= '0;
            error_q            <= start_i ? ErrAborted : ErrNone;  // both at once
          end
          if (busy_q) begin
            state_q <= SqBoot;  // not from SqFinish
          end else if (zeroize_all_i) begin
            valid_q    <= '0;
            locked_q   <= '0;
            clear_q    <= '{all_main: 1'b1, all_host: 1'b1, default: 1'b0};
            half_rst_q <= 1'b0;
            state_q    <= SqClear;
          end else if (zeroize_slot_i) begin
            if (slot_legal) begin
              valid_q[slot_start]  <= 1'b0;
              locked_q[slot_start] <= 1'b0;
              clear_q <= '{slot_random: 1'b1, slot_zero: 1'b1, work: 1'b1, default: 1'b0};
            end else begin
              error_q <= ErrUse;
            end
            half_rst_q <= 1'b0;
            state_q    <= SqClear;
          end else if (start_i) begin
            code_first_q  <= CodeSeed;
            code_second_q <= CodeSeed;
            error_q       <= error_start;
            cycles_q      <= '0;
            level_q       <= '0;
            frame_q       <= '{segment: (op_i == CommandLoad) ? SegLoad
                                        : (op_i == CommandPrivate) ? SegPrivate : SegModulus,
                               step: '0,
                               again: '0, halves: 1'b0, single: 1'b0, which: 1'b0,
                               full: 1'b0};
            again_q       <= 1'b0;
            if (error_start == ErrNone) begin
              state_q <= SqFetch;
              if (op_i == CommandLoad) begin
                valid_q[slot_start]  <= 1'b0;
                locked_q[slot_start] <= 1'b0;
                if (Check != CheckPq) n_valid_q <= 1'b0;  // its place is used
              end
            end else begin
              state_q <= SqFinish;
            end
          end
        end
        SqFetch: begin
          i_q         <= rom;
          i_copy_q    <= ~rom;
          phase_q     <= (rom.step == StepReduce) ? first_sub : '0;
          bank_q      <= bank_first;
          bank_last_q <= !full && (!frame_q.single || frame_q.which);
          state_q     <= SqStep;
        end
        SqStep: begin
          state_q <= SqFetch;
          unique case (i_q.step)
            StepCall: begin
              frame_q.step <= frame_q.step + 5'd1;
              if (times != '0) begin
                stack_q[level_q]      <= frame_q;
                stack_q[level_q].step <= frame_q.step + 5'd1;
                level_q               <= level_q + 3'd1;
                frame_q.segment       <= i_q.segment;
                frame_q.step          <= '0;
                frame_q.again         <= times - 16'd1;
                frame_q.halves        <= Halves == 1 && i_q.times == TimesHalves;
                frame_q.single        <= frame_q.single ||
                                         (Halves == 1 && i_q.times == TimesHalves);
                frame_q.full          <= frame_q.full || i_q.times == TimesFull;
              end
            end
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
            default: state_q <= SqPlace;
          endcase
        end
        SqPick:  state_q <= SqPlace;
        SqPlace: state_q <= SqIssue;
        SqIssue: if (!half_waits) state_q <= SqWords;
        SqWords: begin
          if (words_end) begin
            // WordSub in the last step of a signed inverse keeps the parity.
            if (picked_q.word inside {WordSub, WordCompare} &&
                frame_q.segment != SegInverseEnd) begin
              flag_q[bank] <= borrow_i;
            end
            if (picked_q.word == WordLow) flag_q[bank] <= odd_i;
            if (picked_q.word == WordStore) flag_q[bank] <= top_i;
            if (i_q.code == CodeFirst) code_first_q <= holds ? code_step(code_first_q) : '0;
            if (i_q.code == CodeSecond) code_second_q <= holds ? code_step(code_second_q) : '0;
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
        SqClear: begin
          half_rst_q <= 1'b1;
          state_q    <= (clear_q != '0) ? SqClearWait : SqFinish;
        end
        SqClearWait: begin
          if (!words_busy_i) begin
            // In the order of the ranges above.
            if (clear_q.slot_random) clear_q.slot_random <= 1'b0;
            else if (clear_q.slot_zero) clear_q.slot_zero <= 1'b0;
            else if (clear_q.work) clear_q.work <= 1'b0;
            else if (clear_q.host) clear_q.host <= 1'b0;
            else if (clear_q.all_main) clear_q.all_main <= 1'b0;
            else clear_q.all_host <= 1'b0;
            state_q <= SqClear;
          end
        end
        SqFinish: begin
          if (wipe_next) begin
            half_rst_q         <= 1'b0;
            keep_result_q      <= 1'b0;
            keep_result_copy_q <= 1'b0;
            if (operation_q) error_q <= ErrAborted;
            if (wipe_all_q) begin
              valid_q      <= '0;
              locked_q     <= '0;
              wipe_all_q   <= 1'b0;
              wipe_slots_q <= '0;
              clear_q      <= '{all_main: 1'b1, all_host: 1'b1, default: 1'b0};
            end else begin
              valid_q[wipe_slot]      <= 1'b0;
              locked_q[wipe_slot]     <= 1'b0;
              wipe_slots_q[wipe_slot] <= 1'b0;
              command_q.slot          <= 4'(wipe_slot);
              command_copy_q.slot     <= ~4'(wipe_slot);
              clear_q <= '{slot_random: 1'b1, slot_zero: 1'b1, work: 1'b1, default: 1'b0};
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

      // The result is written after its check, or something else than was asked for is wiped.
      if ((clearing || state_q == SqFinish) && (result_write_i || integrity_i)) begin
        keep_result_q      <= 1'b0;
        keep_result_copy_q <= 1'b0;
      end

      // Asked for while something is under way.
      if (state_q != SqIdle && zeroize_all_i) begin
        valid_q    <= '0;
        wipe_all_q <= 1'b1;
      end
      if (state_q != SqIdle && zeroize_slot_i && slot_legal) begin
        valid_q[slot_start]      <= 1'b0;
        wipe_slots_q[slot_start] <= 1'b1;
      end

      // A wipe has no end.
      if (late) begin
        wipe_all_q         <= 1'b0;
        wipe_slots_q       <= '0;
        error_q            <= ErrFault;
        quiet_q            <= 1'b0;
        valid_q            <= '0;
        n_valid_q          <= 1'b0;
        keep_result_q      <= 1'b0;
        keep_result_copy_q <= 1'b0;
        if (clearing) state_q <= SqFinish;
      end

      if (end_now) begin
        state_q            <= SqClear;
        half_rst_q         <= 1'b0;
        error_q            <= last_error;
        keep_result_q      <= result_good;
        keep_result_copy_q <= result_good;
        clear_q            <= '{work: 1'b1, host: loading || command_q.op == CommandFull,
                               default: 1'b0};
        if (loading && last_error == ErrNone) begin
          valid_q[slot]       <= 1'b1;
          n_bits_q[slot]      <= command_q.n_bits;
          n_bits_copy_q[slot] <= ~command_q.n_bits;
        end else if (loading || (!one_n && last_error == ErrFault)) begin
          // A key that is not complete, or one that an operation failed with.
          valid_q[slot]  <= 1'b0;
          locked_q[slot] <= !loading;
          clear_q        <= '{slot_random: 1'b1, slot_zero: 1'b1, work: 1'b1, host: loading,
                              default: 1'b0};
        end
        // A pair that may be half renewed is not used again.
        if (one_n) begin
          n_valid_q      <= last_error == ErrNone;
          n_valid_bits_q <= n_bits;
        end else if (last_error != ErrNone) life_q[slot] <= '0;
        else if (loading || life_q[slot] == '0) life_q[slot] <= 6'(PairLife - 1);
        else life_q[slot] <= life_q[slot] - 6'd1;
      end
    end
  end

  logic lost, due;
  assign due        = due_q || !due_copy_q;
  assign occupied_o = busy_q || state_q != SqIdle;
  assign lost       = &deadline_q && !lost_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      deadline_q <= '0;
      lost_q     <= 1'b0;
    end else begin
      if (!occupied_o) deadline_q <= '0;
      else if (!random_waits_i) deadline_q <= deadline_q + (WatchdogBits + 4)'(1);
      if (lost) lost_q <= 1'b1;
    end
  end

  // What is under way, for the host.
  logic checking_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) checking_q <= 1'b0;
    else if (!running) checking_q <= 1'b0;
    else if (frame_q.segment == SegCheck) checking_q <= 1'b1;
  end

  always_comb begin
    phase_o = row_phase;
    if (checking_q) phase_o = PhaseCheck;
    if (state_q == SqFinish) phase_o = PhaseRelease;
    else if (wiping_o) phase_o = PhaseWipe;
    else if (!running) phase_o = PhaseIdle;
  end

  assign busy_o        = occupied_o && !lost_q;
  assign wiping_o      = state_q == SqBoot || clearing;
  assign done_o        = done_q || lost_q;
  always_comb begin
    error_o = ErrNone;
    if (lost_q) error_o = ErrFault;
    else if (refused_q && busy_q) error_o = ErrBusy;
    else if (!busy_o) error_o = (error_q == ErrNone && due && !release_o) ? ErrFault : error_q;
  end
  assign cycles_o      = cycles_q;
  assign half_rst_no   = half_rst_q;
  assign slots_valid_o = 16'(valid_q);
  assign done_event_o  = (finished && (!quiet_q || late)) || lost;
  assign error_event_o = (done_event_o && (error_q != ErrNone || late || lost)) ||
                         (start_i && state_q != SqIdle);
  assign alert_event_o = (end_now && last_error == ErrFault) || late || lost;
  assign release_o     = state_q == SqIdle && done_q && !busy_q && !lost_q && keep_result_q &&
                         keep_result_copy_q && first_ok && second_ok &&
                         command_copy_q == ~command_q;

endmodule
