// SPDX-License-Identifier: Apache-2.0
//
// Multiplier-accumulator of the FIOS multiplier on one DSP48E2, for words of 17 bits.
//
// Source:   "Scalable DSP optimized Montgomery Multiplier", Fig. 2 and Table I; AMD UG579.
// Twin:     mf_mac_generic has the same ports, operations, timing and results.
// Pipeline: 1: P register; 2: and A, B registers; 3: and M register. The OPMODE register takes the
//           place of the last delay of the operation.

module mf_mac_dsp48e2 #(
  /// Cycles from operands to result: 1, 2 or 3.
  parameter int unsigned Pipeline  = 3,
  /// Register for C.
  parameter bit          CRegister = 1'b1,

  localparam int unsigned WordWidth = 17
) (
  input  logic                   clk_i,
  input  mf_fios_pkg::op_e       op_i,
  input  logic [WordWidth-1:0]   a_i,
  input  logic [WordWidth-1:0]   b_i,
  input  logic [2*WordWidth-1:0] c_i,
  output logic [2*WordWidth:0]   p_o
);

  if (Pipeline < 1 || Pipeline > 3) begin : gen_illegal_pipeline
    $fatal(1, "mf_mac_dsp48e2: Pipeline must be 1, 2 or 3");
  end

  localparam int unsigned OperandRegs = Pipeline > 1 ? 1 : 0;
  localparam int unsigned ProductRegs = Pipeline > 2 ? 1 : 0;

  logic [3:0]  op;
  logic [8:0]  opmode;
  logic [47:0] p;

  mf_delay_line #(.Width(4), .Depth(ProductRegs)) u_op (
    .clk_i(clk_i),
    .d_i  (op_i),
    .q_o  (op)
  );

  // W: 0 or C. Z: 0, P or P >> 17. X, Y: 0 or the product.
  assign opmode = {{2{op[1]}}, op[3], |op[3:2], 1'b0, {1'b0, op[0], 1'b0, op[0]}};

  DSP48E2 #(
    .ACASCREG     (OperandRegs),
    .ADREG        (0),
    .ALUMODEREG   (0),
    .AREG         (OperandRegs),
    .BCASCREG     (OperandRegs),
    .BREG         (OperandRegs),
    .CARRYINREG   (0),
    .CARRYINSELREG(0),
    .CREG         (32'(CRegister)),
    .DREG         (0),
    .INMODEREG    (0),
    .MREG         (ProductRegs),
    .OPMODEREG    (OperandRegs),
    .PREG         (1)
  ) u_dsp (
    .CLK          (clk_i),
    .A            (30'(a_i)),
    .B            (18'(b_i)),
    .C            (48'(c_i)),
    .D            ('0),
    .OPMODE       (opmode),
    .ALUMODE      ('0),
    .INMODE       ('0),
    .CARRYINSEL   ('0),
    .CARRYIN      (1'b0),
    .CEA1         (1'b1),
    .CEA2         (1'b1),
    .CEAD         (1'b1),
    .CEALUMODE    (1'b1),
    .CEB1         (1'b1),
    .CEB2         (1'b1),
    .CEC          (1'b1),
    .CECARRYIN    (1'b1),
    .CECTRL       (1'b1),
    .CED          (1'b1),
    .CEINMODE     (1'b1),
    .CEM          (1'b1),
    .CEP          (1'b1),
    .RSTA         (1'b0),
    .RSTALLCARRYIN(1'b0),
    .RSTALUMODE   (1'b0),
    .RSTB         (1'b0),
    .RSTC         (1'b0),
    .RSTCTRL      (1'b0),
    .RSTD         (1'b0),
    .RSTINMODE    (1'b0),
    .RSTM         (1'b0),
    .RSTP         (1'b0),
    .P            (p)
  );

  assign p_o = p[2*WordWidth:0];

  // FIOS sums are below 2^35.
  logic unused_high;
  assign unused_high = ^p[47:2*WordWidth+1];

endmodule
