// SPDX-License-Identifier: Apache-2.0
//
// Carry-propagate adder of a selectable structure: sum_o = a_i + b_i modulo 2^Width.
//
// Style 0: the `+` operator, left to the tool. Others: the look-ahead of mf_carry_lookahead.

module mf_adder #(
  /// Bits of the vectors; at least 1.
  parameter int unsigned Width = 8,
  /// 0 inferred, 1 Brent-Kung, 2 Han-Carlson, 3 Kogge-Stone.
  parameter int unsigned Style = 0
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] sum_o
);

  if (Style > 3) begin : gen_illegal_style
    $fatal(1, "mf_adder: Style must be 0 to 3");
  end else if ($signed(Width) < 1) begin : gen_illegal_width
    $fatal(1, "mf_adder: Width must be at least 1");
  end

  localparam int unsigned Inferred = 0;

  if (Style == Inferred || Width == 1) begin : gen_inferred
    assign sum_o = a_i + b_i;
  end else begin : gen_prefix
    // Carries into the places above the lowest: there is no carry input and no carry output.
    logic [Width-2:0] carries;

    mf_carry_lookahead #(.Width(Width - 1), .Style(Style)) u_lookahead (
      .clk_i      (1'b0),
      .generate_i (a_i[Width-2:0] & b_i[Width-2:0]),
      .propagate_i(a_i[Width-2:0] ^ b_i[Width-2:0]),
      .carry_o    (carries)
    );

    assign sum_o = a_i ^ b_i ^ {carries, 1'b0};
  end

endmodule
