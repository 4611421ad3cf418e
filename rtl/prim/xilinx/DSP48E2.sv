// SPDX-License-Identifier: Apache-2.0
//
// Behavioural model of the features of AMD's DSP48E2 primitive that this library uses, written from
// the user guide UG579. In synthesis it is an empty black box: the tool places its own primitive.
// Leave this file out where the vendor's simulation library is used.
//
// Modelled: A, B, M, P, C and OPMODE registers (0 or 1 of each, A's 0 to 2; no reset; A's and D's
//           have their enables, the others always load); A or D before the multiplier, with their
//           common register; the signed 27 x 18 multiplier; the four-input adder with W = 0 or C,
//           X and Y = 0 or M, and Z = 0, P, P >> 17, PCIN, PCIN >> 17 (arithmetic); the cascades
//           of B and of P. Any other OPMODE or INMODE gives an assertion error.

`ifdef SYNTHESIS
(* blackbox, black_box *)
`endif
module DSP48E2 #(
  parameter int ACASCREG      = 1,
  parameter int ADREG         = 1,
  parameter int ALUMODEREG    = 1,
  parameter     AMULTSEL      = "A",
  parameter int AREG          = 1,
  parameter     B_INPUT       = "DIRECT",
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
  input  logic [17:0] BCIN,
  input  logic [47:0] C,
  input  logic [26:0] D,
  input  logic [8:0]  OPMODE,
  input  logic [3:0]  ALUMODE,
  input  logic [4:0]  INMODE,
  input  logic [2:0]  CARRYINSEL,
  input  logic        CARRYIN,
  input  logic [47:0] PCIN,
  input  logic        CEA1, CEA2, CEAD, CEALUMODE, CEB1, CEB2, CEC, CECARRYIN, CECTRL, CED,
  input  logic        CEINMODE, CEM, CEP,
  input  logic        RSTA, RSTALLCARRYIN, RSTALUMODE, RSTB, RSTC, RSTCTRL, RSTD, RSTINMODE, RSTM,
  input  logic        RSTP,
  output logic [17:0] BCOUT,
  output logic [47:0] P,
  output logic [47:0] PCOUT
);

`ifndef SYNTHESIS
  if (ACASCREG != AREG || BCASCREG != BREG || PREG != 1 || ALUMODEREG + CARRYINREG + CARRYINSELREG
      + INMODEREG != 0 || ADREG + DREG != (16'(AMULTSEL) == "AD" ? 2 : 0)) begin : gen_not_modelled
    $fatal(1, "DSP48E2 model: registers of the unused inputs must be 0, PREG must be 1");
  end

  logic signed [26:0] a, multiplicand;
  logic signed [17:0] b_in, b;
  logic signed [44:0] product, m;
  logic signed [47:0] z, p_q;
  logic        [47:0] c;
  logic        [8:0]  opmode;

  if (AREG == 0) begin : gen_a
    assign a = A[26:0];
  end else if (AREG == 1) begin : gen_a_register
    always_ff @(posedge CLK) if (CEA2) a <= A[26:0];
  end else begin : gen_a_registers
    logic [26:0] a_1_q;
    always_ff @(posedge CLK) begin
      if (CEA1) a_1_q <= A[26:0];
      if (CEA2) a     <= a_1_q;
    end
  end

  if (16'(AMULTSEL) == "AD") begin : gen_a_or_d
    logic signed [26:0] d_q;
    always_ff @(posedge CLK) begin
      if (CED) d_q <= D;
      multiplicand <= (INMODE[2] ? d_q : '0) | (INMODE[1] ? '0 : a);
      assert (INMODE inside {5'b00000, 5'b00110})
      else $error("DSP48E2 model: INMODE is not modelled");
    end
  end else begin : gen_a_alone
    assign multiplicand = a;
    logic unused_d;
    assign unused_d = ^{D, INMODE, CED};
  end

  assign b_in = 56'(B_INPUT) == "CASCADE" ? BCIN : B;

  mf_delay_line #(.Width(18), .Depth(BREG)) u_b (.clk_i(CLK), .d_i(b_in), .q_o(b));
  mf_delay_line #(.Width(45), .Depth(MREG)) u_m (.clk_i(CLK), .d_i(product), .q_o(m));
  mf_delay_line #(.Width(48), .Depth(CREG)) u_c (.clk_i(CLK), .d_i(C), .q_o(c));
  mf_delay_line #(.Width(9), .Depth(OPMODEREG)) u_opmode (
    .clk_i(CLK), .d_i(OPMODE), .q_o(opmode)
  );

  assign product = 45'(multiplicand) * 45'(b);

  always_comb begin
    unique case (opmode[6:4])
      3'b001:  z = PCIN;
      3'b010:  z = p_q;
      3'b101:  z = $signed(PCIN) >>> 17;
      3'b110:  z = p_q >>> 17;
      default: z = '0;
    endcase
  end

  always_ff @(posedge CLK) begin
    p_q <= z + (opmode[3:0] == 4'b0101 ? 48'(m) : '0) + (opmode[8:7] == 2'b11 ? c : '0);
  end

  assign BCOUT = b;
  assign P     = p_q;
  assign PCOUT = p_q;

  always_ff @(posedge CLK) begin
    assert (OPMODE[8:7] inside {2'b00, 2'b11}
            && OPMODE[6:4] inside {3'b000, 3'b001, 3'b010, 3'b101, 3'b110}
            && OPMODE[3:0] inside {4'b0000, 4'b0101} && ALUMODE == '0)
    else $error("DSP48E2 model: OPMODE or ALUMODE is not modelled");
  end

  // Not modelled: the library ties these inputs to constants.
  logic unused_inputs;
  assign unused_inputs = ^{A[29:27], B, BCIN, CARRYINSEL, CARRYIN, CEA1, CEA2, CEAD, CEALUMODE,
                           CEB1, CEB2, CEC, CECARRYIN, CECTRL, CEINMODE, CEM, CEP, PCIN, RSTA,
                           RSTALLCARRYIN, RSTALUMODE, RSTB, RSTC, RSTCTRL, RSTD, RSTINMODE, RSTM,
                           RSTP};
`endif

endmodule
