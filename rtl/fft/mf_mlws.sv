// SPDX-License-Identifier: Apache-2.0
//
// McLaughlin's Montgomery multiplication without conditional selections (MLWS).
//
// Source:   Dai 2018, Algorithm 3, its last steps as eq. 33: (1 - g) mod 2^Length is 2t, for t = 0
//           it is 1. The paper's h - g would be wrong for x y = 0.
// Computes: p = a * b * r^-1 mod n, r = 2^Length - 1.
// Takes:    n_prime_i = -n^-1 mod r.
// Contract: n coprime to r, 2 <= n < 2^Width, r > 4n; 0 <= a, b, p < 2n (closed). n may be even.
// Latency:  3 * Length / Digit + 4 cycles. Constant time: yes.

module mf_mlws #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of a digit; 1 to 64.
  parameter int unsigned Digit = 8,

  // Where parameters are illegal, sizes are small, so that elaboration gets to the message.
  localparam int unsigned LegalWidth = Width < 3 || Width > 8192 ? 3 : Width,
  localparam int unsigned LegalDigit = Digit < 1 || Digit > 64 ? 1 : Digit,

  // Bits of r: as many digits as r > 4n takes, at least two.
  localparam int unsigned Fewest     = (LegalWidth + 2 + LegalDigit - 1) / LegalDigit,
  localparam int unsigned Length     = LegalDigit * (Fewest < 2 ? 2 : Fewest),

  localparam int unsigned OperandW = LegalWidth + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [Width-1:0]    n_i,
  input  logic [Length-1:0]   n_prime_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_mlws: Width must be 3 to 8192");
  end
  if (Digit < 1 || Digit > 64) begin : gen_illegal_digit
    $fatal(1, "mf_mlws: Digit must be 1 to 64");
  end

  typedef enum logic [1:0] {StIdle, StRun, StDone} phase_e;

  phase_e              phase_q;
  logic                done;
  logic [Length-1:0]   unused_m, doubled;
  logic [Length:0]     g;
  logic [OperandW-1:0] p_q;

  mf_mclaughlin_core #(.Length(Length), .Digit(LegalDigit)) u_core (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .start_i  (req_valid_i && req_ready_o),
    .x_i      (Length'(a_i)),
    .y_i      (Length'(b_i)),
    .n_i      (Length'(n_i)),
    .n_prime_i(n_prime_i),
    .done_o   (done),
    .m_o      (unused_m),
    .g_o      (g)
  );

  assign doubled = Length'(1) - g[Length-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
    end else begin
      unique case (phase_q)
        StIdle:  if (req_valid_i) phase_q <= StRun;
        StRun:   if (done) phase_q <= StDone;
        StDone:  if (rsp_ready_i) phase_q <= StIdle;
        default: phase_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (done) p_q <= doubled[OperandW:1];
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = p_q;

  // g is below 2^Length, the result below 2n; the lowest bit is set for t = 0.
  logic unused_bits;
  assign unused_bits = ^{g[Length], doubled[0], 1'b0, doubled >> (OperandW + 1)};

endmodule
