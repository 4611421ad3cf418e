// SPDX-License-Identifier: Apache-2.0
//
// Butterfly modulo q = 2^Bits + 1: sum_o = a_i + w, difference_o = a_i - w, w = +-w_i 2^(shift_i),
// with sqrt2_i w = +-w_i 2^(shift_i - Bits/4) sqrt 2.
//
// Source:   Dai 2018, eq. 27, 28 (decimation in time).
// Range:    0 <= a_i, w_i, sum_o, difference_o <= 2^Bits, canonical; shift_i < Bits.
// Latency:  8 cycles, with Short 5; 2 more with Sqrt2.
//
// Cycle      Short   work                                            (2 later each with Sqrt2)
// 1, 2, 3    1, 2    rotation of w by the shift
// 4          3       difference of the kept part and the part past the top; Short: with w's sign in
// 5                  the ring
// 6          4       a + w, a - w
// 7          5       q added to, or subtracted from, a value outside of the ring
// 8                  sum and difference exchanged if w is negative

module mf_fft_butterfly #(
  /// Bits of the ring; at least 4.
  parameter int unsigned Bits  = 64,
  /// With the multiplication by sqrt 2, for a half-integer c.
  parameter bit          Sqrt2 = 1'b0,
  /// Fewer cycles: w is added before it is in the ring, and nothing is exchanged.
  parameter bit          Short = 1'b0,

  localparam int unsigned ShiftW = $clog2(Bits)
) (
  input  logic              clk_i,
  input  logic [Bits:0]     a_i,
  input  logic [Bits:0]     w_i,
  input  logic [ShiftW-1:0] shift_i,
  input  logic              negative_i,
  input  logic              sqrt2_i,
  output logic [Bits:0]     sum_o,
  output logic [Bits:0]     difference_o
);

  localparam logic [Bits:0] Q = {1'b1, {(Bits - 1){1'b0}}, 1'b1};

  // ---------------------------------------------------------------- w times the root of unity

  logic [Bits:0]     factor;
  logic [ShiftW-1:0] shift;
  logic              negative;

  if (Sqrt2) begin : gen_sqrt2
    mf_ring_sqrt2 #(.Bits(Bits)) u_sqrt2 (
      .clk_i   (clk_i),
      .enable_i(sqrt2_i),
      .x_i     (w_i),
      .y_o     (factor)
    );
    mf_delay_line #(.Width(ShiftW + 1), .Depth(2)) u_late_shift (
      .clk_i(clk_i),
      .d_i  ({shift_i, negative_i}),
      .q_o  ({shift, negative})
    );
  end else begin : gen_direct
    logic unused_sqrt2;
    assign unused_sqrt2 = sqrt2_i;
    assign factor       = w_i;
    assign shift        = shift_i;
    assign negative     = negative_i;
  end

  // The published form keeps the sign outside: it exchanges the outputs.
  localparam int unsigned Registers = Short ? 2 : 3;
  localparam int unsigned Rotated   = Registers + 1 + (Sqrt2 ? 2 : 0);  // cycles of the rotation

  logic [Bits:0] shifted, a;

  mf_ring_shift #(.Bits(Bits), .Registers(Registers)) u_shift (
    .clk_i     (clk_i),
    .x_i       (factor),
    .shift_i   (shift),
    .negative_i(Short && negative),
    .y_o       (shifted)
  );
  mf_delay_line #(.Width(Bits + 1), .Depth(Short ? Rotated : Rotated + 1)) u_a (
    .clk_i(clk_i),
    .d_i  (a_i),
    .q_o  (a)
  );

  // ---------------------------------------------------------------- sum and difference

  if (Short) begin : gen_short
    // Above -2^Bits and below 2^(Bits+1), with a sign.
    logic [Bits+1:0] raw_sum_q, raw_difference_q;

    // A negative value takes q more, one above the ring q less.
    function automatic logic [Bits:0] in_ring(logic [Bits+1:0] raw);
      logic [Bits+1:0] other;
      other = raw + (raw[Bits+1] ? {1'b0, Q} : -{1'b0, Q});
      return raw[Bits+1] || !other[Bits+1] ? other[Bits:0] : raw[Bits:0];
    endfunction

    always_ff @(posedge clk_i) begin
      raw_sum_q        <= {1'b0, a} + {shifted[Bits], shifted};
      raw_difference_q <= {1'b0, a} - {shifted[Bits], shifted};
      sum_o            <= in_ring(raw_sum_q);
      difference_o     <= in_ring(raw_difference_q);
    end
  end else begin : gen_published
    logic [Bits:0]   w_q, sum_q, difference_q;
    logic [Bits+1:0] raw_sum_q, raw_difference_q, sum_less_q;
    logic            exchange;

    mf_delay_line #(.Width(1), .Depth(7)) u_exchange (
      .clk_i(clk_i),
      .d_i  (negative),
      .q_o  (exchange)
    );

    assign sum_less_q = raw_sum_q - {1'b0, Q};

    always_ff @(posedge clk_i) begin
      w_q              <= shifted + (shifted[Bits] ? Q : '0);
      raw_sum_q        <= {1'b0, a} + {1'b0, w_q};
      raw_difference_q <= {1'b0, a} - {1'b0, w_q};
      sum_q            <= sum_less_q[Bits+1] ? raw_sum_q[Bits:0] : sum_less_q[Bits:0];
      difference_q     <= raw_difference_q[Bits:0] + (raw_difference_q[Bits+1] ? Q : '0);
      sum_o            <= exchange ? difference_q : sum_q;
      difference_o     <= exchange ? sum_q : difference_q;
    end
  end

endmodule
