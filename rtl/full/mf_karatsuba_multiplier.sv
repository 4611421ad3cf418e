// SPDX-License-Identifier: Apache-2.0
//
// Pipelined Karatsuba-Ofman multiplier: product_o = x_i * y_i, one product a cycle.
//
// Source:   Karatsuba, Ofman 1962. x = x1 2^h + x0, y = y1 2^h + y0:
//           x y = p1 2^2h + (p2 - p1 - p0) 2^h + p0 with p0 = x0 y0, p1 = x1 y1,
//           p2 = (x0 + x1)(y0 + y1); the middle term is never negative.
// Latency:  2 * Levels + 1 cycles: a register after the sums and one after the recombination on
//           each level, and one after the products of the last level. Levels + 1 without the
//           registers after the sums.
//
// Operands of fewer than four bits are not split; their products have the same latency.

module mf_karatsuba_multiplier #(
  /// Bits of the operands; at least 1.
  parameter int unsigned Width        = 64,
  /// Levels of splitting, 3^Levels multipliers; 0 or more.
  parameter int unsigned Levels       = 1,
  /// Registers after the sums of each level.
  parameter bit          RegisterSums = 1'b1
) (
  input  logic               clk_i,
  input  logic [Width-1:0]   x_i,
  input  logic [Width-1:0]   y_i,
  output logic [2*Width-1:0] product_o
);

  if (Levels == 0 || Width < 4) begin : gen_leaf
    localparam int unsigned Waits = RegisterSums ? 2 * Levels : Levels;
    logic [Waits:0][2*Width-1:0] product_q;
    always_ff @(posedge clk_i) begin
      product_q[0] <= x_i * y_i;
      for (int unsigned l = 1; l <= Waits; l++) product_q[l] <= product_q[l-1];
    end
    assign product_o = product_q[Waits];
  end else begin : gen_split
    localparam int unsigned Low  = (Width + 1) / 2;
    localparam int unsigned High = Width - Low;

    logic [Low-1:0]     x0, y0;
    logic [High-1:0]    x1, y1;
    logic [Low:0]       x_sum, y_sum;
    logic [2*Low-1:0]   p0;
    logic [2*High-1:0]  p1;
    logic [2*Low+1:0]   p2, middle;

    mf_delay_line #(.Width(2 * Width + 2 * Low + 2), .Depth(32'(RegisterSums))) u_sums (
      .clk_i(clk_i),
      .d_i  ({
        x_i,
        y_i,
        {1'b0, x_i[Low-1:0]} + (Low + 1)'(x_i[Width-1:Low]),
        {1'b0, y_i[Low-1:0]} + (Low + 1)'(y_i[Width-1:Low])
      }),
      .q_o  ({x1, x0, y1, y0, x_sum, y_sum})
    );

    mf_karatsuba_multiplier #(
      .Width(Low), .Levels(Levels - 1), .RegisterSums(RegisterSums)
    ) u_low (
      .clk_i, .x_i(x0), .y_i(y0), .product_o(p0)
    );
    mf_karatsuba_multiplier #(
      .Width(High), .Levels(Levels - 1), .RegisterSums(RegisterSums)
    ) u_high (
      .clk_i, .x_i(x1), .y_i(y1), .product_o(p1)
    );
    mf_karatsuba_multiplier #(
      .Width(Low + 1), .Levels(Levels - 1), .RegisterSums(RegisterSums)
    ) u_middle (
      .clk_i, .x_i(x_sum), .y_i(y_sum), .product_o(p2)
    );

    assign middle = p2 - (2 * Low + 2)'(p1) - {2'b00, p0};

    always_ff @(posedge clk_i) begin
      product_o <= {p1, p0} + ((2 * Width)'(middle) << Low);
    end
  end

endmodule
