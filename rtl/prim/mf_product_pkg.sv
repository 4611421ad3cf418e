// SPDX-License-Identifier: Apache-2.0
//
// Rows and cycles of mf_fixed_product, for the delays that must match them.

package mf_product_pkg;

  /// Fewest bits of operands that a Karatsuba level splits.
  localparam int unsigned FewestSplit = 6;

  // Functions of an illegal width return small numbers, so that elaboration gets to the message.

  /// Rows of a product of `width` bits without Karatsuba levels, or of a square.
  function automatic int unsigned product_rows(int unsigned width, bit square);
    if (width < 1 || width > 1024) return 1;
    return square ? (width - 1) / 2 + 3 : width / 2 + 1;
  endfunction

  /// Cycles of mf_fixed_product.
  function automatic int unsigned product_cycles(int unsigned width, int unsigned karatsuba,
                                                 int unsigned levels, bit square);
    int unsigned bits, split, cycles;
    bits   = width;
    split  = 0;
    cycles = 0;
    while (split < karatsuba && bits >= FewestSplit) begin
      bits   = (bits + 1) / 2 + 1;
      cycles = cycles + mf_pipeline_pkg::AdderCycles + mf_pipeline_pkg::sum_cycles(5, levels);
      split++;
    end
    return cycles + 1 + mf_pipeline_pkg::sum_cycles(product_rows(bits, square), levels);
  endfunction

endpackage
