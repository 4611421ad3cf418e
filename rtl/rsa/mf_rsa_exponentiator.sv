// SPDX-License-Identifier: Apache-2.0
//
// An exponentiator of the RSA engine with its multiplier: mf_rsa_half over mf_rsa_multiplier, or at
// full width over mf_rsa_public_multiplier.
//
// Contract, turns, latency: mf_rsa_half.

module mf_rsa_exponentiator
  import mf_engine_pkg::*;
#(
  /// Over mf_rsa_public_multiplier.
  parameter bit          Full         = 1'b0,
  /// Of mf_rsa_half.
  parameter int unsigned Width        = 128,
  parameter int unsigned ExponentBits = 192,
  parameter int unsigned DigitW       = 5,
  parameter int unsigned LengthW      = 8,
  parameter int unsigned WordW        = 32,
  parameter int unsigned Words        = 5,
  /// Of the multiplier.
  parameter multiplier_t Multiplier,
  parameter bit          TableBlock   = 1'b0,
  parameter bit          TableWords   = 1'b0
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               load_i,
  input  word_e              load_kind_i,
  input  logic [WordW-1:0]   word_x_i,
  input  logic [WordW-1:0]   word_y_i,
  input  logic               load_first_i,

  input  logic               go_i,
  input  go_t                fn_i,
  input  logic [LengthW-1:0] length_i,
  output logic               busy_o,

  input  logic               store_i,
  output logic [WordW-1:0]   word_o,

  input  logic               turns_clear_i,
  output logic [15:0]        turns_o
);

  localparam int unsigned OperandBits = Multiplier.sum_bits + Multiplier.carry_bits;
  localparam int unsigned ResultBits  = Multiplier.result_sum_bits + Multiplier.result_carry_bits;

  logic                                mul_valid, mul_ready, mul_rsp_valid, mul_rsp_ready;
  logic [OperandBits-1:0]              mul_a, mul_b;
  logic [Width-1:0]                    mul_n;
  logic [Multiplier.constant_bits-1:0] mul_constants;
  logic [ResultBits-1:0]               mul_p;

  mf_rsa_half #(
    .Width          (Width),
    .ExponentBits   (ExponentBits),
    .DigitW         (DigitW),
    .LengthW        (LengthW),
    .WordW          (WordW),
    .Words          (Words),
    .SumBits        (Multiplier.sum_bits),
    .CarryBits      (Multiplier.carry_bits),
    .ResultSumBits  (Multiplier.result_sum_bits),
    .ResultCarryBits(Multiplier.result_carry_bits),
    .Signed         (Multiplier.has_sign),
    .ConstantBits   (Multiplier.constant_bits),
    .TableBlock     (TableBlock),
    .TableWords     (TableWords)
  ) u_half (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .load_i         (load_i),
    .load_kind_i    (load_kind_i),
    .word_x_i       (word_x_i),
    .word_y_i       (word_y_i),
    .load_first_i   (load_first_i),
    .go_i           (go_i),
    .fn_i           (fn_i),
    .length_i       (length_i),
    .busy_o         (busy_o),
    .store_i        (store_i),
    .word_o         (word_o),
    .turns_clear_i  (turns_clear_i),
    .turns_o        (turns_o),
    .mul_valid_o    (mul_valid),
    .mul_ready_i    (mul_ready),
    .mul_a_o        (mul_a),
    .mul_b_o        (mul_b),
    .mul_n_o        (mul_n),
    .mul_constants_o(mul_constants),
    .mul_rsp_valid_i(mul_rsp_valid),
    .mul_rsp_ready_o(mul_rsp_ready),
    .mul_p_i        (mul_p)
  );

  if (Full) begin : gen_full
    mf_rsa_public_multiplier u_multiplier (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .req_valid_i(mul_valid),
      .req_ready_o(mul_ready),
      .a_i        (mul_a),
      .b_i        (mul_b),
      .n_i        (mul_n),
      .constants_i(mul_constants),
      .rsp_valid_o(mul_rsp_valid),
      .rsp_ready_i(mul_rsp_ready),
      .p_o        (mul_p)
    );
  end else begin : gen_half
    mf_rsa_multiplier u_multiplier (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .req_valid_i(mul_valid),
      .req_ready_o(mul_ready),
      .a_i        (mul_a),
      .b_i        (mul_b),
      .n_i        (mul_n),
      .constants_i(mul_constants),
      .rsp_valid_o(mul_rsp_valid),
      .rsp_ready_i(mul_rsp_ready),
      .p_o        (mul_p)
    );
  end

endmodule
