// SPDX-License-Identifier: Apache-2.0
//
// Balanced digits of an operand: digits from -b/2 to b/2 in place of 0 to b - 1, b = 2^DigitW.
//
// Source:   montforge: products of three spectra at once need two bits less.
// Computes: d - b m + m', m the highest bit of the digit d, m' that of the digit below.
// Codes:    word = {sign, field}. The field is the digit, or for a negative digit the digit plus
//           b + 1, modulo b; of these fields that of -1 alone has a highest bit 0.
// Contract: rows of four digits in ascending order, from row 0 on; the highest bit of the operand's
//           last digit is 0.
// Latency:  none; the highest bit of a row's last digit is kept for the next row.

module mf_fft_balancer #(
  /// Bits of a digit; at least 2.
  parameter int unsigned DigitW = 17
) (
  input  logic                   clk_i,

  input  logic                   valid_i,
  /// Row 0.
  input  logic                   first_i,
  input  logic [3:0][DigitW-1:0] digits_i,
  output logic [3:0][DigitW:0]   words_o
);

  if (DigitW < 2) begin : gen_illegal_digit_width
    $fatal(1, "mf_fft_balancer: DigitW must be at least 2");
  end

  logic       high_q;
  logic [4:0] high;  // highest bits, of the digit below the row and of the row's digits

  always_comb begin
    high[0] = high_q && !first_i;
    for (int unsigned k = 0; k < 4; k++) high[k+1] = digits_i[k][DigitW-1];
  end

  always_ff @(posedge clk_i) if (valid_i) high_q <= high[4];

  always_comb begin
    for (int unsigned k = 0; k < 4; k++) begin
      if (&digits_i[k] && high[k]) begin
        words_o[k] = '0;  // b - 1 + 1 - b
      end else begin
        words_o[k] = {high[k+1], digits_i[k] + DigitW'(high[k]) + DigitW'(high[k+1])};
      end
    end
  end

endmodule
