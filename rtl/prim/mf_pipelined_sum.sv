// SPDX-License-Identifier: Apache-2.0
//
// Pipelined sum of Rows vectors modulo 2^Width: a compressor tree reduces them to a carry-save
// pair, which mf_pipelined_adder converts; one sum a cycle.
//
// Latency: mf_pipeline_pkg::sum_cycles(Rows, Levels): the tree has a register at its end and where
//          its delay is that of Levels levels of full adders; then come the cycles of the adder.

module mf_pipelined_sum #(
  /// Bits of the vectors; at least 2.
  parameter int unsigned Width  = 8,
  /// Number of input vectors; at least 2.
  parameter int unsigned Rows   = 3,
  /// Levels of full adders that have the delay of the tree between registers; at least 1.
  parameter int unsigned Levels = 3
) (
  input  logic                       clk_i,
  input  logic [Rows-1:0][Width-1:0] rows_i,
  output logic [Width-1:0]           sum_o
);

  if (Levels < 1) begin : gen_illegal_levels
    $fatal(1, "mf_pipelined_sum: Levels must be at least 1");
  end

  localparam int unsigned Cycles = mf_pipeline_pkg::tree_cycles(Rows, Levels);

  for (genvar k = 0; k < Cycles; k++) begin : gen_stage
    localparam int unsigned Before = mf_pipeline_pkg::tree_rows(Rows, Levels, k);
    localparam int unsigned After  = mf_pipeline_pkg::tree_rows(Rows, Levels, k + 1);

    logic [Before-1:0][Width-1:0] rows;
    logic [After-1:0][Width-1:0]  rows_d, rows_q;

    if (k == 0) begin : gen_first
      assign rows = rows_i;
    end else begin : gen_next
      assign rows = gen_stage[k-1].rows_q;
    end

    mf_compressor_tree #(.Width(Width), .Rows(Before), .Outputs(After)) u_tree (
      .rows_i(rows), .bits_i('0), .rows_o(rows_d)
    );

    always_ff @(posedge clk_i) rows_q <= rows_d;
  end

  mf_pipelined_adder #(.Width(Width)) u_adder (
    .clk_i(clk_i),
    .a_i  (gen_stage[Cycles-1].rows_q[0]),
    .b_i  (gen_stage[Cycles-1].rows_q[1]),
    .sum_o(sum_o)
  );

endmodule
