// SPDX-License-Identifier: Apache-2.0
//
// Properties of mf_eberle; see the modules that are bound.

bind mf_eberle mf_stream_props #(.Beats(K * K)) u_a_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .accept_i(req_valid_i && req_ready_o), .taken_i(a_taken_o)
);

bind mf_eberle mf_stream_props #(.Beats(K)) u_b_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .accept_i(req_valid_i && req_ready_o), .taken_i(b_taken_o)
);

bind mf_eberle mf_stream_props #(.Beats(K * K)) u_n_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .accept_i(req_valid_i && req_ready_o), .taken_i(n_taken_o)
);
