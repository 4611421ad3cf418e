// SPDX-License-Identifier: Apache-2.0
//
// Multiplier-accumulator of the FIOS multiplier: one of three with the same ports, operations,
// timing and results (mf_mac_generic).

module mf_mac #(
  /// 0: behavioural, 1: DSP48E2 (words of 17 bits), 2: ECP5 MULT18X18D (words of up to 18 bits).
  parameter int unsigned Block     = 0,
  /// Bits of a word.
  parameter int unsigned WordWidth = 17,
  /// Cycles from operands to result: 1, 2 or 3.
  parameter int unsigned Pipeline  = 3,
  /// Register for C.
  parameter bit          CRegister = 1'b1
) (
  input  logic                   clk_i,
  input  mf_fios_pkg::op_e       op_i,
  input  logic [WordWidth-1:0]   a_i,
  input  logic [WordWidth-1:0]   b_i,
  input  logic [2*WordWidth-1:0] c_i,
  output logic [2*WordWidth:0]   p_o
);

  if (Block > 2) begin : gen_illegal_block
    $fatal(1, "mf_mac: Block must be 0 (generic), 1 (DSP48E2) or 2 (ECP5)");
  end else if (Pipeline < 1 || Pipeline > 3) begin : gen_illegal_pipeline
    $fatal(1, "mf_mac: Pipeline must be 1, 2 or 3");
  end else if (Block == 1 && WordWidth != 17) begin : gen_illegal_dsp48e2
    $fatal(1, "mf_mac: WordWidth must be 17 with DSP48E2, whose shift is by 17 bits");
  end else if (Block == 2 && WordWidth > 18) begin : gen_illegal_ecp5
    $fatal(1, "mf_mac: WordWidth must be at most 18 with MULT18X18D");
  end

  if (Block == 1) begin : gen_dsp48e2
    mf_mac_dsp48e2 #(.Pipeline(Pipeline), .CRegister(CRegister)) u_mac (
      .clk_i(clk_i), .op_i(op_i), .a_i(a_i), .b_i(b_i), .c_i(c_i), .p_o(p_o)
    );
  end else if (Block == 2) begin : gen_ecp5
    mf_mac_ecp5 #(.WordWidth(WordWidth), .Pipeline(Pipeline), .CRegister(CRegister)) u_mac (
      .clk_i(clk_i), .op_i(op_i), .a_i(a_i), .b_i(b_i), .c_i(c_i), .p_o(p_o)
    );
  end else begin : gen_generic
    mf_mac_generic #(.WordWidth(WordWidth), .Pipeline(Pipeline), .CRegister(CRegister)) u_mac (
      .clk_i(clk_i), .op_i(op_i), .a_i(a_i), .b_i(b_i), .c_i(c_i), .p_o(p_o)
    );
  end

endmodule
