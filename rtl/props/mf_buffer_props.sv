// SPDX-License-Identifier: Apache-2.0
//
// Properties of a buffer behind a stream that can't stall, for binding: nothing is put into a full
// buffer, and nothing is taken from an empty one.

module mf_buffer_props #(
  /// Entries.
  parameter int unsigned Depth = 1
) (
  input logic clk_i,
  input logic rst_ni,
  input logic put_i,
  input logic take_i
);

  logic [31:0] filled_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) filled_q <= '0;
    else filled_q <= filled_q + 32'(put_i) - 32'(take_i);
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (put_i) begin
        nothing_is_put_into_a_full_buffer : assert (filled_q < Depth);
      end
      if (take_i) begin
        nothing_is_taken_from_an_empty_buffer : assert (filled_q != '0);
      end
    end
  end

endmodule
