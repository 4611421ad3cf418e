// SPDX-License-Identifier: Apache-2.0
//
// Partial products of an unsigned multiplication in radix-4 Booth recoding.
//
// Computes: the sum of all rows_o is exactly x_i * y_i + 2^(2 Width), as integers: no carry leaves
//           bit 2 Width in any order of addition (mf_booth_selected_rows).

module mf_booth_rows #(
  /// Bits of the operands; at least 3.
  parameter int unsigned Width = 8,

  localparam int unsigned Rows = Width / 2 + 1
) (
  input  logic [Width-1:0]             x_i,
  input  logic [Width-1:0]             y_i,
  output logic [Rows-1:0][2*Width:0]   rows_o
);

  logic [Rows-1:0] once, twice, negative;

  mf_booth_recoder #(.DigitW(2 * Rows)) u_recoder (
    .digit_i   ((2 * Rows)'(y_i)),
    .transfer_i(1'b0),
    .once_o    (once),
    .twice_o   (twice),
    .negative_o(negative)
  );

  mf_booth_selected_rows #(.Width(Width)) u_rows (
    .x_i       (x_i),
    .once_i    (once),
    .twice_i   (twice),
    .negative_i(negative),
    .rows_o    (rows_o)
  );

endmodule
