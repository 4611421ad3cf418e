// SPDX-License-Identifier: Apache-2.0
//
// Pipelined full-word multiplier or squarer: product_o = x_i * y_i, one product a cycle.
//
// Source:   Booth rows and a tree of full adders; Karatsuba, Ofman 1962 above them. With
//           x = x1 2^h + x0, y = y1 2^h + y0, p0 = x0 y0, p1 = x1 y1, p2 = (x0 + x1)(y0 + y1):
//           x y = {p1, p0} + (p2 - p1 - p0) 2^h, five vectors with the constant of the complements.
// Latency:  mf_product_pkg::product_cycles: without Karatsuba levels a cycle for Booth terms and
//           the sum of the rows; each level adds those of x0 + x1 and of the sum of five vectors.
//
// Operands of fewer than six bits are not split.

module mf_fixed_product
  import mf_booth_pkg::*;
#(
  /// Bits of the operands; at least 3.
  parameter int unsigned Width     = 64,
  /// Karatsuba levels.
  parameter int unsigned Karatsuba = 0,
  /// Levels of full adders between registers; at least 1.
  parameter int unsigned Levels    = 3,
  /// x_i * x_i; y_i is not used.
  parameter bit          Square    = 1'b0
) (
  input  logic               clk_i,
  input  logic [Width-1:0]   x_i,
  input  logic [Width-1:0]   y_i,
  output logic [2*Width-1:0] product_o
);

  localparam int unsigned ProductW = 2 * Width;

  if (Karatsuba == 0 || Width < mf_product_pkg::FewestSplit) begin : gen_rows
    if (Square) begin : gen_square
      localparam int unsigned Terms = Width / 2 + 1;
      localparam int unsigned Rows  = mf_product_pkg::product_rows(Width, Square);

      logic [Width-1:0]              x_q;
      term_t [Terms-1:0]             terms, terms_q;
      logic [Rows-1:0][ProductW-1:0] rows;

      mf_booth_recoder #(.DigitW(2 * Terms)) u_recoder (
        .digit_i((2 * Terms)'(x_i)), .transfer_i(1'b0), .terms_o(terms)
      );

      always_ff @(posedge clk_i) begin
        x_q     <= x_i;
        terms_q <= terms;
      end

      mf_square_rows #(.Width(Width)) u_rows (
        .x_i(x_q), .terms_i(terms_q), .rows_o(rows)
      );
      mf_pipelined_sum #(.Width(ProductW), .Rows(Rows), .Levels(Levels)) u_sum (
        .clk_i(clk_i), .rows_i(rows), .sum_o(product_o)
      );

      logic unused_y;
      assign unused_y = ^y_i;
    end else begin : gen_product
      mf_pipelined_product #(.Width(Width), .High(ProductW), .Levels(Levels)) u_product (
        .clk_i(clk_i), .x_i(x_i), .y_i(y_i), .addends_i('0), .sum_o(product_o)
      );
    end
  end else begin : gen_split
    localparam int unsigned Low  = (Width + 1) / 2;
    localparam int unsigned High = Width - Low;

    // Cycles of the three products; p2 takes the most.
    localparam int unsigned CyclesSum =
        mf_product_pkg::product_cycles(Low + 1, Karatsuba - 1, Levels, Square);
    localparam int unsigned CyclesLow =
        mf_product_pkg::product_cycles(Low, Karatsuba - 1, Levels, Square);
    localparam int unsigned CyclesHigh =
        mf_product_pkg::product_cycles(High, Karatsuba - 1, Levels, Square);

    localparam logic [ProductW-1:0] Constant = (ProductW'(2) << Low) -
        (ProductW'(1) << (3 * Low)) - (ProductW'(1) << (2 * High + Low));

    logic [Width-1:0]             x, y;
    logic [Low:0]                 x_sum, y_sum;
    logic [2*Low-1:0]             low_product, p0, not_p0;
    logic [2*High-1:0]            high_product, p1, not_p1;
    logic [2*Low+1:0]             p2;
    logic [4:0][ProductW-1:0]     rows;

    mf_delay_line #(.Width(Width), .Depth(mf_pipeline_pkg::AdderCycles)) u_x (
      .clk_i(clk_i), .d_i(x_i), .q_o(x)
    );
    mf_pipelined_adder #(.Width(Low + 1)) u_x_sum (
      .clk_i(clk_i),
      .a_i  ({1'b0, x_i[Low-1:0]}),
      .b_i  ((Low + 1)'(x_i[Width-1:Low])),
      .sum_o(x_sum)
    );

    if (Square) begin : gen_square
      assign y     = '0;
      assign y_sum = '0;
      logic unused_y;
      assign unused_y = ^y_i;
    end else begin : gen_product
      mf_delay_line #(.Width(Width), .Depth(mf_pipeline_pkg::AdderCycles)) u_y (
        .clk_i(clk_i), .d_i(y_i), .q_o(y)
      );
      mf_pipelined_adder #(.Width(Low + 1)) u_y_sum (
        .clk_i(clk_i),
        .a_i  ({1'b0, y_i[Low-1:0]}),
        .b_i  ((Low + 1)'(y_i[Width-1:Low])),
        .sum_o(y_sum)
      );
    end

    mf_fixed_product #(
      .Width(Low), .Karatsuba(Karatsuba - 1), .Levels(Levels), .Square(Square)
    ) u_low (
      .clk_i, .x_i(x[Low-1:0]), .y_i(y[Low-1:0]), .product_o(low_product)
    );
    mf_fixed_product #(
      .Width(High), .Karatsuba(Karatsuba - 1), .Levels(Levels), .Square(Square)
    ) u_high (
      .clk_i, .x_i(x[Width-1:Low]), .y_i(y[Width-1:Low]), .product_o(high_product)
    );
    mf_fixed_product #(
      .Width(Low + 1), .Karatsuba(Karatsuba - 1), .Levels(Levels), .Square(Square)
    ) u_sum (
      .clk_i, .x_i(x_sum), .y_i(y_sum), .product_o(p2)
    );

    mf_delay_line #(.Width(2 * Low), .Depth(CyclesSum - CyclesLow)) u_p0 (
      .clk_i(clk_i), .d_i(low_product), .q_o(p0)
    );
    mf_delay_line #(.Width(2 * High), .Depth(CyclesSum - CyclesHigh)) u_p1 (
      .clk_i(clk_i), .d_i(high_product), .q_o(p1)
    );

    assign rows[0] = {p1, p0};
    assign rows[1] = ProductW'(p2) << Low;
    assign not_p0  = ~p0;
    assign not_p1  = ~p1;
    assign rows[2] = ProductW'(not_p1) << Low;
    assign rows[3] = ProductW'(not_p0) << Low;
    assign rows[4] = Constant;

    mf_pipelined_sum #(.Width(ProductW), .Rows(5), .Levels(Levels)) u_product (
      .clk_i(clk_i), .rows_i(rows), .sum_o(product_o)
    );
  end

endmodule
