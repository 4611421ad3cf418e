// SPDX-License-Identifier: Apache-2.0
//
// Ring or digit memory of the FFT multiplier: four banks, each with one read and one write port.
//
// Source:   Dai 2018, Fig. 3 (RAM of a processing element); the paper has no map.
// Map:      word k of Depth = 2^v is in bank {k[1] ^ k[v-1], k[0] ^ k[v-2]}, row k mod Depth / 4
//           (mf_fft_pkg::bank_of). The four words of each access are in four banks:
//           4t to 4t + 3 (a row of a stage, a segment of the adder); 2t, 2t + 1 and those Depth / 2
//           further on (the words that a row of a stage writes); p and those 1/4, 2/4, 3/4 Depth
//           further on (bit-reversed input).
// Timing:   see mf_ram.

module mf_fft_memory #(
  /// Bits of a word; at least 1.
  parameter int unsigned Width = 65,
  /// Rows of a bank; at least 2.
  parameter int unsigned Rows  = 16,

  localparam int unsigned RowW = $clog2(Rows)
) (
  input  logic                  clk_i,
  /// Reset of the assertions alone: the words are not reset.
  input  logic                  rst_ni,

  input  logic [3:0]            write_i,
  input  logic [3:0][RowW-1:0]  write_row_i,
  input  logic [3:0][Width-1:0] word_i,

  input  logic [3:0]            read_i,
  input  logic [3:0][RowW-1:0]  read_row_i,
  output logic [3:0][Width-1:0] word_o
);

  for (genvar b = 0; b < 4; b++) begin : gen_banks
    mf_ram #(.Width(Width), .Depth(Rows)) u_bank (
      .clk_i          (clk_i),
      .write_i        (write_i[b]),
      .write_address_i(write_row_i[b]),
      .word_i         (word_i[b]),
      .read_i         (read_i[b]),
      .read_address_i (read_row_i[b]),
      .word_o         (word_o[b])
    );

`ifndef SYNTHESIS
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (rst_ni) begin
        no_word_is_read_while_it_is_written :
        assert (!(write_i[b] && read_i[b] && write_row_i[b] == read_row_i[b]));
      end
    end
`endif
  end

  logic unused_reset;
  assign unused_reset = rst_ni;

endmodule
