// SPDX-License-Identifier: Apache-2.0
//
// Properties of the handshakes of every core with contract ports, for binding.
//
// A response stays, unchanged, until it is taken. Each request has one response, in order, within
// Patience cycles after the request or the response before; there is no response without a request.
// The assertions are immediate ones on clock edges out of reset, which simulators, linters and
// formal tools take.

module mf_handshake_props #(
  /// Bits of the result.
  parameter int unsigned ResultW  = 1,
  /// Cycles without a response while one is owed; 0 for any number.
  parameter int unsigned Patience = 0
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               req_valid_i,
  input logic               req_ready_i,
  input logic               rsp_valid_i,
  input logic               rsp_ready_i,
  input logic [ResultW-1:0] result_i
);

  logic [15:0]        owed_q;  // requests whose response is not taken
  logic [31:0]        silent_q;
  logic               waiting_q;
  logic [ResultW-1:0] result_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owed_q    <= '0;
      silent_q  <= '0;
      waiting_q <= 1'b0;
    end else begin
      owed_q    <= owed_q + 16'(req_valid_i && req_ready_i) - 16'(rsp_valid_i && rsp_ready_i);
      silent_q  <= (owed_q == '0 || rsp_valid_i) ? '0 : silent_q + 32'd1;
      waiting_q <= rsp_valid_i && !rsp_ready_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rsp_valid_i && !rsp_ready_i) result_q <= result_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (rsp_valid_i) begin
        no_response_without_a_request : assert (owed_q != '0);
      end
      if (waiting_q) begin
        a_response_stays_until_taken : assert (rsp_valid_i);
        a_waiting_result_is_stable : assert (result_i == result_q);
      end
      if (Patience != 0) begin
        each_request_has_a_response : assert (silent_q <= Patience);
      end
    end
  end

endmodule
