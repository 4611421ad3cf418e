// SPDX-License-Identifier: Apache-2.0
//
// Properties of mf_scs_mm_skip; see the modules that are bound.

bind mf_scs_mm_skip mf_one_hot_props #(.Lines(Done + 1), .Exact(1'b1)) u_phase_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .active_i(1'b1), .lines_i(phase_q)
);

bind mf_scs_mm_skip mf_one_hot_props #(.Lines(Skips + 2)) u_state_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .active_i(1'b1), .lines_i({shift, hold})
);

bind mf_scs_mm_skip mf_one_hot_props #(.Lines(3)) u_operand_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .active_i(1'b1), .lines_i({add_n, add_b, add_d})
);

bind mf_scs_mm_skip mf_one_hot_props #(.Lines(Skips + 1), .Exact(1'b1)) u_advance_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .active_i(phase_q[Loop]), .lines_i(advance)
);
