// SPDX-License-Identifier: Apache-2.0
//
// Memory of the powers: one write port, one read port with a register, as a block RAM has.
//
// Contract: rd_data_o is the word of rd_addr_i in the cycle before; a word that is written in the
//           same cycle is read as it was. Addresses are below Depth.

module mf_modexp_table #(
  /// Bits of a word; at least 1.
  parameter int unsigned Width = 257,
  /// Number of words; at least 2.
  parameter int unsigned Depth = 16,

  localparam int unsigned AddrW = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             wr_en_i,
  input  logic [AddrW-1:0] wr_addr_i,
  input  logic [Width-1:0] wr_data_i,
  input  logic [AddrW-1:0] rd_addr_i,
  output logic [Width-1:0] rd_data_o
);

  logic [Width-1:0] words_q[Depth];

  always_ff @(posedge clk_i) begin
    if (wr_en_i) words_q[wr_addr_i] <= wr_data_i;
    rd_data_o <= words_q[rd_addr_i];
  end

endmodule
