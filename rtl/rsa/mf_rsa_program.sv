// SPDX-License-Identifier: Apache-2.0
//
// The program of the RSA engine, beside mf_engine_control: kinds of commands, the rows, amounts of
// bits, repetitions of segments, and the counts that a check must find.
//
// Turns:    a half takes its products, which are counted from the rows, a window and the public
//           power of the check. D of the window is found by subtractions, the turns of the power
//           from the exponent as it is loaded, a bit a cycle from the highest on.
// n:        the constants of the host's modulus are kept until the modulus is written.
// Pair:     the blinding pair of a key is renewed after PairLife operations, and after an error.

module mf_rsa_program
  import mf_engine_pkg::*;
  import mf_rsa_pkg::*;
#(
  parameter config_t Config,

  localparam engine_t     Engine         = engine_of(Config),
  localparam int unsigned Exponentiators = Engine.exponentiators,
  localparam int unsigned SlotW          = (Engine.keys > 1) ? $clog2(Engine.keys) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  /// The command that comes, and the one under way.
  input  logic [3:0]       next_op_i,
  output kind_t            next_kind_o,
  input  logic [3:0]       op_i,
  output kind_t            kind_o,
  input  logic [SlotW-1:0] slot_i,
  input  logic [15:0]      n_bits_i,
  input  logic [15:0]      e_bits_i,
  /// The lengths n_bits_i and e_bits_i are legal.
  output logic             length_ok_o,
  /// Bits of the modulus of the step under way, of a half or of full width.
  output logic [15:0]      length_o,

  /// The row; with in_full_i its steps are for one modulus of full width.
  input  logic             running_i,
  input  segment_t         segment_i,
  input  logic [4:0]       step_i,
  input  logic             in_full_i,
  input  logic             waits_i,
  output instruction_t     instruction_o,
  output logic             full_o,
  /// The step is for the exponentiator of full width.
  output logic             full_unit_o,
  /// The flag is not the borrow of a difference.
  output logic             keeps_flag_o,
  output logic [3:0]       phase_o,

  /// Of the instruction under way.
  input  amount_t          amount_i,
  output logic [15:0]      amount_o,
  input  segment_t         called_i,
  input  times_t           times_i,
  /// Calls of the present segment that are still to come; the words compared last were not equal.
  input  logic [15:0]      again_i,
  input  logic             nonzero_i,
  output logic [15:0]      times_o,
  /// The call is for one half after the other, if there is one exponentiator; its steps are of full
  /// width; exponentiators begin to count their turns.
  output logic             for_halves_o,
  output logic             for_full_o,
  output logic             counts_o,

  /// The host's modulus may have changed; a load begins; a wipe has no end.
  input  logic             forget_i,
  input  logic             load_i,
  input  logic             late_i,
  /// The command ends, with an error.
  input  logic             end_i,
  input  error_e           error_i,

  /// Exponentiators begin to count; the first word of an exponent.
  input  logic             turns_clear_i,
  input  logic             exponent_valid_i,
  input  logic [31:0]      exponent_i,
  input  logic [Exponentiators-1:0][15:0] turns_i,
  output logic             turns_ok_o,
  output logic [31:0]      code_end_o
);

  localparam int unsigned PairLife = 32;  // operations of a blinding pair
  localparam int unsigned Halves   = Config.halves;
  localparam int unsigned Check    = Config.check;
  localparam int unsigned DigitW   = Config.window;
  localparam int unsigned HalfKind = Config.half.constant_kind;
  localparam int unsigned FullKind = Config.full.constant_kind;

  // ---------------------------------------------------------------- commands

  assign next_kind_o = kind_of(next_op_i, Config.has_full);
  assign kind_o      = kind_of(op_i, Config.has_full);

  logic loading, one_n, full;
  assign loading = kind_o.loads;
  assign one_n   = kind_o.one_modulus;

  logic [15:0] l_bits;
  assign l_bits      = full ? n_bits_i : (n_bits_i + 16'd1) >> 1;
  assign length_o    = l_bits;
  assign length_ok_o = 32'(n_bits_i) <= Config.bits &&
                       (one_n ? n_bits_i >= 16'd2 && 32'(e_bits_i) <= Config.bits
                              : 32'(n_bits_i) >= Config.min_bits);

  // Of each outcome code.
  localparam logic [31:0] PrivateEnd = code_after(PrivateChecks[Check]);
  localparam logic [31:0] PowerEnd   = code_after(PowerChecks);
  localparam logic [31:0] SetupEnd   = code_after(0);
  assign code_end_o = !one_n ? PrivateEnd : (op_i == CommandSetup) ? SetupEnd : PowerEnd;

  // ---------------------------------------------------------------- rows

  phase_e row_phase;

  assign full         = one_n || (Check != CheckPq && in_full_i);
  assign full_o       = full;
  assign full_unit_o  = full || (Check != CheckPq && segment_i == SegCheckFull);
  // A difference in the last step of a signed inverse leaves the flag as it is, the parity.
  assign keeps_flag_o = segment_i == SegInverseEnd;

  mf_rsa_rows #(
    .Config(Config)
  ) u_rows (
    .full_i       (full),
    .segment_i    (segment_i),
    .step_i       (step_i),
    .waits_i      (waits_i),
    .instruction_o(instruction_o),
    .phase_o      (row_phase)
  );

  // Segments that SegCheck calls are of its phase, too.
  logic checking_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) checking_q <= 1'b0;
    else if (!running_i) checking_q <= 1'b0;
    else if (segment_i == SegCheck) checking_q <= 1'b1;
  end

  assign phase_o = checking_q ? PhaseCheck : row_phase;

  // ---------------------------------------------------------------- amounts

  always_comb begin
    unique case (amount_i)
      AmountL:    amount_o = l_bits;
      AmountTop:  amount_o = l_bits - 16'd1;
      AmountNTop: amount_o = n_bits_i - 16'd1;
      AmountD:    amount_o = l_bits + 16'(Config.eblind);
      AmountE:    amount_o = e_bits_i;
      AmountOne:  amount_o = 16'd1;
      Amount32:   amount_o = 16'd32;
      default:    amount_o = 16'd64;
    endcase
  end

  // ---------------------------------------------------------------- how often a segment is called

  localparam int unsigned RBits       = $clog2(Config.half.r_exponent + 1);
  localparam int unsigned PublicRBits = $clog2(Config.full.r_exponent + 1);

  logic [15:0]            r_value, inverse_bits, scale;
  logic                   steps, inverse_signed;
  logic                   n_valid_q;  // the last slot has the constants of the host's n
  logic [15:0]            n_valid_bits_q;
  logic [Engine.keys-1:0][5:0] life_q;  // operations that the blinding pair is good for

  assign r_value        = full ? 16'(Config.full.r_exponent) : 16'(Config.half.r_exponent);
  assign inverse_bits   = full ? 16'(Config.full.inverse_bits) : 16'(Config.half.inverse_bits);
  assign inverse_signed = full ? Config.full.inverse_signed : Config.half.inverse_signed;
  assign steps          = full ? has_steps(FullKind) : has_steps(HalfKind);
  assign scale          = full_unit_o ? 16'(Config.full.scale) : 16'(Config.half.scale);

  always_comb begin
    unique case (times_i)
      TimesHalves: times_o = 16'(2 / Halves);
      TimesDouble: times_o = r_value - l_bits;
      TimesEstimate: times_o = scale + 16'd2;
      TimesSquare: times_o = 16'((full ? PublicRBits : RBits) - 1);
      // The calls of TimesSquare count down to the lowest bit.
      TimesBit:    times_o = 16'(r_value[again_i[3:0]]);
      TimesInverse:    times_o = steps ? inverse_bits - 16'(inverse_signed) : '0;
      TimesInverseEnd: times_o = 16'(steps && inverse_signed);
      TimesConstant:   times_o = 16'(full ? is_made(FullKind) : is_made(HalfKind));
      TimesSetup:      times_o = 16'(!n_valid_q || n_valid_bits_q != n_bits_i);
      TimesPower:      times_o = 16'(op_i != CommandSetup);
      TimesWindow:     times_o = 16'(op_i == CommandFull);
      TimesPublic:     times_o = 16'(op_i != CommandFull);
      TimesFull:       times_o = 16'(Check != CheckPq);
      TimesNonzero:    times_o = 16'(nonzero_i);
      TimesRenew:  times_o = 16'(life_q[slot_i] == '0 && !loading);
      Times32:     times_o = 16'd32;
      default:     times_o = 16'd1;
    endcase
  end

  assign for_halves_o = times_i == TimesHalves;
  assign for_full_o   = times_i == TimesFull;
  assign counts_o     = called_i == SegHalf;

  logic unused_again;
  assign unused_again = ^again_i[15:4];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      n_valid_q      <= 1'b0;
      n_valid_bits_q <= '0;
      life_q         <= '0;
    end else begin
      // A load that checks modulo n uses the slot of the host's n.
      if (forget_i || late_i || (load_i && Check != CheckPq)) n_valid_q <= 1'b0;
      // After an error the pair may be half renewed: it is not used again.
      if (end_i) begin
        if (one_n) begin
          n_valid_q      <= error_i == ErrNone;
          n_valid_bits_q <= n_bits_i;
        end else if (error_i != ErrNone) life_q[slot_i] <= '0;
        else if (loading || life_q[slot_i] == '0) life_q[slot_i] <= 6'(PairLife - 1);
        else life_q[slot_i] <= life_q[slot_i] - 6'd1;
      end
    end
  end

  // ---------------------------------------------------------------- turns that are due

  logic [15:0] rest_q, window_turns_q, e_turns_q, full_e_turns_q, each_turns;
  logic        counting_q, halves_ok;
  logic [31:0] e_rest_q;
  logic [5:0]  e_left_q;
  logic        e_seen_q;   // a higher bit is 1
  logic        e_full_q;   // the exponent is for the exponentiator of full width
  logic [15:0] e_more;

  // bits(e) + HW(e) - 2
  assign e_more = 16'(e_seen_q) + 16'(e_seen_q && e_rest_q[31]);

  // Turns of the half of q; the half of p takes more.
  localparam logic [15:0] MoreOfP = 16'(ProductsOfP[Check] - ProductsOfQ[Check]);
  assign each_turns = window_turns_q + 16'(ProductsOfQ[Check]) +
                      ((PublicPowers[Check] != 0) ? e_turns_q : '0);
  assign turns_ok_o = halves_ok && (Check == CheckPq ||
                      turns_i[Exponentiators-1] == full_e_turns_q + 16'(ProductsOfN[Check]));

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
      if (turns_clear_i) begin
        counting_q     <= 1'b1;
        rest_q         <= l_bits + 16'(Config.eblind);
        window_turns_q <= 16'((1 << DigitW) - 2);
      end else if (counting_q) begin
        counting_q <= rest_q > 16'(DigitW);
        rest_q     <= rest_q - 16'(DigitW);
        if (rest_q > 16'(DigitW)) window_turns_q <= window_turns_q + 16'(DigitW + 1);
      end
      if (exponent_valid_i) begin
        e_rest_q <= exponent_i;
        e_left_q <= 6'd32;
        e_seen_q <= 1'b0;
        e_full_q <= full_unit_o;
        if (full_unit_o) full_e_turns_q <= '0;
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

endmodule
