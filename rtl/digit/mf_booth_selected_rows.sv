// SPDX-License-Identifier: Apache-2.0
//
// Partial products of an unsigned multiplication, from the radix-4 Booth terms of one operand.
//
// Computes: the sum of all rows_o is exactly x_i * y + 2^(2 Width), as integers: no carry leaves
//           bit 2 Width in any order of addition. y = sum of terms_i[r] 4^r, 0 <= y < 2^Width.
//
// Row r holds term r, one of {-2, -1, 0, 1, 2}, times x at bit 2r. A negative row is the complement
// plus 1, and that 1 sits at the free bit 2r of row r+1. Its sign -2^(Width+1+2r) is written as
// the complemented sign bit plus a constant; the constants of all rows are ones above the sign
// bits (row 0: two complemented signs instead), which leaves 2^(2 Width) in the sum.

module mf_booth_selected_rows
  import mf_booth_pkg::*;
#(
  /// Bits of the operands; at least 3.
  parameter int unsigned Width = 8,

  localparam int unsigned Rows = Width / 2 + 1
) (
  input  logic [Width-1:0]             x_i,
  input  term_t [Rows-1:0]             terms_i,
  output logic [Rows-1:0][2*Width:0]   rows_o
);

  if (Width < 3) begin : gen_illegal_width
    $fatal(1, "mf_booth_selected_rows: Width must be at least 3");
  end

  localparam int unsigned RowW = 2 * Width + 1;

  for (genvar r = 0; r < Rows; r++) begin : gen_row
    logic [Width:0]   bits;
    logic [Width+3:0] row;
    logic             once, twice, negative;

    assign {once, twice, negative} = terms_i[r];
    assign bits = (({1'b0, x_i} & {(Width + 1){once}}) | ({x_i, 1'b0} & {(Width + 1){twice}})) ^
                  {(Width + 1){negative}};

    // Bits Width+1 and up: the sign. For an even Width the topmost constant is left out: with it
    // the excess would be twice 2^(2 Width).
    if (r == Rows - 1) begin : gen_never_negative
      assign row = {3'b000, bits};
    end else if (r == Rows - 2 && Width % 2 == 0) begin : gen_topmost_sign
      assign row = {1'b0, (r == 0) ? {~negative, negative} : {1'b0, ~negative}, bits};
    end else begin : gen_sign
      assign row = {(r == 0) ? {~negative, {2{negative}}} : {2'b01, ~negative}, bits};
    end

    if (r == 0) begin : gen_lowest
      assign rows_o[r] = RowW'(row);
    end else begin : gen_higher
      assign rows_o[r] = RowW'({row, 1'b0, terms_i[r-1].negative}) << (2 * r - 2);
    end
  end

  // The highest term is not negative: y is unsigned.
  logic unused_negative;
  assign unused_negative = terms_i[Rows-1].negative;

endmodule
