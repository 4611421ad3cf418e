// SPDX-License-Identifier: Apache-2.0
//
// Tells whether a value that is to stay has changed: parities of its bits in turn are kept from the
// last cycle without hold_i, and compared while hold_i is set. A change of neighbouring bits, as by
// a power of two that is added, is seen if they are no more than the parities: at least Width / 8,
// and 16 or Width.

module mf_result_guard #(
  parameter int unsigned Width = 64
) (
  input  logic             clk_i,
  input  logic             hold_i,
  input  logic [Width-1:0] value_i,
  output logic             changed_o
);

  localparam int unsigned Fewest   = Width < 16 ? Width : 16;
  localparam int unsigned Eighth   = (Width + 7) / 8;
  localparam int unsigned Parities = Eighth < Fewest ? Fewest : Eighth;
  localparam int unsigned Rows     = (Width + Parities - 1) / Parities;

  logic [Rows-1:0][Parities-1:0] rows;
  logic [Parities-1:0]           parity, parity_q;

  assign rows = (Rows * Parities)'(value_i);

  always_comb begin
    parity = '0;
    for (int unsigned i = 0; i < Rows; i++) parity ^= rows[i];
  end

  always_ff @(posedge clk_i) parity_q <= hold_i ? parity_q : parity;

  assign changed_o = hold_i && parity != parity_q;

endmodule
