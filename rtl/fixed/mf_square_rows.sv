// SPDX-License-Identifier: Apache-2.0
//
// Partial products of a square, from the radix-4 Booth terms d(i) of its operand: half as many bits
// as those of a product.
//
// Computes: the sum of all rows_o is x_i^2 modulo 2^(2 Width).
//
// With b(i) = bit 2i+1 of x, the terms above i are 4^(i+1) (floor(x / 4^(i+1)) + b(i)), so
//   x^2 = sum of d(i) floor(x / 4^(i+1)) 2^(4i+3)  +  sum of (d(i)^2 + 8 d(i) b(i)) 16^i.
// A negative term has b(i) = 1: the values in brackets are 0, 1, 4, 9 - 16 (d = -1), 4 - 16.
// Row i        d(i) floor(x / 4^(i+1)) at bit 4i+3; its sign complemented at bit Width + 2i + 2
// Row Folds    the values in brackets without the -16, four bits each
// Row Folds+1  the -16 complemented at bit 4i+4, the ones of negative rows at bit 4i+3
// Row Folds+2  the constant that makes up for complemented bits

module mf_square_rows
  import mf_booth_pkg::*;
#(
  /// Bits of the operand; 3 to 1024.
  parameter int unsigned Width = 8,

  // Where Width is illegal, there are few rows, so that elaboration gets to the message.
  localparam bit          Legal = Width >= 3 && Width <= 1024,
  localparam int unsigned Terms = Legal ? Width / 2 + 1 : 1,
  localparam int unsigned Folds = Legal ? (Width - 1) / 2 : 0,
  localparam int unsigned Rows  = Folds + 3
) (
  input  logic [Width-1:0]             x_i,
  input  term_t [Terms-1:0]            terms_i,
  output logic [Rows-1:0][2*Width-1:0] rows_o
);

  if (!Legal) begin : gen_illegal_width
    $fatal(1, "mf_square_rows: Width must be 3 to 1024");
  end

  localparam int unsigned RowW = Legal ? 2 * Width : 6;

  function automatic logic [RowW-1:0] constant();
    logic [RowW-1:0] value;
    value = '0;
    for (int unsigned i = 0; i < Folds; i++) value = value - (RowW'(1) << (Width + 2 * i + 2));
    for (int unsigned i = 0; i < Terms; i++) value = value - (RowW'(1) << (4 * i + 4));
    return value;
  endfunction

  localparam logic [RowW-1:0] Constant = constant();

  for (genvar i = 0; i < Folds; i++) begin : gen_fold
    localparam int unsigned Above = Width - 2 * i - 2;  // bits of floor(x / 4^(i+1))

    logic [Above:0] bits;
    assign bits = (({1'b0, x_i[Width-1-:Above]} & {(Above + 1){terms_i[i].once}}) |
                   ({x_i[Width-1-:Above], 1'b0} & {(Above + 1){terms_i[i].twice}})) ^
                  {(Above + 1){terms_i[i].negative}};
    assign rows_o[i] = RowW'({~terms_i[i].negative, bits}) << (4 * i + 3);
  end

  logic [4*Terms+4:0] values, ones;
  logic               once, twice, negative;

  always_comb begin
    values = '0;
    ones   = '0;
    for (int unsigned i = 0; i < Terms; i++) begin
      {once, twice, negative} = terms_i[i];
      values[4*i+:4]          = {once & negative, twice, 1'b0, once};
      ones[4*i+4]             = ~negative;
      if (i < Folds) ones[4*i+3] = negative;
    end
  end

  assign rows_o[Folds]   = values[RowW-1:0];
  assign rows_o[Folds+1] = ones[RowW-1:0];
  assign rows_o[Folds+2] = Constant;

  // The square is modulo 2^(2 Width); two bits of x are above no term.
  logic unused_bits;
  assign unused_bits = ^{x_i[1:0], values[4*Terms+4:RowW], ones[4*Terms+4:RowW]};

endmodule
