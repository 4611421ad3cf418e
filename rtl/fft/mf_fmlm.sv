// SPDX-License-Identifier: Apache-2.0
//
// FFT-based McLaughlin multiplier (FMLM), native form: digits and constants in, segments out.
//
// Source:   Dai 2018, Algorithm 4, Section 6; Table 6. One processing element.
// Computes: t = x y r^-1 mod n by number-theoretic transforms modulo q = 2^Bits + 1:
//           m = x y n' mod r, then t = (x y + m n) / r from its residue modulo h, as
//           r = 2^l - 1, h = 2^l + 1, l = Digits DigitW (r and h exchanged with Swapped).
// Form:     0 general: x and y; 1 squaring: y alone; 2 common multiplicand: x by its constants.
// Takes:    constants of s ring words each: the transforms of n' for r and of n for h; in form 2
//           those of n for h, of x n' mod r for r and of x for h, in this order.
// Contract: n coprime to r, odd or even, 2 <= n, r > 4n; 0 <= x, y < 2n; 0 <= t < 2n. Digits and
//           constants don't change during a multiplication. Operand digits are written before
//           start_i; constants may be written while the first transform runs.
// Latency:  montforge.programs.fft.schedule; operands and modulus don't change it. Constant time:
//           yes.

module mf_fmlm #(
  /// Digits s; a power of two, 16 to 512.
  parameter int unsigned Digits    = 64,
  /// Bits u of a digit; u + v + 3 < 2u, Digits = 2^v.
  parameter int unsigned DigitW    = 17,
  /// Bits N of the ring, c s with c an integer or a half-integer; 2^N + 1 > 2 s (2^u - 1)^2.
  parameter int unsigned Bits      = 64,
  /// Digits of a segment of the adder: 2 or 4.
  parameter int unsigned Segment   = 4,
  /// Karatsuba levels of the ring multiplier; 1 to 5.
  parameter int unsigned Levels    = 2,
  /// 0: general, 1: squaring, 2: common multiplicand.
  parameter int unsigned Form      = 0,
  /// x y n' in one; 2^N + 1 > s^2 (2^u - 1)^3.
  parameter bit          AllAtOnce = 1'b1,
  /// m may exceed r; 2^N + 1 > 3 s (2^u - 1)^2.
  parameter bit          Relaxed   = 1'b0,
  /// Coefficients above q / 2 are negative, in place of the published threshold.
  parameter bit          Single    = 1'b0,
  /// r = 2^l + 1, h = 2^l - 1.
  parameter bit          Swapped   = 1'b0,
  /// Steps begin before their data are complete, mf_fft_control.
  parameter bit          Fast      = 1'b0,
  /// Four butterflies, two stages of a transform at once; log2(Digits) must be even.
  parameter bit          Fused     = 1'b0,
  /// Balanced digits of the operands, mf_fft_balancer; needs AllAtOnce, Single, no Relaxed.
  parameter bit          Balanced  = 1'b0,

  localparam int unsigned Rows      = Digits / 4,
  localparam int unsigned RowW      = $clog2(Rows),
  localparam int unsigned Constants = (Form == 2 ? 3 : 2) * Digits,
  localparam int unsigned ConstantW = $clog2(Constants)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  /// Digits 4 row to 4 row + 3 of both operands.
  input  logic                           digits_valid_i,
  input  logic [RowW-1:0]                digits_row_i,
  input  logic [3:0][DigitW-1:0]         x_i,
  input  logic [3:0][DigitW-1:0]         y_i,

  input  logic                           constant_valid_i,
  input  logic [ConstantW-1:0]           constant_index_i,
  input  logic [Bits:0]                  constant_i,

  /// Starts a multiplication; only while none runs.
  input  logic                           start_i,
  /// With the last segment of the result.
  output logic                           done_o,
  output logic                           p_valid_o,
  output logic [RowW:0]                  p_row_o,
  output logic [Segment-1:0][DigitW-1:0] p_o
);

  import mf_fft_pkg::*;

  if (Form > 2) begin : gen_illegal_form
    $fatal(1, "mf_fmlm: Form must be 0 to 2");
  end

  logic unused_owner, unused_over, unused_zero, unused_largest;

  mf_fft_engine #(
    .Digits       (Digits),
    .DigitW       (DigitW),
    .Bits         (Bits),
    .Segment      (Segment),
    .Levels       (Levels),
    .Elements     (1),
    .Contexts     (1),
    .Constants    (Constants / Digits),
    .FirstConstant(Form == 2 ? 1 : 0),
    .OperandX     (Form == 0),
    .AllAtOnce    (AllAtOnce),
    .Relaxed      (Relaxed),
    .Single       (Single),
    .Swapped      (Swapped),
    .Fast         (Fast),
    .Fused        (Fused),
    .Balanced     (Balanced)
  ) u_engine (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .constant_valid_i(constant_valid_i),
    .constant_index_i(constant_index_i),
    .constant_i      (constant_i),
    .load_x_i        (digits_valid_i),
    .load_y_i        (digits_valid_i),
    .load_row_i      (digits_row_i),
    .x_i             (x_i),
    .y_i             (y_i),
    .load_over_i     (1'b0),
    .load_zero_i     (1'b0),
    .from_partner_i  (1'b0),
    .start_i         (start_i),
    .form_i          (form_e'(Form)),
    .ladder_i        (1'b0),
    .exchanged_i     (1'b0),
    .done_o          (done_o),
    .result_valid_o  (p_valid_o),
    .result_owner_o  (unused_owner),
    .result_row_o    (p_row_o),
    .result_o        (p_o),
    .over_o          (unused_over),
    .zero_o          (unused_zero),
    .largest_o       (unused_largest)
  );

endmodule
