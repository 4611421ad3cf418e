// SPDX-License-Identifier: Apache-2.0
//
// Levels of carry-save adders modulo 2^ResidueW - 1: the sum of words_o is that of words_i. A carry
// out of the top bit has weight 1 and enters at the lowest one. A pair that is left over goes
// through half adders, so that further levels make one word of a pair and zeros of the others.

module mf_residue_tree
  import mf_residue_pkg::*;
#(
  /// Bits of a word; at least 2.
  parameter int unsigned ResidueW = 8,
  parameter int unsigned Words    = 4,
  parameter int unsigned Levels   = 1,

  localparam int unsigned Outputs = remaining(Words, Levels)
) (
  input  logic [Words-1:0][ResidueW-1:0]   words_i,
  output logic [Outputs-1:0][ResidueW-1:0] words_o
);

  function automatic logic [ResidueW-1:0] turned(logic [ResidueW-1:0] word);
    return {word[ResidueW-2:0], word[ResidueW-1]};
  endfunction

  for (genvar l = 0; l <= Levels; l++) begin : gen_level
    localparam int unsigned Now = remaining(Words, l);

    logic [Now-1:0][ResidueW-1:0] words;

    if (l == 0) begin : gen_first
      assign words = words_i;
    end else begin : gen_next
      localparam int unsigned Before = remaining(Words, l - 1);

      for (genvar g = 0; g < (Before + 2) / 3; g++) begin : gen_group
        if (3 * g + 2 < Before) begin : gen_three
          logic [ResidueW-1:0] x, y, z;

          assign {z, y, x}      = gen_level[l-1].words[3*g+:3];
          assign words[2*g]     = x ^ y ^ z;
          assign words[2*g + 1] = turned((x & y) | ((x ^ y) & z));
        end else if (3 * g + 1 < Before) begin : gen_pair
          logic [ResidueW-1:0] x, y;

          assign {y, x}         = gen_level[l-1].words[3*g+:2];
          assign words[2*g]     = x ^ y;
          assign words[2*g + 1] = turned(x & y);
        end else begin : gen_one
          assign words[2*g] = gen_level[l-1].words[3*g];
        end
      end
    end
  end

  assign words_o = gen_level[Levels].words;

endmodule
