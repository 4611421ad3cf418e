// SPDX-License-Identifier: Apache-2.0
//
// FFT-based McLaughlin multiplication by a common multiplicand, parallel form.
//
// Source:   Dai 2018, Algorithm 4.
// Computes: p = a * b * r^-1 mod n, r = 2^(Digits DigitW) - 1 (+ 1 with Swapped).
// Takes:    b as b_prime_spectrum_i, b_spectrum_i: transforms of b n' mod r for r and of b for h,
//           n' = -n^-1 mod r; n_spectrum_i: that of n for h.
// Contract: n coprime to r, r > 4n; 0 <= a, b, p < 2n (closed).
// Latency:  that of mf_fmlm_loader.

module mf_fmlm_common_par #(
  /// Bits of the widest modulus; Digits DigitW >= Width + 2.
  parameter int unsigned Width     = 1024,
  /// As in mf_fmlm:
  parameter int unsigned Digits    = 64,
  parameter int unsigned DigitW    = 17,
  parameter int unsigned Bits      = 64,
  parameter int unsigned Segment   = 4,
  parameter int unsigned Levels    = 2,
  /// The form of mf_fmlm: 2.
  parameter int unsigned Form      = 2,
  /// As in mf_fmlm:
  parameter bit          AllAtOnce = 1'b1,
  parameter bit          Relaxed   = 1'b0,
  parameter bit          Single    = 1'b0,
  parameter bit          Swapped   = 1'b0,
  parameter bit          Fast      = 1'b0,
  parameter bit          Fused     = 1'b0,
  parameter bit          Balanced  = 1'b0,

  localparam int unsigned OperandW = Width + 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic                      req_valid_i,
  output logic                      req_ready_o,
  input  logic [OperandW-1:0]       a_i,
  input  logic [Digits-1:0][Bits:0] n_spectrum_i,
  input  logic [Digits-1:0][Bits:0] b_prime_spectrum_i,
  input  logic [Digits-1:0][Bits:0] b_spectrum_i,

  output logic                      rsp_valid_o,
  input  logic                      rsp_ready_i,
  output logic [OperandW-1:0]       p_o
);

  if (Form != 2) begin : gen_illegal_form
    $fatal(1, "mf_fmlm_common_par: Form must be 2");
  end

  mf_fmlm_loader #(
    .Width    (Width),
    .Digits   (Digits),
    .DigitW   (DigitW),
    .Bits     (Bits),
    .Segment  (Segment),
    .Levels   (Levels),
    .Form     (2),
    .AllAtOnce(AllAtOnce),
    .Relaxed  (Relaxed),
    .Single   (Single),
    .Swapped  (Swapped),
    .Fast     (Fast),
    .Fused    (Fused),
    .Balanced (Balanced)
  ) u_loader (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid_i),
    .req_ready_o(req_ready_o),
    .x_i        ('0),
    .y_i        (a_i),
    .constants_i({b_spectrum_i, b_prime_spectrum_i, n_spectrum_i}),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .p_o        (p_o)
  );

endmodule
