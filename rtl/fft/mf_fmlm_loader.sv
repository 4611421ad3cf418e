// SPDX-License-Identifier: Apache-2.0
//
// mf_fmlm with vectors: the common part of its parallel forms, one for each Form.
//
// Source:   Dai 2018, Algorithm 4.
// Computes: p = x * y * r^-1 mod n (y^2 r^-1 in form 1), r = 2^(Digits DigitW) - 1 (+ 1 with
//           Swapped); in form 2 x is given by constants.
// Takes:    the constants of mf_fmlm, in its order, the first one lowest.
// Contract: that of mf_fmlm.
// Latency:  Digits / 4 cycles, in which the digits of x and y are loaded, and those of mf_fmlm. The
//           constants are loaded beside the first transform. Constant time: yes.

module mf_fmlm_loader #(
  /// Bits of the widest modulus; Digits DigitW >= Width + 2.
  parameter int unsigned Width     = 1024,
  /// As in mf_fmlm:
  parameter int unsigned Digits    = 64,
  parameter int unsigned DigitW    = 17,
  parameter int unsigned Bits      = 64,
  parameter int unsigned Segment   = 4,
  parameter int unsigned Levels    = 2,
  parameter int unsigned Form      = 0,
  parameter bit          AllAtOnce = 1'b1,
  parameter bit          Relaxed   = 1'b0,
  parameter bit          Single    = 1'b0,
  parameter bit          Swapped   = 1'b0,
  parameter bit          Fast      = 1'b0,
  parameter bit          Fused     = 1'b0,
  parameter bit          Balanced  = 1'b0,

  localparam int unsigned OperandW  = Width + 1,
  localparam int unsigned Constants = (Form == 2 ? 3 : 2) * Digits
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  input  logic                           req_valid_i,
  output logic                           req_ready_o,
  /// Zero if the form has no x.
  input  logic [OperandW-1:0]            x_i,
  input  logic [OperandW-1:0]            y_i,
  input  logic [Constants-1:0][Bits:0]   constants_i,

  output logic                           rsp_valid_o,
  input  logic                           rsp_ready_i,
  output logic [OperandW-1:0]            p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_fmlm_loader: Width must be 3 to 8192");
  end
  if (Digits * DigitW < Width + 2 + 32'(Balanced)) begin : gen_illegal_digits
    $fatal(1, "mf_fmlm_loader: Width must be at most Digits DigitW - 2, - 3 if Balanced (E5)");
  end

  localparam int unsigned RowW      = $clog2(Digits / 4);
  localparam int unsigned ConstantW = $clog2(Constants);

  logic                      digits_valid, constant_valid, start, done, p_valid;
  logic [RowW-1:0]           digits_row;
  logic [4*DigitW-1:0]       x, y;
  logic [ConstantW-1:0]      constant_index;
  logic [Bits:0]             constant;
  logic [Segment*DigitW-1:0] p;
  logic [RowW:0]             unused_row;

  mf_fft_loader #(
    .OperandW     (OperandW),
    .Digits       (Digits),
    .DigitW       (DigitW),
    .Bits         (Bits),
    .Segment      (Segment),
    .Spectra      (Constants / Digits),
    .FirstSpectrum(Form == 2 ? 1 : 0),
    .LoadFirst    (1'b0)
  ) u_loader (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .req_valid_i          (req_valid_i),
    .req_ready_o          (req_ready_o),
    .refuse_i             (1'b0),
    .x_i                  (x_i),
    .y_i                  (y_i),
    .constants_i          (constants_i),
    .rsp_valid_o          (rsp_valid_o),
    .rsp_ready_i          (rsp_ready_i),
    .p_o                  (p_o),
    .core_digits_valid_o  (digits_valid),
    .core_digits_row_o    (digits_row),
    .core_x_o             (x),
    .core_y_o             (y),
    .core_constant_valid_o(constant_valid),
    .core_constant_index_o(constant_index),
    .core_constant_o      (constant),
    .core_start_o         (start),
    .core_done_i          (done),
    .core_p_valid_i       (p_valid),
    .core_p_i             (p)
  );

  mf_fmlm #(
    .Digits   (Digits),
    .DigitW   (DigitW),
    .Bits     (Bits),
    .Segment  (Segment),
    .Levels   (Levels),
    .Form     (Form),
    .AllAtOnce(AllAtOnce),
    .Relaxed  (Relaxed),
    .Single   (Single),
    .Swapped  (Swapped),
    .Fast     (Fast),
    .Fused    (Fused),
    .Balanced (Balanced)
  ) u_core (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .digits_valid_i  (digits_valid),
    .digits_row_i    (digits_row),
    .x_i             (x),
    .y_i             (y),
    .constant_valid_i(constant_valid),
    .constant_index_i(constant_index),
    .constant_i      (constant),
    .start_i         (start),
    .done_o          (done),
    .p_valid_o       (p_valid),
    .p_row_o         (unused_row),
    .p_o             (p)
  );

endmodule
