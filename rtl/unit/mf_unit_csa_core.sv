// SPDX-License-Identifier: Apache-2.0
//
// Carry-save Montgomery multiplier of radix 2^DigitW for a scaled (unit) modulus: a quotient digit
// is the lowest digit of the accumulator and takes effect Delay - 1 cycles after it was found.
//
// Source:   the quotient without a product and its delay are Orup's (ARITH-12, 1995); operands that
//           exceed n by the scale, so that no correction follows, Booth digits of operand and
//           quotient, the ones in free carry places, the exact tail and the conversion by groups
//           are this library's.
// Computes: p = a * b * R^-1 mod n, R = 2^(w K), Exact: 2^(w K + L); w = DigitW, L = w Delay.
//           K = ceil((Width + L) / w), as many digits as a has. Exact: a has
//           D = max(ceil((Width + 1) / w), Delay) digits,
//           K = max(ceil((Width + 2 - L) / w), D - Delay, 1).
// Takes:    n-bar = (n n' + 1) / 2^L; n' = -n^-1 mod 2^L in [-2^(L-1), 2^(L-1)), so that
//           |n-bar| <= n / 2; two's complement. Exact: n and n' beside it.
// Contract: n odd, 3 <= n < 2^Width; two's complement, |a|, |b|, |p| < 2^(L-1) n (closed).
//           Exact: |a|, |b|, |p| < n (closed). Nonnegative: n is added to a negative p, 0 <= p < n.
// Latency:  T + 3 cycles for all operands, T = K + Delay. Exact: T + Delay + 5, Nonnegative: 2
//           more. Interval: 2 more. Overlap: latency 1 more, interval 3 less than the latency, two
//           operations may be on their way.
// Constant time: yes.
//
// Y(0) = 0; u(t) = Y(t) mod 2^w; q(t) = u(t) + r(t-1) - 2^w r(t), r(t) the top bit of u(t);
// Y(t+1) = floor(Y(t) / 2^w) + d(t) b + q(t-Delay+1) n-bar, d(t) the signed digits of a, q(t) = 0
// beyond t = K. V = Y(T) above the Delay - 1 digits u(K+1) to u(T-1), plus r(K), is the result;
// Exact: the Delay digits of Q2 = V n' mod 2^L follow, and the result is (V + n Q2) / 2^L. |Y| <
// 2^(StateW-2).
//
// Cycle c is the one that follows edge c; the request is accepted at edge 0.
// Phase    cycles      select registers  P          s_q, c_q, carry_q   a_q
// Idle     -           d(0) at its end   not used   not used            a without its lowest digit
// Loop     0 .. T      d(c), q(c-2)      d(c-1) b   Y(c-1)              digits left below, u on top
// Exact: loop to T + 1, then
// Tail     Delay + 1   digits of Q2      V once     0, V + n q, ...     V mod 2^L on top
// Convert  2           0                 0          Y(T), Exact: p 2^w  p, without and with carries
// Correct  2, Nonnegative                not used                       p + n or p
// Done     until taken                              not used            p
//
// Overlap: the next request may be accepted at the end of cycle T (Exact: of the tail), so that its
// cycle 0 is the first one of the conversion, which takes place in p_q. No request is accepted
// while p_q is not free, and the sums of groups wait in a_q:
// Held     until p_q is free                not used            sums of groups
//
// RegionW: each region of RegionW columns, from the lowest on, has select registers of its own,
// equal to those of all others, so that their wires are short. Those of d load from the recoder in
// place of the one register; those of q load from the one register. They hold q(c-3) and take the
// third cycle of Delay, in which without them the multiples of n-bar are reduced to two vectors;
// here these rows join the pair's tree.

module mf_unit_csa_core
  import mf_booth_pkg::*;
#(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width  = 256,
  /// Bits of a digit; 2 to 24.
  parameter int unsigned DigitW = 8,
  /// Cycles from a digit of the accumulator to the addition of its multiple of n-bar; 2 or 3.
  parameter int unsigned Delay  = 2,
  /// Bits of a group of the conversion to binary; 4 to 64.
  parameter int unsigned GroupW = 8,
  /// The result is exact, |p| < n; DigitW is 3 or more.
  parameter bit          Exact       = 1'b0,
  /// n is added to a negative result; with Exact.
  parameter bit          Nonnegative = 1'b0,
  /// The conversion has a register of its own, and the next request is accepted before it.
  parameter bit          Overlap     = 1'b0,
  /// Columns with select registers of their own: 16 to 256, with a Delay of 3; 0: one for all.
  parameter int unsigned RegionW     = 0,

  localparam int unsigned LegalWidth  = Width < 3 || Width > 8192 ? 3 : Width,
  localparam int unsigned LegalDigitW = DigitW < 2 || DigitW > 24 ? 3 : DigitW,
  localparam int unsigned ScaleW      = LegalDigitW * Delay,  // L
  localparam int unsigned OperandW    = Exact ? LegalWidth + 1 : LegalWidth + ScaleW
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  /// n; 0 if not Exact.
  input  logic [Width-1:0]    n_i,
  /// n-bar, two's complement.
  input  logic [Width-1:0]    n_scaled_i,
  /// n' modulo 2^L; 0 if not Exact.
  input  logic [ScaleW-1:0]   n_inverse_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_unit_csa_core: Width must be 3 to 8192");
  end else if (DigitW < 2 || DigitW > 24) begin : gen_illegal_digit
    $fatal(1, "mf_unit_csa_core: DigitW must be 2 to 24");
  end else if (Delay != 2 && Delay != 3) begin : gen_illegal_delay
    $fatal(1, "mf_unit_csa_core: Delay must be 2 or 3");
  end else if (GroupW < 4 || GroupW > 64) begin : gen_illegal_group
    $fatal(1, "mf_unit_csa_core: GroupW must be 4 to 64");
  end else if (Exact && DigitW == 2) begin : gen_illegal_exact_digit
    $fatal(1, "mf_unit_csa_core: DigitW must be at least 3 with Exact");
  end else if (Overlap && Nonnegative) begin : gen_illegal_overlap
    $fatal(1, "mf_unit_csa_core: Overlap must be 0 with Nonnegative");
  end else if (RegionW != 0 && (RegionW < 16 || RegionW > 256 || Delay != 3))
  begin : gen_illegal_region
    $fatal(1, "mf_unit_csa_core: RegionW must be 0, or 16 to 256 with a Delay of 3");
  end

  // Digits of a, and digits of the loop that an exact result needs.
  localparam int unsigned Terms        = (LegalDigitW + 1) / 2;
  localparam int unsigned FewestDigits = (OperandW + LegalDigitW - 1) / LegalDigitW;
  localparam int unsigned Digits       = (FewestDigits > Delay) ? FewestDigits : Delay;
  localparam int unsigned Cleared      =
      (LegalWidth + 2 > ScaleW) ? (LegalWidth + 1 - ScaleW + LegalDigitW) / LegalDigitW : 1;
  localparam int unsigned ExactSteps   = (Cleared + Delay > Digits) ? Cleared + Delay : Digits;

  localparam int unsigned Steps  = Exact ? ExactSteps : Digits + Delay;  // T
  localparam int unsigned Last   = Steps - Delay;                        // K
  localparam int unsigned Loops  = Exact ? Steps + 1 : Steps;  // the last cycle of the loop
  localparam int unsigned StateW = Exact ? LegalWidth + ScaleW + 2 : OperandW + LegalDigitW + 1;
  localparam int unsigned ModulusW = Exact ? LegalWidth + 1 : LegalWidth;
  localparam int unsigned SumW   = Digits * LegalDigitW;
  localparam int unsigned LowW   = Exact ? 0 : (Delay - 1) * LegalDigitW;  // digits below Y(T)
  localparam int unsigned PairW  = Exact ? OperandW : SumW - LowW;         // converted bits
  localparam int unsigned TailCycles    = Delay + 1;
  localparam int unsigned ConvertCycles = Overlap ? 3 : 2;
  localparam int unsigned CountW        = $clog2(Loops + 1);
  localparam int unsigned Columns       = (RegionW == 0) ? StateW : RegionW;  // of a region
  localparam int unsigned DRegions      = (OperandW + Columns - 1) / Columns;
  localparam int unsigned QRegions      = (ModulusW + Columns - 1) / Columns;

  typedef enum logic [2:0] {
    StIdle, StLoop, StTail, StConvert, StCorrect, StDone, StHeld
  } phase_e;

  // ---------------------------------------------------------------- control

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] left_d, left_q;  // cycles of the phase after the present one
  logic              finish;          // the last cycle before the conversion
  logic              idle_d, idle_q;  // a request may be accepted
  logic              park;            // a_q takes the sums of groups
  logic              fill;            // Overlap: p_q takes them
  logic              occupied_d;      // Overlap: p_q is not free in the next cycle

  assign finish = left_q == '0 && phase_q == (Exact ? StTail : StLoop);

  always_comb begin
    phase_d = phase_q;
    left_d  = left_q - CountW'(1);
    unique case (phase_q)
      StIdle: begin
        left_d = CountW'(Loops);
        if (req_valid_i) phase_d = StLoop;
      end
      StLoop: begin
        if (Exact && left_q == '0) begin
          phase_d = StTail;
          left_d  = CountW'(TailCycles - 1);
        end
      end
      StConvert: begin
        if (left_q == '0) begin
          phase_d = Nonnegative ? StCorrect : StDone;
          left_d  = CountW'(ConvertCycles - 1);
        end
      end
      StCorrect: if (left_q == '0) phase_d = StDone;
      StDone:    if (rsp_ready_i) phase_d = StIdle;
      StHeld:    if (fill || !occupied_d) phase_d = StIdle;
      StTail:    ;
      default:   phase_d = StIdle;
    endcase
    if (finish) begin
      phase_d = !Overlap ? StConvert : !idle_q ? StHeld : req_valid_i ? StLoop : StIdle;
      left_d  = Overlap ? CountW'(Loops) : CountW'(ConvertCycles - 1);
    end
  end

  assign idle_d = phase_d == StIdle || (Overlap && phase_d == (Exact ? StTail : StLoop) &&
                                        left_d == '0 && !occupied_d);

  // Control of the datapath in this cycle. Cycle c of the loop has left_q = Loops - c.
  logic clear_q;     // idle, and cycle 0: Y(0) = 0, no quotient digits
  logic shift_q;     // loop: a moves by a digit
  logic d_valid_q;   // the lowest digit of a is one of its digits
  logic q_valid_q;   // u is one of the digits up to u(K)
  logic transfers;   // cycle K + 1, of u(K)
  logic start_q;     // first cycle of a conversion
  logic first_q;     // Exact: cycle K + 3, in which the digit u(K+1) meets n'
  logic load_q;      // Exact: first cycle of the tail, P becomes V
  logic correct_q;   // Nonnegative: the second conversion

  logic continues;
  assign continues = phase_q == StLoop && left_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q    <= StIdle;
      left_q     <= '0;
      idle_q     <= 1'b1;
      clear_q    <= 1'b1;
      shift_q    <= 1'b0;
      d_valid_q  <= 1'b1;
      q_valid_q  <= 1'b0;
      start_q    <= 1'b0;
      first_q    <= 1'b0;
      load_q     <= 1'b0;
      correct_q  <= 1'b0;
    end else begin
      phase_q    <= phase_d;
      left_q     <= left_d;
      idle_q     <= idle_d;
      clear_q    <= idle_q || phase_d == StIdle;
      shift_q    <= phase_d == StLoop && !idle_d;
      d_valid_q  <= idle_d ||
                    (phase_d == StLoop && left_d > CountW'(Loops + 1 - Digits));
      q_valid_q  <= continues && left_d > CountW'(Loops - 2 - Last);
      start_q    <= finish || (Nonnegative && phase_q == StConvert && left_q == '0);
      first_q    <= Exact && continues && left_d == CountW'(Delay - 2);
      load_q     <= Exact && phase_q == StLoop && phase_d == StTail;
      correct_q  <= Nonnegative && phase_d == StCorrect;
    end
  end

  assign transfers   = continues && left_d == CountW'(Loops - 2 - Last);
  assign req_ready_o = idle_q;

  // ---------------------------------------------------------------- operands

  logic [SumW-1:0]     a_q, a_load, a_shift, a_other, sums;
  logic [SumW-1:0]     value;  // a_q or p_q: the register in which the conversion takes place
  logic [OperandW-1:0] b_q;
  logic [ModulusW-1:0] modulus_q;  // n-bar, in the tail n
  logic [Width-1:0]    n;
  logic [DigitW-1:0]   u;
  logic [PairW-1:0]    sum, increment;

  assign a_load      = SumW'((SumW + DigitW)'(signed'(a_i)) >>> DigitW);
  assign a_shift     = {u, a_q[SumW-1:DigitW]};
  logic load_next;  // the cycle before load_q
  assign load_next = Exact && phase_q == StLoop && left_q == '0;

  always_ff @(posedge clk_i) begin
    a_q <= (a_load & {SumW{idle_q}}) | (a_shift & {SumW{shift_q}}) | (sums & {SumW{park}}) |
           (a_other & {SumW{~(idle_q | shift_q | park)}});
    if (idle_q) begin
      b_q       <= b_i;
      modulus_q <= ModulusW'(signed'(n_scaled_i));
    end else if (load_next) begin
      modulus_q <= ModulusW'(n);
    end
  end

  if (Exact) begin : gen_n
    logic [Width-1:0] n_q;
    always_ff @(posedge clk_i) begin
      if (idle_q) n_q <= n_i;
    end
    assign n = n_q;
  end else begin : gen_no_n
    assign n = n_i;
  end

  // ---------------------------------------------------------------- digits of a

  // The digit of the next cycle; the first one comes from the port.
  logic [DigitW-1:0]               digit;
  logic                            digit_transfer_q;
  term_t [Terms-1:0]               d;
  term_t [DRegions-1:0][Terms-1:0] d_q;

  assign digit = idle_q ? DigitW'(signed'(a_i)) : a_q[DigitW-1:0];

  mf_booth_recoder #(.DigitW(LegalDigitW)) u_digit (
    .digit_i(digit), .transfer_i(digit_transfer_q & ~idle_q), .terms_o(d)
  );

  always_ff @(posedge clk_i) digit_transfer_q <= digit[DigitW-1];

  // ---------------------------------------------------------------- digits of the quotient

  logic [StateW-1:0]               s_q, c_q;
  logic                            clear, carry, carry_q, u_transfer_q;
  logic                            transfer_q;     // r(K), in cycle K + 2
  term_t [Terms-1:0]               q, q_q, exact;  // exact: digits of Q2
  term_t [QRegions-1:0][Terms-1:0] q_region;

  // c_q[0] is 0 in the cycle of transfer_q.
  assign {carry, u} = {1'b0, s_q[DigitW-1:0]} + (DigitW + 1)'(carry_q) +
                      {1'b0, c_q[DigitW-1:1], c_q[0] | transfer_q};

  mf_booth_recoder #(.DigitW(LegalDigitW)) u_quotient (
    .digit_i(u), .transfer_i(u_transfer_q), .terms_o(q)
  );

  always_ff @(posedge clk_i) begin
    // In cycle 0 the pair is 0 and u has no transfer; Overlap: the pair is the last one's.
    carry_q      <= carry & ~clear_q;
    u_transfer_q <= u[DigitW-1] & ~(Overlap & clear_q);
    transfer_q   <= u[DigitW-1] & transfers & ~Exact;
    q_q          <= (q & {$bits(q){q_valid_q}}) | exact;
  end

  if (RegionW == 0) begin : gen_one_region
    always_ff @(posedge clk_i) d_q <= d & {$bits(d){d_valid_q}};
    assign q_region = q_q;
  end else begin : gen_regions
    // Kept: synthesis makes one register of equal ones.
    for (genvar r = 0; r < DRegions; r++) begin : gen_d
      (* keep *) always_ff @(posedge clk_i) d_q[r] <= d & {$bits(d){d_valid_q}};
    end
    for (genvar r = 0; r < QRegions; r++) begin : gen_q
      (* keep *) always_ff @(posedge clk_i) q_region[r] <= q_q;
    end
  end

  // ---------------------------------------------------------------- V, and the digits of Q2

  logic              pending;
  logic [StateW-1:0] v_s, v_c;

  assign clear = clear_q | load_q;

  if (Exact) begin : gen_exact
    mf_unit_exact_quotient #(.DigitW(LegalDigitW), .Digits(Delay)) u_exact (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .load_i (idle_q),
      .first_i(first_q),
      .n_i    (n_inverse_i),
      .v_i    (q),
      .q_o    (exact)
    );

    // c_q[0] is 0 after the last digit of a. V is taken without r(K), that is, may be 1 too small:
    // the lowest digit of V + n q, which the shift drops, is 0 or 2^w, or 2^w - 1 where 1 is
    // missing; 1 is then missing above, too, unless the digit was 0. The last one, of p 2^w, is not
    // 0 if one of its topmost bits is set.
    assign v_s     = {s_q[StateW-ScaleW-1:0], a_q[SumW-1-:ScaleW]};
    assign v_c     = {c_q[StateW-ScaleW-1:1], c_q[0] | carry_q, {ScaleW{1'b0}}};
    assign pending = s_q[DigitW-1] | c_q[DigitW-1];
  end else begin : gen_scaled
    assign exact   = '0;
    assign v_s     = '0;
    assign v_c     = '0;
    assign pending = carry_q;

    logic unused_exact;
    assign unused_exact = ^{first_q, n, n_inverse_i};
  end

  // ---------------------------------------------------------------- accumulator

  mf_unit_accumulator #(
    .Width   (StateW),
    .DigitW  (LegalDigitW),
    .Delay   ((RegionW == 0) ? Delay : 2),
    .OperandW(OperandW),
    .ModulusW(ModulusW),
    .RegionW (Columns)
  ) u_accumulator (
    .clk_i    (clk_i),
    .clear_i  (clear),
    .b_i      (b_q),
    .d_i      (d_q),
    .load_i   (load_q),
    .v_s_i    (v_s),
    .v_c_i    (v_c),
    .modulus_i(modulus_q),
    .q_i      (q_region),
    .s_o      (s_q),
    .c_o      (c_q)
  );

  // ---------------------------------------------------------------- result

  logic [PairW-1:0] convert_s, convert_c;
  logic             convert_carry;

  if (Nonnegative) begin : gen_nonnegative
    // The second time p, and n if p is negative. Each region of SelectW columns has registers of
    // its own that select these, so that their wires are short.
    localparam int unsigned SelectW = 64;
    localparam int unsigned Selects = (PairW + SelectW - 1) / SelectW;

    logic               p_found_q;  // last cycle of the first conversion, at whose end a_q takes p
    logic               negative;
    logic [Selects-1:0] select_p_q, select_n_q;
    logic [PairW-1:0]   n_pair;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) p_found_q <= 1'b0;
      else         p_found_q <= phase_d == StConvert && left_d == '0;
    end

    assign negative = p_found_q & increment[PairW-1];
    assign n_pair   = PairW'(n);

    for (genvar r = 0; r < Selects; r++) begin : gen_select
      localparam int unsigned Low  = r * SelectW;
      localparam int unsigned Bits = (PairW - Low < SelectW) ? PairW - Low : SelectW;

      // Kept: synthesis makes one register of equal ones.
      (* keep *) always_ff @(posedge clk_i) begin
        select_p_q[r] <= p_found_q;
        select_n_q[r] <= negative;
      end

      assign convert_s[Low+:Bits] = select_p_q[r] ? a_q[Low+:Bits] : s_q[DigitW+Low+:Bits];
      assign convert_c[Low+:Bits] = (c_q[DigitW+Low+:Bits] & {Bits{~select_p_q[r]}}) |
                                    (n_pair[Low+:Bits] & {Bits{select_n_q[r]}});
    end

    assign convert_carry = pending & ~correct_q;
  end else begin : gen_signed
    assign convert_s     = s_q[(Exact?DigitW : 0)+:PairW];
    assign convert_c     = c_q[(Exact?DigitW : 0)+:PairW];
    assign convert_carry = pending;

    logic unused_correct;
    assign unused_correct = correct_q;
  end

  // With the digits below the pair; bits above p do not change.
  logic [SumW-1:0] increments;
  logic            convert;  // the sums of groups are in `value` from the next cycle on

  mf_group_converter #(
    .Width(PairW), .GroupW(GroupW), .Cycles(ConvertCycles), .Later(Overlap)
  ) u_convert (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .start_i    (start_q),
    .taken_i    (convert),
    .s_i        (convert_s),
    .c_i        (convert_c),
    .carry_i    (convert_carry),
    .sum_o      (sum),
    .value_i    (value[LowW+:PairW]),
    .increment_o(increment)
  );

  if (Exact) begin : gen_exact_sum
    assign sums = SumW'(sum);
    if (SumW > PairW) begin : gen_padded
      assign increments = {value[SumW-1:PairW], increment};
    end else begin : gen_full
      assign increments = increment;
    end
  end else begin : gen_scaled_sum
    logic [LowW-1:0] low;
    assign sums       = {sum, low};
    assign increments = {increment, value[LowW-1:0]};

    if (Overlap) begin : gen_low
      logic [LowW-1:0] low_q;
      always_ff @(posedge clk_i) low_q <= LowW'({u, low_q} >> DigitW);
      assign low = low_q;
    end else begin : gen_shifted
      assign low = a_q[SumW-1-:LowW];
    end
  end

  if (Overlap) begin : gen_overlap
    logic [SumW-1:0] p_q;
    logic            fill_q, park_q, move_q, summed_q, carried_q, valid_q, occupied_q;

    assign occupied_d = fill_q || move_q || (occupied_q && !(valid_q && rsp_ready_i));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        fill_q     <= 1'b0;
        park_q     <= 1'b0;
        move_q     <= 1'b0;
        summed_q   <= 1'b0;
        carried_q  <= 1'b0;
        valid_q    <= 1'b0;
        occupied_q <= 1'b0;
      end else begin
        fill_q     <= finish && !occupied_d;
        park_q     <= finish && occupied_d;
        move_q     <= phase_q == StHeld && !occupied_d;
        summed_q   <= fill_q || move_q;
        carried_q  <= summed_q;
        valid_q    <= carried_q || (valid_q && !rsp_ready_i);
        occupied_q <= occupied_d;
      end
    end

    always_ff @(posedge clk_i) begin
      p_q <= (sums & {SumW{fill_q}}) | (a_q & {SumW{move_q}}) |
             (increments & {SumW{~(fill_q | move_q)}});
    end

    assign fill        = fill_q;
    assign park        = park_q;
    assign convert     = fill_q | move_q;
    assign value       = p_q;
    assign a_other     = a_q;
    assign rsp_valid_o = valid_q;
  end else begin : gen_alone
    assign fill        = 1'b0;
    assign occupied_d  = 1'b0;
    assign park        = start_q;
    assign convert     = start_q;
    assign value       = a_q;
    assign a_other     = increments;
    assign rsp_valid_o = phase_q == StDone;
  end

  assign p_o = value[OperandW-1:0];

  // The accumulator needs bits above the result.
  logic unused_pair;
  assign unused_pair = ^{s_q, c_q};

endmodule
