// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. Steps with pauses at random, in which the harnesses fill FIFOs and memories and
// read results.
//
// After start_i there are Steps cycles with step_o, with pauses at random between them, all within
// 2 Steps + 4 cycles if ready_i is always high. A step stays until ready_i. count_o is the number
// of steps made; it stays at Steps until the next start.

module mf_harness_pacer #(
  /// Steps after a start; at least 1.
  parameter int unsigned Steps = 4,
  /// Seed of the pauses; not 0.
  parameter logic [15:0] Seed  = 16'hace1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       start_i,
  input  logic                       ready_i,
  output logic                       step_o,
  output logic [$clog2(Steps+1)-1:0] count_o
);

  localparam int unsigned CountW = $clog2(Steps + 1);
  localparam int unsigned LeftW  = $clog2(2 * Steps + 5);

  logic [15:0]       lfsr_q;
  logic [CountW-1:0] count_q;
  logic [LeftW-1:0]  left_q;  // cycles for the steps that are left
  logic              held_q;

  assign count_o = count_q;
  assign step_o  = count_q != CountW'(Steps) &&
                   (held_q || lfsr_q[0] || LeftW'(Steps) - LeftW'(count_q) >= left_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lfsr_q  <= Seed;
      count_q <= CountW'(Steps);
      left_q  <= '0;
      held_q  <= 1'b0;
    end else begin
      lfsr_q <= {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[13] ^ lfsr_q[12] ^ lfsr_q[10]};
      if (start_i) begin
        count_q <= '0;
        left_q  <= LeftW'(2 * Steps + 4);
        held_q  <= 1'b0;
      end else begin
        if (left_q != '0) left_q <= left_q - LeftW'(1);
        if (step_o && ready_i) count_q <= count_q + CountW'(1);
        held_q <= step_o && !ready_i;
      end
    end
  end

endmodule
