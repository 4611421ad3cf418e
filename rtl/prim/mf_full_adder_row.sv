// SPDX-License-Identifier: Apache-2.0
//
// A row of full adders (3-to-2 compressors): sum_o + carry_o = s_i + c_i + x_i modulo 2^Width.
// The lowest bit of carry_o is 0.

module mf_full_adder_row #(
  /// Bits of the vectors; at least 2.
  parameter int unsigned Width = 8
) (
  input  logic [Width-1:0] s_i,
  input  logic [Width-1:0] c_i,
  input  logic [Width-1:0] x_i,
  output logic [Width-1:0] sum_o,
  output logic [Width-1:0] carry_o
);

  if (Width < 2) begin : gen_illegal_width
    $fatal(1, "mf_full_adder_row: Width must be at least 2");
  end

  logic [Width-1:0] carry;

  assign sum_o   = s_i ^ c_i ^ x_i;
  assign carry   = (s_i & c_i) | ((s_i ^ c_i) & x_i);
  assign carry_o = {carry[Width-2:0], 1'b0};

  // The sum is modulo 2^Width.
  logic unused_top_carry;
  assign unused_top_carry = carry[Width-1];

endmodule
