// SPDX-License-Identifier: Apache-2.0
//
// mf_modexp_chain with one multiplier, and two operands more: whether the request is a single
// product, and the factor that leaves, which is kept for the chain.

module modexp_chain_probe #(
  parameter int unsigned Width           = 16,
  parameter int unsigned ExponentBits    = 16,
  parameter int unsigned Algorithm       = 4,
  parameter int unsigned DigitW          = 2,
  parameter int unsigned Multipliers     = 1,
  parameter int unsigned Adder           = 4,
  parameter int unsigned SumBits         = 17,
  parameter int unsigned CarryBits       = 0,
  parameter int unsigned ResultSumBits   = 17,
  parameter int unsigned ResultCarryBits = 0,
  parameter bit          Signed          = 1'b0,
  parameter int unsigned Passes          = 1,
  parameter int unsigned ConstantBits    = 1,

  localparam int unsigned LengthW = $clog2(ExponentBits + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  logic [Width-1:0]        x_i,
  input  logic [ExponentBits-1:0] e_i,
  input  logic [LengthW-1:0]      e_len_i,
  input  logic [Width-1:0]        n_i,
  input  logic [ConstantBits-1:0] constants_i,
  input  logic [Width-1:0]        r1_i,
  input  logic [Width-1:0]        r2_i,
  input  logic                    product_i,
  input  logic [Width-1:0]        leave_i,
  output logic                    rsp_valid_o,
  input  logic                    rsp_ready_i,
  output logic [Width-1:0]        y_o,
  output logic [3:0]              error_o
);

  localparam int unsigned OperandBits = SumBits + CarryBits;
  localparam int unsigned ResultBits  = ResultSumBits + ResultCarryBits;

  logic                    mul_valid, mul_ready, mul_rsp_valid, mul_rsp_ready;
  logic [OperandBits-1:0]  mul_a, mul_b;
  logic [ResultBits-1:0]   mul_p;
  logic [Width-1:0]        mul_n, leave_q;
  logic [ConstantBits-1:0] mul_constants;

  always_ff @(posedge clk_i) begin
    if (req_valid_i && req_ready_o) leave_q <= leave_i;
  end

  mf_modexp_chain #(
    .Width          (Width),
    .ExponentBits   (ExponentBits),
    .Algorithm      (Algorithm),
    .DigitW         (DigitW),
    .Multipliers    (Multipliers),
    .Adder          (Adder),
    .SumBits        (SumBits),
    .CarryBits      (CarryBits),
    .ResultSumBits  (ResultSumBits),
    .ResultCarryBits(ResultCarryBits),
    .Signed         (Signed),
    .Passes         (Passes),
    .ConstantBits   (ConstantBits)
  ) u_chain (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .req_valid_i       (req_valid_i),
    .req_ready_o       (req_ready_o),
    .x_i               (x_i),
    .e_i               (e_i),
    .e_len_i           (e_len_i),
    .n_i               (n_i),
    .constants_i       (constants_i),
    .r1_i              (r1_i),
    .r2_i              (r2_i),
    .leave_i           (leave_q),
    .product_i         (product_i),
    .rsp_valid_o       (rsp_valid_o),
    .rsp_ready_i       (rsp_ready_i),
    .y_o               (y_o),
    .error_o           (error_o),
    .abort_i           (1'b0),
    .square_valid_o    (),
    .square_ready_i    (1'b1),
    .square_rsp_valid_i(1'b0),
    .square_rsp_ready_o(),
    .square_p_i        (mul_p),
    .mul_valid_o       (mul_valid),
    .mul_ready_i       (mul_ready),
    .mul_a_o           (mul_a),
    .mul_b_o           (mul_b),
    .mul_n_o           (mul_n),
    .mul_constants_o   (mul_constants),
    .mul_rsp_valid_i   (mul_rsp_valid),
    .mul_rsp_ready_o   (mul_rsp_ready),
    .mul_p_i           (mul_p)
  );

  mf_modexp_multiplier u_multiplier (
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

endmodule
