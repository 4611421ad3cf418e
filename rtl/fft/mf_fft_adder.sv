// SPDX-License-Identifier: Apache-2.0
//
// Adder of the FFT multiplier: accumulates the words of an inverse transform, and reduces m.
//
// Source:   Dai 2018, Section 6.1.2, Fig. 5, eq. 15, 18, 29 to 32; the threshold of eq. 34 is
//           counted up, segment by segment, in place of a memory.
// Computes: segment by segment (Segment digits a cycle, the lowest first), kind_i:
//           Accumulate: digits and carry of the words, each times s^-1 (if nega-cyclic, and phi^-k;
//           then words above the threshold are negative);
//           Add: the carry is added to the digits (with r of the swapped moduli subtracted);
//           Fix: the carry of Add, or 1 if all digits were ones (zeros), is added (subtracted);
//           Short: the carry is added to the first segments, the last of them keeps the overflow.
// Range:    words in the ring; the carry is signed and below 2^(CarryW-1).
// Latency:  7 cycles from a segment's address (2 from its data) for Accumulate, 2 more with a
//           half-integer c; 3 for the others (1 from their data).
//
// Cycle     Accumulate (after the address)                      others
// 1, 2      memory, lanes (outside)                             memory, lanes (outside)
// 3, 4      rotation, difference (mf_ring_shift)                sum with the carry
// 5         in the ring, or negative above the threshold
// 6, 7      sum of the lanes; with the carry

module mf_fft_adder #(
  /// Digits s; a power of two, 16 to 512.
  parameter int unsigned Digits    = 64,
  /// Bits of a digit.
  parameter int unsigned DigitW    = 17,
  /// Bits of the ring, c s.
  parameter int unsigned Bits      = 64,
  /// Digits of a segment: 2 or 4.
  parameter int unsigned Segment   = 4,
  /// Bits of the carry, with its sign.
  parameter int unsigned CarryW    = 48,
  /// Coefficients above q / 2 are negative, in place of the published threshold.
  parameter bit          Single    = 1'b0,
  /// m may exceed r: the published threshold is 3 (k + 1) (b - 1)^2, not 2 (k + 1) (b - 1)^2.
  parameter bit          Relaxed   = 1'b0,
  /// r = 2^l + 1, h = 2^l - 1.
  parameter bit          Swapped   = 1'b0,
  /// Coefficients for r have signs, too; needs Single, not Swapped.
  parameter bit          Balanced  = 1'b0
) (
  input  logic                           clk_i,

  /// The segment of words_i and digits_i.
  input  mf_fft_pkg::pass_read_t         pass_i,
  input  logic [Segment-1:0][Bits:0]     words_i,
  input  logic [Segment-1:0][DigitW-1:0] digits_i,

  output logic [Segment-1:0][DigitW:0]   digits_o,
  output logic signed [CarryW-1:0]       carry_o,
  /// After Fix: m is r - 1.
  output logic                           largest_o
);

  import mf_fft_pkg::*;

  localparam int unsigned Stages   = $clog2(Digits);
  localparam int unsigned ShiftW   = $clog2(Bits);
  localparam int unsigned HalfC    = 2 * Bits / Digits;
  localparam bit          Sqrt2    = HalfC % 2 == 1;
  localparam int unsigned Early    = Sqrt2 ? 2 : 0;
  localparam int unsigned SegmentW = Segment * DigitW;
  localparam int unsigned SumW     = Bits + 3 + (Segment - 1) * DigitW;
  localparam int unsigned WideW    = SegmentW + 2 > SumW ? SegmentW + 2 : SumW;
  localparam int unsigned TotalW   = (WideW > CarryW ? WideW : CarryW) + 1;
  localparam logic [Bits:0] Q      = {1'b1, {(Bits - 1){1'b0}}, 1'b1};
  // (b - 1)^2, times 2 or 3.
  localparam logic [2*DigitW-1:0] Largest = {
    {(DigitW - 1){1'b1}}, 1'b0, {(DigitW - 1){1'b0}}, 1'b1
  };
  localparam logic [Bits:0] BoundStep = (Bits + 1)'(Largest) * (Bits + 1)'(Relaxed ? 3 : 2);

  // ---------------------------------------------------------------- lanes

  logic                      nega;
  pass_read_t                shifted_pass, lane_pass, sum_pass;
  logic [Segment-1:0][Bits+1:0] lane_q;
  logic [SumW-1:0]           sum_q;

  assign nega = pass_i.second ^ Swapped;

  mf_delay_line #(.Width($bits(pass_read_t)), .Depth(Early + 2)) u_shifted_pass (
    .clk_i(clk_i), .d_i(pass_i), .q_o(shifted_pass)
  );
  mf_delay_line #(.Width($bits(pass_read_t)), .Depth(1)) u_lane_pass (
    .clk_i(clk_i), .d_i(shifted_pass), .q_o(lane_pass)
  );
  mf_delay_line #(.Width($bits(pass_read_t)), .Depth(1)) u_sum_pass (
    .clk_i(clk_i), .d_i(lane_pass), .q_o(sum_pass)
  );

  for (genvar k = 0; k < Segment; k++) begin : gen_lanes
    // Lane k begins with 2^-(v + c k) and goes on by 2^(-c Segment); a cyclic transform has 2^-v.
    // In halves, all modulo 4 Bits.
    localparam int unsigned FirstHalves = 4 * Bits - 2 * Stages - HalfC * k;
    localparam bit          Odd         = FirstHalves % 2 == 1;
    localparam int unsigned FirstPower  = (FirstHalves / 2 + (Odd ? Bits / 4 : 0)) % (2 * Bits);
    localparam int unsigned Step        = HalfC * Segment / 2;

    logic [ShiftW:0]   power, power_q;  // sign and shift
    logic [ShiftW-1:0] shift;
    logic [Bits:0]     word;
    logic              negative;
    logic [Bits:0]     y;

    // A power from 0 to 2 Bits - 1 is a shift and a sign.
    function automatic logic [ShiftW:0] signed_shift(int unsigned exponent);
      return exponent < Bits ? {1'b0, ShiftW'(exponent)} : {1'b1, ShiftW'(exponent - Bits)};
    endfunction

    always_comb begin
      if (!nega) begin
        power = signed_shift(2 * Bits - Stages);
      end else if (pass_i.first) begin
        power = signed_shift(FirstPower);
      end else begin
        power = power_q;
      end
    end

    always_ff @(posedge clk_i) begin
      if (pass_i.valid) begin
        if (power[ShiftW-1:0] < ShiftW'(Step)) begin
          power_q <= {!power[ShiftW], power[ShiftW-1:0] + ShiftW'(Bits - Step)};
        end else begin
          power_q <= {power[ShiftW], power[ShiftW-1:0] - ShiftW'(Step)};
        end
      end
    end

    if (Sqrt2) begin : gen_sqrt2
      mf_ring_sqrt2 #(.Bits(Bits)) u_sqrt2 (
        .clk_i   (clk_i),
        .enable_i(nega && Odd),
        .x_i     (words_i[k]),
        .y_o     (word)
      );
      mf_delay_line #(.Width(ShiftW + 1), .Depth(2)) u_power (
        .clk_i(clk_i),
        .d_i  (power),
        .q_o  ({negative, shift})
      );
    end else begin : gen_direct
      assign word              = words_i[k];
      assign {negative, shift} = power;
    end

    mf_ring_shift #(.Bits(Bits), .Registers(1)) u_scale (
      .clk_i     (clk_i),
      .x_i       (word),
      .shift_i   (shift),
      .negative_i(negative),
      .y_o       (y)
    );

    // The largest positive coefficient; none is negative in a cyclic transform of unsigned digits.
    logic [Bits:0] bound, bound_q;
    logic          above, restricting;

    assign restricting = Balanced || (shifted_pass.second ^ Swapped);

    if (Single || Swapped) begin : gen_single
      logic unused_bound;
      assign bound        = {2'b00, {(Bits - 1){1'b1}}} + (Bits + 1)'(1);
      assign bound_q      = '0;
      assign unused_bound = ^{bound_q, BoundStep};
    end else begin : gen_published
      assign bound = shifted_pass.first ? BoundStep * (Bits + 1)'(k + 1) : bound_q;
      always_ff @(posedge clk_i) begin
        if (shifted_pass.valid) bound_q <= bound + BoundStep * (Bits + 1)'(Segment);
      end
    end

    // y, more than -q and less than q, is in the ring as it is, or with q more.
    logic [Bits+1:0] y_more, y_less;
    assign y_more = {y[Bits], y} + {1'b0, Q};
    assign y_less = {y[Bits], y} - {1'b0, Q};
    assign above  = restricting && (y[Bits] ? y_more[Bits:0] : y) > bound;

    always_ff @(posedge clk_i) begin
      if (y[Bits] != above) begin
        lane_q[k] <= above ? y_less : y_more;
      end else begin
        lane_q[k] <= {y[Bits], y};
      end
    end
  end

  // ---------------------------------------------------------------- sum of the lanes

  logic [SumW-1:0] sum;
  always_comb begin
    sum = '0;
    for (int unsigned k = 0; k < Segment; k++) begin
      sum = sum + ({{(SumW - Bits - 2){lane_q[k][Bits+1]}}, lane_q[k]} << (k * DigitW));
    end
  end

  always_ff @(posedge clk_i) sum_q <= sum;

  // ---------------------------------------------------------------- sum with the carry

  pass_read_t               pass;
  logic signed [CarryW-1:0] carry_q, carry_in;
  logic signed [TotalW-1:0] addend, total;
  logic [SegmentW-1:0]      segment_q;
  logic                     over_q, uniform_q, uniform, keep_over;
  logic                     over, largest_q, largest;
  logic                     two_l_q;  // m = 2^l, swapped moduli

  // Passes of two kinds are far enough apart that one of them alone is here.
  assign pass = sum_pass.valid && sum_pass.kind == Accumulate ? sum_pass : pass_i;

  always_comb begin
    if (pass.kind == Accumulate) begin
      addend = {{(TotalW - SumW){sum_q[SumW-1]}}, sum_q};
    end else begin
      addend = TotalW'(digits_i);
    end
  end

  // All digits were ones, or zeros with a carry: the sum is r itself (standard), or 2^l (swapped).
  // A carry of balanced digits can be -1: then r is added, 2^l - 1.
  always_comb begin
    carry_in = carry_q;
    if (pass.first) begin
      unique case (pass.kind)
        Accumulate: carry_in = '0;
        Add:        if (Swapped && !pass.second) carry_in = -carry_q;
        Fix: begin
          if (Balanced && carry_q[CarryW-1]) carry_in = '1;
          else if (!Swapped) carry_in = CarryW'(carry_q[0] | uniform_q);
          else carry_in = uniform_q && carry_q == CarryW'(1) ? '0 : -carry_q;
        end
        default: ;
      endcase
    end
  end

  assign total     = addend + {{(TotalW - CarryW){carry_in[CarryW-1]}}, carry_in};
  assign uniform   = total[SegmentW-1:0] == {SegmentW{!Swapped}} && (pass.first || uniform_q);
  assign over      = total[SegmentW] || (Swapped && two_l_q);
  // The digits are those of r - 1: 2^l - 2; with the swapped moduli 2^l, seen in the last segment.
  assign largest   = Swapped ? over
                             : total[SegmentW-1:0] == {{(SegmentW - 1){1'b1}}, !pass.first} &&
                               (pass.first || largest_q);
  assign keep_over = pass.last && (pass.kind == Short || (Swapped && pass.kind == Fix));

  always_ff @(posedge clk_i) begin
    if (pass.valid && (pass.kind == Accumulate ? sum_pass.valid : 1'b1)) begin
      segment_q <= total[SegmentW-1:0];
      over_q    <= keep_over && over;
      carry_q   <= CarryW'(total >>> SegmentW);
      if (pass.kind == Add) uniform_q <= uniform;
      if (pass.kind == Fix) largest_q <= largest;
      if (pass.kind == Fix && pass.first) two_l_q <= Swapped && uniform_q && carry_q == CarryW'(1);
    end
  end

  always_comb begin
    for (int unsigned k = 0; k < Segment; k++) digits_o[k] = {1'b0, segment_q[k*DigitW+:DigitW]};
    digits_o[Segment-1][DigitW] = over_q;
  end

  assign carry_o   = carry_q;
  assign largest_o = largest_q;

  logic unused_place;
  assign unused_place = ^{pass.owner, pass.row};

endmodule
