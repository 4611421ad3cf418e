// SPDX-License-Identifier: Apache-2.0
//
// McLaughlin's Montgomery multiplication with its conditional selections (MLM).
//
// Source:   McLaughlin 2004; Dai 2018, Algorithm 2. For comparison with MLWS, which has no
//           conditional steps.
// Computes: p = a * b * r^-1 mod n, r = 2^Length - 1, h = 2^Length + 1.
// Takes:    n_prime_i = -n^-1 mod r.
// Contract: n coprime to r, 2 <= n < 2^Width, Length >= Width; 0 <= a, b, p < n (closed).
// Latency:  3 * Length / Digit + 7 cycles, and one for each conditional addition or subtraction
//           that is made: f + h, w + h, t - n. Constant time: no; the paper shows this leak.
//
// Phase     cycles            t_q after it
// Run       core              -
// Negate    1                 f = -g mod h
// AddF      0 or 1            f + h, if f is odd
// Halve     1                 w
// AddW      0 or 1            w + h, if its parity is not that of a b + m n
// Compare   1                 -
// Subtract  0 or 1            t - n, if t >= n

module mf_mlm #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of a digit; 1 to 64.
  parameter int unsigned Digit = 8,

  // Where parameters are illegal, sizes are small, so that elaboration gets to the message.
  localparam int unsigned LegalWidth = Width < 3 || Width > 8192 ? 3 : Width,
  localparam int unsigned LegalDigit = Digit < 1 || Digit > 64 ? 1 : Digit,

  // Bits of r: as many digits as r > n takes, at least two.
  localparam int unsigned Fewest     = (LegalWidth + LegalDigit - 1) / LegalDigit,
  localparam int unsigned Length     = LegalDigit * (Fewest < 2 ? 2 : Fewest)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              req_valid_i,
  output logic              req_ready_o,
  input  logic [Width-1:0]  a_i,
  input  logic [Width-1:0]  b_i,
  input  logic [Width-1:0]  n_i,
  input  logic [Length-1:0] n_prime_i,

  output logic              rsp_valid_o,
  input  logic              rsp_ready_i,
  output logic [Width-1:0]  p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_mlm: Width must be 3 to 8192");
  end
  if (Digit < 1 || Digit > 64) begin : gen_illegal_digit
    $fatal(1, "mf_mlm: Digit must be 1 to 64");
  end

  localparam logic [Length+1:0] H = {2'b01, {(Length - 1){1'b0}}, 1'b1};

  typedef enum logic [3:0] {
    StIdle, StRun, StNegate, StAddF, StHalve, StAddW, StCompare, StSubtract, StDone
  } phase_e;

  phase_e            phase_d, phase_q;
  logic              done, parity_q, parity;
  logic [Length-1:0] m;
  logic [Length:0]   g;
  logic [Width-1:0]  n_q;
  logic [Length+1:0] t_q, negated, difference;

  mf_mclaughlin_core #(.Length(Length), .Digit(LegalDigit)) u_core (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .start_i  (req_valid_i && req_ready_o),
    .x_i      (Length'(a_i)),
    .y_i      (Length'(b_i)),
    .n_i      (Length'(n_i)),
    .n_prime_i(n_prime_i),
    .done_o   (done),
    .m_o      (m),
    .g_o      (g)
  );

  assign negated    = g == '0 ? '0 : H - {1'b0, g};
  assign difference = t_q - (Length + 2)'(n_q);
  assign parity     = parity_q ^ (m[0] & n_q[0]);  // of a b + m n

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:     if (req_valid_i) phase_d = StRun;
      StRun:      if (done) phase_d = StNegate;
      StNegate:   phase_d = negated[0] ? StAddF : StHalve;
      StAddF:     phase_d = StHalve;
      StHalve:    phase_d = t_q[1] != parity ? StAddW : StCompare;
      StAddW:     phase_d = StCompare;
      StCompare:  phase_d = difference[Length+1] ? StDone : StSubtract;
      StSubtract: phase_d = StDone;
      StDone:     if (rsp_ready_i) phase_d = StIdle;
      default:    phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) phase_q <= StIdle;
    else phase_q <= phase_d;
  end

  always_ff @(posedge clk_i) begin
    unique case (phase_q)
      StIdle: begin
        n_q      <= n_i;
        parity_q <= a_i[0] & b_i[0];
      end
      StNegate:     t_q <= negated;
      StAddF:       t_q <= t_q + H;
      StHalve:      t_q <= t_q >> 1;
      StAddW:       t_q <= t_q + H;
      StSubtract:   t_q <= difference;
      default: ;
    endcase
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = t_q[Width-1:0];

  // The result is below n; of m the parity alone is used.
  logic unused_high;
  assign unused_high = ^{t_q >> Width, m >> 1};

endmodule
