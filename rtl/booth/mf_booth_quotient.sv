// SPDX-License-Identifier: Apache-2.0
//
// Quotient digit of a Booth carry-save iteration, found in the iteration's cycle.
//
// Computes: the radix-4 Booth terms of q = t * (-n^-1) mod 2^DigitW, taken as two's complement,
//           t = S + d * b, S being the accumulated pair after its shift by a digit. Then
//           S + d * b + q * n is a multiple of 2^DigitW.
// Contract: d * b mod 2^DigitW is registered here, one cycle before the iteration of digit d.
//
// The digit that the shift drops is 0 modulo 2^DigitW, but as a pair it is 0 or 2^DigitW: the
// pending carry. It is the OR of the digit's topmost bits, and is not stored: the pair (0, 0) has
// no carry, and a sum of 2^DigitW has a 1 in a topmost bit.

module mf_booth_quotient
  import mf_booth_pkg::*;
#(
  /// Bits of a digit; 2 to 6.
  parameter int unsigned DigitW = 2,

  localparam int unsigned Terms = (DigitW + 1) / 2
) (
  input  logic                clk_i,
  input  logic                load_i,
  /// The cycle that follows is an iteration.
  input  logic                iterates_i,
  /// Low bits of n and of b; sampled with load_i.
  input  logic [DigitW-1:0]   n_i,
  input  logic [DigitW-1:0]   b_i,
  /// Digit d of the iteration that follows, modulo 2^DigitW.
  input  logic [DigitW-1:0]   d_i,
  /// The two lowest digits of the pair before its shift; 0 in the first iteration.
  input  logic [2*DigitW-1:0] s_i,
  input  logic [2*DigitW-1:0] c_i,
  output logic                pending_o,
  output term_t [Terms-1:0]   terms_o
);

  logic [DigitW-1:0] n_inverse, n_inverse_q, b_q, product_q, t, digit;

  mf_negative_inverse #(.Width(DigitW)) u_n_inverse (
    .n_i(n_i), .inverse_o(n_inverse)
  );

  always_ff @(posedge clk_i) begin
    product_q <= d_i * (load_i ? b_i : b_q);
    if (load_i) begin
      b_q         <= b_i;
      n_inverse_q <= n_inverse;
    end else if (!iterates_i) begin
      n_inverse_q <= '0;  // no quotient outside of the loop
    end
  end

  assign pending_o = s_i[DigitW-1] | c_i[DigitW-1];

  assign t     = s_i[2*DigitW-1:DigitW] + c_i[2*DigitW-1:DigitW] + DigitW'(pending_o) + product_q;
  assign digit = t * n_inverse_q;

  mf_booth_recoder #(.DigitW(DigitW)) u_recoder (
    .digit_i(digit), .transfer_i(1'b0), .terms_o(terms_o)
  );

  logic unused_dropped;
  assign unused_dropped = ^{s_i[DigitW-2:0], c_i[DigitW-2:0]};

endmodule
