// SPDX-License-Identifier: Apache-2.0
//
// Compressor trees (mf_tree_pkg) with registers between their levels. Delays are in XOR gates.

package mf_tree_stage_pkg;

  typedef logic [mf_tree_pkg::ChosenLevels-1:0] full_t;

  /// Rows that a tree to two rows, with levels `full` of full adders, leaves of `rows` in a delay.
  function automatic int unsigned rows_left(int unsigned rows, int unsigned delay, full_t full);
    int unsigned number;
    number = 0;
    while (number < mf_tree_pkg::level(mf_tree_pkg::End, rows, 0, 0, 2, full).number &&
           mf_tree_pkg::level(number + 1, rows, 0, 0, 2, full).start <= delay) begin
      number++;
    end
    return mf_tree_pkg::level(number, rows, 0, 0, 2, full).rows;
  endfunction

  /// The fewest rows, but two, that a tree leaves of `rows` in a delay.
  function automatic int unsigned rows_after(int unsigned rows, int unsigned delay);
    int unsigned left, least;
    least = rows;
    for (int unsigned full = 0; full < 1 << mf_tree_pkg::ChosenLevels; full++) begin
      left = rows_left(rows, delay, full_t'(full));
      if (left < least) least = left;
    end
    return least;
  endfunction

endpackage
