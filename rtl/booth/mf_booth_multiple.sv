// SPDX-License-Identifier: Apache-2.0
//
// The multiple -2, -1, 0, 1 or 2 times x_i * 2^Shift that a radix-4 Booth term selects, but for
// the one that completes a negative multiple: product = multiple_o + negative_i, modulo 2^Width.
// All bits are complemented, those below Shift too, so that this one always has the weight 1.

module mf_booth_multiple #(
  /// Bits of the multiple; at least OperandW + Shift + 1.
  parameter int unsigned Width    = 8,
  /// Bits of x_i; at least 1.
  parameter int unsigned OperandW = 4,
  /// Weight of the term, as a power of two.
  parameter int unsigned Shift    = 0
) (
  /// Two's complement.
  input  logic [OperandW-1:0] x_i,
  input  logic                once_i,
  input  logic                twice_i,
  input  logic                negative_i,
  output logic [Width-1:0]    multiple_o
);

  logic [Width-1:0] x;
  assign x = Width'(signed'(x_i)) << Shift;

  assign multiple_o = ((x & {Width{once_i}}) | ({x[Width-2:0], 1'b0} & {Width{twice_i}})) ^
                      {Width{negative_i}};

  // x has Width - Shift significant bits or fewer, sign included.
  logic unused_sign;
  assign unused_sign = x[Width-1];

endmodule
