// SPDX-License-Identifier: Apache-2.0
//
// Columns Low to High - 1 of an unsigned product: one tree of Booth rows, and an adder.
//
// Computes: sum_o = sum of floor(row / 2^Low) for all rows of mf_booth_rows, + addend_i, modulo
//           2^(High-Low). With Low = 0 that is x_i * y_i + addend_i. Else it is below
//           floor(x_i * y_i / 2^Low) + addend_i by less than the number of rows.

module mf_truncated_product #(
  /// Bits of the operands; at least 3.
  parameter int unsigned Width = 8,
  /// Lowest column of the sum.
  parameter int unsigned Low   = 0,
  /// Column above the sum; Low + 2 to 2 Width.
  parameter int unsigned High  = 16,
  /// addend_i is added.
  parameter bit          Adds  = 1'b0,

  localparam int unsigned SumW = High - Low
) (
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  /// 0 without Adds.
  input  logic [SumW-1:0]  addend_i,
  output logic [SumW-1:0]  sum_o
);

  localparam int unsigned Rows   = Width / 2 + 1;
  localparam int unsigned Inputs = Rows + 32'(Adds);

  logic [Rows-1:0][2*Width:0]  rows;
  logic [Inputs-1:0][SumW-1:0] kept;
  logic [1:0][SumW-1:0]        pair;

  mf_booth_rows #(.Width(Width)) u_rows (
    .x_i(x_i), .y_i(y_i), .rows_o(rows)
  );

  always_comb begin
    kept[Inputs-1] = addend_i;
    for (int unsigned r = 0; r < Rows; r++) kept[r] = rows[r][High-1:Low];
  end

  mf_compressor_tree #(.Width(SumW), .Rows(Inputs)) u_tree (
    .rows_i(kept), .bits_i('0), .rows_o(pair)
  );
  mf_adder #(.Width(SumW), .Style(3)) u_adder (.a_i(pair[0]), .b_i(pair[1]), .sum_o(sum_o));

  // Other columns are not added.
  logic unused_columns;
  assign unused_columns = ^{rows, addend_i};

endmodule
