// SPDX-License-Identifier: Apache-2.0
//
// Pipelined full-word multiplier of small block multipliers, as FPGAs have them: product_o = x_i *
// y_i, one product a cycle.
//
// Stage 1 registers the products of all pairs of blocks. They are added in two stages: a tree of
// full-adder rows to a carry-save pair, and a carry-propagate adder. Stages = 2 joins the two.
// Latency: Stages cycles.

module mf_block_multiplier #(
  /// Bits of the operands; at least 1.
  parameter int unsigned Width  = 64,
  /// Bits of a block; at least 2.
  parameter int unsigned Block  = 16,
  /// Register levels; 2 or 3.
  parameter int unsigned Stages = 3
) (
  input  logic               clk_i,
  input  logic [Width-1:0]   x_i,
  input  logic [Width-1:0]   y_i,
  output logic [2*Width-1:0] product_o
);

  localparam int unsigned Blocks = (Width + Block - 1) / (Block == 0 ? 1 : Block);
  localparam int unsigned PadW   = Blocks * Block;
  localparam int unsigned SumW   = 2 * PadW;
  localparam int unsigned Rows   = 2 * Blocks;

  logic [PadW-1:0]           x, y;
  logic [Rows-1:0][SumW-1:0] rows;
  logic [1:0][SumW-1:0]      pair_d, pair;
  logic [SumW-1:0]           sum;

  assign x = PadW'(x_i);
  assign y = PadW'(y_i);

  for (genvar i = 0; i < Blocks; i++) begin : gen_block_row
    // Products of even (odd) blocks of x do not overlap: one row each.
    logic [1:0][PadW+Block-1:0] products_d, products_q;
    always_comb begin
      products_d[0] = '0;
      products_d[1] = '0;
      for (int unsigned j = 0; j < Blocks; j++) begin
        products_d[j%2][j*Block+:2*Block] = x[j*Block+:Block] * y[i*Block+:Block];
      end
    end
    always_ff @(posedge clk_i) products_q <= products_d;
    assign rows[2*i]   = SumW'(products_q[0]) << (i * Block);
    assign rows[2*i+1] = SumW'(products_q[1]) << (i * Block);
  end

  mf_compressor_tree #(.Width(SumW), .Rows(Rows)) u_tree (
    .rows_i(rows), .bits_i('0), .rows_o(pair_d)
  );

  if (Stages == 3) begin : gen_pair_register
    always_ff @(posedge clk_i) pair <= pair_d;
  end else begin : gen_no_pair_register
    assign pair = pair_d;
  end

  assign sum = pair[0] + pair[1];
  always_ff @(posedge clk_i) product_o <= sum[2*Width-1:0];

  if (SumW > 2 * Width) begin : gen_padding
    logic unused_sum;
    assign unused_sum = ^sum[SumW-1:2*Width];
  end

endmodule
