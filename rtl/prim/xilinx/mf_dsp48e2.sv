// SPDX-License-Identifier: Apache-2.0
//
// A DSP48E2 as multiplier and accumulator. Inputs that are no ports are constants, without
// registers.
//
// Source: AMD UG579.

module mf_dsp48e2 #(
  /// Registers of A, B and OPMODE: 0 or 1.
  parameter int unsigned OperandRegisters = 1,
  /// Register of the product, M: 0 or 1. That of P is always there.
  parameter int unsigned ProductRegister  = 0,
  /// Register of C: 0 or 1.
  parameter int unsigned CRegister        = 0
) (
  input  logic        clk_i,
  input  logic [8:0]  opmode_i,
  /// Signed; the multiplier takes the lowest 27 bits.
  input  logic [29:0] a_i,
  /// Signed.
  input  logic [17:0] b_i,
  input  logic [47:0] c_i,
  output logic [47:0] p_o
);

  if (OperandRegisters > 1) begin : gen_illegal_operand_registers
    $fatal(1, "mf_dsp48e2: OperandRegisters must be 0 or 1");
  end else if (ProductRegister > 1) begin : gen_illegal_product_register
    $fatal(1, "mf_dsp48e2: ProductRegister must be 0 or 1");
  end else if (CRegister > 1) begin : gen_illegal_c_register
    $fatal(1, "mf_dsp48e2: CRegister must be 0 or 1");
  end

  logic [17:0] unused_bcout;
  logic [47:0] unused_pcout;

  DSP48E2 #(
    .AREG(OperandRegisters), .ACASCREG(OperandRegisters),
    .BREG(OperandRegisters), .BCASCREG(OperandRegisters),
    .CREG(CRegister), .MREG(ProductRegister), .OPMODEREG(OperandRegisters), .PREG(1),
    .ADREG(0), .DREG(0), .ALUMODEREG(0), .CARRYINREG(0), .CARRYINSELREG(0), .INMODEREG(0)
  ) u_dsp (
    .CLK   (clk_i),
    .A     (a_i),
    .B     (b_i),
    .C     (c_i),
    .OPMODE(opmode_i),
    .P     (p_o),
    .BCIN('0), .BCOUT(unused_bcout), .PCIN('0), .PCOUT(unused_pcout), .D('0),
    .ALUMODE('0), .INMODE('0), .CARRYINSEL('0), .CARRYIN(1'b0),
    .CEA1(1'b1), .CEA2(1'b1), .CED(1'b1), .CEAD(1'b1), .CEALUMODE(1'b1), .CEB1(1'b1), .CEB2(1'b1),
    .CEC(1'b1), .CECARRYIN(1'b1), .CECTRL(1'b1), .CEINMODE(1'b1), .CEM(1'b1), .CEP(1'b1),
    .RSTA(1'b0), .RSTALLCARRYIN(1'b0), .RSTALUMODE(1'b0), .RSTB(1'b0), .RSTC(1'b0),
    .RSTCTRL(1'b0), .RSTD(1'b0), .RSTINMODE(1'b0), .RSTM(1'b0), .RSTP(1'b0)
  );

endmodule
