// SPDX-License-Identifier: Apache-2.0
//
// A DSP48E2 in a column of blocks: the words of B go from block to block, one cycle each, and a
// block adds P >> 17 of the block below to its product.
//
// Source:   AMD UG579.
// Computes: P = B * (A or D) + (PCIN >> 17) + (C or 0); A, B, C and D are unsigned words of 17
//           bits.
// Timing:   B and select_d_i come three cycles before P, add_c_i two, C and PCIN one. A has two
//           registers, or with First one, and D one, each with an enable.

module mf_dsp48e2_cascade #(
  /// The lowest block: B comes from b_i, nothing from below is added, A has one register.
  parameter bit First = 1'b0
) (
  input  logic        clk_i,
  input  logic        load_a_i,
  input  logic        move_a_i,
  input  logic [16:0] a_i,
  input  logic        load_d_i,
  input  logic [16:0] d_i,
  input  logic        select_d_i,
  input  logic        add_c_i,
  input  logic [16:0] c_i,
  input  logic [16:0] b_i,
  input  logic [17:0] bcin_i,
  output logic [17:0] bcout_o,
  input  logic [47:0] pcin_i,
  output logic [47:0] pcout_o,
  output logic [47:0] p_o
);

  DSP48E2 #(
    .AMULTSEL("AD"), .AREG(First ? 1 : 2), .ACASCREG(First ? 1 : 2), .ADREG(1), .DREG(1),
    .B_INPUT(First ? "DIRECT" : "CASCADE"), .BREG(1), .BCASCREG(1),
    .CREG(0), .MREG(1), .OPMODEREG(1), .PREG(1),
    .ALUMODEREG(0), .CARRYINREG(0), .CARRYINSELREG(0), .INMODEREG(0)
  ) u_dsp (
    .CLK   (clk_i),
    .A     (30'(a_i)),
    .B     (18'(b_i)),
    .BCIN  (bcin_i),
    .BCOUT (bcout_o),
    .C     (48'(c_i)),
    .D     (27'(d_i)),
    // W: C or 0. Z: PCIN >> 17 or 0. X, Y: the product.
    .OPMODE({{2{add_c_i}}, First ? 3'b000 : 3'b101, 4'b0101}),
    // D alone or A alone.
    .INMODE({2'b00, {2{select_d_i}}, 1'b0}),
    .PCIN  (pcin_i),
    .PCOUT (pcout_o),
    .P     (p_o),
    .ALUMODE('0), .CARRYINSEL('0), .CARRYIN(1'b0),
    .CEA1(load_a_i), .CEA2(move_a_i), .CED(load_d_i), .CEAD(1'b1), .CEALUMODE(1'b1),
    .CEB1(1'b1), .CEB2(1'b1), .CEC(1'b1), .CECARRYIN(1'b1), .CECTRL(1'b1), .CEINMODE(1'b1),
    .CEM(1'b1), .CEP(1'b1), .RSTA(1'b0), .RSTALLCARRYIN(1'b0), .RSTALUMODE(1'b0), .RSTB(1'b0),
    .RSTC(1'b0), .RSTCTRL(1'b0), .RSTD(1'b0), .RSTINMODE(1'b0), .RSTM(1'b0), .RSTP(1'b0)
  );

endmodule
