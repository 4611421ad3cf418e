// SPDX-License-Identifier: Apache-2.0
//
// Accumulator of digit products: adds up to Lanes products in each digit column to its value.
//
// Computes: value := value + sum of product[lane][column] * 2^(column * DigitBits) + addends,
//           modulo 2^Width, in each cycle; Initial instead where initialise_i is high.
//           A product is sum + carry + top * 2^(2 DigitBits) (mf_digit_multiplier); where nothing
//           is added it is 0.
// CarrySave = 0: the register is binary; value_o is the adder's output, register_o the register.
// CarrySave = 1: the register is a carry-save pair without a carry chain before it; value_o and
//           register_o are the sum of the pair, one cycle later than with CarrySave = 0.

module mf_digit_accumulator #(
  /// Bits of the accumulator.
  parameter int unsigned      Width      = 16,
  parameter int unsigned      DigitBits  = 4,
  /// Digit columns that products are added in; at least 1.
  parameter int unsigned      Columns    = 4,
  /// Most products of one column in one cycle; at least 1.
  parameter int unsigned      Lanes      = 1,
  /// Whether products come as carry-save pairs (structure 2 of mf_digit_multiplier).
  parameter bit               PairInput  = 1'b0,
  /// Further vectors to be added; at least 1.
  parameter int unsigned      Addends    = 1,
  parameter bit               CarrySave  = 1'b0,
  /// Style of the adder (mf_adder).
  parameter int unsigned      AdderStyle = 0,
  parameter logic [Width-1:0] Initial    = '0
) (
  input  logic                                           clk_i,
  input  logic                                           initialise_i,
  input  logic [Lanes-1:0][Columns-1:0][2*DigitBits-1:0] product_sum_i,
  input  logic [Lanes-1:0][Columns-1:0][2*DigitBits-1:0] product_carry_i,
  input  logic [Lanes-1:0][Columns-1:0]                  product_top_i,
  input  logic [Addends-1:0][Width-1:0]                  addends_i,
  output logic [Width-1:0]                               value_o,
  output logic [Width-1:0]                               register_o
);

  // A lane holds one product a column; the low halves of all columns make one row, the high
  // halves another, one digit up.
  localparam int unsigned RowW      = (Columns + 2) * DigitBits;
  localparam int unsigned LaneRows  = PairInput ? 4 : 2;
  localparam int unsigned StateRows = CarrySave ? 2 : 1;
  localparam int unsigned Rows      = Lanes * LaneRows + Addends + StateRows;

  logic [Lanes-1:0][3:0][RowW-1:0] lane_rows;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane_rows
    for (genvar e = 0; e < Columns + 2; e++) begin : gen_digit
      logic [DigitBits-1:0] low_sum, low_carry, high_sum, high_carry;
      logic                 top;
      if (e < Columns) begin : gen_low
        assign low_sum   = product_sum_i[l][e][DigitBits-1:0];
        assign low_carry = product_carry_i[l][e][DigitBits-1:0];
      end else begin : gen_no_low
        assign low_sum   = '0;
        assign low_carry = '0;
      end
      if (e >= 1 && e <= Columns) begin : gen_high
        assign high_sum   = product_sum_i[l][e-1][2*DigitBits-1:DigitBits];
        assign high_carry = product_carry_i[l][e-1][2*DigitBits-1:DigitBits];
      end else begin : gen_no_high
        assign high_sum   = '0;
        assign high_carry = '0;
      end
      if (e >= 2) begin : gen_top
        assign top = product_top_i[l][e-2];
      end else begin : gen_no_top
        assign top = 1'b0;
      end
      // The lowest carry bit of a product is 0: the place of the top bit from two columns below.
      assign lane_rows[l][0][e*DigitBits+:DigitBits] = low_sum;
      assign lane_rows[l][1][e*DigitBits+:DigitBits] = high_sum;
      assign lane_rows[l][2][e*DigitBits+:DigitBits] = {low_carry[DigitBits-1:1],
                                                        low_carry[0] | top};
      assign lane_rows[l][3][e*DigitBits+:DigitBits] = high_carry;
    end
  end

  logic [StateRows-1:0][Width-1:0] state_q, state_d;
  logic [Rows-1:0][Width-1:0]      rows;
  logic [1:0][Width-1:0]           pair;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    for (genvar r = 0; r < LaneRows; r++) begin : gen_row
      if (RowW < Width) begin : gen_extend
        assign rows[l*LaneRows+r] = Width'(lane_rows[l][r]);
      end else begin : gen_cut
        assign rows[l*LaneRows+r] = lane_rows[l][r][Width-1:0];
      end
    end
  end
  assign rows[Lanes*LaneRows +: Addends] = addends_i;
  assign rows[Rows-1 -: StateRows]       = state_q;

  mf_compressor_tree #(.Width(Width), .Rows(Rows)) u_tree (
    .rows_i(rows),
    .rows_o(pair)
  );

  if (CarrySave) begin : gen_carry_save
    assign state_d = initialise_i ? (2 * Width)'(Initial) : pair;
    mf_adder #(.Width(Width), .Style(AdderStyle)) u_adder (
      .a_i  (state_q[0]),
      .b_i  (state_q[1]),
      .sum_o(value_o)
    );
    assign register_o = value_o;
  end else begin : gen_binary
    mf_adder #(.Width(Width), .Style(AdderStyle)) u_adder (
      .a_i  (pair[0]),
      .b_i  (pair[1]),
      .sum_o(value_o)
    );
    assign state_d[0] = initialise_i ? Initial : value_o;
    assign register_o = state_q[0];
  end

  always_ff @(posedge clk_i) state_q <= state_d;

  // Halves of products that lie above the accumulator, and all carries of binary products.
  logic unused_product_bits;
  assign unused_product_bits = ^lane_rows;

endmodule
