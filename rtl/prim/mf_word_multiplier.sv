// SPDX-License-Identifier: Apache-2.0
//
// Product of two unsigned words, with registers of the operands, as DSP blocks have at their
// inputs, and of the product.
//
// Computes: p_o = a_i * b_i of two cycles before.
// Block 1:  all registers are in the block. Block 2: the product's register is in logic, near the
//           adder behind it; the path to the block's own register is long.

module mf_word_multiplier #(
  /// Bits of a word; at least 1, at most 17 with Block = 1, 18 with Block = 2.
  parameter int unsigned Width = 18,
  /// 0: behavioural, 1: DSP48E2, 2: ECP5 MULT18X18D.
  parameter int unsigned Block = 0
) (
  input  logic               clk_i,
  input  logic [Width-1:0]   a_i,
  input  logic [Width-1:0]   b_i,
  output logic [2*Width-1:0] p_o
);

  if (Width < 1) begin : gen_illegal_width
    $fatal(1, "mf_word_multiplier: Width must be at least 1");
  end else if (Block > 2) begin : gen_illegal_block
    $fatal(1, "mf_word_multiplier: Block must be 0 (generic), 1 (DSP48E2) or 2 (ECP5)");
  end else if (Block == 1 && Width > 17) begin : gen_illegal_dsp48e2
    $fatal(1, "mf_word_multiplier: Width must be at most 17 with DSP48E2");
  end else if (Block == 2 && Width > 18) begin : gen_illegal_ecp5
    $fatal(1, "mf_word_multiplier: Width must be at most 18 with MULT18X18D");
  end

  if (Block == 1) begin : gen_dsp48e2
    logic [47:0] product;

    // P is the product.
    mf_dsp48e2 u_multiplier (
      .clk_i(clk_i), .opmode_i(9'b000000101), .a_i(30'(a_i)), .b_i(18'(b_i)), .c_i('0),
      .p_o  (product)
    );

    assign p_o = product[2*Width-1:0];

    logic unused_product;
    assign unused_product = ^product[47:2*Width];
  end else begin : gen_register
    logic [2*Width-1:0] product, product_q;

    if (Block == 2) begin : gen_ecp5
      mf_word_multiplier_ecp5 #(.Width(Width)) u_multiplier (
        .clk_i(clk_i), .a_i(a_i), .b_i(b_i), .p_o(product)
      );
    end else begin : gen_generic
      logic [Width-1:0] a_q, b_q;

      always_ff @(posedge clk_i) begin
        a_q <= a_i;
        b_q <= b_i;
      end

      assign product = (2 * Width)'(a_q) * (2 * Width)'(b_q);
    end

    always_ff @(posedge clk_i) product_q <= product;

    assign p_o = product_q;
  end

endmodule
