// SPDX-License-Identifier: Apache-2.0
//
// Memory whose words carry check bits: one write port, two read ports with registers.
//
// A lane of 32 bits has a CRC of 8 bits over the data (x^8 + x^2 + x + 1: all errors of one or two
// bits, bursts to 8), to which the lane's address is added, with a constant that makes the check of
// a word of zeros not zero. rd_data_o is the word of rd_addr_i in the cycle before, and
// rd_syndrome_o is not zero in the same cycle if data, check and address don't fit together.
// A word that is written in the same cycle is read as it was.

module mf_rsa_memory #(
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
  output logic [1:0][Lanes-1:0][7:0] rd_syndrome_o
);

  function automatic logic [7:0] check(input logic [31:0] data, input logic [AddrW-1:0] addr);
    logic [7:0]  crc;
    logic [13:0] place;
    crc = '0;
    for (int unsigned i = 0; i < 32; i++) begin
      crc = {crc[6:0], 1'b0} ^ ((crc[7] ^ data[31-i]) ? 8'h07 : 8'h00);
    end
    place = 14'(addr);
    return crc ^ {1'b1, place[6:0] ^ place[13:7]};
  endfunction

  logic [1:0][AddrW-1:0] addr_q;

  always_ff @(posedge clk_i) begin
    addr_q <= rd_addr_i;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [39:0] words_q[Depth];
    logic [39:0] write;

    assign write = {check(wr_data_i[32*l+:32], wr_addr_i), wr_data_i[32*l+:32]};

    always_ff @(posedge clk_i) begin
      if (wr_en_i[l]) words_q[wr_addr_i] <= write;
    end

    for (genvar r = 0; r < 2; r++) begin : gen_read
      logic [39:0] word_q;

      always_ff @(posedge clk_i) begin
        word_q <= words_q[rd_addr_i[r]];
      end

      assign rd_data_o[r][32*l+:32] = word_q[31:0];
      assign rd_syndrome_o[r][l]    = word_q[39:32] ^ check(word_q[31:0], addr_q[r]);
    end
  end

endmodule
