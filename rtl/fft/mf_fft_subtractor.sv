// SPDX-License-Identifier: Apache-2.0
//
// Subtractor of the FFT multiplier: t = (1 + carry - digits) / 2, segment by segment.
//
// Source:   Dai 2018, Section 6.1.3, Fig. 6, eq. 21 and 33. 1 + carry - digits is 2t, for t = 0 it
//           is 1, modulo 2^l: halving is a shift. Products that are 0 are no exception.
//           Swapped moduli: digits + carry is 2t.
// Range:    -2^(CarryW-1) < 1 + carry_i < 2^(SegmentW-1).
// Latency:  1 cycle: a segment's result comes with the next segment, whose lowest bit it takes.

module mf_fft_subtractor #(
  /// Bits of a segment.
  parameter int unsigned SegmentW = 68,
  /// Bits of the carry, with its sign; at most SegmentW.
  parameter int unsigned CarryW   = 25,
  /// r = 2^l + 1, h = 2^l - 1: an adder.
  parameter bit          Swapped  = 1'b0
) (
  input  logic                     clk_i,

  input  logic                     first_i,
  input  logic                     last_i,
  input  logic [SegmentW-1:0]      digits_i,
  input  logic signed [CarryW-1:0] carry_i,

  output logic [SegmentW-1:0]      result_o
);

  if (CarryW > SegmentW) begin : gen_illegal_carry
    $fatal(1, "mf_fft_subtractor: CarryW must be at most SegmentW");
  end

  logic signed [SegmentW+1:0] start, total;
  logic [SegmentW-1:1]        total_q;
  logic                       carry_q, last_q;  // the carry is 0 or -1, in an adder 0 or 1

  always_comb begin
    if (!first_i) begin
      start = Swapped ? (SegmentW + 2)'(carry_q) : {(SegmentW + 2){carry_q}};
    end else begin
      start = (SegmentW + 2)'(carry_i) + (SegmentW + 2)'(!Swapped);
    end
    total = Swapped ? start + {2'b00, digits_i} : start - {2'b00, digits_i};
  end

  always_ff @(posedge clk_i) begin
    total_q <= total[SegmentW-1:1];
    carry_q <= total[SegmentW];
    last_q  <= last_i;
  end

  assign result_o = {total[0] && !last_q, total_q};

  logic unused_sign;
  assign unused_sign = total[SegmentW+1];

endmodule
