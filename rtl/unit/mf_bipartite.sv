// SPDX-License-Identifier: Apache-2.0
//
// Bipartite Montgomery multiplier, carry-save, radix 2^DigitW: one half takes the upper digits of a
// from the highest on, the other the lower digits from the lowest on, at the same time.
//
// Source:   Kaihara, Takagi, "Bipartite modular multiplication", CHES 2005: the operand in two
//           parts, one reduced from its upper end, the other from its lower end, in parallel.
//           Both reductions by scaled moduli, whose digits need no product and take effect a step
//           later, and their join are this library's (mf_bipartite_high, mf_unit_csa_core).
// Computes: p = a * b * R^-1 mod n, R = 2^(w K), w = DigitW, L = 2w; a has D = ceil((Width + L)/w),
//           made odd, digits: A = (D - 1) / 2 upper and B = A + 1 lower ones; K = B + 3.
// Takes:    n-bar = (n n' + 1) / 2^L; n' = -n^-1 mod 2^L in [-2^(L-1), 2^(L-1)); two's complement.
//           fold = 2^(Width+4w-2) mod n.
// Contract: n odd, 2^(Width-1) < n < 2^Width; two's complement, |a|, |b|, |p| < 2^(L-1) n (closed).
// Latency:  B + 9 cycles for all operands. Interval: 2 more.
// Constant time: yes.
//
// Upper half: after A steps Z + h 2^(F+w) is congruent to b times the upper digits (see
// mf_bipartite_high), F = Width + L - 2. Lower half: Y(0) = 0; u(t) = Y(t) mod 2^w;
// q(t) = u(t) + r(t-1) - 2^w r(t), r(t) the top bit of u(t);
// Y(t+1) = floor(Y(t) / 2^w) + x(t) + q(t-1) n-bar; x(t) = d(t) b for the B lower digits of a; then
// x(B) = Z(A), x(B+1) = h(A-1) 2^F; 0 later. p = 2^w Y(T) + u(T-1) + r(K), T = K + 2.
// |Y| < 2^(StateW-2).
//
// Cycle c is the one that follows edge c; the request is accepted at edge 0.
// Phase    cycles   selects of both d  pair below     pair above  a_q: upper, lower part
// Idle     -        first ones at end  0 at its end   0           digits left at their ends
// Loop     0 .. T   c-th               Y(c-1)         Z(c-1)      digits left; u above the lower
//          A+1, A+2 0: Z, then h join  Y(A), Y(A+1)   Z(A), -     not used; u
// Convert  3        not used           Y(T)           not used    p, without and with carries
// Done     until taken                 not used       not used    p

module mf_bipartite
  import mf_booth_pkg::*;
#(
  /// Bits of the modulus; 3 to 8192.
  parameter int unsigned Width  = 256,
  /// Bits of a digit; 3 to 24.
  parameter int unsigned DigitW = 8,
  /// Bits of a group of the conversion to binary; 4 to 64.
  parameter int unsigned GroupW = 8,

  localparam int unsigned LegalWidth  = Width < 3 || Width > 8192 ? 3 : Width,
  localparam int unsigned LegalDigitW = DigitW < 3 || DigitW > 24 ? 3 : DigitW,
  localparam int unsigned ScaleW      = 2 * LegalDigitW,  // L
  localparam int unsigned OperandW    = LegalWidth + ScaleW
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  /// n-bar, two's complement.
  input  logic [Width-1:0]    n_scaled_i,
  /// 2^(Width+4w-2) mod n.
  input  logic [Width-1:0]    fold_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_bipartite: Width must be 3 to 8192");
  end else if (DigitW < 3 || DigitW > 24) begin : gen_illegal_digit
    $fatal(1, "mf_bipartite: DigitW must be 3 to 24");
  end else if (GroupW < 4 || GroupW > 64) begin : gen_illegal_group
    $fatal(1, "mf_bipartite: GroupW must be 4 to 64");
  end

  localparam int unsigned Digits      = (OperandW + LegalDigitW - 1) / LegalDigitW;
  localparam int unsigned UpperDigits = Digits / 2;       // A
  localparam int unsigned LowerDigits = UpperDigits + 1;  // B
  localparam int unsigned Steps       = LowerDigits + 5;  // T
  localparam int unsigned Terms       = (LegalDigitW + 1) / 2;
  localparam int unsigned FoldW       = OperandW - 2;     // F
  localparam int unsigned TopW        = LegalDigitW + 3;
  localparam int unsigned StateW      = OperandW + LegalDigitW + 3;
  localparam int unsigned UpperW      = UpperDigits * LegalDigitW;
  localparam int unsigned LowerW      = LowerDigits * LegalDigitW;
  localparam int unsigned SumW        = UpperW + LowerW;
  localparam int unsigned PairW       = OperandW - LegalDigitW;  // bits that are converted
  localparam int unsigned CountW      = $clog2(Steps + 1);

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
  logic idle_q;      // a request may be accepted
  logic clear_q;     // idle, and cycle 0: Y(0) = Z(0) = 0
  logic shift_q;     // loop: both parts of a move by a digit
  logic d_valid_q;   // the lowest digit of a_q is one of the lower part
  logic q_valid_q;   // u is one of u(0) on; those after u(K) come too late
  logic upper_q;     // cycle A + 1: Z(A) to P
  logic join_q;      // cycles A + 1 and A + 2: the upper half to P
  logic transfer_q;  // cycle T, of u(K+1)
  logic start_q;     // first cycle of the conversion

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q    <= StIdle;
      cycle_q    <= '0;
      idle_q     <= 1'b1;
      clear_q    <= 1'b1;
      shift_q    <= 1'b0;
      d_valid_q  <= 1'b1;
      q_valid_q  <= 1'b0;
      upper_q    <= 1'b0;
      join_q     <= 1'b0;
      transfer_q <= 1'b0;
      start_q    <= 1'b0;
    end else begin
      phase_q    <= phase_d;
      cycle_q    <= cycle_d;
      idle_q     <= phase_d == StIdle;
      clear_q    <= phase_q == StIdle || phase_d == StIdle;
      shift_q    <= phase_d == StLoop;
      d_valid_q  <= phase_d == StIdle ||
                    (phase_d == StLoop && cycle_d < CountW'(LowerDigits - 1));
      q_valid_q  <= phase_q == StLoop && phase_d == StLoop;
      upper_q    <= phase_d == StLoop && cycle_d == CountW'(UpperDigits + 1);
      join_q     <= (phase_d == StLoop && cycle_d == CountW'(UpperDigits + 1)) || upper_q;
      transfer_q <= phase_d == StLoop && cycle_d == CountW'(Steps);
      start_q    <= phase_q == StLoop && phase_d == StConvert;
    end
  end

  assign req_ready_o = idle_q;
  assign rsp_valid_o = phase_q == StDone;

  // ---------------------------------------------------------------- operands

  // The digit above the register of a part is in its select registers. Below the upper part stands
  // the top bit of the lower one, its transfer.
  logic [SumW-1:0]          a_q, a_d, a_sum;
  logic [UpperW+DigitW-1:0] upper_load, upper_shift;
  logic [LowerW-1:0]        lower_load, lower_shift;
  logic [OperandW-1:0]      b_q;
  logic [Width-1:0]         n_scaled_q, fold_q;
  logic [DigitW-1:0]        u;
  logic [PairW-1:0]         sum, increment;

  assign a_sum       = SumW'(signed'(a_i));
  assign upper_load  = {a_sum[SumW-1:LowerW-1], {(DigitW - 1){1'b0}}};
  assign upper_shift = {a_q[SumW-1:LowerW], {DigitW{1'b0}}};
  assign lower_load  = a_sum[LowerW-1:0] >> DigitW;
  assign lower_shift = {u, a_q[LowerW-1:DigitW]};

  mf_one_hot_mux #(.Width(SumW), .Inputs(4)) u_a (
    .select_i({idle_q, shift_q, start_q, ~(idle_q | shift_q | start_q)}),
    .data_i  ({{upper_load[UpperW-1:0], lower_load},
               {upper_shift[UpperW-1:0], lower_shift},
               SumW'({sum, a_q[LowerW-1-:DigitW]}),
               SumW'({increment, a_q[DigitW-1:0]})}),
    .data_o  (a_d)
  );

  always_ff @(posedge clk_i) begin
    a_q <= a_d;
    if (idle_q) begin
      b_q        <= b_i;
      n_scaled_q <= n_scaled_i;
      fold_q     <= fold_i;
    end
  end

  // ---------------------------------------------------------------- upper half

  logic [UpperW+DigitW-1:0] upper;  // of the next cycle; the first digit comes from the port
  term_t [Terms-1:0]        e, e_q;
  logic [FoldW-1:0]         s_low, c_low;
  logic [TopW-1:0]          h, h_q;

  assign upper = idle_q ? upper_load : upper_shift;

  mf_booth_recoder #(.DigitW(LegalDigitW)) u_upper (
    .digit_i(upper[UpperW+DigitW-1:UpperW]), .transfer_i(upper[UpperW-1]), .terms_o(e)
  );

  always_ff @(posedge clk_i) begin
    e_q <= e;
    // In cycle A + 2 h(A-1).
    if (!upper_q) h_q <= h;
  end

  mf_bipartite_high #(.DigitW(LegalDigitW), .OperandW(OperandW), .ModulusW(LegalWidth)) u_high (
    .clk_i  (clk_i),
    .clear_i(clear_q),
    .b_i    (b_q),
    .d_i    (e_q),
    .fold_i (fold_q),
    .s_low_o(s_low),
    .c_low_o(c_low),
    .h_o    (h)
  );

  // ---------------------------------------------------------------- lower half

  logic [DigitW-1:0] digit;  // of the next cycle; the first one comes from the port
  logic [StateW-1:0] s_q, c_q;
  logic              carry, carry_q, digit_transfer_q, u_transfer_q;
  term_t [Terms-1:0] d, d_q, q, q_q;

  assign digit = idle_q ? a_i[DigitW-1:0] : a_q[DigitW-1:0];

  // No digit of a joins in cycle T - 1, so that c_q[0] is free for r(K) in cycle T.
  assign {carry, u} = {1'b0, s_q[DigitW-1:0]} + (DigitW + 1)'(carry_q) +
                      {1'b0, c_q[DigitW-1:1], c_q[0] | (transfer_q & u_transfer_q)};

  mf_booth_recoder #(.DigitW(LegalDigitW)) u_lower (
    .digit_i   (digit & {DigitW{d_valid_q}}),
    .transfer_i(digit_transfer_q & d_valid_q & ~idle_q),
    .terms_o   (d)
  );
  mf_booth_recoder #(.DigitW(LegalDigitW)) u_quotient (
    .digit_i(u & {DigitW{q_valid_q}}), .transfer_i(u_transfer_q & q_valid_q), .terms_o(q)
  );

  always_ff @(posedge clk_i) begin
    digit_transfer_q <= digit[DigitW-1];
    d_q              <= d;
    q_q              <= q;
    // In cycle 0 the pair is 0 and nothing of u moves up.
    carry_q          <= carry & ~clear_q;
    u_transfer_q     <= u[DigitW-1];
  end

  mf_unit_accumulator #(
    .Width   (StateW),
    .DigitW  (LegalDigitW),
    .Delay   (2),
    .OperandW(OperandW),
    .ModulusW(LegalWidth)
  ) u_accumulator (
    .clk_i    (clk_i),
    .clear_i  (clear_q),
    .b_i      (b_q),
    .d_i      (d_q),
    .load_i   (join_q),
    .v_s_i    ({(StateW - FoldW)'(signed'(upper_q ? h : h_q)), s_low & {FoldW{upper_q}}}),
    .v_c_i    (StateW'(c_low & {FoldW{upper_q}})),
    .modulus_i(n_scaled_q),
    .q_i      (q_q),
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
    .value_i    (a_q[DigitW+:PairW]),
    .increment_o(increment)
  );

  assign p_o = a_q[OperandW-1:0];

  // The accumulator needs bits above the result.
  logic unused_bits;
  assign unused_bits = ^{s_q, c_q, upper_load, upper_shift};

endmodule
