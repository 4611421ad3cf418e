// SPDX-License-Identifier: Apache-2.0
//
// A core with a load phase: the modulus comes before requests and holds for all of them. Computes
// p = a * b mod n (R = 1) in two cycles; a load takes LoadCycles.

module loaded #(
  parameter int unsigned Width      = 8,
  parameter int unsigned LoadCycles = 3
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             load_valid_i,
  output logic             load_ready_o,

  input  logic             req_valid_i,
  output logic             req_ready_o,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] n_i,

  output logic             rsp_valid_o,
  input  logic             rsp_ready_i,
  output logic [Width-1:0] p_o
);

  logic             loaded_q, busy_q, done_q;
  logic [      7:0] left_q;
  logic [Width-1:0] a_q, b_q, n_q, p_q;

  assign load_ready_o = !busy_q && !done_q && left_q == 0;
  assign req_ready_o  = loaded_q && !busy_q && !done_q && left_q == 0;
  assign rsp_valid_o  = done_q;
  assign p_o          = p_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      loaded_q <= 1'b0;
      busy_q   <= 1'b0;
      done_q   <= 1'b0;
      left_q   <= '0;
    end else begin
      if (left_q != 0) left_q <= left_q - 1'b1;
      if (load_valid_i && load_ready_o) begin
        loaded_q <= 1'b1;
        left_q   <= 8'(LoadCycles);
      end
      if (req_valid_i && req_ready_o) busy_q <= 1'b1;
      else if (busy_q) begin
        busy_q <= 1'b0;
        done_q <= 1'b1;
      end else if (done_q && rsp_ready_i) done_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_valid_i && load_ready_o) n_q <= n_i;
    if (req_valid_i && req_ready_o) begin
      a_q <= a_i;
      b_q <= b_i;
    end
    if (busy_q) p_q <= Width'((2*Width)'(a_q) * (2*Width)'(b_q) % (2*Width)'(n_q));
  end

endmodule
