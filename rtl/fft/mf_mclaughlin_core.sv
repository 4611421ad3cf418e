// SPDX-License-Identifier: Apache-2.0
//
// Digit-serial core of McLaughlin's multiplication: m = x y n' mod r and g = (x y + m n) mod h.
//
// Source:   McLaughlin 2004; Dai 2018, Algorithm 2, steps 1 and 2. r = 2^Length - 1, h = 2^Length +
//           1.
// How:      a digit of the multiplier times the multiplicand in each cycle, the highest digit
//           first. Modulo r bits above the top are added at the bottom, modulo h subtracted. A pass
//           multiplies the accumulator of h by 2^Length = -1: -x y becomes x y + m n.
// Range:    0 <= x_i, y_i, n_i, n_prime_i < 2^Length; 0 <= m_o < r, 0 <= g_o < h.
// Latency:  done_o 3 * Digits + 3 cycles after start_i, Digits = Length / Digit. Constant time:
//           yes.
//
// Phase     cycles    multiplier, multiplicand   r_q                  h_q
// Product   Digits    x, y                       x y                  - x y
// Settle    1         -                          below r
// Quotient  Digits    x y mod r, n'              m                    (held)
// Settle    1         -                          below r
// Multiple  Digits    m, n                       (held)               x y + m n
// Settle    1         -                                               below h

module mf_mclaughlin_core #(
  /// Bits of r; a multiple of Digit.
  parameter int unsigned Length = 258,
  /// Bits of a digit; at least 1, at most Length / 2.
  parameter int unsigned Digit  = 6
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  /// Takes the operands; only while the core is idle.
  input  logic              start_i,
  input  logic [Length-1:0] x_i,
  input  logic [Length-1:0] y_i,
  input  logic [Length-1:0] n_i,
  input  logic [Length-1:0] n_prime_i,

  /// m and g are valid, from this cycle to the next start_i.
  output logic              done_o,
  output logic [Length-1:0] m_o,
  output logic [Length:0]   g_o
);

  if (Digit < 1 || Length % Digit != 0 || Length < 2 * Digit) begin : gen_illegal_digit
    $fatal(1, "mf_mclaughlin_core: Length must be a multiple of Digit, and two digits or more");
  end

  localparam int unsigned Digits = Length / Digit;
  localparam int unsigned CountW = $clog2(Digits);

  typedef enum logic [2:0] {
    StIdle, StProduct, StSettleProduct, StQuotient, StSettleQuotient, StMultiple, StSettleMultiple
  } phase_e;

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] count_q;
  logic              in_pass, pass_ends, done_q;

  logic [Length-1:0] multiplier_q, multiplicand_q, n_q, n_prime_q;
  // Up to 2 beyond 2^Length; and from -2 on.
  logic [Length:0]          r_q;
  logic signed [Length+1:0] h_q;

  // ---------------------------------------------------------------- control

  assign in_pass   = phase_q == StProduct || phase_q == StQuotient || phase_q == StMultiple;
  assign pass_ends = count_q == CountW'(Digits - 1);

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:           if (start_i) phase_d = StProduct;
      StProduct:        if (pass_ends) phase_d = StSettleProduct;
      StSettleProduct:  phase_d = StQuotient;
      StQuotient:       if (pass_ends) phase_d = StSettleQuotient;
      StSettleQuotient: phase_d = StMultiple;
      StMultiple:       if (pass_ends) phase_d = StSettleMultiple;
      StSettleMultiple: phase_d = StIdle;
      default:          phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
      count_q <= '0;
      done_q  <= 1'b0;
    end else begin
      phase_q <= phase_d;
      count_q <= (in_pass && !pass_ends) ? count_q + CountW'(1) : '0;
      done_q  <= phase_q == StSettleMultiple;
    end
  end

  // ---------------------------------------------------------------- a digit

  logic [Length+Digit-1:0]  product;
  logic [Length:0]          r_d;
  logic [Length+1:0]        r_sum;
  logic signed [Length+2:0] h_sum, h_product, h_shifted, h_low;
  logic signed [Length+1:0] h_d;
  logic [Length-1:0]        m;

  assign product = (Length + Digit)'(multiplier_q[Length-1-:Digit]) *
                   (Length + Digit)'(multiplicand_q);

  // Modulo r: 2^Length = 1.
  assign r_sum = (Length + 2)'({r_q[Length-Digit-1:0], {Digit{1'b0}}}) +
                 (Length + 2)'(r_q[Length:Length-Digit]) +
                 (Length + 2)'(product[Length-1:0]) +
                 (Length + 2)'(product[Length+Digit-1:Length]);
  assign r_d   = (Length + 1)'(r_sum[Length-1:0]) + (Length + 1)'(r_sum[Length+1:Length]);

  // Modulo h: 2^Length = -1; -x y in the first pass.
  assign h_shifted = $signed({3'b000, h_q[Length-Digit-1:0], {Digit{1'b0}}}) -
                     (Length + 3)'(h_q >>> (Length - Digit));
  assign h_product = $signed({3'b000, product[Length-1:0]}) -
                     $signed((Length + 3)'(product[Length+Digit-1:Length]));
  assign h_sum     = phase_q == StProduct ? h_shifted - h_product : h_shifted + h_product;
  assign h_low     = $signed({3'b000, h_sum[Length-1:0]});
  assign h_d       = (Length + 2)'(h_low - (h_sum >>> Length));

  // Below r: 2^Length is 1, all ones are 0.
  logic [Length:0] r_settled;
  assign r_settled = (Length + 1)'(r_q[Length-1:0]) + (Length + 1)'(r_q[Length]);
  assign m         = (&r_settled[Length-1:0]) ? '0 : r_settled[Length-1:0];

  // h of the last phase.
  localparam logic signed [Length+1:0] H = $signed({2'b01, {(Length - 1){1'b0}}, 1'b1});

  always_ff @(posedge clk_i) begin
    unique case (phase_q)
      StIdle: begin
        multiplier_q   <= x_i;
        multiplicand_q <= y_i;
        n_q            <= n_i;
        n_prime_q      <= n_prime_i;
        if (start_i) begin
          r_q <= '0;
          h_q <= '0;
        end
      end
      StProduct, StQuotient: begin
        multiplier_q <= multiplier_q << Digit;
        r_q          <= r_d;
        if (phase_q == StProduct) h_q <= h_d;
      end
      StSettleProduct: begin
        multiplier_q   <= m;
        multiplicand_q <= n_prime_q;
        r_q            <= '0;
      end
      StSettleQuotient: begin
        multiplier_q   <= m;
        multiplicand_q <= n_q;
        r_q            <= {1'b0, m};
      end
      StMultiple: begin
        multiplier_q <= multiplier_q << Digit;
        h_q          <= h_d;
      end
      StSettleMultiple: begin
        if (h_q < 0) h_q <= h_q + H;
        else if (h_q >= H) h_q <= h_q - H;
      end
      default: ;
    endcase
  end

  assign done_o = done_q;
  assign m_o    = r_q[Length-1:0];
  assign g_o    = h_q[Length:0];

  logic unused_carry;
  assign unused_carry = r_settled[Length];

endmodule
