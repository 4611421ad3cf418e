// SPDX-License-Identifier: Apache-2.0
//
// Definitions of the files of mf_unit_dsp.

package mf_unit_dsp_pkg;

  /// Addend of a column beside a sum of product words.
  typedef enum logic [1:0] {Nothing, Above, Word, TailAbove} addend_e;

endpackage
