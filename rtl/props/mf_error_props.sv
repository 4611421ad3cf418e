// SPDX-License-Identifier: Apache-2.0
//
// Property of a response that is checked, for binding: without a fault there is no error.

module mf_error_props (
  input logic clk_i,
  input logic rst_ni,
  input logic rsp_valid_i,
  input logic error_i
);

  always_ff @(posedge clk_i) begin
    if (rst_ni && rsp_valid_i) begin
      no_error_without_a_fault : assert (!error_i);
    end
  end

endmodule
