// SPDX-License-Identifier: Apache-2.0
//
// Carry look-ahead: the carry out of each place, from the places' generate and propagate bits, by a
// parallel-prefix network of a selectable form.
//
// Source:   Kogge, Stone, IEEE Trans. Computers C-22(8), 1973 (fewest levels); Han, Carlson,
//           ARITH-8, 1987 (half the cells for one more level); Brent, Kung, IEEE Trans. Computers
//           C-31(3), 1982 (fewest cells).
// Computes: carry_o[i] = generate_i[i] | (propagate_i[i] & carry_o[i-1]), carry_o[-1] = 0.
// Latency:  ceil(levels / LevelsPerCycle) - 1 cycles, but at least 0: a register after each
//           LevelsPerCycle levels except the last ones. One result a cycle.
//
// A level joins each place of its mask with the place its distance below. The distance doubles up
// to the level Depth; from there on Brent-Kung halves it and Han-Carlson joins neighbours. Style 0
// adds generate_i, one place higher, to propagate_i by the `+` operator, for the carry chains of
// FPGAs; above the lowest place no place may generate and propagate then.

module mf_carry_lookahead #(
  /// Places; at least 1.
  parameter int unsigned Width          = 16,
  /// 0 the `+` operator, 1 Brent-Kung, 2 Han-Carlson, 3 Kogge-Stone.
  parameter int unsigned Style          = 3,
  /// Levels of the network in a cycle, 0 for all (clk_i is not used then); 0 with Style 0.
  parameter int unsigned LevelsPerCycle = 0
) (
  input  logic             clk_i,
  input  logic [Width-1:0] generate_i,
  input  logic [Width-1:0] propagate_i,
  output logic [Width-1:0] carry_o
);

  if (Style > 3) begin : gen_illegal_style
    $fatal(1, "mf_carry_lookahead: Style must be 0 to 3");
  end else if (Style == 0 && LevelsPerCycle != 0) begin : gen_illegal_levels
    $fatal(1, "mf_carry_lookahead: LevelsPerCycle must be 0 with Style 0");
  end else if (Width < 1) begin : gen_illegal_width
    $fatal(1, "mf_carry_lookahead: Width must be at least 1");
  end

  localparam int unsigned BrentKung  = 1;
  localparam int unsigned HanCarlson = 2;
  localparam int unsigned KoggeStone = 3;

  localparam int unsigned Depth    = $clog2(Width);
  localparam int unsigned Levels   = (Depth < 2 || Style == KoggeStone) ? Depth :
                                     (Style == HanCarlson) ? Depth + 1 : 2 * Depth - 1;
  localparam int unsigned PerCycle = (LevelsPerCycle == 0) ? Levels + 1 : LevelsPerCycle;

  function automatic int unsigned distance(int unsigned level);
    if (level <= Depth) return 1 << (level - 1);
    return Style == BrentKung ? 1 << (2 * Depth - 1 - level) : 1;
  endfunction

  function automatic logic joins(int unsigned level, int unsigned i);
    int unsigned span;
    span = distance(level);
    if (i < span) return 1'b0;
    if (Style == KoggeStone) return 1'b1;
    if (Style == HanCarlson) return i % 2 == (level <= Depth ? 1 : 0);
    return (i + 1) % (2 * span) == (level <= Depth ? 0 : span);
  endfunction

  function automatic logic [Width-1:0] mask(int unsigned level);
    logic [Width-1:0] bits;
    for (int unsigned i = 0; i < Width; i++) bits[i] = joins(level, i);
    return bits;
  endfunction

  if (Style == 0) begin : gen_adder
    logic [Width-1:0] sum;
    logic             unused_lowest;

    assign {sum, unused_lowest} = {1'b0, propagate_i} + {generate_i, 1'b0};
    assign carry_o              = sum ^ (propagate_i >> 1);
  end else begin : gen_network
    // After all levels each place's bits cover itself and all places below.
    logic [Levels:0][Width-1:0] generates, propagates;

    assign generates[0]  = generate_i;
    assign propagates[0] = propagate_i;

    for (genvar level = 1; level <= Levels; level++) begin : gen_level
      localparam int unsigned      Span = distance(level);
      localparam logic [Width-1:0] Mask = mask(level);

      logic [Width-1:0] generate_d, propagate_d;

      assign generate_d  = generates[level-1] |
                           (propagates[level-1] & Mask & (generates[level-1] << Span));
      assign propagate_d = propagates[level-1] & (~Mask | (propagates[level-1] << Span));

      if (level % PerCycle == 0 && level < Levels) begin : gen_register
        always_ff @(posedge clk_i) begin
          generates[level]  <= generate_d;
          propagates[level] <= propagate_d;
        end
      end else begin : gen_wires
        assign generates[level]  = generate_d;
        assign propagates[level] = propagate_d;
      end
    end

    assign carry_o = generates[Levels];

    logic unused_propagates;
    assign unused_propagates = ^propagates[Levels];
  end

  if (Levels <= PerCycle) begin : gen_no_register
    logic unused_clk;
    assign unused_clk = clk_i;
  end

endmodule
