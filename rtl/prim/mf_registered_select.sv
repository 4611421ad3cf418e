// SPDX-License-Identifier: Apache-2.0
//
// One-hot multiplexer with registered selects: data_o is the input that next_select_i selected in
// the cycle before, 0 if none.

module mf_registered_select #(
  /// Bits of the vectors; at least 1.
  parameter int unsigned Width  = 8,
  /// Number of inputs; at least 1.
  parameter int unsigned Inputs = 2
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  /// Selects the next cycle's input. At most one bit is set.
  input  logic [Inputs-1:0]            next_select_i,
  input  logic [Inputs-1:0][Width-1:0] data_i,
  output logic [Width-1:0]             data_o
);

  logic [Inputs-1:0] select_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      select_q <= '0;
    end else begin
      select_q <= next_select_i;
    end
  end

  mf_one_hot_mux #(.Width(Width), .Inputs(Inputs)) u_mux (
    .select_i(select_q), .data_i(data_i), .data_o(data_o)
  );

endmodule
