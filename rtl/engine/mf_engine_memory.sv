// SPDX-License-Identifier: Apache-2.0
//
// Memory of words with check bits: one write port, two read ports with registers.
//
// The check of a lane of 32 bits is the CRC of its data (mf_engine_pkg::crc, 8 bits), added to its
// address, and to a constant, so that zeros have a check that is not zero. rd_data_o is the word at
// rd_addr_i in the cycle before, rd_check_o the CRC that its lanes must have; with another CRC the
// data, the check or the address is wrong. A read of a word that is written in
// the same cycle gives the old word.

module mf_engine_memory
  import mf_engine_pkg::*;
#(
  /// Bits of a word; 32 or 64.
  parameter int unsigned Width = 32,
  /// Number of words; at least 2.
  parameter int unsigned Depth = 64,

  localparam int unsigned Lanes = Width / 32,
  localparam int unsigned AddrW = $clog2(Depth)
) (
  input  logic                  clk_i,
  /// A bit for each lane.
  input  logic [Lanes-1:0]      wr_en_i,
  input  logic [AddrW-1:0]      wr_addr_i,
  input  logic [Width-1:0]      wr_data_i,
  input  logic [1:0][AddrW-1:0] rd_addr_i,
  output logic [1:0][Width-1:0] rd_data_o,
  output logic [1:0][Lanes-1:0][7:0] rd_check_o
);

  function automatic logic [7:0] place(input logic [AddrW-1:0] addr);
    logic [13:0] wide;
    wide = 14'(addr);
    return {1'b1, wide[6:0] ^ wide[13:7]};
  endfunction

  logic [1:0][AddrW-1:0] addr_q;

  always_ff @(posedge clk_i) begin
    addr_q <= rd_addr_i;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [39:0] words_q[Depth];
    logic [39:0] write;

    assign write = {crc(wr_data_i[32*l+:32]) ^ place(wr_addr_i), wr_data_i[32*l+:32]};

    always_ff @(posedge clk_i) begin
      if (wr_en_i[l]) words_q[wr_addr_i] <= write;
    end

    for (genvar r = 0; r < 2; r++) begin : gen_read
      logic [39:0] word_q;

      always_ff @(posedge clk_i) begin
        word_q <= words_q[rd_addr_i[r]];
      end

      assign rd_data_o[r][32*l+:32] = word_q[31:0];
      assign rd_check_o[r][l]       = word_q[39:32] ^ place(addr_q[r]);
    end
  end

endmodule
