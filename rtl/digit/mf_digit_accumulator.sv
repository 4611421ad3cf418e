// SPDX-License-Identifier: Apache-2.0
//
// Accumulator that adds several vectors in a cycle.
//
// Computes: value := value + sum of rows_i, modulo 2^Width, in each cycle; Initial instead where
//           initialise_i is high.
// CarrySave = 0: the register is binary; value_o is the adder's output, register_o the register.
// CarrySave = 1: the register is a carry-save pair without a carry chain before it; value_o and
//           register_o are the sum of the pair, one cycle later than with CarrySave = 0.

module mf_digit_accumulator #(
  /// Bits of the accumulator; at least 2.
  parameter int unsigned      Width      = 16,
  /// Vectors that are added in a cycle; at least 1.
  parameter int unsigned      Rows       = 2,
  /// The register is a carry-save pair.
  parameter bit               CarrySave  = 1'b0,
  /// Style of the adder (mf_adder).
  parameter int unsigned      AdderStyle = 0,
  /// Value after initialise_i.
  parameter logic [Width-1:0] Initial    = '0
) (
  input  logic                       clk_i,
  input  logic                       initialise_i,
  input  logic [Rows-1:0][Width-1:0] rows_i,
  output logic [Width-1:0]           value_o,
  output logic [Width-1:0]           register_o
);

  localparam int unsigned StateRows = CarrySave ? 2 : 1;

  logic [StateRows-1:0][Width-1:0] state_q, state_d;
  logic [1:0][Width-1:0]           pair, addends;

  mf_compressor_tree #(.Width(Width), .Rows(Rows + StateRows)) u_tree (
    .rows_i({state_q, rows_i}), .bits_i('0), .rows_o(pair)
  );

  if (CarrySave) begin : gen_carry_save
    assign addends    = state_q;
    assign state_d    = initialise_i ? (2 * Width)'(Initial) : pair;
    assign register_o = value_o;
  end else begin : gen_binary
    assign addends    = pair;
    assign state_d[0] = initialise_i ? Initial : value_o;
    assign register_o = state_q[0];
  end

  mf_adder #(.Width(Width), .Style(AdderStyle)) u_adder (
    .a_i(addends[0]), .b_i(addends[1]), .sum_o(value_o)
  );

  always_ff @(posedge clk_i) state_q <= state_d;

endmodule
