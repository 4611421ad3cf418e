// SPDX-License-Identifier: Apache-2.0
//
// Orup's high-radix Montgomery multiplier with quotient pipelining: digits of k bits are
// nonnegative; a quotient digit is the lowest digit of the accumulator and takes effect
// QuotientDelay steps later.
//
// Source:   Orup, "Simplifying quotient determination in high-radix modular multiplication",
//           ARITH-12, 1995: the recurrence, k = DigitW, d = QuotientDelay. The array (Booth rows of
//           each digit by itself, one tree, products of b in registers) and the conversion to
//           binary are this library's.
// Computes: p = a * b * R^-1 mod n, R = 2^(k m), m = ceil((Width + L + 2) / k), L = k (d + 1).
// Takes:    n-bar = (M~ + 1) / 2^L, M~ = n n', n' = -n^-1 mod 2^L, 0 < n' < 2^L; 0 < n-bar <= n.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2^(L+1) n (closed). The paper's: 2 M~.
// Latency:  m + d + 5 cycles for all operands. Interval: 2 more.
// Constant time: yes.
//
// S(0) = 0; q(i) = S(i) mod 2^k; S(i+1) = floor(S(i) / 2^k) + q(i-d) n-bar + a(i) b for i = 0 to
// m + d, a(i) the digits of a, q(i) = 0 for i < 0;
// p = 2^(k d) S(m+d+1) + sum of q(m+1+j) 2^(k j), j = 0 to d - 1. S < 2^(StateW-2).
//
// Cycle c is the one that follows edge c; the request is accepted at edge 0. T = m + d + 1.
// Phase    cycles      selects of a   selects of q  s_q, c_q, carry_q   a_q
// Idle     -           a(0) at end    not used      not used            a without its lowest digit
// Loop     0 .. T      a(c)           q(c-2)        S(c-1)              digits left, low q on top
// Convert  3           -              -             S(T)                p, without and with carries
// Done     until taken -              -             not used            p

module mf_orup
  import mf_booth_pkg::*;
#(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width         = 256,
  /// Bits of a digit, k; 1 to 24.
  parameter int unsigned DigitW        = 8,
  /// Steps from a quotient digit to the addition of its multiple of the modulus, d; 0 to 2.
  parameter int unsigned QuotientDelay = 1,
  /// Bits of a group of the conversion to binary; 4 to 64.
  parameter int unsigned GroupW        = 8,

  localparam int unsigned LegalWidth  = Width < 3 || Width > 8192 ? 3 : Width,
  localparam int unsigned LegalDigitW = DigitW < 1 || DigitW > 24 ? 1 : DigitW,
  localparam int unsigned ScaleW      = LegalDigitW * (QuotientDelay + 1),  // L
  localparam int unsigned OperandW    = LegalWidth + ScaleW + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  /// n-bar.
  input  logic [Width-1:0]    n_scaled_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_orup: Width must be 3 to 8192");
  end else if (DigitW < 1 || DigitW > 24) begin : gen_illegal_digit
    $fatal(1, "mf_orup: DigitW must be 1 to 24");
  end else if (QuotientDelay > 2) begin : gen_illegal_delay
    $fatal(1, "mf_orup: QuotientDelay must be 0 to 2");
  end else if (GroupW < 4 || GroupW > 64) begin : gen_illegal_group
    $fatal(1, "mf_orup: GroupW must be 4 to 64");
  end

  localparam int unsigned SignedW = LegalDigitW + 1;  // a digit with a sign, which is 0
  localparam int unsigned Terms   = (SignedW + 1) / 2;
  localparam int unsigned Digits  = (OperandW + LegalDigitW) / LegalDigitW;  // m
  localparam int unsigned Steps   = Digits + QuotientDelay + 1;              // T
  localparam int unsigned StateW  = OperandW + LegalDigitW + 3;
  localparam int unsigned SumW    = Digits * LegalDigitW;
  localparam int unsigned LowW    = QuotientDelay * LegalDigitW;  // digits below S(T)
  localparam int unsigned PairW   = SumW - LowW;                  // bits that are converted
  localparam int unsigned CountW  = $clog2(Steps + 1);

  localparam logic [SumW-1:0] LowMask = ~(~(SumW)'(0) << LowW);

  typedef enum logic [1:0] {StIdle, StLoop, StConvert, StDone} phase_e;

  // ---------------------------------------------------------------- control

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] cycle_d, cycle_q;  // cycles of the phase before the present one

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:    if (req_valid_i) phase_d = StLoop;
      StLoop:    if (cycle_q == CountW'(Steps)) phase_d = StConvert;
      StConvert: if (cycle_q == CountW'(2)) phase_d = StDone;
      StDone:    if (rsp_ready_i) phase_d = StIdle;
      default:   phase_d = StIdle;
    endcase
  end

  assign cycle_d = (phase_d == phase_q) ? cycle_q + CountW'(1) : '0;

  // Control of the datapath in this cycle.
  logic idle_q;     // a request may be accepted
  logic clear_q;    // cycle 0: S(0) = 0
  logic shift_q;    // loop: a moves by a digit
  logic d_valid_q;  // the lowest digit of a is one of its digits
  logic q_valid_q;  // the lowest digit of S is one of q(0) on; those after q(m) come too late
  logic start_q;    // first cycle of the conversion

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q   <= StIdle;
      cycle_q   <= '0;
      idle_q    <= 1'b1;
      clear_q   <= 1'b0;
      shift_q   <= 1'b0;
      d_valid_q <= 1'b1;
      q_valid_q <= 1'b0;
      start_q   <= 1'b0;
    end else begin
      phase_q   <= phase_d;
      cycle_q   <= cycle_d;
      idle_q    <= phase_d == StIdle;
      clear_q   <= phase_q == StIdle && phase_d == StLoop;
      shift_q   <= phase_d == StLoop;
      d_valid_q <= phase_d == StIdle || (phase_d == StLoop && cycle_d < CountW'(Digits - 1));
      q_valid_q <= phase_q == StLoop && phase_d == StLoop;
      start_q   <= phase_q == StLoop && phase_d == StConvert;
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;

  // ---------------------------------------------------------------- operands

  logic [SumW-1:0]     a_q, a_d;
  logic [OperandW-1:0] b_q;
  logic [Width-1:0]    n_scaled_q;
  logic [DigitW-1:0]   u;
  logic [PairW-1:0]    sum, increment;

  mf_one_hot_mux #(.Width(SumW), .Inputs(4)) u_a (
    .select_i({idle_q, shift_q, start_q, ~(idle_q | shift_q | start_q)}),
    .data_i  ({SumW'(a_i) >> DigitW,
               {u, a_q[SumW-1:DigitW]},
               SumW'({sum, a_q} >> PairW),
               (SumW'(increment) << LowW) | (a_q & LowMask)}),
    .data_o  (a_d)
  );

  always_ff @(posedge clk_i) begin
    a_q <= a_d;
    if (idle_q) begin
      b_q        <= b_i;
      n_scaled_q <= n_scaled_i;
    end
  end

  // ---------------------------------------------------------------- digits

  logic [DigitW-1:0] digit;  // of a, of the next cycle; the first one comes from the port
  logic [StateW-1:0] s_q, c_q;
  logic              carry, carry_q;
  term_t [Terms-1:0] d, d_q, q, late_q;

  assign digit      = idle_q ? a_i[DigitW-1:0] : a_q[DigitW-1:0];
  assign {carry, u} = {1'b0, s_q[DigitW-1:0]} + {1'b0, c_q[DigitW-1:0]} + SignedW'(carry_q);

  mf_booth_recoder #(.DigitW(SignedW)) u_digit (
    .digit_i({1'b0, digit & {DigitW{d_valid_q}}}), .transfer_i(1'b0), .terms_o(d)
  );
  mf_booth_recoder #(.DigitW(SignedW)) u_quotient (
    .digit_i({1'b0, u & {DigitW{q_valid_q}}}), .transfer_i(1'b0), .terms_o(q)
  );

  always_ff @(posedge clk_i) begin
    d_q     <= d;
    carry_q <= carry & ~clear_q;
  end

  if (QuotientDelay == 0) begin : gen_at_once
    assign late_q = q;
  end else begin : gen_late
    always_ff @(posedge clk_i) late_q <= q;
  end

  // ---------------------------------------------------------------- accumulator

  mf_unit_accumulator #(
    .Width   (StateW),
    .DigitW  (SignedW),
    .Delay   ((QuotientDelay == 2) ? 3 : 2),
    .OperandW(OperandW + 1),
    .ModulusW(LegalWidth + 1),
    .ShiftW  (LegalDigitW)
  ) u_accumulator (
    .clk_i    (clk_i),
    .clear_i  (clear_q),
    .b_i      ({1'b0, b_q}),
    .d_i      (d_q),
    .load_i   (1'b0),
    .v_s_i    ('0),
    .v_c_i    ('0),
    .modulus_i({1'b0, n_scaled_q}),
    .q_i      (late_q),
    .s_o      (s_q),
    .c_o      (c_q)
  );

  // ---------------------------------------------------------------- result

  mf_group_converter #(.Width(PairW), .GroupW(GroupW)) u_convert (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .start_i    (start_q),
    .taken_i    (1'b0),
    .s_i        (s_q[PairW-1:0]),
    .c_i        (c_q[PairW-1:0]),
    .carry_i    (carry_q),
    .sum_o      (sum),
    .value_i    (a_q[LowW+:PairW]),
    .increment_o(increment)
  );

  assign p_o = a_q[OperandW-1:0];

  // The accumulator needs bits above the result.
  logic unused_pair;
  assign unused_pair = ^{s_q, c_q};

endmodule
