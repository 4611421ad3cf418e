// SPDX-License-Identifier: Apache-2.0
//
// Tree of full-adder rows: reduces Rows vectors to Outputs vectors of the same sum modulo 2^Width.
//
// Each level turns groups of three rows into two, the last one only as many as are left to reduce.
// With Rows >= 3 and Outputs = 2, row 1 of the output is a carry vector, whose lowest bit is 0.

module mf_compressor_tree #(
  /// Bits of the vectors; at least 2.
  parameter int unsigned Width   = 8,
  /// Number of input vectors; at least 1.
  parameter int unsigned Rows    = 3,
  /// Number of output vectors; at least 2. Missing ones are 0.
  parameter int unsigned Outputs = 2
) (
  input  logic [Rows-1:0][Width-1:0]    rows_i,
  output logic [Outputs-1:0][Width-1:0] rows_o
);

  if (Width < 2) begin : gen_illegal_width
    $fatal(1, "mf_compressor_tree: Width must be at least 2");
  end else if (Rows < 1) begin : gen_illegal_rows
    $fatal(1, "mf_compressor_tree: Rows must be at least 1");
  end else if (Outputs < 2) begin : gen_illegal_outputs
    $fatal(1, "mf_compressor_tree: Outputs must be at least 2");
  end

  // An illegal number of outputs is elaborated as 2: the tree would have no end.
  localparam int unsigned Kept = Outputs < 2 ? 2 : Outputs;

  // Groups of three in a level that starts with `present` rows.
  function automatic int unsigned groups_of(int unsigned present);
    int unsigned needed;
    needed = present > Kept ? present - Kept : 0;
    return present / 3 < needed ? present / 3 : needed;
  endfunction

  // Tools also evaluate it for level -1, in a branch that is not taken: the loop is short there,
  // too.
  function automatic int unsigned rows_at(int unsigned depth);
    int unsigned present;
    present = Rows;
    for (int unsigned done = 0; done < depth && present > Kept; done++) begin
      present = present - groups_of(present);
    end
    return present;
  endfunction

  function automatic int unsigned number_of_levels();
    int unsigned depth;
    depth = 0;
    while (rows_at(depth) > Kept) depth++;
    return depth;
  endfunction

  localparam int unsigned Levels = number_of_levels();
  localparam int unsigned Last   = rows_at(Levels);

  for (genvar level = 0; level <= Levels; level++) begin : gen_level
    localparam int unsigned RowsHere = rows_at(level);
    logic [RowsHere-1:0][Width-1:0] rows;
    if (level == 0) begin : gen_first
      assign rows = rows_i;
    end else begin : gen_next
      localparam int unsigned RowsBefore = rows_at(level - 1);
      localparam int unsigned Groups     = groups_of(RowsBefore);
      for (genvar g = 0; g < Groups; g++) begin : gen_group
        mf_full_adder_row #(.Width(Width)) u_row (
          .s_i    (gen_level[level-1].rows[3*g]),
          .c_i    (gen_level[level-1].rows[3*g+1]),
          .x_i    (gen_level[level-1].rows[3*g+2]),
          .sum_o  (rows[2*g]),
          .carry_o(rows[2*g+1])
        );
      end
      for (genvar r = 2 * Groups; r < RowsHere; r++) begin : gen_pass
        assign rows[r] = gen_level[level-1].rows[r+Groups];
      end
    end
  end

  for (genvar r = 0; r < Outputs; r++) begin : gen_output
    if (r < Last) begin : gen_row
      assign rows_o[r] = gen_level[Levels].rows[r];
    end else begin : gen_none
      assign rows_o[r] = '0;
    end
  end

endmodule
