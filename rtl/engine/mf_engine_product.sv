// SPDX-License-Identifier: Apache-2.0
//
// Product of two words, with registers before and behind each product of 16 bits in a DSP block, or
// behind its eight products of 16 by 2 bits, and behind each sum of two.
//
// Computes: p_o = x_i * y_i of Latency cycles before; a product a cycle.
// Latency:  mf_engine_pkg::product_latency(Width, Block): that of a product of 16 bits, 2 in a DSP
//           block, else 4, and 2 for each time that the width doubles: the sum of the two products
//           in the middle, then the sum with the others.

module mf_engine_product #(
  /// Bits of a word: 16, 32 or 64.
  parameter int unsigned Width = 32,
  /// Products of 16 bits are made of cells (0), in a DSP48E2 (1) or in an ECP5 MULT18X18D (2).
  parameter int unsigned Block = 0
) (
  input  logic               clk_i,
  input  logic [Width-1:0]   x_i,
  input  logic [Width-1:0]   y_i,
  output logic [2*Width-1:0] p_o
);

  if (Width != 16 && Width != 32 && Width != 64) begin : gen_illegal_width
    $fatal(1, "mf_engine_product: Width must be 16, 32 or 64");
  end
  if (Block > 2) begin : gen_illegal_block
    $fatal(1, "mf_engine_product: Block must be 0 (cells), 1 (DSP48E2) or 2 (ECP5)");
  end

  if (Width > 16) begin : gen_quarters
    localparam int unsigned HalfW = Width / 2;
    logic [1:0][1:0][Width-1:0] part;  // of a half of x and a half of y
    logic [Width:0]             middle_q;
    logic [2*Width-1:0]         outer_q, p_q;
    assign p_o = p_q;

    for (genvar i = 0; i < 2; i++) begin : gen_x
      for (genvar j = 0; j < 2; j++) begin : gen_y
        mf_engine_product #(.Width(HalfW), .Block(Block)) u_part (
          .clk_i(clk_i), .x_i(x_i[HalfW*i+:HalfW]), .y_i(y_i[HalfW*j+:HalfW]), .p_o(part[i][j])
        );
      end
    end

    always_ff @(posedge clk_i) begin
      middle_q <= {1'b0, part[0][1]} + {1'b0, part[1][0]};
      outer_q  <= {part[1][1], part[0][0]};
      p_q      <= outer_q + ((2 * Width)'(middle_q) << HalfW);
    end
  end else if (Block != 0) begin : gen_block
    mf_word_multiplier #(.Width(Width), .Block(Block)) u_multiplier (
      .clk_i(clk_i), .a_i(x_i), .b_i(y_i), .p_o(p_o)
    );
  end else begin : gen_cells
    // x times 2, 4, 8 and 16 bits of y.
    logic [7:0][17:0] pair_q;
    logic [3:0][19:0] digit_q;
    logic [1:0][23:0] byte_q;
    logic [31:0]      p_q;
    assign p_o = p_q;

    // Sums and masks in place of products, which would be put into DSP blocks.
    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < 8; i++) begin
        pair_q[i] <= {2'b0, x_i & {16{y_i[2*i]}}} + {1'b0, x_i & {16{y_i[2*i+1]}}, 1'b0};
      end
      for (int unsigned i = 0; i < 4; i++) begin
        digit_q[i] <= {2'b0, pair_q[2*i]} + {pair_q[2*i+1], 2'b0};
      end
      for (int unsigned i = 0; i < 2; i++) begin
        byte_q[i] <= {4'b0, digit_q[2*i]} + {digit_q[2*i+1], 4'b0};
      end
      p_q <= {8'b0, byte_q[0]} + {byte_q[1], 8'b0};
    end
  end

endmodule
