// SPDX-License-Identifier: Apache-2.0
//
// Says which cycle of a fast clock ends with an edge of a slow one: what a register of the slow
// clock says is taken in that cycle, as by another register of the slow clock.
//
// Contract: fast_clk_i has Ratio cycles in one of slow_clk_i, and their rising edges are in line.
//           step_o is high in the last of them, from the second cycle of slow_clk_i after reset on.
// Constant time: yes.

module mf_engine_step #(
  /// 2 to 4.
  parameter int unsigned Ratio = 2
) (
  input  logic slow_clk_i,
  input  logic fast_clk_i,
  input  logic rst_ni,
  output logic step_o
);

  logic             turn_q;  // changes with each edge of slow_clk_i
  logic [Ratio-2:0] turns_q;  // in the cycles of fast_clk_i before

  always_ff @(posedge slow_clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 1'b0;
    else turn_q <= !turn_q;
  end

  always_ff @(posedge fast_clk_i or negedge rst_ni) begin
    if (!rst_ni) turns_q <= '1;
    else turns_q <= (Ratio - 1)'({turns_q, turn_q});
  end

  assign step_o = turns_q[Ratio-2] == turn_q;

endmodule
