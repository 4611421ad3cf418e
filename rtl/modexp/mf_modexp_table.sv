// SPDX-License-Identifier: Apache-2.0
//
// Memory of powers: one write port, one read port with a register, as of a block RAM.
//
// Contract: rd_data_o is the word of rd_addr_i in the cycle before; a read of a word that is
//           written in the same cycle gives the old word. Addresses are below Depth.
// Block:    a block RAM of an FPGA (mf_ram), whose output register is slow, and a register behind
//           it: rd_data_o is the word of rd_addr_i two cycles before. In a cycle with wr_en_i
//           nothing is read, and the word that was read last stays.

module mf_modexp_table #(
  /// Bits of a word; at least 1.
  parameter int unsigned Width = 257,
  /// Number of words; at least 2.
  parameter int unsigned Depth = 16,
  /// A block RAM, read in two cycles.
  parameter bit          Block = 1'b0,

  localparam int unsigned AddrW = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             wr_en_i,
  input  logic [AddrW-1:0] wr_addr_i,
  input  logic [Width-1:0] wr_data_i,
  input  logic [AddrW-1:0] rd_addr_i,
  output logic [Width-1:0] rd_data_o
);

  if (Block) begin : gen_block
    logic [Width-1:0] word;

    mf_ram #(.Width(Width), .Depth(Depth)) u_ram (
      .clk_i          (clk_i),
      .write_i        (wr_en_i),
      .write_address_i(wr_addr_i),
      .word_i         (wr_data_i),
      .read_i         (!wr_en_i),
      .read_address_i (rd_addr_i),
      .word_o         (word)
    );

    always_ff @(posedge clk_i) begin
      rd_data_o <= word;
    end
  end else begin : gen_memory
    logic [Width-1:0] words_q[Depth];

    always_ff @(posedge clk_i) begin
      if (wr_en_i) words_q[wr_addr_i] <= wr_data_i;
      rd_data_o <= words_q[rd_addr_i];
    end
  end

endmodule
