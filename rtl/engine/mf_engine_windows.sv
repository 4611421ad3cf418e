// SPDX-License-Identifier: Apache-2.0
//
// The host's windows of an engine: an access of 32 bits is a word of a value in memory.
//
// Table:    a window has 200 (hexadecimal) bytes, for a value of Bits bits; the window of the key,
//           1000 bytes from 2000 on, has values of half the bits side by side.
// Answer:   in the next cycle. It is an error for an address beyond the words of a window, for a
//           read of a write-only window and the reverse, while the engine is occupied, for the key
//           while it is locked, and for a word with wrong check bits. The result reads as 0 unless
//           it is released. Whether the word that is read is the result is registered twice.

module mf_engine_windows
  import mf_engine_pkg::*;
#(
  parameter engine_t Engine,
  /// Bits of the longest value.
  parameter int unsigned Bits      = 256,
  /// Windows beside the key's.
  parameter int unsigned Windows   = 4,
  parameter window_t [Windows-1:0] Table,
  /// Values in the window of the key, and the first one's place in the host's memory, in values.
  parameter int unsigned KeyValues = 5,
  parameter int unsigned KeyUnit   = 6,

  localparam int unsigned AddrW = Engine.addr_w,
  localparam int unsigned WordW = Engine.word_w,
  localparam int unsigned Lanes = WordW / 32
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  win_valid_i,
  input  logic                  win_write_i,
  input  logic [15:0]           win_addr_i,
  output logic                  win_rvalid_o,
  output logic [31:0]           win_rdata_o,
  output logic                  win_error_o,

  /// The engine uses the memories; the key is locked; the result may be read.
  input  logic                  occupied_i,
  input  logic                  lock_i,
  input  logic                  release_i,

  /// A word of the host's memory is written; it belongs to the modulus.
  output logic                  write_o,
  output logic                  modulus_write_o,
  output logic [AddrW-1:0]      addr_o,
  output logic [Lanes-1:0]      lane_o,
  input  logic [WordW-1:0]      main_data_i,
  input  logic [Lanes-1:0][7:0] main_check_i,
  input  logic [WordW-1:0]      host_data_i,
  input  logic [Lanes-1:0][7:0] host_check_i
);

  localparam int unsigned FullWords32 = (Bits + 31) / 32;
  localparam int unsigned HalfWords32 = ((Bits + 1) / 2 + 31) / 32;

  typedef struct packed {
    logic             hit;
    logic             key;
    logic             writable;
    logic             readable;
    logic             result;
    logic             modulus;
    logic [AddrW-1:0] base;  // of the value
    logic [13:0]      word;  // of 32 bits, in the value
  } place_t;

  function automatic place_t decode(input logic [15:0] addr);
    place_t      found;
    int unsigned offset, field;
    found = '0;
    for (int unsigned w = 0; w < Windows; w++) begin
      if (addr[15:9] == Table[w].page) begin
        found.base     = AddrW'(Table[w].unit * Engine.words);
        found.writable = Table[w].writable;
        found.readable = Table[w].readable;
        found.result   = Table[w].result;
        found.modulus  = Table[w].modulus;
      end
    end
    found.word = 14'(addr[8:2]);
    found.hit  = (found.writable || found.readable) && 32'(found.word) < FullWords32;
    if (addr[15:12] == 4'h2) begin
      offset = 32'(addr[11:2]);
      field  = 0;
      for (int unsigned f = 1; f < KeyValues; f++) begin
        if (offset >= f * HalfWords32) field = f;
      end
      found.key      = 1'b1;
      found.writable = 1'b1;
      found.base     = AddrW'((KeyUnit + field) * Engine.words);
      found.word     = 14'(offset - field * HalfWords32);
      found.hit      = offset < KeyValues * HalfWords32;
    end
    if (addr[1:0] != 2'd0) found.hit = 1'b0;
    return found;
  endfunction

  place_t place;
  logic   legal;

  assign place           = decode(win_addr_i);
  assign legal           = place.hit && !occupied_i &&
                           (win_write_i ? place.writable : place.readable) &&
                           !(place.key && lock_i);
  assign write_o         = win_valid_i && win_write_i && legal;
  assign modulus_write_o = write_o && place.modulus;

  if (Lanes == 1) begin : gen_one_lane
    assign addr_o = place.base + AddrW'(place.word);
    assign lane_o = 1'b1;
  end else begin : gen_lanes
    assign addr_o = place.base + AddrW'(place.word >> 1);
    assign lane_o = place.word[0] ? 2'b10 : 2'b01;
  end

  logic             read_q, write_q, answer_q;
  logic             result_q, result_copy_q;
  logic [Lanes-1:0] lane_q;
  logic [31:0]      read_word;
  logic             read_bad;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q        <= 1'b0;
      write_q       <= 1'b0;
      answer_q      <= 1'b0;
      result_q      <= 1'b0;
      result_copy_q <= 1'b0;
      lane_q        <= '0;
    end else begin
      answer_q      <= win_valid_i;
      write_q       <= write_o;
      read_q        <= win_valid_i && !win_write_i && legal;
      result_q      <= place.result;
      result_copy_q <= place.result;
      lane_q        <= lane_o;
    end
  end

  always_comb begin
    read_word = '0;
    read_bad  = !$onehot(lane_q) || result_q != result_copy_q;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (lane_q[l]) begin
        read_word |= result_q ? main_data_i[32*l+:32] : host_data_i[32*l+:32];
        read_bad  |= result_q ? crc(main_data_i[32*l+:32]) != main_check_i[l] && release_i
                              : crc(host_data_i[32*l+:32]) != host_check_i[l];
      end
    end
  end

  assign win_rvalid_o = answer_q;
  assign win_error_o  = answer_q && !write_q && (!read_q || read_bad);
  assign win_rdata_o  = read_word & {32{read_q && !read_bad && (release_i || !result_q)}};

endmodule
