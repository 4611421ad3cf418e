// SPDX-License-Identifier: Apache-2.0
//
// Compressor tree: reduces Rows vectors to Outputs vectors, and adds single bits. The sum of all
// rows_o is that of all rows_i and bits_i, modulo 2^Width.
//
// Levels of rows of 4:2 compressors and of full adders, as mf_tree_pkg plans them: the delay is the
// least, in XOR gates. The last Late inputs come Lateness later than the others and join then; the
// results of earlier levels wait for them.
//
// The free lowest places of carry vectors take bits_i, in the order of the rows: up to Rows -
// Outputs single bits, such as those that complete complemented vectors, cost neither an adder nor
// a level. With Rows >= 3 and Outputs = 2, row 1 of the output is a carry vector, whose lowest bit
// is the last one of bits_i.

module mf_compressor_tree #(
  /// Bits of the vectors; at least 2.
  parameter int unsigned Width    = 8,
  /// Number of input vectors; at least 1.
  parameter int unsigned Rows     = 3,
  /// Number of output vectors; at least 2. Missing ones are 0.
  parameter int unsigned Outputs  = 2,
  /// Number of late inputs, the last ones; with Outputs = 2 only, and at most Rows - 2.
  parameter int unsigned Late     = 0,
  /// Delay by which these are late, in XOR gates.
  parameter int unsigned Lateness = 0,

  localparam int unsigned Bits = Rows > Outputs ? Rows - Outputs : 1
) (
  input  logic [Rows-1:0][Width-1:0]    rows_i,
  /// Each of weight 1; 0 if no vector is added.
  input  logic [Bits-1:0]               bits_i,
  output logic [Outputs-1:0][Width-1:0] rows_o
);

  if (Width < 2) begin : gen_illegal_width
    $fatal(1, "mf_compressor_tree: Width must be at least 2");
  end else if (Rows < 1) begin : gen_illegal_rows
    $fatal(1, "mf_compressor_tree: Rows must be at least 1");
  end else if (Outputs < 2) begin : gen_illegal_outputs
    $fatal(1, "mf_compressor_tree: Outputs must be at least 2");
  end else if (Late != 0 && (Outputs != 2 || Late + 2 > Rows)) begin : gen_illegal_late
    $fatal(1, "mf_compressor_tree: Late must be at most Rows - 2, and 0 with more than 2 Outputs");
  end

  // Illegal numbers are elaborated as legal ones: the tree would have no end.
  localparam int unsigned Kept   = Outputs < 2 ? 2 : Outputs;
  localparam int unsigned Joined = Late + 2 > Rows ? 0 : Late;

  localparam logic [mf_tree_pkg::ChosenLevels-1:0] Full =
      mf_tree_pkg::full_levels(Rows, Joined, Lateness, Kept);

  function automatic mf_tree_pkg::level_t level(int unsigned number);
    return mf_tree_pkg::level(number, Rows, Joined, Lateness, Kept, Full);
  endfunction

  localparam mf_tree_pkg::level_t Last   = level(mf_tree_pkg::End);
  localparam int unsigned         Levels = Last.number;

  // The rows of a level: late inputs that join, the results of the level before, the rows that
  // this one passed. Groups are formed from the first row on.
  for (genvar l = 0; l <= Levels; l++) begin : gen_level
    localparam mf_tree_pkg::level_t At      = level(l);
    localparam int unsigned         Groups  = At.fours + At.threes;
    localparam int unsigned         Grouped = 4 * At.fours + 3 * At.threes;
    localparam int unsigned         Before  = At.rows - At.joining;
    localparam int unsigned         Taken   = Rows - At.rows - At.waiting;  // bits before

    logic [At.rows-1:0][Width-1:0]                  rows;
    logic [At.rows-Grouped+2*Groups-1:0][Width-1:0] next;

    if (l == 0) begin : gen_first
      assign rows[At.rows-1:At.joining] = rows_i[Before-1:0];
    end else begin : gen_next
      assign rows[At.rows-1:At.joining] = gen_level[l-1].next;
    end
    if (At.joining != 0) begin : gen_late
      assign rows[At.joining-1:0] = rows_i[Rows-1:Rows-Late];
    end

    for (genvar g = 0; g < Groups; g++) begin : gen_group
      logic [Width-1:0] carry;

      if (g < At.fours) begin : gen_four
        mf_compressor_row #(.Width(Width)) u_row (
          .vectors_i(rows[4*g+:4]),
          .carry_i  (bits_i[Taken+2*g]),
          .sum_o    (next[2*g]),
          .carry_o  (carry)
        );
        assign next[2*g+1] = carry | Width'(bits_i[Taken+2*g+1]);
      end else begin : gen_three
        localparam int unsigned First = 3 * g + At.fours;

        mf_full_adder_row #(.Width(Width)) u_row (
          .s_i    (rows[First+2]),
          .c_i    (rows[First+1]),
          .x_i    (rows[First]),
          .sum_o  (next[2*g]),
          .carry_o(carry)
        );
        assign next[2*g+1] = carry | Width'(bits_i[Taken+g+At.fours]);
      end
    end

    if (At.rows > Grouped) begin : gen_pass
      assign next[At.rows-Grouped+2*Groups-1:2*Groups] = rows[At.rows-1:Grouped];
    end
  end

  for (genvar r = 0; r < Outputs; r++) begin : gen_output
    if (r < Last.rows) begin : gen_row
      assign rows_o[r] = gen_level[Levels].next[r];
    end else begin : gen_none
      assign rows_o[r] = '0;
    end
  end

  if (Rows <= Outputs) begin : gen_no_bits
    logic unused_bits;
    assign unused_bits = ^bits_i;
  end

endmodule
