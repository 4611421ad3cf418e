// SPDX-License-Identifier: Apache-2.0
//
// Properties of mf_booth_csa_core; see the modules that are bound.

bind mf_booth_csa_core mf_one_hot_props #(.Lines(3)) u_state_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .active_i(!loading), .lines_i({word_q, hold_q, shift_q})
);
