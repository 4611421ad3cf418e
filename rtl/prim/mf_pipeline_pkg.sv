// SPDX-License-Identifier: Apache-2.0
//
// Cycles of the pipelined blocks, for those who must wait as long.

package mf_pipeline_pkg;

  /// Cycles of mf_pipelined_adder.
  localparam int unsigned AdderCycles = 2;

  /// Vectors that are left of `rows` after `levels` levels of full-adder rows.
  function automatic int unsigned rows_after(int unsigned rows, int unsigned levels);
    int unsigned present;
    present = rows;
    for (int unsigned done = 0; done < levels && present > 2; done++) begin
      present = present - (present / 3);
    end
    return present;
  endfunction

  /// Cycles of mf_pipelined_tree.
  function automatic int unsigned tree_cycles(int unsigned rows, int unsigned levels);
    int unsigned cycles, present;
    cycles  = 1;
    present = rows_after(rows, levels);
    while (present > 2 && levels != 0) begin
      cycles++;
      present = rows_after(present, levels);
    end
    return cycles;
  endfunction

endpackage
