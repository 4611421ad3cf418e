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

  /// The command that comes.
  input  logic [3:0]       next_op_i,
  output kind_t            next_kind_o,

  input  program_state_t   state_i,
  input  program_event_t   event_i,
  input  logic [15:0]      n_bits_i,
  /// The step waits for its exponentiator.
  input  logic             waits_i,
  output program_row_t     row_o,
  output program_value_t   value_o,
  /// The words compared last, by a row of a public operation, were not equal.
  input  logic             public_nonzero_i,

  /// The first word of a public exponent.
  input  logic             exponent_valid_i,
  input  logic [31:0]      exponent_i,
  input  logic [Exponentiators-1:0][15:0] turns_i
);

  localparam int unsigned PairLife = 32;  // operations of a blinding pair
  localparam int unsigned Halves   = Config.halves;
  localparam int unsigned Check    = Config.check;
  localparam int unsigned DigitW   = Config.window;
  localparam int unsigned HalfKind = Config.half.constant_kind;
  localparam int unsigned FullKind = Config.full.constant_kind;

  // ---------------------------------------------------------------- commands

  kind_t            kind;
  logic             loading, one_n, full_q, full_unit_q;  // of the row, a cycle behind it
  logic [15:0]      l_bits_q;                             // two cycles behind it
  logic             length_ok_q;
  logic [SlotW-1:0] slot;

  assign next_kind_o = kind_of(next_op_i, Config.has_full);
  assign kind        = kind_of(state_i.op, Config.has_full);
  assign loading     = kind.loads;
  assign one_n       = kind.one_modulus;
  assign slot        = state_i.slot[SlotW-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q      <= 1'b0;
      full_unit_q <= 1'b0;
      l_bits_q    <= '0;
      length_ok_q <= 1'b0;
    end else begin
      full_q      <= one_n || (Check != CheckPq && state_i.full);
      full_unit_q <= one_n || (Check != CheckPq &&
                               (state_i.full || state_i.segment == SegCheckFull));
      l_bits_q    <= full_q ? n_bits_i : (n_bits_i + 16'd1) >> 1;
      // Lengths are known cycles before the first step ends.
      length_ok_q <= 32'(n_bits_i) <= Config.bits &&
                     (one_n ? n_bits_i >= 16'd2 && 32'(state_i.e_bits) <= Config.bits
                            : 32'(n_bits_i) >= Config.min_bits);
    end
  end

  assign value_o.length    = l_bits_q;
  assign value_o.length_ok = length_ok_q;

  // Of each outcome code.
  localparam logic [31:0] PrivateEnd = code_after(PrivateChecks[Check]);
  localparam logic [31:0] PowerEnd   = code_after(PowerChecks);
  localparam logic [31:0] SetupEnd   = code_after(0);
  assign row_o.code_end = !one_n ? PrivateEnd
                        : (state_i.op == CommandSetup) ? SetupEnd : PowerEnd;

  // ---------------------------------------------------------------- rows

  phase_e row_phase;

  assign row_o.kind       = kind;
  assign row_o.full       = full_q;
  assign row_o.full_unit  = full_unit_q;
  // A difference in the last step of a signed inverse leaves the flag as it is, the parity.
  assign row_o.keeps_flag = state_i.segment == SegInverseEnd;
  assign row_o.for_halves = state_i.times == TimesHalves;
  assign row_o.for_full   = state_i.times == TimesFull;
  assign row_o.counts     = state_i.called == SegHalf;

  mf_rsa_rows #(
    .Config(Config)
  ) u_rows (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .full_i       (full_q),
    .segment_i    (state_i.segment),
    .step_i       (state_i.step),
    .waits_i      (waits_i),
    .instruction_o(row_o.row),
    .phase_o      (row_phase)
  );

  // Segments that SegCheck calls are of its phase, too.
  logic checking_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) checking_q <= 1'b0;
    else if (!state_i.running) checking_q <= 1'b0;
    else if (state_i.segment == SegCheck) checking_q <= 1'b1;
  end

  assign value_o.phase = checking_q ? PhaseCheck : row_phase;

  // ---------------------------------------------------------------- amounts

  always_comb begin
    unique case (state_i.amount)
      AmountL:    value_o.amount = l_bits_q;
      AmountTop:  value_o.amount = l_bits_q - 16'd1;
      AmountNTop: value_o.amount = n_bits_i - 16'd1;
      AmountD:    value_o.amount = l_bits_q + 16'(Config.eblind);
      AmountE:    value_o.amount = state_i.e_bits;
      AmountOne:  value_o.amount = 16'd1;
      Amount32:   value_o.amount = 16'd32;
      default:    value_o.amount = 16'd64;
    endcase
  end

  // ---------------------------------------------------------------- how often a segment is called

  localparam int unsigned RBits       = $clog2(Config.half.r_exponent + 1);
  localparam int unsigned PublicRBits = $clog2(Config.full.r_exponent + 1);

  logic [15:0]            r_value, inverse_bits, scale;
  logic [15:0]            times, times_q;
  logic [15:0]            doublings_q;  // log2 R - L
  logic                   steps, inverse_signed;
  logic                   n_valid_q;  // the last slot has the constants of the host's n
  logic [15:0]            n_valid_bits_q;
  logic [Engine.keys-1:0][5:0] life_q;  // operations that the blinding pair is good for

  assign r_value        = full_q ? 16'(Config.full.r_exponent) : 16'(Config.half.r_exponent);
  assign inverse_bits   = full_q ? 16'(Config.full.inverse_bits) : 16'(Config.half.inverse_bits);
  assign inverse_signed = full_q ? Config.full.inverse_signed : Config.half.inverse_signed;
  assign steps          = full_q ? has_steps(FullKind) : has_steps(HalfKind);
  assign scale          = full_unit_q ? 16'(Config.full.scale) : 16'(Config.half.scale);

  always_comb begin
    unique case (state_i.times)
      TimesHalves:     times = 16'(2 / Halves);
      TimesDouble:     times = doublings_q;
      TimesEstimate:   times = scale + 16'd2;
      TimesSquare:     times = 16'((full_q ? PublicRBits : RBits) - 1);
      // The calls of TimesSquare count down to the lowest bit.
      TimesBit:        times = 16'(r_value[state_i.again[3:0]]);
      TimesInverse:    times = steps ? inverse_bits - 16'(inverse_signed) : '0;
      TimesInverseEnd: times = 16'(steps && inverse_signed);
      TimesConstant:   times = 16'(full_q ? is_made(FullKind) : is_made(HalfKind));
      TimesSetup:      times = 16'(!n_valid_q || n_valid_bits_q != n_bits_i);
      TimesPower:      times = 16'(state_i.op != CommandSetup);
      TimesWindow:     times = 16'(state_i.op == CommandFull);
      TimesPublic:     times = 16'(state_i.op != CommandFull);
      TimesFull:       times = 16'(Check != CheckPq);
      TimesNonzero:    times = 16'(public_nonzero_i);
      TimesRenew:      times = 16'(life_q[slot] == '0 && !loading);
      Times32:         times = 16'd32;
      default:         times = 16'd1;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) times_q <= '0;
    else times_q <= times;
  end

  assign value_o.times = times_q;

  logic unused_bits;
  assign unused_bits = ^{state_i.slot, state_i.again[15:4]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      n_valid_q      <= 1'b0;
      n_valid_bits_q <= '0;
      life_q         <= '0;
      doublings_q    <= '0;
    end else begin
      doublings_q <= r_value - l_bits_q;
      // A load that checks modulo n uses the slot of the host's n.
      if (event_i.forget || event_i.late || (event_i.load && Check != CheckPq)) begin
        n_valid_q <= 1'b0;
      end
      // After an error the pair may be half renewed: it is not used again.
      if (event_i.ends) begin
        if (one_n) begin
          n_valid_q      <= event_i.error == ErrNone;
          n_valid_bits_q <= n_bits_i;
        end else if (event_i.error != ErrNone) life_q[slot] <= '0;
        else if (loading || life_q[slot] == '0) life_q[slot] <= 6'(PairLife - 1);
        else life_q[slot] <= life_q[slot] - 6'd1;
      end
    end
  end

  // ---------------------------------------------------------------- turns that are due

  logic [15:0] rest_q, window_turns_q, e_turns_q, full_e_turns_q;
  logic [15:0] each_turns_q, full_turns_q;  // that are due
  logic        counting_q, halves_ok, turns_ok_q;
  logic [31:0] e_rest_q;
  logic [5:0]  e_left_q;
  logic        e_seen_q;   // a higher bit is 1
  logic        e_full_q;   // the exponent is for the exponentiator of full width
  logic [15:0] e_more;

  // bits(e) + HW(e) - 2
  assign e_more = 16'(e_seen_q) + 16'(e_seen_q && e_rest_q[31]);

  // Turns of the half of q; the half of p takes more.
  localparam logic [15:0] MoreOfP = 16'(ProductsOfP[Check] - ProductsOfQ[Check]);
  assign value_o.turns_ok = turns_ok_q;

  if (Halves == 2) begin : gen_two_counts
    assign halves_ok = turns_i[0] == each_turns_q + MoreOfP && turns_i[1] == each_turns_q;
  end else begin : gen_one_count
    assign halves_ok = turns_i[0] == (each_turns_q << 1) + MoreOfP;
  end

  // Turns have ended many cycles before they are compared.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      each_turns_q <= '0;
      full_turns_q <= '0;
      turns_ok_q   <= 1'b0;
    end else begin
      each_turns_q <= window_turns_q + 16'(ProductsOfQ[Check]) +
                      ((PublicPowers[Check] != 0) ? e_turns_q : '0);
      full_turns_q <= full_e_turns_q + 16'(ProductsOfN[Check]);
      turns_ok_q   <= halves_ok && (Check == CheckPq ||
                                    turns_i[Exponentiators-1] == full_turns_q);
    end
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
      if (event_i.turns_clear) begin
        counting_q     <= 1'b1;
        rest_q         <= l_bits_q + 16'(Config.eblind);
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
        e_full_q <= full_unit_q;
        if (full_unit_q) full_e_turns_q <= '0;
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
