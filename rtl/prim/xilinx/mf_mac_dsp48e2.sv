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
    .clk_i(clk_i), .d_i(op_i), .q_o(op)
  );

  // W: 0 or C. Z: 0, P or P >> 17. X, Y: 0 or the product.
  assign opmode = {{2{op[1]}}, op[3], |op[3:2], 1'b0, {1'b0, op[0], 1'b0, op[0]}};

  mf_dsp48e2 #(
    .OperandRegisters(OperandRegs),
    .ProductRegister (ProductRegs),
    .CRegister       (32'(CRegister))
  ) u_dsp (
    .clk_i   (clk_i),
    .opmode_i(opmode),
    .a_i     (30'(a_i)),
    .b_i     (18'(b_i)),
    .c_i     (48'(c_i)),
    .p_o     (p)
  );

  assign p_o = p[2*WordWidth:0];

  // FIOS sums are below 2^35.
  logic unused_high;
  assign unused_high = ^p[47:2*WordWidth+1];

endmodule
