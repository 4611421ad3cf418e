// SPDX-License-Identifier: Apache-2.0
//
// Elements of the FFT multiplier with their common control and memory of constants.
//
// Source:   Dai 2018, Fig. 1 to 3, 7. One element is a multiplier (mf_fmlm), two in lockstep are an
//           exponentiator (mf_fmle).
// Takes:    constants of s ring words each, in the order N', N, A, X of mf_fft_pkg, the first of
//           them number FirstConstant.
// Contract: digits and constants don't change while a program runs. Operand digits are written
//           before start_i; constants may be written while the first transform runs.
// Latency:  montforge.programs.fft.program.schedule, whatever the data.

module mf_fft_engine #(
  /// As in mf_fmlm:
  parameter int unsigned Digits        = 64,
  parameter int unsigned DigitW        = 17,
  parameter int unsigned Bits          = 64,
  parameter int unsigned Segment       = 4,
  parameter int unsigned Levels        = 2,
  /// Elements: 1, or 2 that forward words to each other.
  parameter int unsigned Elements      = 1,
  /// Contexts of an element: 1, or 2, for form Pair, too, without x and with one element.
  parameter int unsigned Contexts      = 1,
  /// Spectra in the memory of constants.
  parameter int unsigned Constants     = 2,
  /// Number of the first of them.
  parameter int unsigned FirstConstant = 0,
  /// Operand x has its own memory.
  parameter bit          OperandX      = 1'b1,
  /// As in mf_fmlm:
  parameter bit          AllAtOnce     = 1'b1,
  parameter bit          Relaxed       = 1'b0,
  parameter bit          Single        = 1'b0,
  parameter bit          Swapped       = 1'b0,
  parameter bit          Fast          = 1'b0,
  parameter bit          Fused         = 1'b0,
  parameter bit          Balanced      = 1'b0,
  /// A redundant digit of results, mf_fft_direct; needs Fast, AllAtOnce, Relaxed, Segment = 4.
  parameter bit          Redundant     = 1'b0,

  // Where Digits is illegal, sizes are those of 64, so that elaboration gets to the message.
  localparam bit          DigitsLegal =
      Digits >= 16 && Digits <= 512 && (Digits & (Digits - 1)) == 0,
  localparam int unsigned LegalDigits = DigitsLegal ? Digits : 64,
  localparam int unsigned Operands    = Elements * Contexts,
  localparam int unsigned Rows        = LegalDigits / 4,
  localparam int unsigned RowW        = $clog2(Rows),
  localparam int unsigned ConstantW   = $clog2(Constants * LegalDigits)
) (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,

  input  logic                                         constant_valid_i,
  input  logic [ConstantW-1:0]                         constant_index_i,
  input  logic [Bits:0]                                constant_i,

  /// Four digits of x (for all elements, if they have a memory for it) and of each y, of elements
  /// or contexts.
  input  logic                                         load_x_i,
  input  logic [Operands-1:0]                          load_y_i,
  input  logic [RowW-1:0]                              load_row_i,
  input  logic [3:0][DigitW-1:0]                       x_i,
  input  logic [Operands-1:0][3:0][DigitW-1:0]         y_i,
  /// With row 0 of a y, if Redundant: b more for digit 3; y is 0.
  input  logic [Operands-1:0]                          load_over_i,
  input  logic [Operands-1:0]                          load_zero_i,
  /// Whether an element takes the other one's forwarded words.
  input  logic [Elements-1:0]                          from_partner_i,

  /// Starts a program; only while none runs.
  input  logic                                         start_i,
  /// Constant while it runs.
  input  mf_fft_pkg::form_e                            form_i,
  input  logic                                         ladder_i,
  /// The form's context is number 1, of a pair the first.
  input  logic                                         exchanged_i,
  /// With the last segment of the result.
  output logic                                         done_o,

  /// A segment of each element's result, and its context.
  output logic                                         result_valid_o,
  output logic                                         result_owner_o,
  output logic [RowW:0]                                result_row_o,
  output logic [Elements-1:0][Segment-1:0][DigitW-1:0] result_o,
  /// With row 0, if Redundant, as load_over_i and load_zero_i; row 0 comes twice, first wrong.
  output logic [Elements-1:0]                          over_o,
  output logic [Elements-1:0]                          zero_o,
  /// m of each element is r - 1 (canonical): then FMLM(t, 1) is n, else it is below n.
  output logic [Elements-1:0]                          largest_o
);

  import mf_fft_pkg::*;

  localparam int unsigned Stages = $clog2(LegalDigits);

  // As LegalDigits.
  localparam int unsigned LegalDigitW   = DigitW < Stages + 4 || DigitW > 253 ? Stages + 4 : DigitW;
  localparam int unsigned LegalBits     = Bits < 4 || Bits > 512 ? 512 : Bits;
  localparam int unsigned LegalSegment  = Segment == 2 ? 2 : 4;
  localparam int unsigned LegalElements = Elements == 2 ? 2 : 1;

  // Of a product of three at once, q / 2 where it has a sign.
  localparam int unsigned ProductBits = 3 * DigitW + 2 * Stages + (Swapped || Redundant ? 1 : 0) -
                                        (Balanced ? 2 : 0);

  if (!DigitsLegal) begin : gen_illegal_digits
    $fatal(1, "mf_fft_engine: Digits must be a power of two, 16 to 512");
  end
  if (DigitW < Stages + 4 || DigitW > 253) begin : gen_illegal_digit_width
    $fatal(1, "mf_fft_engine: DigitW must be log2(Digits) + 4 (E8) to 253");
  end
  if (Bits > 512) begin : gen_wide_bits
    $fatal(1, "mf_fft_engine: Bits must be at most 512");
  end
  if (2 * Bits % LegalDigits != 0 ||
      (2 * Bits / LegalDigits % 2 == 1 && Bits % 4 != 0)) begin : gen_illegal_c
    $fatal(1, "mf_fft_engine: Bits must be c Digits, divisible by 4 for a half-integer c (E2)");
  end
  if (Bits < 2 * DigitW + Stages + (Relaxed ? 2 : 1)) begin : gen_illegal_bits
    $fatal(1, "mf_fft_engine: Bits must be more, for the sum of two products (E3)");
  end
  if (Balanced && !(AllAtOnce && Single && !Relaxed && !Swapped)) begin : gen_illegal_balanced
    $fatal(1, "mf_fft_engine: Balanced needs AllAtOnce and Single, without Relaxed and Swapped");
  end
  localparam bit RedundantLegal = Fast && AllAtOnce && Relaxed && Segment == 4 && !OperandX;

  if (Redundant && !RedundantLegal) begin : gen_illegal_redundant
    $fatal(1, "mf_fft_engine: Redundant needs Fast, AllAtOnce, Relaxed, Segment = 4, without x");
  end
  if (AllAtOnce && Bits < ProductBits) begin : gen_illegal_at_once
    $fatal(1, "mf_fft_engine: Bits must be more, for a product of three at once (E4)");
  end
  if (Levels < 1 || Levels > 5) begin : gen_illegal_levels
    $fatal(1, "mf_fft_engine: Levels must be 1 to 5");
  end
  if (Segment != 2 && Segment != 4) begin : gen_illegal_segment
    $fatal(1, "mf_fft_engine: Segment must be 2 or 4");
  end
  if (Swapped && Relaxed) begin : gen_illegal_relaxed
    $fatal(1, "mf_fft_engine: Relaxed must be 0 with Swapped");
  end

  if (Elements < 1 || Elements > 2) begin : gen_illegal_elements
    $fatal(1, "mf_fft_engine: Elements must be 1 or 2");
  end
  if (Contexts < 1 || Operands > 2 || (Contexts == 2 && OperandX)) begin : gen_illegal_contexts
    $fatal(1, "mf_fft_engine: Contexts must be 1, or 2 with one element and without x");
  end
  if (Constants < 1 || FirstConstant + Constants > 4) begin : gen_illegal_constants
    $fatal(1, "mf_fft_engine: FirstConstant and Constants must be within the four constants");
  end

  localparam mode_e       Mode      = Swapped ? SwappedModuli : (Relaxed ? RelaxedM : Canonical);
  localparam int unsigned Plain     = LegalDigitW + Stages + 1;
  localparam int unsigned AtOnce    = 2 * LegalDigitW + 2 * Stages;
  localparam int unsigned CarryW    = (AllAtOnce ? AtOnce : Plain) + 2;
  localparam int unsigned ShortRows =
      (CarryW - 1 + LegalSegment * LegalDigitW - 1) / (LegalSegment * LegalDigitW);
  localparam int unsigned Sqrt2     = 2 * LegalBits / LegalDigits % 2 == 1 ? 2 : 0;

  // ---------------------------------------------------------------- control

  control_t control;

  mf_fft_control #(
    .Digits           (LegalDigits),
    .Bits             (LegalBits),
    .Segment          (LegalSegment),
    .ShortRows        (ShortRows),
    .ButterflyLatency (3 + (Fused ? 2 : 1) * butterfly_cycles(Fast) + Sqrt2),
    .MultiplierLatency(5 + (Levels > 2 ? 2 * Levels : Levels)),
    .AccumulateLatency(8 + Sqrt2),
    .Swapped          (Swapped),
    .Fast             (Fast),
    .Fused            (Fused),
    .Redundant        (Redundant)
  ) u_control (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .start_i    (start_i),
    .program_i  (program_of(form_i, AllAtOnce, Fast, Mode, ladder_i)),
    .exchanged_i(Contexts == 2 && exchanged_i),
    .done_o     (done_o),
    .control_o  (control)
  );

  // ---------------------------------------------------------------- constants

  logic [Bits:0]        constant;
  logic [ConstantW-1:0] constant_index;

  assign constant_index = ConstantW'({control.product_read.constant - 2'(FirstConstant),
                                      control.product_read.index[Stages-1:0]});

  logic constant_write, constant_read;
  assign constant_write = constant_valid_i;
  assign constant_read  = control.product_read.valid && control.product_read.factor == Constant;

  mf_ram #(.Width(LegalBits + 1), .Depth(Constants * LegalDigits)) u_constants (
    .clk_i          (clk_i),
    .write_i        (constant_write),
    .write_address_i(constant_index_i),
    .word_i         (constant_i),
    .read_i         (constant_read),
    .read_address_i (constant_index),
    .word_o         (constant)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      no_constant_is_read_while_it_is_written :
      assert (!(constant_write && constant_read && constant_index_i == constant_index));
    end
  end
`endif

  // ---------------------------------------------------------------- elements

  logic [Elements-1:0][Bits:0] forward;

  for (genvar k = 0; k < LegalElements; k++) begin : gen_elements
    mf_fft_element #(
      .Digits  (LegalDigits),
      .DigitW  (LegalDigitW),
      .Bits    (LegalBits),
      .Segment (LegalSegment),
      .CarryW  (CarryW),
      .Levels  (Levels),
      .OperandX(OperandX),
      .Single  (Single),
      .Relaxed (Relaxed),
      .Swapped (Swapped),
      .Fast    (Fast),
      .Fused   (Fused),
      .Balanced(Balanced),
      .Redundant(Redundant),
      .Contexts(Contexts)
    ) u_element (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .control_i     (control),
      .load_x_i      (load_x_i),
      .load_y_i      (load_y_i[k*Contexts+:Contexts]),
      .load_row_i    (load_row_i),
      .x_i           (x_i),
      .y_i           (y_i[k*Contexts+:Contexts]),
      .load_over_i   (load_over_i[k*Contexts+:Contexts]),
      .load_zero_i   (load_zero_i[k*Contexts+:Contexts]),
      .constant_i    (constant),
      .partner_i     (forward[Elements-1-k]),
      .from_partner_i(Elements == 2 && from_partner_i[k]),
      .forward_o     (forward[k]),
      .result_o      (result_o[k]),
      .over_o        (over_o[k]),
      .zero_o        (zero_o[k]),
      .largest_o     (largest_o[k])
    );
  end

  assign result_valid_o = control.pass_write.valid &&
                          (control.pass_write.kind == Result ||
                           (Redundant && control.pass_write.kind == Direct));
  assign result_owner_o = control.pass_write.owner;
  assign result_row_o   = (RowW + 1)'(control.pass_write.row);

endmodule
