// SPDX-License-Identifier: Apache-2.0
//
// Booth recoding of one digit of DigitW bits: d = digit_i, taken as two's complement, + transfer_i
// is written as the sum of 4^j times term j, each term being -2, -1, 0, 1 or 2.
//
// An odd DigitW is sign-extended by one bit, so that the highest term is -1, 0 or 1.

module mf_booth_recoder
  import mf_booth_pkg::*;
#(
  /// Bits of a digit; at least 2.
  parameter int unsigned DigitW = 2,

  localparam int unsigned Terms = (DigitW + 1) / 2
) (
  input  logic [DigitW-1:0] digit_i,
  /// The highest bit of the digit below this one; 0 if each digit stands alone.
  input  logic              transfer_i,
  output term_t [Terms-1:0] terms_o
);

  logic [2*Terms:0] bits;
  assign bits = {{(2*Terms-DigitW){digit_i[DigitW-1]}}, digit_i, transfer_i};

  for (genvar j = 0; j < Terms; j++) begin : gen_term
    assign terms_o[j].once     = bits[2*j+1] ^ bits[2*j];
    assign terms_o[j].twice    = (bits[2*j+2] ^ bits[2*j+1]) & ~terms_o[j].once;
    assign terms_o[j].negative = bits[2*j+2] & ~(bits[2*j+1] & bits[2*j]);
  end

endmodule
