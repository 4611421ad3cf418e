// SPDX-License-Identifier: Apache-2.0
//
// Carry-propagate adder of a selectable structure: sum_o = a_i + b_i modulo 2^Width.
//
// Style 0: the `+` operator, left to the tool. Styles 1 to 3 are parallel-prefix networks on
// (generate, propagate) pairs: Brent-Kung (fewest cells), Han-Carlson (half the cells of the next
// for one more level), Kogge-Stone (fewest levels). A level joins each bit of a mask with the bit
// that lies its distance below.

module mf_adder #(
  /// Bits of the vectors; at least 1.
  parameter int unsigned Width = 8,
  /// 0 inferred, 1 Brent-Kung, 2 Han-Carlson, 3 Kogge-Stone.
  parameter int unsigned Style = 0
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] sum_o
);

  if (Style > 3) begin : gen_illegal_style
    $fatal(1, "mf_adder: Style must be 0 to 3");
  end

  localparam int unsigned Depth  = $clog2(Width);
  localparam int unsigned Levels = Style == 1 ? 2 * Depth - 1 : Style == 2 ? Depth + 1 : Depth;

  // Up to Depth the distance doubles; below, Brent-Kung halves it again and Han-Carlson joins
  // neighbours.
  function automatic int unsigned distance(int unsigned level);
    if (level <= Depth) return 1 << (level - 1);
    return Style == 1 ? 1 << (2 * Depth - 1 - level) : 1;
  endfunction

  function automatic logic joins(int unsigned level, int unsigned i);
    int unsigned span;
    span = distance(level);
    if (i < span) return 1'b0;
    if (Style == 3) return 1'b1;
    if (Style == 2) return i % 2 == (level <= Depth ? 1 : 0);
    return (i + 1) % (2 * span) == (level <= Depth ? 0 : span);
  endfunction

  function automatic logic [Width-1:0] mask(int unsigned level);
    logic [Width-1:0] bits;
    for (int unsigned i = 0; i < Width; i++) bits[i] = joins(level, i);
    return bits;
  endfunction

  if (Style == 0 || Width == 1) begin : gen_inferred
    assign sum_o = a_i + b_i;
  end else begin : gen_prefix
    for (genvar level = 0; level <= Levels; level++) begin : gen_level
      logic [Width-1:0] generates, propagates;
      if (level == 0) begin : gen_bits
        assign generates  = a_i & b_i;
        assign propagates = a_i ^ b_i;
      end else begin : gen_groups
        localparam int unsigned      Span = distance(level);
        localparam logic [Width-1:0] Mask = mask(level);
        assign generates  = gen_level[level-1].generates |
                            (gen_level[level-1].propagates & Mask &
                             (gen_level[level-1].generates << Span));
        assign propagates = gen_level[level-1].propagates &
                            (~Mask | (gen_level[level-1].propagates << Span));
      end
    end

    assign sum_o = a_i ^ b_i ^ {gen_level[Levels].generates[Width-2:0], 1'b0};

    // There is no carry input and no carry output.
    logic unused_groups;
    assign unused_groups = ^{gen_level[Levels].propagates, gen_level[Levels].generates[Width-1]};
  end

endmodule
