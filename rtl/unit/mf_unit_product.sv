// SPDX-License-Identifier: Apache-2.0
//
// Product of a digit and an operand in registers: vectors_o + ones_o = d * x of the cycle before,
// modulo 2^Width, or with load_i other_s_i + other_c_i.
//
// The Booth rows are reduced to two vectors; a single row (DigitW = 2) stays one. ones_o are the
// ones of negative rows for which the tree has no free place, one for each vector.

module mf_unit_product
  import mf_booth_pkg::*;
#(
  /// Bits of a vector; at least OperandW + DigitW.
  parameter int unsigned Width    = 16,
  /// Bits of a digit; at least 2.
  parameter int unsigned DigitW   = 2,
  /// Bits of x_i; at least 1.
  parameter int unsigned OperandW = 8,
  /// Columns of a region but the last; 1 or more.
  parameter int unsigned RegionW  = Width,

  localparam int unsigned Terms   = (DigitW + 1) / 2,
  localparam int unsigned Vectors = (Terms < 2) ? 1 : 2,
  localparam int unsigned Regions = (OperandW + RegionW - 1) / RegionW
) (
  input  logic                           clk_i,
  /// Two's complement.
  input  logic [OperandW-1:0]            x_i,
  /// Equal in all regions.
  input  term_t [Regions-1:0][Terms-1:0] terms_i,
  /// Takes a pair in place of a product of 0; for two vectors only.
  input  logic                           load_i,
  input  logic [Width-1:0]               other_s_i,
  input  logic [Width-1:0]               other_c_i,
  output logic [Vectors-1:0][Width-1:0]  vectors_o,
  /// Each of weight 1.
  output logic [Vectors-1:0]             ones_o
);

  logic [Terms-1:0][Width-1:0]   rows;
  logic [Terms-1:0]              ones;
  logic [Vectors-1:0][Width-1:0] vectors;

  mf_unit_rows #(
    .Width(Width), .DigitW(DigitW), .OperandW(OperandW), .RegionW(RegionW)
  ) u_rows (
    .x_i(x_i), .terms_i(terms_i), .rows_o(rows), .ones_o(ones)
  );

  if (Terms > 2) begin : gen_tree
    mf_compressor_tree #(.Width(Width), .Rows(Terms)) u_tree (
      .rows_i(rows), .bits_i(ones[Terms-3:0]), .rows_o(vectors)
    );
  end else begin : gen_rows
    assign vectors = rows;
  end

  always_ff @(posedge clk_i) begin
    vectors_o[0]         <= load_i ? other_s_i : vectors[0];
    vectors_o[Vectors-1] <= load_i ? other_c_i : vectors[Vectors-1];
    ones_o               <= ones[Terms-1-:Vectors];
  end

endmodule
