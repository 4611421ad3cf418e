// SPDX-License-Identifier: Apache-2.0
//
// Properties of mf_fios_dsp; see the modules that are bound.

bind mf_fios_dsp mf_one_hot_props #(.Lines(Elements), .Exact(1'b1)) u_start_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .active_i(1'b1), .lines_i(starts_here)
);

bind mf_fios_dsp mf_stream_props #(.Beats(Words)) u_x_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .accept_i(op_valid_i && op_ready_o), .taken_i(x_next_o)
);

bind mf_fios_dsp mf_stream_props #(.Beats(Words)) u_y_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .accept_i(op_valid_i && op_ready_o), .taken_i(y_next_o)
);

bind mf_fios_dsp mf_stream_props #(.Beats(Variant == 2 ? Words : Words + 1)) u_n_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .accept_i(op_valid_i && op_ready_o), .taken_i(n_next_o)
);
