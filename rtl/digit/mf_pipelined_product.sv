// SPDX-License-Identifier: Apache-2.0
//
// Columns Low to High - 1 of an unsigned product: Booth rows and a tree of them with registers, one
// sum a cycle.
//
// Computes: sum_o = sum of floor(row / 2^Low) of all rows of mf_booth_rows + the sum of addends_i,
//           modulo 2^(High-Low). With Low = 0 that is x_i * y_i + addends. Else it is below
//           floor(x_i * y_i / 2^Low) + addends by less than the number of rows of the product.
// Latency:  1 + mf_pipeline_pkg::sum_cycles(Width / 2 + 1 + Addends, Levels).

module mf_pipelined_product
  import mf_booth_pkg::*;
#(
  /// Bits of the operands; at least 3.
  parameter int unsigned Width   = 8,
  /// Lowest column of the sum.
  parameter int unsigned Low     = 0,
  /// Column above the sum; Low + 2 to 2 Width.
  parameter int unsigned High    = 16,
  /// Vectors that are added.
  parameter int unsigned Addends = 0,
  /// Levels of full adders between registers; at least 1.
  parameter int unsigned Levels  = 3,

  localparam int unsigned SumW  = High - Low,
  localparam int unsigned PortW = Addends == 0 ? 1 : Addends
) (
  input  logic                       clk_i,
  input  logic [Width-1:0]           x_i,
  input  logic [Width-1:0]           y_i,
  /// 0 without Addends.
  input  logic [PortW-1:0][SumW-1:0] addends_i,
  output logic [SumW-1:0]            sum_o
);

  localparam int unsigned Terms = Width / 2 + 1;
  localparam int unsigned Rows  = Terms + Addends;

  logic [Width-1:0]             x_q;
  term_t [Terms-1:0]            terms, terms_q;
  logic [PortW-1:0][SumW-1:0]   addends_q;
  logic [Terms-1:0][2*Width:0]  whole;
  logic [Rows-1:0][SumW-1:0]    rows;

  mf_booth_recoder #(.DigitW(2 * Terms)) u_recoder (
    .digit_i((2 * Terms)'(y_i)), .transfer_i(1'b0), .terms_o(terms)
  );

  always_ff @(posedge clk_i) begin
    x_q       <= x_i;
    terms_q   <= terms;
    addends_q <= addends_i;
  end

  mf_booth_selected_rows #(.Width(Width)) u_rows (
    .x_i(x_q), .terms_i(terms_q), .rows_o(whole)
  );

  for (genvar r = 0; r < Rows; r++) begin : gen_row
    if (r < Terms) begin : gen_term
      assign rows[r] = whole[r][High-1:Low];
    end else begin : gen_addend
      assign rows[r] = addends_q[r-Terms];
    end
  end

  mf_pipelined_sum #(.Width(SumW), .Rows(Rows), .Levels(Levels)) u_sum (
    .clk_i(clk_i), .rows_i(rows), .sum_o(sum_o)
  );

  // Other columns are not added.
  logic unused_columns;
  assign unused_columns = ^{whole, addends_q};

endmodule
