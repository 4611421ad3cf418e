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

  mf_booth_pkg::term_t [Rows-1:0] terms;

  mf_booth_recoder #(.DigitW(2 * Rows)) u_recoder (
    .digit_i((2 * Rows)'(y_i)), .transfer_i(1'b0), .terms_o(terms)
  );

  mf_booth_selected_rows #(.Width(Width)) u_rows (
    .x_i(x_i), .terms_i(terms), .rows_o(rows_o)
  );

endmodule
