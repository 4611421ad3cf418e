// SPDX-License-Identifier: Apache-2.0
//
// Compressor tree of full-adder rows: sum_o + carry_o = the sum of all vectors_i and bits_i,
// modulo 2^Width.
//
// All vectors stand in a queue: row r takes the three at places 3r to 3r + 2 and puts its sum and
// its carry (s_r, c_r) at the end, so that early inputs are added early. The last Late inputs join
// the queue behind the results of the first LateRow rows. Inputs - 2 rows leave two vectors.
//
// The free lowest place of the carry vector of row r takes bits_i[r]: up to Inputs - 2 single bits,
// such as those that complete complemented vectors, cost neither an adder nor a level.
//
//          5-to-2          5-to-2, v4 late   8-to-2                    8-to-2, v6 and v7 late
//                          (LateRow = 1)                               (LateRow = 2)
// level 1  0[v0 v1 v2]     0[v0 v1 v2]       0[v0 v1 v2]  1[v3 v4 v5]  0[v0 v1 v2]  1[v3 v4 v5]
// level 2  1[v3 v4 s0]     1[v3 s0 c0]       2[v6 v7 s0]  3[c0 s1 c1]  2[s0 c0 s1]  3[c1 v6 v7]
// level 3  2[c0 s1 c1]     2[v4 s1 c1]       4[s2 c2 s3]               4[s2 c2 s3]
// level 4                                    5[c3 s4 c4]               5[c3 s4 c4]
// output   s2, c2          s2, c2            s5, c5                    s5, c5

module mf_booth_tree #(
  /// Bits of the vectors; at least 2.
  parameter int unsigned Width   = 8,
  /// Number of vectors; at least 3.
  parameter int unsigned Inputs  = 5,
  /// Number of late inputs, the last ones; less than Inputs - 1.
  parameter int unsigned Late    = 0,
  /// Rows whose results arrive before the late inputs; at most Inputs - Late - 2.
  parameter int unsigned LateRow = 0,

  localparam int unsigned Rows = Inputs - 2
) (
  input  logic [Inputs-1:0][Width-1:0] vectors_i,
  input  logic [Rows-1:0]              bits_i,
  output logic [Width-1:0]             sum_o,
  output logic [Width-1:0]             carry_o
);

  if (Late + LateRow > Inputs - 2) begin : gen_illegal_late
    $fatal(1, "mf_booth_tree: LateRow must be at most Inputs - Late - 2");
  end

  localparam int unsigned Early = Inputs - Late;

  logic [3*Rows+1:0][Width-1:0] queue;

  assign queue[Early-1:0] = vectors_i[Early-1:0];

  if (Late != 0) begin : gen_late
    assign queue[Early+2*LateRow+:Late] = vectors_i[Inputs-1:Early];
  end

  for (genvar r = 0; r < Rows; r++) begin : gen_row
    localparam int unsigned Place = Early + 2 * r + (r < LateRow ? 0 : Late);

    logic [Width-1:0] carry;

    mf_full_adder_row #(.Width(Width)) u_row (
      .s_i    (queue[3*r]),
      .c_i    (queue[3*r+1]),
      .x_i    (queue[3*r+2]),
      .sum_o  (queue[Place]),
      .carry_o(carry)
    );

    assign queue[Place+1] = carry | Width'(bits_i[r]);
  end

  assign sum_o   = queue[3*Rows];
  assign carry_o = queue[3*Rows+1];

endmodule
