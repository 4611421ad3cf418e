// SPDX-License-Identifier: Apache-2.0
//
// Latencies of the pipelined blocks, for the delays that must match them.

package mf_pipeline_pkg;

  /// Cycles of mf_pipelined_adder.
  localparam int unsigned AdderCycles = 2;

  /// Rows that are left after so many cycles of the tree of mf_pipelined_sum.
  function automatic int unsigned tree_rows(int unsigned rows, int unsigned levels,
                                            int unsigned cycles);
    int unsigned present;
    present = rows;
    for (int unsigned done = 0; done < cycles; done++) begin
      present = mf_tree_stage_pkg::rows_after(present, 2 * levels);
    end
    return present;
  endfunction

  /// Cycles of the tree of mf_pipelined_sum.
  function automatic int unsigned tree_cycles(int unsigned rows, int unsigned levels);
    int unsigned cycles, present;
    cycles  = 1;
    present = tree_rows(rows, levels, 1);
    while (present > 2 && levels != 0) begin
      cycles++;
      present = tree_rows(present, levels, 1);
    end
    return cycles;
  endfunction

  /// Cycles of mf_pipelined_sum.
  function automatic int unsigned sum_cycles(int unsigned rows, int unsigned levels);
    return tree_cycles(rows, levels) + AdderCycles;
  endfunction

endpackage
