// SPDX-License-Identifier: Apache-2.0
//
// Operand multiplexer ("M1" and "M2") at one input of the carry-save adder.
//
// Source: Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 11. The shift that belongs to an iteration
//         is done here, at the start of the next cycle.
//
// One-hot select, so that the AND-OR form gives 0 when nothing is selected: that is how the loop
// starts from S = 0 although the registers still hold D.

module mf_operand_mux #(
  /// Bits of the vectors; at least 3.
  parameter int unsigned Width = 8
) (
  input  logic             select_operand_i,
  input  logic             select_hold_i,
  input  logic             select_shift1_i,
  input  logic             select_shift2_i,
  input  logic [Width-1:0] operand_i,
  input  logic [Width-1:0] state_i,
  output logic [Width-1:0] state_o
);

  assign state_o = ({Width{select_operand_i}} & operand_i) |
                   ({Width{select_hold_i}}    & state_i) |
                   ({Width{select_shift1_i}}  & {1'b0, state_i[Width-1:1]}) |
                   ({Width{select_shift2_i}}  & {2'b00, state_i[Width-1:2]});

endmodule
