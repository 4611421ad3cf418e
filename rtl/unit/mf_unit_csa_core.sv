// SPDX-License-Identifier: Apache-2.0
//
// Carry-save Montgomery multiplier of radix 2^DigitW for a scaled (unit) modulus: a quotient digit
// is the lowest digit of the accumulator itself, and is used Delay - 1 cycles after it was found.
//
// Source:   the quotient without a product and its delay are Orup's (ARITH-12, 1995); operands
//           that grow by the scale, so that no correction follows, Booth digits on both sides, the
//           ones in free carry places, the exact tail and the conversion by groups are ours.
// Computes: p = a * b * R^-1 mod n, R = 2^(w K), Exact: 2^(w K + L); w = DigitW, L = w Delay.
//           K = ceil((Width + L) / w), as many digits as a has. Exact: a has
//           D = max(ceil((Width + 1) / w), Delay) digits,
//           K = max(ceil((Width + 2 - L) / w), D - Delay, 1).
// Takes:    n-bar = (n n' + 1) / 2^L; n' = -n^-1 mod 2^L in [-2^(L-1), 2^(L-1)), so that
//           |n-bar| <= n / 2; two's complement. Exact: n and n' beside it.
// Contract: n odd, 3 <= n < 2^Width; two's complement, |a|, |b|, |p| < 2^(L-1) n (closed).
//           Exact: |a|, |b|, |p| < n (closed). Nonnegative: n is added to a negative p, 0 <= p < n.
// Latency:  T + 4 cycles for all operands, T = K + Delay. Exact: T + Delay + 6, Nonnegative: 3
//           more. Interval: 2 more.
// Constant time: yes.
//
// Y(0) = 0; u(t) = Y(t) mod 2^w; q(t) = u(t) + r(t-1) - 2^w r(t), r(t) the top bit of u(t);
// Y(t+1) = floor(Y(t) / 2^w) + d(t) b + q(t-Delay+1) n-bar, d(t) the signed digits of a, q(t) = 0
// beyond t = K. V = Y(T) above the Delay - 1 digits u(K+1) to u(T-1), plus r(K). It is the result,
// or else the Delay digits of Q2 = V n' mod 2^L follow: (V + n Q2) / 2^L. |Y| < 2^(StateW-2).
//
// Cycle c is the one that follows edge c; the request is accepted at edge 0.
// Phase    cycles      select registers  P          s_q, c_q, carry_q   a_q
// Idle     -           d(0) at its end   not used   not used            a without its lowest digit
// Loop     0 .. T      d(c), q(c-2)      d(c-1) b   Y(c-1)              digits left below, u on top
// Exact: loop to T + 1, then
// Tail     Delay + 1   digits of Q2      V once     0, V + n q, ...     V mod 2^L on top
// Convert  3           0                 0          Y(T), Exact: p 2^w  p, without and with carries
// Correct  3, Nonnegative                not used                       p + n or p
// Done     until taken                              not used            p

module mf_unit_csa_core #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width  = 256,
  /// Bits of a digit; 2 to 24.
  parameter int unsigned DigitW = 8,
  /// Cycles from a digit of the accumulator to what it adds; 2 or 3.
  parameter int unsigned Delay  = 2,
  /// Bits of a group of the conversion to binary; 4 to 64.
  parameter int unsigned GroupW = 8,
  /// The result is exact, |p| < n; DigitW is 3 or more.
  parameter bit          Exact       = 1'b0,
  /// n is added to a negative result; with Exact.
  parameter bit          Nonnegative = 1'b0,

  localparam int unsigned ScaleW   = DigitW * Delay,  // L
  localparam int unsigned OperandW = Exact ? Width + 1 : Width + ScaleW
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
  end
  if (DigitW < 2 || DigitW > 24) begin : gen_illegal_digit
    $fatal(1, "mf_unit_csa_core: DigitW must be 2 to 24");
  end
  if (Delay != 2 && Delay != 3) begin : gen_illegal_delay
    $fatal(1, "mf_unit_csa_core: Delay must be 2 or 3");
  end
  if (GroupW < 4 || GroupW > 64) begin : gen_illegal_group
    $fatal(1, "mf_unit_csa_core: GroupW must be 4 to 64");
  end

  if (Exact && DigitW == 2) begin : gen_illegal_exact_digit
    $fatal(1, "mf_unit_csa_core: DigitW must be at least 3 with Exact");
  end

  // Digits of a, and digits of the loop that an exact result needs.
  localparam int unsigned Terms        = (DigitW + 1) / 2;
  localparam int unsigned FewestDigits = (OperandW + DigitW - 1) / DigitW;
  localparam int unsigned Digits       = (FewestDigits > Delay) ? FewestDigits : Delay;
  localparam int unsigned Cleared      =
      (Width + 2 > ScaleW) ? (Width + 1 - ScaleW + DigitW) / DigitW : 1;
  localparam int unsigned ExactSteps   = (Cleared + Delay > Digits) ? Cleared + Delay : Digits;

  localparam int unsigned Steps  = Exact ? ExactSteps : Digits + Delay;  // T
  localparam int unsigned Last   = Steps - Delay;                        // K
  localparam int unsigned Loops  = Exact ? Steps + 1 : Steps;  // the last cycle of the loop
  localparam int unsigned StateW = Exact ? Width + ScaleW + 2 : OperandW + DigitW + 1;
  localparam int unsigned ModulusW = Exact ? Width + 1 : Width;
  localparam int unsigned SumW   = Digits * DigitW;
  localparam int unsigned LowW   = Exact ? 0 : (Delay - 1) * DigitW;  // digits below Y(T)
  localparam int unsigned PairW  = Exact ? OperandW : SumW - LowW;    // what is converted
  localparam int unsigned TailCycles    = Delay + 1;
  localparam int unsigned ConvertCycles = 3;
  localparam int unsigned CountW        = $clog2(Loops + 1);

  typedef enum logic [2:0] {StIdle, StLoop, StTail, StConvert, StCorrect, StDone} phase_e;

  // ---------------------------------------------------------------- control

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] left_d, left_q;  // cycles of the phase after the present one

  always_comb begin
    phase_d = phase_q;
    left_d  = left_q - CountW'(1);
    unique case (phase_q)
      StIdle: begin
        left_d = CountW'(Loops);
        if (req_valid_i) phase_d = StLoop;
      end
      StLoop: begin
        if (left_q == '0) begin
          phase_d = Exact ? StTail : StConvert;
          left_d  = CountW'((Exact ? TailCycles : ConvertCycles) - 1);
        end
      end
      StTail: begin
        if (left_q == '0) begin
          phase_d = StConvert;
          left_d  = CountW'(ConvertCycles - 1);
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
      default:   phase_d = StIdle;
    endcase
  end

  // What the datapath does in this cycle. Cycle c of the loop has left_q = Loops - c.
  logic idle_q;      // a request may be accepted
  logic clear_q;     // idle, and cycle 0: Y(0) = 0, no quotient digits
  logic shift_q;     // loop: a moves by a digit
  logic d_valid_q;   // the lowest digit of a is one of its digits
  logic q_valid_q;   // u is one of the digits up to u(K)
  logic transfer_q;  // cycle K + 2, of u(K+1)
  logic start_q;     // first cycle of a conversion
  logic first_q;     // Exact: cycle K + 3, in which the digit u(K+1) meets n'
  logic load_q;      // Exact: first cycle of the tail, P becomes V
  logic correct_q;   // Nonnegative: the second conversion

  logic continues;
  assign continues = phase_q == StLoop && phase_d == StLoop;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q    <= StIdle;
      left_q     <= '0;
      idle_q     <= 1'b1;
      clear_q    <= 1'b1;
      shift_q    <= 1'b0;
      d_valid_q  <= 1'b1;
      q_valid_q  <= 1'b0;
      transfer_q <= 1'b0;
      start_q    <= 1'b0;
      first_q    <= 1'b0;
      load_q     <= 1'b0;
      correct_q  <= 1'b0;
    end else begin
      phase_q    <= phase_d;
      left_q     <= left_d;
      idle_q     <= phase_d == StIdle;
      clear_q    <= phase_q == StIdle || phase_d == StIdle;
      shift_q    <= phase_d == StLoop;
      d_valid_q  <= phase_d == StIdle ||
                    (phase_d == StLoop && left_d > CountW'(Loops + 1 - Digits));
      q_valid_q  <= continues && left_d > CountW'(Loops - 2 - Last);
      transfer_q <= continues && left_d == CountW'(Loops - 2 - Last);
      start_q    <= (phase_q != StConvert && phase_d == StConvert) ||
                    (phase_q != StCorrect && phase_d == StCorrect);
      first_q    <= Exact && continues && left_d == CountW'(Delay - 2);
      load_q     <= Exact && phase_q == StLoop && phase_d == StTail;
      correct_q  <= Nonnegative && phase_d == StCorrect;
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;

  // ---------------------------------------------------------------- operands

  logic [SumW-1:0]     a_q, a_load, a_shift, a_sum, a_increment;
  logic [OperandW-1:0] b_q;
  logic [ModulusW-1:0] modulus_q;  // n-bar, in the tail n
  logic [Width-1:0]    n;
  logic [DigitW-1:0]   u;
  logic [PairW-1:0]    sum, increment;

  assign a_load      = SumW'((SumW + DigitW)'(signed'(a_i)) >>> DigitW);
  assign a_shift     = {u, a_q[SumW-1:DigitW]};
  if (Exact) begin : gen_exact_sum
    assign a_sum = SumW'(sum);
    if (SumW > PairW) begin : gen_padded
      assign a_increment = {a_q[SumW-1:PairW], increment};
    end else begin : gen_full
      assign a_increment = increment;
    end
  end else begin : gen_scaled_sum
    assign a_sum       = {sum, a_q[SumW-1-:LowW]};
    assign a_increment = {increment, a_q[LowW-1:0]};
  end

  logic load_next;  // the cycle before load_q
  assign load_next = Exact && phase_q == StLoop && left_q == '0;

  // The datapath needs no reset: it is loaded before it is read.
  always_ff @(posedge clk_i) begin
    a_q <= (a_load & {SumW{idle_q}}) | (a_shift & {SumW{shift_q}}) | (a_sum & {SumW{start_q}}) |
           (a_increment & {SumW{~(idle_q | shift_q | start_q)}});
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
  logic [DigitW-1:0] digit;
  logic              digit_transfer_q;
  logic [Terms-1:0]  d_once, d_twice, d_negative, d_once_q, d_twice_q, d_negative_q;

  assign digit = idle_q ? DigitW'(signed'(a_i)) : a_q[DigitW-1:0];

  mf_booth_recoder #(.DigitW(DigitW)) u_digit (
    .digit_i   (digit),
    .transfer_i(digit_transfer_q & ~idle_q),
    .once_o    (d_once),
    .twice_o   (d_twice),
    .negative_o(d_negative)
  );

  always_ff @(posedge clk_i) begin
    digit_transfer_q <= digit[DigitW-1];
    d_once_q         <= d_once & {Terms{d_valid_q}};
    d_twice_q        <= d_twice & {Terms{d_valid_q}};
    d_negative_q     <= d_negative & {Terms{d_valid_q}};
  end

  // ---------------------------------------------------------------- digits of the quotient

  logic [StateW-1:0] s_q, c_q;
  logic              clear, carry, carry_q, u_transfer_q, transfer_now;
  logic [Terms-1:0]  q_once, q_twice, q_negative, q_once_q, q_twice_q, q_negative_q;
  logic [Terms-1:0]  exact_once, exact_twice, exact_negative;  // of Q2's digits

  // c_q[0] is 0 in the cycle of transfer_now.
  assign {carry, u} = {1'b0, s_q[DigitW-1:0]} + (DigitW + 1)'(carry_q) +
                      {1'b0, c_q[DigitW-1:1], c_q[0] | transfer_now};

  mf_booth_recoder #(.DigitW(DigitW)) u_quotient (
    .digit_i   (u),
    .transfer_i(u_transfer_q),
    .once_o    (q_once),
    .twice_o   (q_twice),
    .negative_o(q_negative)
  );

  always_ff @(posedge clk_i) begin
    carry_q      <= carry & ~clear;
    u_transfer_q <= u[DigitW-1] & ~clear;
    q_once_q     <= (q_once & {Terms{q_valid_q}}) | exact_once;
    q_twice_q    <= (q_twice & {Terms{q_valid_q}}) | exact_twice;
    q_negative_q <= (q_negative & {Terms{q_valid_q}}) | exact_negative;
  end

  // ---------------------------------------------------------------- V, and the digits of Q2

  logic              last_transfer, pending;
  logic [StateW-1:0] v_s, v_c;

  assign clear = clear_q | load_q;

  if (Exact) begin : gen_exact
    logic last_transfer_q;

    mf_unit_exact_quotient #(.DigitW(DigitW), .Digits(Delay)) u_exact (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .load_i    (idle_q),
      .first_i   (first_q),
      .n_i       (n_inverse_i),
      .once_i    (q_once),
      .twice_i   (q_twice),
      .negative_i(q_negative),
      .once_o    (exact_once),
      .twice_o   (exact_twice),
      .negative_o(exact_negative)
    );

    always_ff @(posedge clk_i) begin
      if (transfer_q) last_transfer_q <= u_transfer_q;
    end

    // r(K) goes with P. c_q[0] is 0: the digits of a are used up.
    assign transfer_now  = 1'b0;
    assign last_transfer = last_transfer_q;
    assign v_s           = {s_q[StateW-ScaleW-1:0], a_q[SumW-1-:ScaleW]};
    assign v_c           = {c_q[StateW-ScaleW-1:1], c_q[0] | carry_q, {ScaleW{1'b0}}};

    // The lowest digit of p 2^w is 0 or 2^w: then one of its topmost bits is set.
    assign pending       = s_q[DigitW-1] | c_q[DigitW-1];
  end else begin : gen_scaled
    assign transfer_now   = u_transfer_q & transfer_q;
    assign last_transfer  = 1'b0;
    assign exact_once     = '0;
    assign exact_twice    = '0;
    assign exact_negative = '0;
    assign v_s            = '0;
    assign v_c            = '0;
    assign pending        = carry_q;

    logic unused_exact;
    assign unused_exact = ^{first_q, n, n_inverse_i};
  end

  // ---------------------------------------------------------------- accumulator

  mf_unit_accumulator #(
    .Width   (StateW),
    .DigitW  (DigitW),
    .Delay   (Delay),
    .OperandW(OperandW),
    .ModulusW(ModulusW)
  ) u_accumulator (
    .clk_i       (clk_i),
    .clear_i     (clear),
    .b_i         (b_q),
    .d_once_i    (d_once_q),
    .d_twice_i   (d_twice_q),
    .d_negative_i(d_negative_q),
    .load_i      (load_q),
    .v_s_i       (v_s),
    .v_c_i       (v_c),
    .v_one_i     (last_transfer),
    .modulus_i   (modulus_q),
    .q_once_i    (q_once_q),
    .q_twice_i   (q_twice_q),
    .q_negative_i(q_negative_q),
    .s_o         (s_q),
    .c_o         (c_q)
  );

  // ---------------------------------------------------------------- result

  logic [PairW-1:0] convert_s, convert_c;
  logic             convert_carry;

  if (Nonnegative) begin : gen_nonnegative
    // The second time p, and n if p is negative.
    assign convert_s     = correct_q ? a_q[PairW-1:0] : s_q[DigitW+:PairW];
    assign convert_c     = correct_q ? PairW'(n & {Width{a_q[Width]}}) : c_q[DigitW+:PairW];
    assign convert_carry = pending & ~correct_q;
  end else begin : gen_signed
    assign convert_s     = s_q[(Exact?DigitW : 0)+:PairW];
    assign convert_c     = c_q[(Exact?DigitW : 0)+:PairW];
    assign convert_carry = pending;

    logic unused_correct;
    assign unused_correct = correct_q;
  end

  mf_group_converter #(.Width(PairW), .GroupW(GroupW)) u_convert (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .start_i    (start_q),
    .s_i        (convert_s),
    .c_i        (convert_c),
    .carry_i    (convert_carry),
    .sum_o      (sum),
    .value_i    (a_q[LowW+:PairW]),
    .increment_o(increment)
  );

  assign p_o = a_q[OperandW-1:0];

  // The accumulator needs bits above the result.
  logic unused_pair;
  assign unused_pair = ^{s_q, c_q};

endmodule
