// SPDX-License-Identifier: Apache-2.0
//
// Carry-save Montgomery multiplier of radix 2^DigitW for a scaled (unit) modulus: a quotient digit
// is the lowest digit of the accumulator itself, and is used Delay - 1 cycles after it was found.
//
// Source:   the quotient without a product and its delay are Orup's (ARITH-12, 1995); operands
//           that grow by the scale, so that no correction follows, Booth digits on both sides, the
//           ones in free carry places and the conversion by groups are ours.
// Computes: p = a * b * R^-1 mod n, R = 2^(w K); w = DigitW, L = w Delay, K = ceil((Width+L) / w).
// Takes:    n-bar = (n n' + 1) / 2^L in place of n; n' = -n^-1 mod 2^L in [-2^(L-1), 2^(L-1)), so
//           that |n-bar| <= n / 2; two's complement.
// Contract: n odd, 3 <= n < 2^Width; two's complement, |a|, |b|, |p| < 2^(L-1) n (closed).
// Latency:  K + Delay + 4 cycles for all operands. Interval: 2 more.
// Constant time: yes.
//
// Y(0) = 0; u(t) = Y(t) mod 2^w; q(t) = u(t) + r(t-1) - 2^w r(t), r(t) the top bit of u(t);
// Y(t+1) = floor(Y(t) / 2^w) + d(t) b + q(t-Delay+1) n-bar, d(t) the K signed digits of a, q(t) = 0
// beyond t = K. After T = K + Delay steps p is Y(T) above the Delay - 1 digits u(K+1) to u(T-1), the
// lowest of which takes r(K). |Y| < 2^(StateW-2).
//
// Cycle c is the one that follows edge c; the request is accepted at edge 0.
// Phase    cycles    select registers  P          s_q, c_q, carry_q  a_q
// Idle     -         d(0) at its end   not used   not used           a without its lowest digit
// Loop     0 .. T    d(c), q(c-2)      d(c-1) b   Y(c-1)             digits left below, u on top
// Convert  3         0                 0          Y(T) in the first  p, without and with carries
// Done     until taken                            not used           p

module mf_unit_csa #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width  = 256,
  /// Bits of a digit; 2 to 24.
  parameter int unsigned DigitW = 8,
  /// Cycles from a digit of the accumulator to what it adds; 2 or 3.
  parameter int unsigned Delay  = 2,
  /// Bits of a group of the conversion to binary; 4 to 64.
  parameter int unsigned GroupW = 8,

  localparam int unsigned OperandW = Width + DigitW * Delay
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  /// n-bar, two's complement.
  input  logic [Width-1:0]    n_scaled_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_unit_csa: Width must be 3 to 8192");
  end
  if (DigitW < 2 || DigitW > 24) begin : gen_illegal_digit
    $fatal(1, "mf_unit_csa: DigitW must be 2 to 24");
  end
  if (Delay != 2 && Delay != 3) begin : gen_illegal_delay
    $fatal(1, "mf_unit_csa: Delay must be 2 or 3");
  end
  if (GroupW < 4 || GroupW > 64) begin : gen_illegal_group
    $fatal(1, "mf_unit_csa: GroupW must be 4 to 64");
  end

  localparam int unsigned Terms         = (DigitW + 1) / 2;
  localparam int unsigned Digits        = (OperandW + DigitW - 1) / DigitW;  // K
  localparam int unsigned Steps         = Digits + Delay;                    // T
  localparam int unsigned StateW        = OperandW + DigitW + 1;
  localparam int unsigned SumW          = Digits * DigitW;
  localparam int unsigned KeptW         = (Delay - 1) * DigitW;  // of the digits below Y(T)
  localparam int unsigned ConvertCycles = 3;
  localparam int unsigned CountW        = $clog2(Steps + 1);

  typedef enum logic [1:0] {StIdle, StLoop, StConvert, StDone} phase_e;

  // ---------------------------------------------------------------- control

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] left_d, left_q;  // cycles of the phase after the present one

  always_comb begin
    phase_d = phase_q;
    left_d  = left_q - CountW'(1);
    unique case (phase_q)
      StIdle: begin
        left_d = CountW'(Steps);
        if (req_valid_i) phase_d = StLoop;
      end
      StLoop: begin
        if (left_q == '0) begin
          phase_d = StConvert;
          left_d  = CountW'(ConvertCycles - 1);
        end
      end
      StConvert: if (left_q == '0) phase_d = StDone;
      StDone:    if (rsp_ready_i) phase_d = StIdle;
      default:   phase_d = StIdle;
    endcase
  end

  // What the datapath does in this cycle. Cycle c of the loop has left_q = Steps - c.
  logic idle_q;      // a request may be accepted
  logic clear_q;     // idle, and cycle 0: Y(0) = 0, no quotient digits
  logic shift_q;     // loop: a moves by a digit
  logic d_valid_q;   // the lowest digit of a is one of its K
  logic q_valid_q;   // u is one of the digits up to u(K)
  logic transfer_q;  // cycle K + 2, of u(K+1)
  logic start_q;     // first cycle of the conversion

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
    end else begin
      phase_q    <= phase_d;
      left_q     <= left_d;
      idle_q     <= phase_d == StIdle;
      clear_q    <= phase_q == StIdle || phase_d == StIdle;
      shift_q    <= phase_d == StLoop;
      d_valid_q  <= phase_d == StIdle || (phase_d == StLoop && left_d > CountW'(Delay + 1));
      q_valid_q  <= continues && left_d > CountW'(Delay - 2);
      transfer_q <= continues && left_d == CountW'(Delay - 2);
      start_q    <= phase_q == StLoop && phase_d == StConvert;
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;

  // ---------------------------------------------------------------- operands

  logic [SumW-1:0]          a_q, a_load, a_shift, a_sum, a_increment;
  logic [OperandW-1:0]      b_q;
  logic [Width-1:0]         n_scaled_q;
  logic [DigitW-1:0]        u;
  logic [SumW-KeptW-1:0]    sum, increment;

  assign a_load      = SumW'((SumW + DigitW)'(signed'(a_i)) >>> DigitW);
  assign a_shift     = {u, a_q[SumW-1:DigitW]};
  assign a_sum       = {sum, a_q[SumW-1-:KeptW]};
  assign a_increment = {increment, a_q[KeptW-1:0]};

  // The datapath needs no reset: it is loaded before it is read.
  always_ff @(posedge clk_i) begin
    a_q <= (a_load & {SumW{idle_q}}) | (a_shift & {SumW{shift_q}}) | (a_sum & {SumW{start_q}}) |
           (a_increment & {SumW{~(idle_q | shift_q | start_q)}});
    if (idle_q) begin
      b_q        <= b_i;
      n_scaled_q <= n_scaled_i;
    end
  end

  // ---------------------------------------------------------------- digits of a

  // The digit of the next cycle; the first one comes from the port.
  logic [DigitW-1:0] digit;
  logic              digit_transfer_q;
  logic [Terms-1:0]  d_once, d_twice, d_negative, d_once_q, d_twice_q, d_negative_q;

  assign digit = idle_q ? a_i[DigitW-1:0] : a_q[DigitW-1:0];

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
  logic              carry, carry_q, u_transfer_q;
  logic [Terms-1:0]  q_once, q_twice, q_negative, q_once_q, q_twice_q, q_negative_q;

  // c_q[0] is 0 in the cycle of transfer_q.
  assign {carry, u} = {1'b0, s_q[DigitW-1:0]} + (DigitW + 1)'(carry_q) +
                      {1'b0, c_q[DigitW-1:1], c_q[0] | (u_transfer_q & transfer_q)};

  mf_booth_recoder #(.DigitW(DigitW)) u_quotient (
    .digit_i   (u),
    .transfer_i(u_transfer_q),
    .once_o    (q_once),
    .twice_o   (q_twice),
    .negative_o(q_negative)
  );

  always_ff @(posedge clk_i) begin
    carry_q      <= carry & ~clear_q;
    u_transfer_q <= u[DigitW-1] & ~clear_q;
    q_once_q     <= q_once & {Terms{q_valid_q}};
    q_twice_q    <= q_twice & {Terms{q_valid_q}};
    q_negative_q <= q_negative & {Terms{q_valid_q}};
  end

  // ---------------------------------------------------------------- accumulator

  mf_unit_accumulator #(
    .Width   (StateW),
    .DigitW  (DigitW),
    .Delay   (Delay),
    .OperandW(OperandW),
    .ModulusW(Width)
  ) u_accumulator (
    .clk_i       (clk_i),
    .clear_i     (clear_q),
    .b_i         (b_q),
    .d_once_i    (d_once_q),
    .d_twice_i   (d_twice_q),
    .d_negative_i(d_negative_q),
    .n_scaled_i  (n_scaled_q),
    .q_once_i    (q_once_q),
    .q_twice_i   (q_twice_q),
    .q_negative_i(q_negative_q),
    .s_o         (s_q),
    .c_o         (c_q)
  );

  // ---------------------------------------------------------------- result

  mf_group_converter #(.Width(SumW - KeptW), .GroupW(GroupW)) u_convert (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .start_i    (start_q),
    .s_i        (s_q[SumW-KeptW-1:0]),
    .c_i        (c_q[SumW-KeptW-1:0]),
    .carry_i    (carry_q),
    .sum_o      (sum),
    .value_i    (a_q[SumW-1:KeptW]),
    .increment_o(increment)
  );

  assign p_o = a_q[OperandW-1:0];

  // The accumulator needs bits above the result.
  logic unused_pair;
  assign unused_pair = ^{s_q, c_q};

endmodule
