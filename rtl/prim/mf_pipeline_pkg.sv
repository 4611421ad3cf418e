// SPDX-License-Identifier: Apache-2.0
//
// Cycles of the pipelined blocks, for those who must wait as long.

package mf_pipeline_pkg;

  /// Cycles of mf_pipelined_adder.
  localparam int unsigned AdderCycles = 2;

  /// Cycles of mf_pipelined_tree.
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

endpackage
