// SPDX-License-Identifier: Apache-2.0
//
// Pipelined multiplier of two unsigned digits, with a selectable structure.
//
// Structure 0: the `*` operator, left to the tool.
// Structure 1: radix-4 Booth rows, a compressor tree, a final adder (AdderStyle).
// Structure 2: the same without the final adder; the product leaves as a carry-save pair.
//
// Result: Structures 0 and 1: sum_o = x * y, carry_o = 0, top_o = 0.
//         Structure 2: sum_o + carry_o + top_o * 2^(2 Width) = x * y + 2^(2 Width) exactly, and
//         carry_o[0] = 0. The user subtracts the excess 2^(2 Width) of each product.
// Latency: Stages cycles. The last register is at the output; with two stages, structures 1 and 2
//         have the first after half of the tree's delay and a little more, and structure 0 leaves
//         its place to the tool's retiming.

module mf_digit_multiplier #(
  /// Bits of a digit; at least 3.
  parameter int unsigned Width      = 64,
  /// 0 inferred, 1 Booth with final adder, 2 Booth with carry-save output.
  parameter int unsigned Structure  = 0,
  /// Style of the final adder (mf_adder), for structure 1.
  parameter int unsigned AdderStyle = 0,
  /// Register levels: 1 or 2.
  parameter int unsigned Stages     = 1
) (
  input  logic               clk_i,
  input  logic [Width-1:0]   x_i,
  input  logic [Width-1:0]   y_i,
  output logic [2*Width-1:0] sum_o,
  output logic [2*Width-1:0] carry_o,
  output logic               top_o
);

  if (Width < 3) begin : gen_illegal_width
    $fatal(1, "mf_digit_multiplier: Width must be at least 3");
  end else if (Structure > 2) begin : gen_illegal_structure
    $fatal(1, "mf_digit_multiplier: Structure must be 0, 1 or 2");
  end else if (Stages < 1 || Stages > 2) begin : gen_illegal_stages
    $fatal(1, "mf_digit_multiplier: Stages must be 1 or 2");
  end

  localparam int unsigned ProductW = 2 * Width;
  localparam int unsigned Rows     = Width / 2 + 1;
  // With three rows at least, the tree's second output is a carry vector.
  localparam int unsigned TreeRows = Rows < 3 ? 3 : Rows;

  localparam int unsigned TreeDelay = mf_tree_pkg::level(
      mf_tree_pkg::End, TreeRows, 0, 0, 2, mf_tree_pkg::full_levels(TreeRows, 0, 0, 2)).start;
  localparam int unsigned HalfRows  =
      Stages == 1 ? TreeRows : mf_tree_stage_pkg::rows_after(TreeRows, TreeDelay / 2 + 1);

  if (Structure == 0) begin : gen_inferred
    logic [ProductW-1:0] product, product_q;

    if (Stages == 1) begin : gen_one_stage
      assign product = x_i * y_i;
    end else begin : gen_two_stages
      always_ff @(posedge clk_i) product <= x_i * y_i;
    end
    always_ff @(posedge clk_i) product_q <= product;

    assign sum_o   = product_q;
    assign carry_o = '0;
    assign top_o   = 1'b0;
  end else begin : gen_booth
    logic [Rows-1:0][ProductW:0]     rows;
    logic [HalfRows-1:0][ProductW:0] half_d, half;
    logic [1:0][ProductW:0]          pair;

    mf_booth_rows #(.Width(Width)) u_rows (
      .x_i(x_i), .y_i(y_i), .rows_o(rows)
    );

    if (Stages == 1) begin : gen_one_stage
      assign half_d = (TreeRows * (ProductW + 1))'(rows);
      assign half   = half_d;
    end else begin : gen_two_stages
      mf_compressor_tree #(.Width(ProductW + 1), .Rows(TreeRows), .Outputs(HalfRows)) u_upper (
        .rows_i((TreeRows * (ProductW + 1))'(rows)), .bits_i('0), .rows_o(half_d)
      );
      always_ff @(posedge clk_i) half <= half_d;
    end

    mf_compressor_tree #(.Width(ProductW + 1), .Rows(HalfRows)) u_lower (
      .rows_i(half), .bits_i('0), .rows_o(pair)
    );

    if (Structure == 1) begin : gen_final_adder
      logic [ProductW-1:0] product;
      mf_adder #(.Width(ProductW), .Style(AdderStyle)) u_final_adder (
        .a_i(pair[0][ProductW-1:0]), .b_i(pair[1][ProductW-1:0]), .sum_o(product)
      );
      always_ff @(posedge clk_i) sum_o <= product;
      assign carry_o = '0;
      assign top_o   = 1'b0;

      logic unused_excess;
      assign unused_excess = ^{pair[0][ProductW], pair[1][ProductW]};
    end else begin : gen_carry_save
      // The exact sum is below 2^(ProductW+1): at most one of the top bits is set.
      always_ff @(posedge clk_i) begin
        sum_o   <= pair[0][ProductW-1:0];
        carry_o <= pair[1][ProductW-1:0];
        top_o   <= pair[0][ProductW] | pair[1][ProductW];
      end
    end
  end

endmodule
