// SPDX-License-Identifier: Apache-2.0
//
// Type of a radix-4 Booth term.

package mf_booth_pkg;

  /// A term of -2 to 2, as selects of its multiple of an operand: once its magnitude is 1, twice
  /// it is 2, none for 0; negative is 0 for 0.
  typedef struct packed {
    logic once;
    logic twice;
    logic negative;
  } term_t;

endpackage
