// SPDX-License-Identifier: Apache-2.0
//
// The multiplier of a chain, or two in lockstep: a product and the squaring beside it start in the
// same cycle. Ports are those of mf_modexp_chain; the squaring's operand is a of the product.

module mf_modexp_multipliers #(
  /// Bits of the widest modulus; at least 3.
  parameter int unsigned Width        = 256,
  /// 1 or 2.
  parameter int unsigned Multipliers  = 1,
  /// Bits of an operand, of a result and of the constants.
  parameter int unsigned OperandBits  = 257,
  parameter int unsigned ResultBits   = 257,
  parameter int unsigned ConstantBits = 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    square_valid_i,
  output logic                    square_ready_o,
  output logic                    square_rsp_valid_o,
  input  logic                    square_rsp_ready_i,
  output logic [ResultBits-1:0]   square_p_o,

  input  logic                    mul_valid_i,
  output logic                    mul_ready_o,
  input  logic [OperandBits-1:0]  mul_a_i,
  input  logic [OperandBits-1:0]  mul_b_i,
  input  logic [Width-1:0]        mul_n_i,
  input  logic [ConstantBits-1:0] mul_constants_i,
  output logic                    mul_rsp_valid_o,
  input  logic                    mul_rsp_ready_i,
  output logic [ResultBits-1:0]   mul_p_o
);

  mf_modexp_multiplier u_multiplier (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(mul_valid_i && (square_ready_o || !square_valid_i)),
    .req_ready_o(mul_ready_o),
    .a_i        (mul_a_i),
    .b_i        (mul_b_i),
    .n_i        (mul_n_i),
    .constants_i(mul_constants_i),
    .rsp_valid_o(mul_rsp_valid_o),
    .rsp_ready_i(mul_rsp_ready_i),
    .p_o        (mul_p_o)
  );

  if (Multipliers == 2) begin : gen_square
    mf_modexp_multiplier u_square (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .req_valid_i(square_valid_i && mul_ready_o),
      .req_ready_o(square_ready_o),
      .a_i        (mul_a_i),
      .b_i        (mul_a_i),
      .n_i        (mul_n_i),
      .constants_i(mul_constants_i),
      .rsp_valid_o(square_rsp_valid_o),
      .rsp_ready_i(square_rsp_ready_i),
      .p_o        (square_p_o)
    );
  end else begin : gen_no_square
    assign square_ready_o     = 1'b1;
    assign square_rsp_valid_o = 1'b0;
    assign square_p_o         = mul_p_o;  // not used

    logic unused_square;
    assign unused_square = ^{square_valid_i, square_rsp_ready_i};
  end

endmodule
