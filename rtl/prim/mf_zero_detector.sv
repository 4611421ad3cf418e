// SPDX-License-Identifier: Apache-2.0
//
// Zero detector ("Zero_D" of Kuang 2016, Fig. 7 and Fig. 11): one wide NOR.

module mf_zero_detector #(
  /// Bits of the vector; at least 1.
  parameter int unsigned Width = 8
) (
  input  logic [Width-1:0] vector_i,
  output logic             zero_o
);

  if (Width < 1) begin : gen_illegal_width
    $fatal(1, "mf_zero_detector: Width must be at least 1");
  end

  assign zero_o = ~|vector_i;

endmodule
