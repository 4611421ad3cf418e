// SPDX-License-Identifier: Apache-2.0
//
// Behavioural model of the features of Lattice's ECP5 primitive MULT18X18D that this library uses.
// In synthesis it is an empty black box: the tool places its own primitive. Leave this file out
// where the vendor's simulation library is used.
//
// Modelled: the unsigned 18 x 18 multiplier; registers of A, B and P ("NONE" or "CLK0"), without
//           reset and always enabled.

`ifdef SYNTHESIS
(* blackbox, black_box *)
`endif
module MULT18X18D #(
  parameter REG_INPUTA_CLK = "NONE",
  parameter REG_INPUTB_CLK = "NONE",
  parameter REG_OUTPUT_CLK = "NONE"
) (
  input  logic
    A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, B0, B1, B2, B3,
    B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17, SIGNEDA, SIGNEDB, SOURCEA,
    SOURCEB, CLK0, CE0, RST0,
  output logic
    P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17, P18, P19, P20,
    P21, P22, P23, P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);

`ifndef SYNTHESIS
  logic [17:0] a, b, a_used, b_used;
  logic [35:0] product, p;

  assign a = {
    A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0
  };
  assign b = {
    B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0
  };

  mf_delay_line #(.Width(18), .Depth(REG_INPUTA_CLK == "NONE" ? 0 : 1)) u_a (
    .clk_i(CLK0), .d_i(a), .q_o(a_used)
  );
  mf_delay_line #(.Width(18), .Depth(REG_INPUTB_CLK == "NONE" ? 0 : 1)) u_b (
    .clk_i(CLK0), .d_i(b), .q_o(b_used)
  );
  mf_delay_line #(.Width(36), .Depth(REG_OUTPUT_CLK == "NONE" ? 0 : 1)) u_p (
    .clk_i(CLK0), .d_i(product), .q_o(p)
  );

  assign product = 36'(a_used) * 36'(b_used);
  assign {
    P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17,
    P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
  } = p;

  // Not modelled: the library ties these inputs to constants.
  logic unused_inputs;
  assign unused_inputs = ^{SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CE0, RST0};
`endif

endmodule
