// SPDX-License-Identifier: Apache-2.0
//
// Product of two unsigned words on a Lattice ECP5: a MULT18X18D, with its registers of A and B.
// Twin: mf_word_multiplier, generic, has the same results a cycle later.
//
// Computes: p_o = a_i * b_i of the cycle before, without Registers of this cycle.

module mf_word_multiplier_ecp5 #(
  /// Bits of a word; 1 to 18.
  parameter int unsigned Width     = 18,
  /// Registers of A and B.
  parameter bit          Registers = 1'b1
) (
  input  logic               clk_i,
  input  logic [Width-1:0]   a_i,
  input  logic [Width-1:0]   b_i,
  output logic [2*Width-1:0] p_o
);

  if (Width < 1 || Width > 18) begin : gen_illegal_width
    $fatal(1, "mf_word_multiplier_ecp5: Width must be 1 to 18");
  end

  logic [17:0] a, b;
  logic [35:0] product;

  assign a   = 18'(a_i);
  assign b   = 18'(b_i);
  assign p_o = product[2*Width-1:0];

  MULT18X18D #(
    .REG_INPUTA_CLK(Registers ? "CLK0" : "NONE"),
    .REG_INPUTB_CLK(Registers ? "CLK0" : "NONE")
  ) u_multiplier (
    .A0(a[0]), .A1(a[1]), .A2(a[2]), .A3(a[3]), .A4(a[4]), .A5(a[5]), .A6(a[6]), .A7(a[7]),
    .A8(a[8]), .A9(a[9]), .A10(a[10]), .A11(a[11]), .A12(a[12]), .A13(a[13]), .A14(a[14]),
    .A15(a[15]), .A16(a[16]), .A17(a[17]), .B0(b[0]), .B1(b[1]), .B2(b[2]), .B3(b[3]), .B4(b[4]),
    .B5(b[5]), .B6(b[6]), .B7(b[7]), .B8(b[8]), .B9(b[9]), .B10(b[10]), .B11(b[11]), .B12(b[12]),
    .B13(b[13]), .B14(b[14]), .B15(b[15]), .B16(b[16]), .B17(b[17]), .P0(product[0]),
    .P1(product[1]), .P2(product[2]), .P3(product[3]), .P4(product[4]), .P5(product[5]),
    .P6(product[6]), .P7(product[7]), .P8(product[8]), .P9(product[9]), .P10(product[10]),
    .P11(product[11]), .P12(product[12]), .P13(product[13]), .P14(product[14]), .P15(product[15]),
    .P16(product[16]), .P17(product[17]), .P18(product[18]), .P19(product[19]), .P20(product[20]),
    .P21(product[21]), .P22(product[22]), .P23(product[23]), .P24(product[24]), .P25(product[25]),
    .P26(product[26]), .P27(product[27]), .P28(product[28]), .P29(product[29]), .P30(product[30]),
    .P31(product[31]), .P32(product[32]), .P33(product[33]), .P34(product[34]), .P35(product[35]),
    .SIGNEDA(1'b0), .SIGNEDB(1'b0), .SOURCEA(1'b0), .SOURCEB(1'b0),
    .CLK0(clk_i), .CE0(1'b1), .RST0(1'b0)
  );

  if (Width < 18) begin : gen_unused
    logic unused_product;
    assign unused_product = ^product[35:2*Width];
  end

endmodule
