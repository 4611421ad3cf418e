// SPDX-License-Identifier: Apache-2.0
//
// Sizes of trees of full adders.

package mf_tree_pkg;

  /// Vectors that are left of `rows` after `levels` levels of full-adder rows.
  function automatic int unsigned rows_after(int unsigned rows, int unsigned levels);
    int unsigned present;
    present = rows;
    for (int unsigned done = 0; done < levels && present > 2; done++) begin
      present = present - (present / 3);
    end
    return present;
  endfunction

endpackage
