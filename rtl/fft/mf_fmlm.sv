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
//           those of x n' mod r for r, of n for h and of x for h, in this order.
// Contract: n coprime to r, 2 <= n (even ones, too), r > 4n; 0 <= x, y < 2n; 0 <= t < 2n. Digits
//           and constants stay as they are until the multiplication is done; operand digits are all
//           there at start_i, constants may be written while the first transform runs.
// Latency:  montforge.fft.program.schedule, a number of cycles that no operand and no modulus
//           changes. Constant time: yes.

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
  /// Streamed steps, mf_fft_pkg.
  parameter bit          Fast      = 1'b0,

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

  localparam int unsigned Stages = $clog2(Digits);

  if (Digits < 16 || Digits > 512 || Digits != 1 << Stages) begin : gen_illegal_digits
    $fatal(1, "mf_fmlm: Digits must be a power of two, 16 to 512");
  end
  if (DigitW < Stages + 4 || DigitW > 253) begin : gen_illegal_digit_width
    $fatal(1, "mf_fmlm: DigitW must be log2(Digits) + 4 (E8) to 253");
  end
  if (Bits > 512) begin : gen_wide_bits
    $fatal(1, "mf_fmlm: Bits must be at most 512");
  end
  if (2 * Bits % Digits != 0 || (2 * Bits / Digits % 2 == 1 && Bits % 4 != 0)) begin : gen_illegal_c
    $fatal(1, "mf_fmlm: Bits must be c Digits, and 4 must divide it for a half-integer c (E2)");
  end
  if (Bits < 2 * DigitW + Stages + (Relaxed ? 2 : 1)) begin : gen_illegal_bits
    $fatal(1, "mf_fmlm: Bits must be more, for the sum of two products (E3)");
  end
  if (AllAtOnce && Bits < 3 * DigitW + 2 * Stages + (Swapped ? 1 : 0)) begin : gen_illegal_at_once
    $fatal(1, "mf_fmlm: Bits must be more, for a product of three at once (E4)");
  end
  if (Form > 2) begin : gen_illegal_form
    $fatal(1, "mf_fmlm: Form must be 0 to 2");
  end
  if (Levels < 1 || Levels > 5) begin : gen_illegal_levels
    $fatal(1, "mf_fmlm: Levels must be 1 to 5");
  end
  if (Segment != 2 && Segment != 4) begin : gen_illegal_segment
    $fatal(1, "mf_fmlm: Segment must be 2 or 4");
  end
  if (Swapped && Relaxed) begin : gen_illegal_relaxed
    $fatal(1, "mf_fmlm: Relaxed must be 0 with Swapped");
  end

  // The programs of mf_fft_pkg.
  localparam int unsigned Mode    = Swapped ? 2 : (Relaxed ? 1 : 0);
  localparam int unsigned Program = Form == 0 ? (AllAtOnce ? 0 : 3) + Mode :
                                    Form == 1 ? (AllAtOnce ? 6 : 12) + 2 * Mode : 18 + Mode;

  localparam int unsigned Plain     = DigitW + Stages + 1;
  localparam int unsigned AtOnce    = 2 * DigitW + 2 * Stages;
  localparam int unsigned CarryW    = (AllAtOnce ? AtOnce : Plain) + 2;
  localparam int unsigned ShortRows = (CarryW - 1 + Segment * DigitW - 1) / (Segment * DigitW);
  localparam int unsigned Sqrt2     = 2 * Bits / Digits % 2 == 1 ? 2 : 0;

  // ---------------------------------------------------------------- constants

  control_t             control;
  logic [Bits:0]        constant;
  logic [ConstantW-1:0] constant_index;
  logic                 second_constant;  // of the transform for h
  logic                 third_constant;

  assign second_constant = control.product_read.constant == 2'd1;
  assign third_constant  = control.product_read.constant == 2'd3;

  always_comb begin
    constant_index = ConstantW'(control.product_read.index);
    if (second_constant) constant_index = constant_index + ConstantW'(Digits);
    if (Form == 2 && third_constant) constant_index = constant_index + ConstantW'(2 * Digits);
  end

  mf_ram #(.Width(Bits + 1), .Depth(Constants)) u_constants (
    .clk_i          (clk_i),
    .write_i        (constant_valid_i),
    .write_address_i(constant_index_i),
    .word_i         (constant_i),
    .read_i         (control.product_read.valid && control.product_read.factor == Constant),
    .read_address_i (constant_index),
    .word_o         (constant)
  );

  // ---------------------------------------------------------------- control and element

  mf_fft_control #(
    .Digits           (Digits),
    .Bits             (Bits),
    .Segment          (Segment),
    .ShortRows        (ShortRows),
    .ButterflyLatency (11 + Sqrt2),
    .MultiplierLatency(5 + (Levels > 2 ? 2 * Levels : Levels)),
    .AccumulateLatency(8 + Sqrt2),
    .Swapped          (Swapped)
  ) u_control (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .start_i  (start_i),
    .program_i(program_t'(Program + (Fast ? FastPrograms : 0))),
    .done_o   (done_o),
    .control_o(control)
  );

  logic [Bits:0] unused_forward;

  mf_fft_element #(
    .Digits  (Digits),
    .DigitW  (DigitW),
    .Bits    (Bits),
    .Segment (Segment),
    .CarryW  (CarryW),
    .Levels  (Levels),
    .OperandX(Form == 0),
    .Single  (Single),
    .Relaxed (Relaxed),
    .Swapped (Swapped)
  ) u_element (
    .clk_i         (clk_i),
    .control_i     (control),
    .load_x_i      (digits_valid_i),
    .load_y_i      (digits_valid_i),
    .load_row_i    (digits_row_i),
    .x_i           (x_i),
    .y_i           (y_i),
    .constant_i    (constant),
    .partner_i     ('0),
    .from_partner_i(1'b0),
    .forward_o     (unused_forward),
    .result_valid_o(p_valid_o),
    .result_row_o  (p_row_o),
    .result_o      (p_o)
  );

endmodule
