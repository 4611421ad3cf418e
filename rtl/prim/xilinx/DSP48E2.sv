// SPDX-License-Identifier: Apache-2.0
//
// Behavioural model of the features of AMD's DSP48E2 primitive that this library uses, written from
// the user guide UG579. In synthesis it is an empty black box: the tool places its own primitive.
// Leave this file out where the vendor's simulation library is used.
//
// Modelled: A, B, M, P, C and OPMODE registers (0 or 1 of each, no reset, always enabled); the
//           signed 27 x 18 multiplier; the four-input adder with W = 0 or C, X and Y = 0 or M, and
//           Z = 0, P, P >> 17 (arithmetic). Any other OPMODE gives an assertion error.

`ifdef SYNTHESIS
(* blackbox, black_box *)
`endif
module DSP48E2 #(
  parameter int ACASCREG      = 1,
  parameter int ADREG         = 1,
  parameter int ALUMODEREG    = 1,
  parameter int AREG          = 1,
  parameter int BCASCREG      = 1,
  parameter int BREG          = 1,
  parameter int CARRYINREG    = 1,
  parameter int CARRYINSELREG = 1,
  parameter int CREG          = 1,
  parameter int DREG          = 1,
  parameter int INMODEREG     = 1,
  parameter int MREG          = 1,
  parameter int OPMODEREG     = 1,
  parameter int PREG          = 1
) (
  input  logic        CLK,
  input  logic [29:0] A,
  input  logic [17:0] B,
  input  logic [47:0] C,
  input  logic [26:0] D,
  input  logic [8:0]  OPMODE,
  input  logic [3:0]  ALUMODE,
  input  logic [4:0]  INMODE,
  input  logic [2:0]  CARRYINSEL,
  input  logic        CARRYIN,
  input  logic        CEA1, CEA2, CEAD, CEALUMODE, CEB1, CEB2, CEC, CECARRYIN, CECTRL, CED,
  input  logic        CEINMODE, CEM, CEP,
  input  logic        RSTA, RSTALLCARRYIN, RSTALUMODE, RSTB, RSTC, RSTCTRL, RSTD, RSTINMODE, RSTM,
  input  logic        RSTP,
  output logic [47:0] P
);

`ifndef SYNTHESIS
  if (ACASCREG != AREG || BCASCREG != BREG || PREG != 1 || ADREG + ALUMODEREG + CARRYINREG
      + CARRYINSELREG + DREG + INMODEREG != 0) begin : gen_not_modelled
    $fatal(1, "DSP48E2 model: registers of the unused inputs must be 0, PREG must be 1");
  end

  logic signed [26:0] a;
  logic signed [17:0] b;
  logic signed [44:0] product, m;
  logic signed [47:0] z, p_q;
  logic        [47:0] c;
  logic        [8:0]  opmode;

  mf_delay_line #(.Width(27), .Depth(AREG)) u_a (.clk_i(CLK), .d_i(A[26:0]), .q_o(a));
  mf_delay_line #(.Width(18), .Depth(BREG)) u_b (.clk_i(CLK), .d_i(B), .q_o(b));
  mf_delay_line #(.Width(45), .Depth(MREG)) u_m (.clk_i(CLK), .d_i(product), .q_o(m));
  mf_delay_line #(.Width(48), .Depth(CREG)) u_c (.clk_i(CLK), .d_i(C), .q_o(c));
  mf_delay_line #(.Width(9), .Depth(OPMODEREG)) u_opmode (
    .clk_i(CLK), .d_i(OPMODE), .q_o(opmode)
  );

  assign product = 45'(a) * 45'(b);

  always_comb begin
    unique case (opmode[6:4])
      3'b010:  z = p_q;
      3'b110:  z = p_q >>> 17;
      default: z = '0;
    endcase
  end

  always_ff @(posedge CLK) begin
    p_q <= z + (opmode[3:0] == 4'b0101 ? 48'(m) : '0) + (opmode[8:7] == 2'b11 ? c : '0);
  end

  assign P = p_q;

  always_ff @(posedge CLK) begin
    assert (OPMODE[8:7] inside {2'b00, 2'b11} && OPMODE[6:4] inside {3'b000, 3'b010, 3'b110}
            && OPMODE[3:0] inside {4'b0000, 4'b0101} && ALUMODE == '0)
    else $error("DSP48E2 model: OPMODE or ALUMODE is not modelled");
  end

  // Not modelled: the library ties these inputs to constants.
  logic unused_inputs;
  assign unused_inputs = ^{A[29:27], D, INMODE, CARRYINSEL, CARRYIN, CEA1, CEA2, CEAD, CEALUMODE,
                           CEB1, CEB2, CEC, CECARRYIN, CECTRL, CED, CEINMODE, CEM, CEP, RSTA,
                           RSTALLCARRYIN, RSTALUMODE, RSTB, RSTC, RSTCTRL, RSTD, RSTINMODE, RSTM,
                           RSTP};
`endif

endmodule
