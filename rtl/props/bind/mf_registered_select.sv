// SPDX-License-Identifier: Apache-2.0
//
// Properties of mf_registered_select; see the module that is bound.

bind mf_registered_select mf_one_hot_props #(.Lines(Inputs)) u_select_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .active_i(1'b1), .lines_i(select_q)
);
