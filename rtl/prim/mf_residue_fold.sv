// SPDX-License-Identifier: Apache-2.0
//
// Residue modulo 2^ResidueW - 1 of a wide value, by levels of carry-save adders that its words go
// through again and again.
//
// Value i enters in a cycle with load_i[i]; in the cycles after it feed_i is set, load_i is not.
// After k cycles, that of load_i counted, Levels k levels have added its words: words_o is a pair
// with the value's residue after depth(Words) levels, and {0, the residue} after ResidueW + 1 more.
// A residue of 0 may be 2^ResidueW - 1.

module mf_residue_fold
  import mf_residue_pkg::*;
#(
  /// Bits of the residue; at least 2.
  parameter int unsigned ResidueW = 8,
  /// Values that take turns.
  parameter int unsigned Inputs   = 1,
  parameter int unsigned InputW   = 64,
  /// Levels of a cycle; at least 1.
  parameter int unsigned Levels   = 1,

  localparam int unsigned Needed = (InputW + ResidueW - 1) / ResidueW,
  localparam int unsigned Words  = Needed < 2 ? 2 : Needed,
  localparam int unsigned Kept   = remaining(Words, Levels)
) (
  input  logic                          clk_i,
  input  logic [Inputs-1:0]             load_i,
  input  logic                          feed_i,
  input  logic [Inputs-1:0][InputW-1:0] values_i,
  output logic [1:0][ResidueW-1:0]      words_o
);

  localparam int unsigned Folded = remaining(Kept, Levels);

  logic [Inputs-1:0][Kept-1:0][ResidueW-1:0] entered;
  logic [Folded-1:0][ResidueW-1:0]           folded;
  logic [Kept-1:0][ResidueW-1:0]             words_d, words_q;

  // Each value has adders of its own: selection before them would take longer.
  for (genvar i = 0; i < Inputs; i++) begin : gen_input
    mf_residue_tree #(.ResidueW(ResidueW), .Words(Words), .Levels(Levels)) u_entered (
      .words_i((Words * ResidueW)'(values_i[i])), .words_o(entered[i])
    );
  end

  mf_residue_tree #(.ResidueW(ResidueW), .Words(Kept), .Levels(Levels)) u_folded (
    .words_i(words_q), .words_o(folded)
  );

  always_comb begin
    words_d = (Kept * ResidueW)'(folded & {Folded * ResidueW{feed_i}});
    for (int unsigned i = 0; i < Inputs; i++) begin
      words_d |= entered[i] & {Kept * ResidueW{load_i[i]}};
    end
  end

  always_ff @(posedge clk_i) words_q <= words_d;

  assign words_o = words_q[1:0];

endmodule
