// SPDX-License-Identifier: Apache-2.0
//
// Memory of one write port and one read port with a register, which tools infer as a RAM block.
//
// Timing:   the word addressed in a cycle with read_i is on word_o in the next one and stays.
// Limits:   a word must not be read in the cycle in which it is written (checked by assertions of
//           the users). There is no reset.

module mf_ram #(
  /// Bits of a word; at least 1.
  parameter int unsigned Width = 8,
  /// Words; at least 2.
  parameter int unsigned Depth = 16,

  localparam int unsigned AddressW = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                clk_i,

  input  logic                write_i,
  input  logic [AddressW-1:0] write_address_i,
  input  logic [Width-1:0]    word_i,

  input  logic                read_i,
  input  logic [AddressW-1:0] read_address_i,
  output logic [Width-1:0]    word_o
);

  if (Width < 1) begin : gen_illegal_width
    $fatal(1, "mf_ram: Width must be at least 1");
  end else if (Depth < 2) begin : gen_illegal_depth
    $fatal(1, "mf_ram: Depth must be at least 2");
  end

  (* ram_style = "block", syn_ramstyle = "block_ram" *)
  logic [Width-1:0] words_q[Depth];
  logic [Width-1:0] word_q;

  always_ff @(posedge clk_i) begin
    if (write_i) words_q[write_address_i] <= word_i;
    if (read_i) word_q <= words_q[read_address_i];
  end

  assign word_o = word_q;

endmodule
