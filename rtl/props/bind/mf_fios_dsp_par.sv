// SPDX-License-Identifier: Apache-2.0
//
// Properties of mf_fios_dsp_par; see the modules that are bound.

bind mf_fios_dsp_par mf_buffer_props #(.Depth(Results)) u_result_props (
  .clk_i(clk_i), .rst_ni(rst_ni), .put_i(finish), .take_i(take)
);
