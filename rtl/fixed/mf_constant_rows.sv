// SPDX-License-Identifier: Apache-2.0
//
// Partial products of an operand and a constant in signed digits, without the columns below Low.
//
// Computes: the sum of all rows_o is floor((x_i * (Plus - Minus) + Constant) / 2^Low) - e modulo
//           2^OutW, 0 <= e < Rows; e = 0 if Low = 0.
//
// Each one of Plus gives a row, x at its place, and each one of Minus the complement of x at its
// place. The last row is Constant and the correction of the complements. Each row is rounded down.

module mf_constant_rows #(
  /// Bits of x_i; at least 1.
  parameter int unsigned         InW      = 8,
  /// Bits of the rows; at least 1, Low + OutW at most 1600.
  parameter int unsigned         OutW     = 16,
  /// Lowest columns, which are left out.
  parameter int unsigned         Low      = 0,
  /// Mask of the digits 1.
  parameter mf_fixed_pkg::wide_t Plus     = 5,
  /// Mask of the digits -1.
  parameter mf_fixed_pkg::wide_t Minus    = 0,
  /// Addend of the product.
  parameter mf_fixed_pkg::wide_t Constant = 0,

  localparam int unsigned Rows = mf_fixed_pkg::constant_rows(Plus, Minus)
) (
  input  logic [InW-1:0]            x_i,
  output logic [Rows-1:0][OutW-1:0] rows_o
);

  localparam int unsigned         SumW  = Low + OutW;
  localparam mf_fixed_pkg::wide_t Whole = Constant + Minus - (Minus << InW);

  for (genvar r = 0; r < Rows - 1; r++) begin : gen_row
    localparam int unsigned At = mf_fixed_pkg::place(Plus | Minus, r);

    logic [InW-1:0]  x;
    logic [SumW-1:0] row;
    assign x         = Minus[At] ? ~x_i : x_i;
    assign row       = SumW'(x) << At;
    assign rows_o[r] = row[SumW-1:Low];

    if (Low > 0) begin : gen_low
      logic unused_low;
      assign unused_low = ^row[Low-1:0];
    end
  end

  assign rows_o[Rows-1] = Whole[Low+:OutW];

endmodule
