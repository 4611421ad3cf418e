// SPDX-License-Identifier: Apache-2.0
//
// One-hot multiplexer in AND-OR form: data_o is the selected input, 0 if none is selected.

module mf_one_hot_mux #(
  /// Bits of the vectors; at least 1.
  parameter int unsigned Width  = 8,
  /// Number of inputs; at least 1.
  parameter int unsigned Inputs = 2
) (
  /// At most one bit is set.
  input  logic [Inputs-1:0]            select_i,
  input  logic [Inputs-1:0][Width-1:0] data_i,
  output logic [Width-1:0]             data_o
);

  if ($signed(Width) < 1) begin : gen_illegal_width
    $fatal(1, "mf_one_hot_mux: Width must be at least 1");
  end else if ($signed(Inputs) < 1) begin : gen_illegal_inputs
    $fatal(1, "mf_one_hot_mux: Inputs must be at least 1");
  end

  always_comb begin
    data_o = '0;
    for (int unsigned i = 0; i < Inputs; i++) begin
      data_o |= data_i[i] & {Width{select_i[i]}};
    end
  end

endmodule
