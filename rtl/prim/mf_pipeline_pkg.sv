// SPDX-License-Identifier: Apache-2.0
//
// Latencies of the pipelined blocks, for the delays that must match them.

package mf_pipeline_pkg;

  /// Cycles of mf_pipelined_adder.
  localparam int unsigned AdderCycles = 2;

  /// Cycles of the tree of mf_pipelined_sum.
  function automatic int unsigned tree_cycles(int unsigned rows, int unsigned levels);
    int unsigned cycles, present;
    cycles  = 1;
    present = mf_tree_pkg::rows_after(rows, levels);
    while (present > 2 && levels != 0) begin
      cycles++;
      present = mf_tree_pkg::rows_after(present, levels);
    end
    return cycles;
  endfunction

  /// Cycles of mf_pipelined_sum.
  function automatic int unsigned sum_cycles(int unsigned rows, int unsigned levels);
    return tree_cycles(rows, levels) + AdderCycles;
  endfunction

endpackage
