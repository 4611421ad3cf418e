// SPDX-License-Identifier: Apache-2.0
//
// An elastic pipeline of three stages: what the bench must cope with when several operations are
// outstanding. Computes p = a * b mod n (R = 1) in its first stage.

module pipeline #(
  parameter int unsigned Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             req_valid_i,
  output logic             req_ready_o,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] n_i,

  output logic             rsp_valid_o,
  input  logic             rsp_ready_i,
  output logic [Width-1:0] p_o
);

  logic [2:0]       valid_q;
  logic [Width-1:0] p0_q, p1_q, p2_q;

  assign req_ready_o = !valid_q[2] || rsp_ready_i;
  assign rsp_valid_o = valid_q[2];
  assign p_o         = p2_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (req_ready_o) valid_q <= {valid_q[1:0], req_valid_i};
  end

  always_ff @(posedge clk_i) begin
    if (req_ready_o) begin
      p0_q <= Width'((2*Width)'(a_i) * (2*Width)'(b_i) % (2*Width)'(n_i));
      p1_q <= p0_q;
      p2_q <= p1_q;
    end
  end

endmodule
