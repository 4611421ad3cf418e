// SPDX-License-Identifier: Apache-2.0
//
// Handshakes of a pipeline that does not stall, and the buffer in which its results wait.
//
// A request is accepted while fewer than Depth operations are in the pipeline or the buffer, so
// that each result finds a place. With Depth = latency + 2 a request can be accepted in every
// cycle.

module mf_credit_buffer #(
  /// Bits of a result; at least 1.
  parameter int unsigned Width = 8,
  /// Results that may wait; at least 2.
  parameter int unsigned Depth = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             req_valid_i,
  output logic             req_ready_o,
  /// The pipeline's output is a result.
  input  logic             put_i,
  input  logic [Width-1:0] result_i,
  output logic             rsp_valid_o,
  input  logic             rsp_ready_i,
  output logic [Width-1:0] result_o
);

  if ($signed(Width) < 1) begin : gen_illegal_width
    $fatal(1, "mf_credit_buffer: Width must be at least 1");
  end else if (Depth < 2) begin : gen_illegal_depth
    $fatal(1, "mf_credit_buffer: Depth must be at least 2");
  end

  localparam int unsigned CountW = $clog2(Depth + 1);
  localparam int unsigned Last   = Depth - 1;

  logic [CountW-1:0]           owed_q, waiting_q, put_q, take_q;
  logic [Depth-1:0][Width-1:0] results_q;
  logic                        accept, take;

  assign req_ready_o = owed_q != CountW'(Depth);
  assign rsp_valid_o = waiting_q != '0;
  assign accept      = req_valid_i && req_ready_o;
  assign take        = rsp_valid_o && rsp_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owed_q    <= '0;
      waiting_q <= '0;
      put_q     <= '0;
      take_q    <= '0;
    end else begin
      owed_q    <= owed_q + CountW'(accept) - CountW'(take);
      waiting_q <= waiting_q + CountW'(put_i) - CountW'(take);
      if (put_i) put_q <= (put_q == CountW'(Last)) ? '0 : put_q + CountW'(1);
      if (take) take_q <= (take_q == CountW'(Last)) ? '0 : take_q + CountW'(1);
    end
  end

  for (genvar i = 0; i < Depth; i++) begin : gen_place
    always_ff @(posedge clk_i) begin
      if (put_i && put_q == CountW'(i)) results_q[i] <= result_i;
    end
  end

  always_comb begin
    result_o = '0;
    for (int unsigned i = 0; i < Depth; i++) begin
      result_o = result_o | (results_q[i] & {Width{take_q == CountW'(i)}});
    end
  end

endmodule
