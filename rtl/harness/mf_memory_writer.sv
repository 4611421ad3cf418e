// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. Writes the words of an operation into a core's memory: after load_i the words of
// d_i, the lowest first, with pauses at random, all of them within 2 Words + 4 cycles. Without
// valid_o index and word are unknown.

module mf_memory_writer #(
  /// Bits of a word; at least 1.
  parameter int unsigned WordWidth = 8,
  /// Words of an operation; at least 2.
  parameter int unsigned Words     = 4,
  /// Seed of the pauses; not 0.
  parameter logic [15:0] Seed      = 16'hace1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            load_i,
  input  logic [Words-1:0][WordWidth-1:0] d_i,
  output logic                            valid_o,
  output logic [$clog2(Words)-1:0]        index_o,
  output logic [WordWidth-1:0]            word_o
);

  localparam int unsigned IndexW = $clog2(Words);

  logic [$clog2(Words+1)-1:0]      count;
  logic [Words-1:0][WordWidth-1:0] source_q;

  // At count Words nothing is written.
  logic unused_count;
  assign unused_count = count[$clog2(Words+1)-1];

  assign index_o = valid_o ? IndexW'(count) : 'x;
  assign word_o  = valid_o ? source_q[index_o] : 'x;

  mf_harness_pacer #(.Steps(Words), .Seed(Seed)) u_pacer (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .start_i(load_i),
    .ready_i(1'b1),
    .step_o (valid_o),
    .count_o(count)
  );

  always_ff @(posedge clk_i) if (load_i) source_q <= d_i;

endmodule
