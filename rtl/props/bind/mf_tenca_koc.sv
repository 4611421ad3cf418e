// SPDX-License-Identifier: Apache-2.0
//
// Properties of mf_tenca_koc; see the modules that are bound.

bind mf_tenca_koc mf_stream_props #(.Beats(Iterations)) u_a_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .accept_i(req_valid_i && req_ready_o), .taken_i(a_taken_o)
);

bind mf_tenca_koc mf_stream_props #(.Beats(Rounds * Words)) u_word_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .accept_i(req_valid_i && req_ready_o), .taken_i(word_taken_o)
);
