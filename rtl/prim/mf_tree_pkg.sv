// SPDX-License-Identifier: Apache-2.0
//
// Shape of a compressor tree (mf_compressor_tree), level by level.
//
// Delays are counted in XOR gates. A level of full adders (delay 2) makes two of each three rows; a
// level of 4:2 compressors (delay 3) makes two of each four, and two of the last three. No level
// reduces more than is needed. Late rows join at the first level that starts when they are there.
//
// The tree may start with levels of either kind, as is best for its delay; then come 4:2
// compressors, since three levels of full adders never pay: two of 4:2 compressors take as long.

package mf_tree_pkg;

  /// Levels that may be of either kind.
  localparam int unsigned ChosenLevels = 4;

  /// More levels than any tree has.
  localparam int unsigned End = 24;

  typedef struct packed {
    logic [31:0] number;  // levels before
    logic [31:0] start;   // delay of all levels before
    logic [31:0] waiting; // late rows that do not join yet
    logic [31:0] joining; // late rows that join
    logic [31:0] rows;    // with these
    logic [31:0] fours;   // groups of four
    logic [31:0] threes;  // groups of three
  } level_t;

  /// Level `number` of a tree from `rows` rows, of which `late` come `lateness` later than the
  /// others, to `kept` rows; bit i of `full`: level i is one of full adders. Beyond the last level
  /// there are no groups.
  function automatic level_t level(int unsigned number, int unsigned rows, int unsigned late,
                                   int unsigned lateness, int unsigned kept,
                                   logic [ChosenLevels-1:0] full);
    level_t      at;
    int unsigned needed;
    at         = '0;
    at.waiting = late;
    at.rows    = rows - late;
    for (int unsigned i = 0; i <= number; i++) begin
      if (at.fours != 0) at.start = at.start + 3;
      else if (at.threes != 0) at.start = at.start + 2;
      if (at.fours != 0 || at.threes != 0) at.number = at.number + 1;
      at.rows    = at.rows - 2 * at.fours - at.threes;
      at.joining = 0;
      if (at.waiting != 0 && (at.start >= lateness || at.rows < 3)) begin
        if (at.start < lateness) at.start = lateness;
        at.joining = at.waiting;
        at.waiting = 0;
        at.rows    = at.rows + at.joining;
      end
      needed    = at.rows + at.waiting > kept ? at.rows + at.waiting - kept : 0;
      at.fours  = at.rows / 4 < needed / 2 ? at.rows / 4 : needed / 2;
      if (i < ChosenLevels && full[i]) at.fours = 0;
      needed    = needed - 2 * at.fours;
      at.threes = (at.rows - 4 * at.fours) / 3;
      if (at.threes > needed) at.threes = needed;
    end
    return at;
  endfunction

  /// The levels of full adders with which such a tree has the least delay.
  function automatic logic [ChosenLevels-1:0] full_levels(
      int unsigned rows, int unsigned late, int unsigned lateness, int unsigned kept);
    logic [ChosenLevels-1:0] best;
    int unsigned             found, least;
    best  = '0;
    least = 1 << 31;
    for (int unsigned full = 0; full < 1 << ChosenLevels; full++) begin
      found = level(End, rows, late, lateness, kept, ChosenLevels'(full)).start;
      if (found < least) begin
        best  = ChosenLevels'(full);
        least = found;
      end
    end
    return best;
  endfunction

endpackage
