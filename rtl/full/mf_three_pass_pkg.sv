// SPDX-License-Identifier: Apache-2.0
//
// Sizes of mf_three_pass and its ports.

package mf_three_pass_pkg;

  /// Booth terms of a digit: `issues` digits hold width + 1 bits.
  function automatic int unsigned terms(int unsigned width, int unsigned issues);
    return issues == 0 ? 1 : (width + 2 * issues) / (2 * issues);
  endfunction

  /// Bits of all digits together: log2 R.
  function automatic int unsigned operand_bits(int unsigned width, int unsigned issues);
    return 2 * terms(width, issues) * (issues == 0 ? 1 : issues);
  endfunction

endpackage
