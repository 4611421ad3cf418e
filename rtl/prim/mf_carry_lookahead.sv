// SPDX-License-Identifier: Apache-2.0
//
// Carry look-ahead: the carry out of each place, from the places' generate and propagate bits.
//
// Source:   Kogge, Stone, IEEE Trans. Computers C-22(8), 1973.
// Computes: carry_o[i] = generate_i[i] | (propagate_i[i] & carry_o[i-1]), carry_o[-1] = 0.
// Latency:  ceil($clog2(Width) / Levels) - 1 cycles, but at least 0: a register after each Levels
//           levels except the last ones. One result a cycle.

module mf_carry_lookahead #(
  /// Places; at least 1.
  parameter int unsigned Width  = 16,
  /// Levels of the prefix tree in a cycle; at least 1.
  parameter int unsigned Levels = 5
) (
  input  logic             clk_i,
  input  logic [Width-1:0] generate_i,
  input  logic [Width-1:0] propagate_i,
  output logic [Width-1:0] carry_o
);

  localparam int unsigned Depth = $clog2(Width);

  // After level i a place's bits cover 2^i places: itself and those below.
  logic [Depth:0][Width-1:0] generates, propagates;

  assign generates[0]  = generate_i;
  assign propagates[0] = propagate_i;

  for (genvar i = 0; i < Depth; i++) begin : gen_level
    logic [Width-1:0] generate_d, propagate_d;

    assign generate_d  = generates[i] | (propagates[i] & (generates[i] << (1 << i)));
    assign propagate_d = propagates[i] & (propagates[i] << (1 << i));

    if ((i + 1) % Levels == 0 && i + 1 < Depth) begin : gen_register
      always_ff @(posedge clk_i) begin
        generates[i+1]  <= generate_d;
        propagates[i+1] <= propagate_d;
      end
    end else begin : gen_wires
      assign generates[i+1]  = generate_d;
      assign propagates[i+1] = propagate_d;
    end
  end

  assign carry_o = generates[Depth];

  logic unused_propagates;
  assign unused_propagates = ^propagates[Depth];

  if (Depth <= Levels) begin : gen_no_register
    logic unused_clk;
    assign unused_clk = clk_i;
  end

endmodule
