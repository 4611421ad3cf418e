// SPDX-License-Identifier: Apache-2.0
//
// Digit-serial Montgomery multiplier on one digit multiply-accumulate unit (CIOS). Operands and
// result are read by digits; mf_eberle_par has parallel ports.
//
// Source:   Eberle et al., ASAP 2004 ("Montgomery micro reduction"), reconstructed from Grale,
//           Swartzlander, "Improved Montgomery Multiplication", Table II.
// Computes: p = a * b * R^-1 mod n, R = 2^(K * DigitBits): for each digit of b, t + a * b[i], then
//           q = t[0] * n0' mod 2^DigitBits, then (t + q n) / 2^DigitBits.
// Takes:    n0_prime_i = -n^-1 mod 2^DigitBits.
// Contract: n odd, 3 <= n < 2^Width, p < 2n.
//           Lazy = 1: R >= 2^(Width+2), a, b < 2n: closed. Lazy = 0: R >= 2^Width, a, b < n.
// Latency:  2 K^2 + K cycles. Constant time: yes.
// Operands: in each cycle with a_taken_o, a_digit_i is the next digit of a, the lowest first, and
//           after the last digit the first again; so are n_taken_o and n_digit_i for n. b_digit_i
//           is valid during a whole row, in whose last cycle b_taken_o is high. The sources are
//           memories, not channels: digits can't be late. n0_prime_i is valid from the first row to
//           the last.
// Result:   from p_valid_o until the next request is accepted. p_o is K digits and the bit above
//           them; a reader by digits takes the lowest one, and p_next_i turns p_o to the next.
//
// Phase     cycles  multiplier     registers
// Idle      -       -              t_q has the result; request: t_q = 0
// Multiply  K       a[j] b[i]      t turns by a digit; last: high_q takes the carry
// Quotient  1       t[0] n0'       q_q
// Reduce    K       n[j] q         t moves down by a digit in all but the first cycle, by two in
//                                  the last, which adds the carry to high_q

module mf_eberle #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,
  /// Digits; 2 to 128.
  parameter int unsigned K     = 4,
  /// Operands and results below 2n, R >= 4n.
  parameter bit          Lazy  = 1'b1,

  localparam int unsigned Needed    = (Width + (Lazy ? 2 : 0) + K - 1) / (K == 0 ? 1 : K),
  localparam int unsigned DigitBits = Needed < 2 ? 2 : Needed,
  localparam int unsigned RBits     = K * DigitBits
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 req_valid_i,
  output logic                 req_ready_o,

  output logic                 a_taken_o,
  input  logic [DigitBits-1:0] a_digit_i,
  output logic                 b_taken_o,
  input  logic [DigitBits-1:0] b_digit_i,
  output logic                 n_taken_o,
  input  logic [DigitBits-1:0] n_digit_i,
  input  logic [DigitBits-1:0] n0_prime_i,

  output logic                 p_valid_o,
  input  logic                 p_next_i,
  output logic [RBits:0]       p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_eberle: Width must be 3 to 8192");
  end else if (K < 2 || K > 128) begin : gen_illegal_k
    $fatal(1, "mf_eberle: K must be 2 to 128");
  end

  localparam int unsigned CountW = $clog2(K);

  typedef enum logic [1:0] {StIdle, StMultiply, StQuotient, StReduce} phase_e;

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] digit_q, row_q;
  logic              first_digit, last_digit, last_row, in_pass, valid_q;

  logic [RBits-1:0]     t_q;
  logic                 t_top_q;  // t < 2n may have a bit more
  logic [DigitBits-1:0] quotient_q, carry_q;
  logic [DigitBits:0]   high_q, high;

  assign first_digit = digit_q == '0;
  assign last_digit  = digit_q == CountW'(K - 1);
  assign last_row    = row_q == CountW'(K - 1);
  assign in_pass     = phase_q == StMultiply || phase_q == StReduce;

  // ---------------------------------------------------------------- multiply-accumulate

  logic [DigitBits-1:0]   x, y, addend, low;
  logic [2*DigitBits-1:0] value;

  always_comb begin
    x      = a_digit_i;
    y      = b_digit_i;
    addend = t_q[DigitBits-1:0];
    unique case (phase_q)
      StQuotient: begin
        x      = t_q[DigitBits-1:0];
        y      = n0_prime_i;
        addend = '0;
      end
      StReduce: begin
        x = n_digit_i;
        y = quotient_q;
        // The digit that becomes 0 stays until the second digit is done.
        if (!first_digit) addend = t_q[2*DigitBits-1:DigitBits];
      end
      default: ;
    endcase
  end

  assign value = x * y + (2 * DigitBits)'(addend) + (2 * DigitBits)'(carry_q);
  assign low   = value[DigitBits-1:0];
  assign high  = (phase_q == StReduce ? high_q : (DigitBits + 1)'(t_top_q)) +
                 {1'b0, value[2*DigitBits-1:DigitBits]};

  // ---------------------------------------------------------------- control

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:     if (req_valid_i) phase_d = StMultiply;
      StMultiply: if (last_digit) phase_d = StQuotient;
      StQuotient: phase_d = StReduce;
      StReduce:   if (last_digit) phase_d = last_row ? StIdle : StMultiply;
      default:    phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
      digit_q <= '0;
      row_q   <= '0;
      valid_q <= 1'b0;
    end else begin
      phase_q <= phase_d;
      digit_q <= (in_pass && !last_digit) ? digit_q + CountW'(1) : '0;
      if (phase_q == StReduce) valid_q <= last_digit && last_row;
      else if (req_valid_i) valid_q <= 1'b0;
      if (phase_q == StReduce && last_digit) row_q <= last_row ? '0 : row_q + CountW'(1);
    end
  end

  // ---------------------------------------------------------------- registers

  always_ff @(posedge clk_i) begin
    carry_q <= (in_pass && !last_digit) ? value[2*DigitBits-1:DigitBits] : '0;
    unique case (phase_q)
      StIdle: begin
        if (req_valid_i) begin
          t_q     <= '0;
          t_top_q <= 1'b0;
        end else if (p_next_i) begin
          t_q <= {t_q[DigitBits-1:0], t_q[RBits-1:DigitBits]};
        end
      end
      StMultiply: begin
        t_q <= {low, t_q[RBits-1:DigitBits]};
        if (last_digit) high_q <= high;
      end
      StQuotient: quotient_q <= low;
      StReduce: begin
        if (last_digit) begin
          t_q     <= RBits'({high[DigitBits-1:0], low, t_q} >> (2 * DigitBits));
          t_top_q <= high[DigitBits];
        end else if (!first_digit) begin
          t_q <= {low, t_q[RBits-1:DigitBits]};
        end
      end
      default: ;
    endcase
  end

  assign req_ready_o = phase_q == StIdle;
  assign a_taken_o   = phase_q == StMultiply;
  assign b_taken_o   = phase_q == StMultiply && last_digit;
  assign n_taken_o   = phase_q == StReduce;
  assign p_valid_o   = valid_q;
  assign p_o         = {t_top_q, t_q};

endmodule
