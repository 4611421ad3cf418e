// SPDX-License-Identifier: Apache-2.0
//
// Result of the FFT multiplier beside its accumulation: t = (1 + carry - digits) / 2, with the
// carry left in a digit.
//
// Source:   montforge; the accumulation carries, so that one digit is redundant.
// Computes: modulo 2^l, 1 + carry - digits = (2^l - 1 - digits) + carry + 2 = 2t. Each segment is
//           complemented and halved; the first one is made again at the end, with the carry, and
//           its carry out (over_o) stays above its last digit.
// Why:      xy + mn = h e - 2t with 0 <= e <= t, so the carry is e - 1: carry + 2 is at least 1,
//           2t is at most 2^l, and nothing is borrowed. Only t = 0 (carry 0, digits 0) has an odd
//           sum; the result's digits are not zeros then, which zero_o says.
// Range:    -1 <= carry_i < 2^SegmentW - 2; the last digit is below 3b/2, b = 2^DigitW.
// Latency:  1 cycle: a segment's result comes with the next segment, whose lowest bit it takes; the
//           first one again a cycle after again_i.

module mf_fft_direct #(
  /// Bits of a segment.
  parameter int unsigned SegmentW = 132,
  /// Bits of the carry, with its sign; at most SegmentW.
  parameter int unsigned CarryW   = 42
) (
  input  logic                     clk_i,

  input  logic                     valid_i,
  input  logic                     first_i,
  input  logic [SegmentW-1:0]      digits_i,
  /// The cycle after the last segment; carry_i is valid.
  input  logic                     again_i,
  input  logic signed [CarryW-1:0] carry_i,

  output logic [SegmentW-1:0]      result_o,
  /// Carry out of the first segment, which is added again.
  output logic                     over_o,
  output logic                     zero_o
);

  if (CarryW > SegmentW) begin : gen_illegal_carry
    $fatal(1, "mf_fft_direct: CarryW must be at most SegmentW");
  end

  logic [SegmentW-1:0] first_q;
  logic [SegmentW-1:1] shifted_q;
  logic [SegmentW:0]   total;
  logic                second_q, lowest_q;  // the lowest bit of the second segment
  logic                again_q, carried_q, odd_q;

  assign total = {1'b0, ~first_q} + {{(SegmentW + 1 - CarryW){carry_i[CarryW-1]}}, carry_i} +
                 (SegmentW + 1)'(2);

  always_ff @(posedge clk_i) begin
    if (valid_i && first_i) first_q <= digits_i;
    second_q  <= valid_i && first_i;
    if (second_q) lowest_q <= !digits_i[0];
    shifted_q <= again_i ? total[SegmentW-1:1] : ~digits_i[SegmentW-1:1];
    again_q   <= again_i;
    carried_q <= total[SegmentW];
    odd_q     <= total[0];
  end

  // The bit above the last segment is 0.
  assign result_o = {again_q ? carried_q ^ lowest_q : valid_i && !digits_i[0], shifted_q};
  assign over_o   = again_q && carried_q && lowest_q;
  assign zero_o   = again_q && odd_q;

endmodule
