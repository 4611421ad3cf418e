// SPDX-License-Identifier: Apache-2.0
//
// Partial products of an unsigned multiplication in radix-4 Booth recoding.
//
// Computes: the sum of all rows_o is exactly x_i * y_i + 2^(2 Width), as integers: no carry leaves
//           bit 2 Width in any order of addition.
//
// Row r holds y's digit r of {-2, -1, 0, 1, 2} times x at bit 2r. A negative row is the complement
// plus 1, and that 1 sits at the free bit 2r of row r+1. Its sign -2^(Width+1+2r) is written as
// the complemented sign bit plus a constant; the constants of all rows are ones above the sign
// bits (row 0: two complemented signs instead), which leaves 2^(2 Width) in the sum.

module mf_booth_rows #(
  /// Bits of the operands; at least 3.
  parameter int unsigned Width = 8,

  localparam int unsigned Rows = Width / 2 + 1
) (
  input  logic [Width-1:0]             x_i,
  input  logic [Width-1:0]             y_i,
  output logic [Rows-1:0][2*Width:0]   rows_o
);

  if (Width < 3) begin : gen_illegal_width
    $fatal(1, "mf_booth_rows: Width must be at least 3");
  end

  localparam int unsigned RowW = 2 * Width + 1;

  logic [2*Rows:0] y;
  logic [Rows-1:0] negative;
  assign y = (2 * Rows + 1)'({y_i, 1'b0});

  for (genvar r = 0; r < Rows; r++) begin : gen_row
    logic             once, twice;
    logic [Width:0]   bits;
    logic [Width+3:0] row;

    assign once        = y[2*r+1] ^ y[2*r];
    assign twice       = (y[2*r+2] ^ y[2*r+1]) & ~once;
    assign negative[r] = y[2*r+2] & ~(y[2*r+1] & y[2*r]);
    assign bits        = (({1'b0, x_i} & {(Width + 1){once}}) |
                          ({x_i, 1'b0} & {(Width + 1){twice}})) ^ {(Width + 1){negative[r]}};

    // Bits Width+1 and up: the sign. For an even Width the topmost constant is left out: with it
    // the excess would be twice 2^(2 Width).
    if (r == Rows - 1) begin : gen_never_negative
      assign row = {3'b000, bits};
    end else if (r == Rows - 2 && Width % 2 == 0) begin : gen_topmost_sign
      assign row = {1'b0, (r == 0) ? {~negative[r], negative[r]} : {1'b0, ~negative[r]}, bits};
    end else begin : gen_sign
      assign row = {(r == 0) ? {~negative[r], {2{negative[r]}}} : {2'b01, ~negative[r]}, bits};
    end

    if (r == 0) begin : gen_lowest
      assign rows_o[r] = RowW'(row);
    end else begin : gen_higher
      assign rows_o[r] = RowW'({row, 1'b0, negative[r-1]}) << (2 * r - 2);
    end
  end

endmodule
