// SPDX-License-Identifier: Apache-2.0
//
// Property of select lines, for binding: while active_i is high, at most one line is high, and with
// Exact exactly one.

module mf_one_hot_props #(
  /// Number of lines.
  parameter int unsigned Lines = 2,
  /// One line is high.
  parameter bit          Exact = 1'b0
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             active_i,
  input logic [Lines-1:0] lines_i
);

  always_ff @(posedge clk_i) begin
    if (rst_ni && active_i) begin
      at_most_one_line_is_selected : assert ((lines_i & (lines_i - Lines'(1))) == '0);
      if (Exact) begin
        one_line_is_selected : assert (lines_i != '0);
      end
    end
  end

endmodule
