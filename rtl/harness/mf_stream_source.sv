// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. The words of an operation in a FIFO, for a core that takes a stream of words
// and can't wait for them.
//
// After load_i the words of d_i, the lowest first, enter the FIFO with pauses at random, all of
// them within 2 Words + 4 cycles. The core begins after that, and takes a word in each cycle with
// take_i; word_o is then the next word. It is an error to take a word that is not there, or to
// leave one until the next load.

module mf_stream_source #(
  /// Bits of a word; at least 1.
  parameter int unsigned WordWidth = 8,
  /// Words of an operation; at least 1.
  parameter int unsigned Words     = 4,
  /// Seed of the pauses; not 0.
  parameter logic [15:0] Seed      = 16'hace1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            load_i,
  input  logic [Words-1:0][WordWidth-1:0] d_i,
  input  logic                            take_i,
  output logic [WordWidth-1:0]            word_o
);

  localparam int unsigned CountW = $clog2(2 * Words + 6);

  logic [15:0]                     lfsr_q;
  logic [CountW-1:0]               put_q, taken_q, cycles_q;  // cycles_q: left for the rest
  logic [Words-1:0][WordWidth-1:0] source_q, fifo_q;
  logic                            push;

  assign push   = put_q != CountW'(Words) && (lfsr_q[0] || CountW'(Words) - put_q >= cycles_q);
  assign word_o = taken_q < put_q ? fifo_q[taken_q] : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lfsr_q   <= Seed;
      put_q    <= CountW'(Words);
      taken_q  <= CountW'(Words);
      cycles_q <= '0;
    end else begin
      lfsr_q <= {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[13] ^ lfsr_q[12] ^ lfsr_q[10]};
      if (load_i) begin
        put_q    <= '0;
        taken_q  <= '0;
        cycles_q <= CountW'(2 * Words + 4);
        if (taken_q != CountW'(Words)) $error("mf_stream_source: words were not taken");
      end else begin
        if (cycles_q != '0) cycles_q <= cycles_q - CountW'(1);
        if (push) put_q <= put_q + CountW'(1);
        if (take_i) taken_q <= taken_q + CountW'(1);
        if (take_i && taken_q >= put_q) begin
          $error("mf_stream_source: a word is taken that is not there");
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_i) source_q <= d_i;
    if (push) fifo_q[put_q] <= source_q[put_q];
  end

endmodule
