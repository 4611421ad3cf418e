// SPDX-License-Identifier: Apache-2.0
//
// Digit-serial Montgomery multiplier on one digit multiply-accumulate unit (CIOS).
//
// Source:   Eberle et al., ASAP 2004 ("Montgomery micro reduction"), reconstructed from Grale,
//           Swartzlander, "Improved Montgomery Multiplication", Table II.
// Computes: p = a * b * R^-1 mod n, R = 2^(K * DigitBits): for each digit of b, t + a * b[i], then
//           q = t[0] * n0' mod 2^DigitBits, then (t + q n) / 2^DigitBits.
// Takes:    n0_prime_i = -n^-1 mod 2^DigitBits.
// Contract: n odd, 3 <= n < 2^Width. Closed form both ways:
//           Lazy = 1: R >= 2^(Width+2), a, b, p < 2n. Lazy = 0: R >= 2^Width, a, b, p < n.
// Latency:  2 K^2 + K cycles (Lazy = 1), one more for the final subtraction (Lazy = 0).
// Constant time: yes. The subtraction is always executed.
//
// Phase     cycles  multiplier     registers
// Idle      -       -              operands are loaded, t_q = 0
// Multiply  K       a[j] b[i]      t and a turn by a digit; last: high_q takes the carry
// Quotient  1       t[0] n0'       q_q
// Reduce    K       n[j] q         n turns; t moves down by a digit in all but the first cycle, by
//                                  two in the last, which adds the carry to high_q
// Subtract  1       -              t - n if that is not negative (Lazy = 0)
// Done      -       -              the result in t_q

module mf_eberle #(
  /// Bits of the widest modulus; at least 3.
  parameter int unsigned Width = 256,
  /// Digits; 2 to 128.
  parameter int unsigned K     = 4,
  /// Operands and results below 2n, without a subtraction.
  parameter bit          Lazy  = 1'b1,

  localparam int unsigned Needed    = (Width + (Lazy ? 2 : 0) + K - 1) / K,
  localparam int unsigned DigitBits = Needed < 2 ? 2 : Needed,
  localparam int unsigned OperandW  = Lazy ? Width + 1 : Width
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 req_valid_i,
  output logic                 req_ready_o,
  input  logic [OperandW-1:0]  a_i,
  input  logic [OperandW-1:0]  b_i,
  input  logic [Width-1:0]     n_i,
  input  logic [DigitBits-1:0] n0_prime_i,

  output logic                 rsp_valid_o,
  input  logic                 rsp_ready_i,
  output logic [OperandW-1:0]  p_o
);

  if (Width < 3) begin : gen_illegal_width
    $fatal(1, "mf_eberle: Width must be at least 3");
  end
  if (K < 2 || K > 128) begin : gen_illegal_k
    $fatal(1, "mf_eberle: K must be 2 to 128");
  end

  localparam int unsigned RBits  = K * DigitBits;
  localparam int unsigned CountW = $clog2(K);

  typedef enum logic [2:0] {
    StIdle, StMultiply, StQuotient, StReduce, StSubtract, StDone
  } phase_e;

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] digit_q, row_q;
  logic              first_digit, last_digit, last_row, in_pass;

  logic [RBits-1:0]     a_q, b_q, n_q, t_q;
  logic                 t_top_q;  // t < 2n may have a bit more
  logic [DigitBits-1:0] n0_prime_q, quotient_q, carry_q;
  logic [DigitBits:0]   high_q, high;
  logic [RBits+1:0]     difference;

  assign first_digit = digit_q == '0;
  assign last_digit  = digit_q == CountW'(K - 1);
  assign last_row    = row_q == CountW'(K - 1);
  assign in_pass     = phase_q == StMultiply || phase_q == StReduce;

  // ---------------------------------------------------------------- multiply-accumulate

  logic [DigitBits-1:0]   x, y, addend, low;
  logic [2*DigitBits-1:0] value;

  always_comb begin
    x      = a_q[DigitBits-1:0];
    y      = b_q[DigitBits-1:0];
    addend = t_q[DigitBits-1:0];
    unique case (phase_q)
      StQuotient: begin
        x      = t_q[DigitBits-1:0];
        y      = n0_prime_q;
        addend = '0;
      end
      StReduce: begin
        x = n_q[DigitBits-1:0];
        y = quotient_q;
        // The digit that becomes 0 stays until the second one is done.
        if (!first_digit) addend = t_q[2*DigitBits-1:DigitBits];
      end
      default: ;
    endcase
  end

  assign value = x * y + (2 * DigitBits)'(addend) + (2 * DigitBits)'(carry_q);
  assign low   = value[DigitBits-1:0];
  assign high  = (phase_q == StReduce ? high_q : (DigitBits + 1)'(t_top_q)) +
                 {1'b0, value[2*DigitBits-1:DigitBits]};

  assign difference = {1'b0, t_top_q, t_q} - {2'b00, n_q};

  // ---------------------------------------------------------------- control

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:     if (req_valid_i) phase_d = StMultiply;
      StMultiply: if (last_digit) phase_d = StQuotient;
      StQuotient: phase_d = StReduce;
      StReduce: begin
        if (last_digit) phase_d = !last_row ? StMultiply : Lazy ? StDone : StSubtract;
      end
      StSubtract: phase_d = StDone;
      StDone:     if (rsp_ready_i) phase_d = StIdle;
      default:    phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
      digit_q <= '0;
      row_q   <= '0;
    end else begin
      phase_q <= phase_d;
      digit_q <= (in_pass && !last_digit) ? digit_q + CountW'(1) : '0;
      if (phase_q == StIdle) begin
        row_q <= '0;
      end else if (phase_q == StReduce && last_digit) begin
        row_q <= last_row ? '0 : row_q + CountW'(1);
      end
    end
  end

  // ---------------------------------------------------------------- registers

  logic [RBits-1:0] a, b, n;
  always_comb begin
    a               = '0;
    b               = '0;
    n               = '0;
    a[OperandW-1:0] = a_i;
    b[OperandW-1:0] = b_i;
    n[Width-1:0]    = n_i;
  end

  // The datapath needs no reset: it is loaded before it is read.
  always_ff @(posedge clk_i) begin
    carry_q <= (in_pass && !last_digit) ? value[2*DigitBits-1:DigitBits] : '0;
    unique case (phase_q)
      StIdle: begin
        a_q        <= a;
        b_q        <= b;
        n_q        <= n;
        n0_prime_q <= n0_prime_i;
        t_q        <= '0;
        t_top_q    <= 1'b0;
      end
      StMultiply: begin
        a_q <= {a_q[DigitBits-1:0], a_q[RBits-1:DigitBits]};
        t_q <= {low, t_q[RBits-1:DigitBits]};
        if (last_digit) begin
          b_q    <= b_q >> DigitBits;
          high_q <= high;
        end
      end
      StQuotient: quotient_q <= low;
      StReduce: begin
        n_q <= {n_q[DigitBits-1:0], n_q[RBits-1:DigitBits]};
        if (last_digit) begin
          t_q     <= RBits'({high[DigitBits-1:0], low, t_q} >> (2 * DigitBits));
          t_top_q <= high[DigitBits];
        end else if (!first_digit) begin
          t_q <= {low, t_q[RBits-1:DigitBits]};
        end
      end
      StSubtract: if (!difference[RBits+1]) t_q <= difference[RBits-1:0];
      default: ;
    endcase
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = t_q[OperandW-1:0];

  // A difference that is kept is below n.
  logic unused_difference;
  assign unused_difference = difference[RBits];

endmodule
