// SPDX-License-Identifier: Apache-2.0
//
// Counts down the cycles of a phase: last_o is high in the last one. A phase of c cycles begins in
// the cycle after load_i with after_i = c - 1; without load_i the counter goes down by one.

module mf_countdown #(
  /// Bits of the counter.
  parameter int unsigned CountW = 8
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              load_i,
  input  logic [CountW-1:0] after_i,
  output logic              last_o
);

  logic [CountW-1:0] left_q;  // cycles of the phase after the present one

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
    end else begin
      left_q <= load_i ? after_i : left_q - CountW'(1);
    end
  end

  assign last_o = left_q == '0;

endmodule
