// SPDX-License-Identifier: Apache-2.0
//
// What the files of mf_unit_dsp share.

package mf_unit_dsp_pkg;

  /// What a column adds to a sum of product words.
  typedef enum logic [1:0] {Nothing, Above, Word, TailAbove} addend_e;

endpackage
