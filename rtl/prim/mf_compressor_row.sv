// SPDX-License-Identifier: Apache-2.0
//
// A row of 4:2 compressors: sum_o + carry_o = the sum of all vectors_i and carry_i, modulo 2^Width.
// The lowest bit of carry_o is 0.
//
// Source: Weinberger, IBM Technical Disclosure Bulletin 23(8), 1981.
//
// Each place has the gates of two full adders, but three XOR gates in series, where two rows of
// full adders have four. The carry between neighbouring places does not depend on the one from the
// place below: nothing ripples. vectors_i[0] is the last to be needed, then vectors_i[1].

module mf_compressor_row #(
  /// Bits of the vectors; at least 2.
  parameter int unsigned Width = 8
) (
  input  logic [3:0][Width-1:0] vectors_i,
  /// A bit of weight 1.
  input  logic                  carry_i,
  output logic [Width-1:0]      sum_o,
  output logic [Width-1:0]      carry_o
);

  if (Width < 2) begin : gen_illegal_width
    $fatal(1, "mf_compressor_row: Width must be at least 2");
  end

  logic [Width-1:0] half, parity, between, below, carry;

  assign half    = vectors_i[3] ^ vectors_i[2];
  assign parity  = half ^ (vectors_i[1] ^ vectors_i[0]);
  assign between = (vectors_i[3] & vectors_i[2]) | (half & vectors_i[1]);
  assign below   = {between[Width-2:0], carry_i};

  assign sum_o   = parity ^ below;
  assign carry   = (parity & below) | (~parity & vectors_i[0]);
  assign carry_o = {carry[Width-2:0], 1'b0};

  // The sum is modulo 2^Width.
  logic unused_top_carries;
  assign unused_top_carries = between[Width-1] ^ carry[Width-1];

endmodule
