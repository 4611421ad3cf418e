// SPDX-License-Identifier: Apache-2.0
//
// First factor of the square root of two modulo q = 2^Bits + 1: y_o = x_i (2^(Bits/2) - 1) mod q.
//
// Source:   Dai 2018, eq. 25: sqrt 2 = 2^(3 Bits/4) - 2^(Bits/4) = 2^(Bits/4) (2^(Bits/2) - 1). The
//           power of two before the bracket is added to the exponent of the shift that follows.
// Range:    0 <= x_i, y_o <= 2^Bits. Without enable_i, y_o is x_i.
// Latency:  2 cycles.

module mf_ring_sqrt2 #(
  /// Bits of the ring; a multiple of 4.
  parameter int unsigned Bits = 64
) (
  input  logic          clk_i,
  input  logic          enable_i,
  input  logic [Bits:0] x_i,
  output logic [Bits:0] y_o
);

  if (Bits % 4 != 0 || Bits < 4) begin : gen_illegal_bits
    $fatal(1, "mf_ring_sqrt2: Bits must be a multiple of 4");
  end

  localparam int unsigned Half = Bits / 2;

  // As 2^Bits = -1, x 2^Half is the lower half moved up minus the upper half; in -x the top bit is
  // +1. The difference is above -q and below q.
  logic [Bits:0]   x_q, y_q, modulus;
  logic [Bits+1:0] moved, high, low, difference_q;
  logic            enable_q;

  assign modulus = {1'b1, {(Bits - 1){1'b0}}, 1'b1};
  assign moved   = {2'b00, x_i[Half-1:0], {Half{1'b0}}};
  assign high    = {{(Half + 1){1'b0}}, x_i[Bits:Half]};
  assign low     = {2'b00, x_i[Bits-1:0]};

  always_ff @(posedge clk_i) begin
    difference_q <= moved - high - low + (Bits + 2)'(x_i[Bits]);
    x_q          <= x_i;
    enable_q     <= enable_i;
    if (!enable_q) begin
      y_q <= x_q;
    end else begin
      y_q <= difference_q[Bits:0] + (difference_q[Bits+1] ? modulus : '0);
    end
  end

  assign y_o = y_q;

endmodule
