// SPDX-License-Identifier: Apache-2.0
//
// Multiplier operand of a bit-serial multiplier that consumes up to Skips + 1 bits a cycle.
//
// The operand's shift register moves by a whole row of Skips + 1 bits or not at all, so that its
// bits need no multiplexer for each distance; a one-hot position points into its lowest two rows.
//
// Contract: load_i with hold_i takes a_i; bits_o[0] is then its lowest bit. advance_i is one-hot:
//           bit j consumes j + 1 bits. hold_i = 1 and advance_i = 0 in each cycle before the first
//           that consumes. Above the operand's bits follow zeros up to Length bits, then the end
//           mark: end_o[j] is 1 and bits_o[j] is 0 there.
//
// The register moves one cycle after the position has left the lowest row, since advance_i is late.

module mf_multiplier_window #(
  /// Bits of the operand; at least 1.
  parameter int unsigned Width  = 8,
  /// Bits before the end mark; at least Width.
  parameter int unsigned Length = 12,
  /// Bits that a cycle can skip; at least 1.
  parameter int unsigned Skips  = 1
) (
  input  logic             clk_i,
  input  logic             load_i,
  input  logic [Width-1:0] a_i,
  input  logic             hold_i,
  input  logic [Skips:0]   advance_i,
  output logic [Skips:0]   bits_o,
  output logic [Skips:0]   end_o
);

  localparam int unsigned Row     = Skips + 1;
  localparam int unsigned Rows    = Length / Row;  // rows below the one with the end mark
  localparam int unsigned MarkBit = Length % Row;
  localparam int unsigned CountW  = $clog2(Rows + 1);

  logic [Width-1:0]   a_q;
  logic [CountW-1:0]  rows_left_q;
  logic [2*Row-1:0]   position_d, position_q;  // one-hot
  logic               take;

  assign take = |position_q[2*Row-1:Row];

  // Before the first move the position is 0; no move leads there.
  always_comb begin
    position_d = (2 * Row)'(hold_i);
    for (int unsigned j = 0; j < Row; j++) begin
      position_d |= ((2 * Row)'(position_q[Row-1:0] | position_q[2*Row-1:Row]) << (j + 1)) &
                    {(2 * Row){advance_i[j]}};
    end
  end

  always_ff @(posedge clk_i) begin
    position_q <= position_d;
    if (load_i) begin
      a_q         <= a_i;
      rows_left_q <= CountW'(Rows);
    end else if (take) begin
      a_q         <= Width'({Row'(0), a_q} >> Row);
      rows_left_q <= rows_left_q - CountW'(1);
    end
  end

  logic [3*Row-1:0] bits, marks;

  assign bits = (3 * Row)'(a_q);

  always_comb begin
    marks = '0;
    for (int unsigned i = 0; i < 3; i++) begin
      marks[i*Row+MarkBit] = rows_left_q == CountW'(i);
    end
    for (int unsigned j = 0; j < Row; j++) begin
      bits_o[j] = |(position_q & bits[j+:2*Row]);
      end_o[j]  = |(position_q & marks[j+:2*Row]);
    end
  end

endmodule
