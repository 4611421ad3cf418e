// SPDX-License-Identifier: Apache-2.0
//
// Multiple of an operand by a radix-4 Booth term, without the 1 that completes a negative multiple:
// term * x_i * 2^Shift = multiple_o + term_i.negative modulo 2^Width. All bits of a negative
// multiple are complemented, those below Shift too, so that the missing 1 has the weight 1.

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
  input  mf_booth_pkg::term_t term_i,
  output logic [Width-1:0]    multiple_o
);

  logic [Width-1:0] x;
  assign x = Width'(signed'(x_i)) << Shift;

  assign multiple_o = ((x & {Width{term_i.once}}) |
                       ({x[Width-2:0], 1'b0} & {Width{term_i.twice}})) ^ {Width{term_i.negative}};

  // x has Width - Shift significant bits or fewer, sign included.
  logic unused_sign;
  assign unused_sign = x[Width-1];

endmodule
