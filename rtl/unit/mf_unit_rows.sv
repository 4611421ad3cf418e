// SPDX-License-Identifier: Apache-2.0
//
// Booth rows of one digit times one operand: sum of rows_o + sum of ones_o = d * x modulo 2^Width.
// Row j is the multiple of term j of the digit, at weight 4^j, with its sign S at bit P + 2j, P =
// OperandW. Each region of columns has terms of its own, equal to those of all others: RegionW
// columns from the lowest on, the last region the rest.
//
// Signs are not extended: row 0 has ~S S S from P on, each other row 1 ~S, and the remaining
// constant, -2^(P + 2 Terms), stands above them in row 0. A single row is extended.

module mf_unit_rows
  import mf_booth_pkg::*;
#(
  /// Bits of a row; at least OperandW + 2 Terms.
  parameter int unsigned Width    = 16,
  /// Bits of a digit; at least 2.
  parameter int unsigned DigitW   = 2,
  /// Bits of x_i; at least 1.
  parameter int unsigned OperandW = 8,
  /// Columns of a region but the last; 1 or more.
  parameter int unsigned RegionW  = Width,

  localparam int unsigned Terms   = (DigitW + 1) / 2,
  localparam int unsigned Regions = (OperandW + RegionW - 1) / RegionW
) (
  /// Two's complement.
  input  logic [OperandW-1:0]            x_i,
  /// Equal in all regions.
  input  term_t [Regions-1:0][Terms-1:0] terms_i,
  output logic [Terms-1:0][Width-1:0]    rows_o,
  /// Each of weight 1.
  output logic [Terms-1:0]               ones_o
);

  for (genvar j = 0; j < Terms; j++) begin : gen_term
    localparam int unsigned SignedW = OperandW + 2 * j + 1;

    logic [SignedW:0]   doubled;  // 2 x 4^j
    logic [SignedW-1:0] multiple;

    assign doubled = {SignedW'(signed'(x_i)) << (2 * j), 1'b0};

    for (genvar r = 0; r < Regions; r++) begin : gen_region
      localparam int unsigned Low     = r * RegionW;
      localparam int unsigned Columns = (r + 1 == Regions) ? SignedW - Low : RegionW;

      // With the column below, whose x the multiple 2 takes.
      logic [Columns:0] columns;

      mf_booth_multiple #(.Width(Columns + 1), .OperandW(Columns + 1)) u_multiple (
        .x_i(doubled[Low+:Columns+1]), .term_i(terms_i[r][j]), .multiple_o(columns)
      );
      assign multiple[Low+:Columns] = columns[Columns:1];

      logic unused_column;
      assign unused_column = columns[0];
    end

    if (Terms == 1) begin : gen_extended
      assign rows_o[j] = Width'(signed'(multiple));
    end else if (j == 0) begin : gen_first
      assign rows_o[j] = ~(~(Width)'(0) >> (Width - OperandW - 2 * Terms)) |
                         Width'({~multiple[SignedW-1], multiple[SignedW-1], multiple});
    end else begin : gen_next
      assign rows_o[j] = Width'({1'b1, ~multiple[SignedW-1], multiple[SignedW-2:0]});
    end

    assign ones_o[j] = terms_i[0][j].negative;
  end

endmodule
