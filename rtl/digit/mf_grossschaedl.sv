// SPDX-License-Identifier: Apache-2.0
//
// Radix-2 carry-save Montgomery multiplier with a digit adder for the conversion.
//
// Source:   Grossschaedl, Savas, Yumbul, ReConFig 2009, reconstructed from Grale, Swartzlander,
//           "Improved Montgomery Multiplication", Sections II and V, whose "final digit multiplier"
//           is the digit adder.
// Computes: p = a * b * R^-1 mod n, a bit of a in each cycle: S + C + a_i B + q n, halved, q being
//           the quotient bit that makes the sum even; two rows of full adders, no carry chain. Then
//           Digit bits of S + C are added in each cycle.
// Contract: n odd, 3 <= n < 2^Width.
//           Lazy = 1: R = 2^(Width+2), a, b, p < 2n (closed), no subtraction.
//           Lazy = 0: R = 2^Width, a, b, p < n (closed); n is subtracted digit by digit beside the
//           addition, and the last borrow selects.
// Latency:  Width + ceil((Width + 1) / Digit) cycles (Lazy = 0), two more (Lazy = 1).
// Constant time: yes.
//
// Phase    cycles      s_q, c_q                        b_q                   n_q
// Idle     -           last result; cleared            operand               modulus
// Loop     iterations  carry-save pair, below 2n (3n)  b                     n
// Convert  digits      digits of the sum enter s_q     digits of sum - n     moves down
// Done     -           p, or p + n                     p if not negative     -

module mf_grossschaedl #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of the digit adder; 1 to 1024.
  parameter int unsigned Digit = 32,
  /// Operands and results below 2n, without a subtraction.
  parameter bit          Lazy  = 1'b1,

  localparam int unsigned OperandW = Lazy ? Width + 1 : Width
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [Width-1:0]    n_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_grossschaedl: Width must be 3 to 8192");
  end else if (Digit < 1 || Digit > 1024) begin : gen_illegal_digit
    $fatal(1, "mf_grossschaedl: Digit must be 1 to 1024");
  end

  localparam int unsigned Iterations = Lazy ? Width + 2 : Width;
  // Digits of Width + 1 bits.
  localparam int unsigned Digits     = (Width + Digit) / (Digit == 0 ? 1 : Digit);
  localparam int unsigned DigitsW    = Digits * Digit;
  // S + C < 2n, or < 3n while lazy; the result fits the digits.
  localparam int unsigned PairW      = Lazy ? Width + 2 : Width + 1;
  localparam int unsigned StateW     = PairW > DigitsW ? PairW : DigitsW;
  localparam int unsigned Longest    = Iterations > Digits ? Iterations : Digits;
  localparam int unsigned CountW     = $clog2(Longest);

  typedef enum logic [1:0] {StIdle, StLoop, StConvert, StDone} phase_e;

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] count_q;
  logic              loop_ends, conversion_ends;

  logic [OperandW-1:0] a_q;
  logic [StateW-1:0]   b_q, n_q, s_q, c_q;
  logic                carry_q, borrow_q;

  // ---------------------------------------------------------------- loop

  logic [StateW+1:0] a_times_b, q_times_n, sum1, carry1, sum2, carry2;
  logic              quotient_bit;

  assign quotient_bit = s_q[0] ^ c_q[0] ^ (a_q[0] & b_q[0]);
  assign a_times_b    = {2'b00, b_q & {StateW{a_q[0]}}};
  assign q_times_n    = {2'b00, n_q & {StateW{quotient_bit}}};

  mf_full_adder_row #(.Width(StateW + 2)) u_add_operand (
    .s_i    ({2'b00, s_q}),
    .c_i    ({2'b00, c_q}),
    .x_i    (a_times_b),
    .sum_o  (sum1),
    .carry_o(carry1)
  );
  mf_full_adder_row #(.Width(StateW + 2)) u_add_modulus (
    .s_i    (sum1),
    .c_i    (carry1),
    .x_i    (q_times_n),
    .sum_o  (sum2),
    .carry_o(carry2)
  );

  // ---------------------------------------------------------------- conversion

  logic [Digit:0] sum_digit, difference_digit;
  assign sum_digit        = {1'b0, s_q[Digit-1:0]} + {1'b0, c_q[Digit-1:0]} +
                            (Digit + 1)'(carry_q);
  assign difference_digit = {1'b0, sum_digit[Digit-1:0]} - {1'b0, n_q[Digit-1:0]} -
                            (Digit + 1)'(borrow_q);

  // One digit down; a digit may be as wide as the state.
  function automatic logic [StateW-1:0] down(logic [StateW-1:0] state);
    return StateW'({Digit'(0), state} >> Digit);
  endfunction

  logic [StateW-1:0] sum_on_top, difference_on_top;
  assign sum_on_top        = StateW'(sum_digit[Digit-1:0]) << (DigitsW - Digit);
  assign difference_on_top = StateW'(difference_digit[Digit-1:0]) << (DigitsW - Digit);

  // ---------------------------------------------------------------- control

  assign loop_ends       = count_q == CountW'(Iterations - 1);
  assign conversion_ends = count_q == CountW'(Digits - 1);

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:    if (req_valid_i) phase_d = StLoop;
      StLoop:    if (loop_ends) phase_d = StConvert;
      StConvert: if (conversion_ends) phase_d = StDone;
      StDone:    if (rsp_ready_i) phase_d = StIdle;
      default:   phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
      count_q <= '0;
    end else begin
      phase_q <= phase_d;
      count_q <= (phase_d == phase_q) ? count_q + CountW'(1) : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (phase_q)
      StIdle: begin
        a_q      <= a_i;
        b_q      <= StateW'(b_i);
        n_q      <= StateW'(n_i);
        s_q      <= '0;
        c_q      <= '0;
        carry_q  <= 1'b0;
        borrow_q <= 1'b0;
      end
      StLoop: begin
        a_q <= a_q >> 1;
        s_q <= sum2[StateW:1];
        c_q <= carry2[StateW:1];
      end
      StConvert: begin
        s_q      <= down(s_q) | sum_on_top;
        c_q      <= down(c_q);
        b_q      <= down(b_q) | difference_on_top;
        n_q      <= down(n_q);
        carry_q  <= sum_digit[Digit];
        borrow_q <= difference_digit[Digit];
      end
      default: ;
    endcase
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = (Lazy || borrow_q) ? s_q[OperandW-1:0] : b_q[OperandW-1:0];

  // The halved sum is even, and below the top bit.
  logic unused_sum_bits;
  assign unused_sum_bits = ^{sum2[StateW+1], sum2[0], carry2[StateW+1], carry2[0]};

endmodule
