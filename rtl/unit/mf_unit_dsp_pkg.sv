// SPDX-License-Identifier: Apache-2.0
//
// Types of mf_unit_dsp and mf_unit_column.

package mf_unit_dsp_pkg;

  /// Addend of a column beside a sum of product words.
  typedef enum logic [1:0] {Nothing, Above, Word, TailAbove} addend_e;

endpackage
