// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. FIFOs around the native form mf_eberle (ports core_*), with the ports of
// mf_eberle_par.
//
// After acceptance the FIFOs of a, b and n are filled, a and n once for each row; then the core
// begins. The result is read by digits, with pauses at random; with Lazy = 0 the subtraction is
// done here. Digits that are not taken are unknown, n0' without an operation, too.
// Latency: that of mf_eberle, LoadCycles and ReadCycles, and 2.

module mf_eberle_harness #(
  /// Parameters of mf_eberle.
  parameter int unsigned Width = 256,
  parameter int unsigned K     = 4,
  parameter bit          Lazy  = 1'b1,

  localparam int unsigned Needed    = (Width + (Lazy ? 2 : 0) + K - 1) / K,
  localparam int unsigned DigitBits = Needed < 2 ? 2 : Needed,
  localparam int unsigned RBits     = K * DigitBits,
  localparam int unsigned OperandW  = Lazy ? Width + 1 : Width
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 req_valid_i,
  output logic                 req_ready_o,
  input  logic [OperandW-1:0]  a_i,
  input  logic [OperandW-1:0]  b_i,
  input  logic [Width-1:0]     n_i,
  input  logic [DigitBits-1:0] n0_prime_i,
  output logic                 rsp_valid_o,
  input  logic                 rsp_ready_i,
  output logic [OperandW-1:0]  p_o,

  output logic                 core_req_valid_o,
  input  logic                 core_req_ready_i,
  input  logic                 core_a_taken_i,
  output logic [DigitBits-1:0] core_a_digit_o,
  input  logic                 core_b_taken_i,
  output logic [DigitBits-1:0] core_b_digit_o,
  input  logic                 core_n_taken_i,
  output logic [DigitBits-1:0] core_n_digit_o,
  output logic [DigitBits-1:0] core_n0_prime_o,
  input  logic                 core_p_valid_i,
  output logic                 core_p_next_o,
  input  logic [RBits:0]       core_p_i
);

  localparam int unsigned LoadCycles = 2 * K * K + 6;
  localparam int unsigned ReadCycles = 2 * K + 4;

  logic                   load, read, running;
  logic [DigitBits-1:0]   n0_prime_q;
  logic [RBits:0]         difference;
  logic [RBits-1:0]       digits_q, n_q;
  logic                   top_q;
  logic [$clog2(K+1)-1:0] unused_read;

  mf_harness_control #(.LoadCycles(LoadCycles), .ReadCycles(ReadCycles)) u_control (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid_i),
    .req_ready_o(req_ready_o),
    .load_o     (load),
    .request_o  (core_req_valid_o),
    .accepted_i (core_req_ready_i),
    .running_o  (running),
    .finished_i (core_p_valid_i),
    .read_o     (read),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i)
  );

  mf_stream_source #(.WordWidth(DigitBits), .Words(K * K), .Seed(16'h1234)) u_a (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   ({K{RBits'(a_i)}}),
    .show_i(core_a_taken_i),
    .take_i(core_a_taken_i),
    .word_o(core_a_digit_o)
  );
  mf_stream_source #(.WordWidth(DigitBits), .Words(K), .Seed(16'h5678)) u_b (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   (RBits'(b_i)),
    .show_i(core_a_taken_i),
    .take_i(core_b_taken_i),
    .word_o(core_b_digit_o)
  );
  mf_stream_source #(.WordWidth(DigitBits), .Words(K * K), .Seed(16'h9abc)) u_n (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   ({K{RBits'(n_i)}}),
    .show_i(core_n_taken_i),
    .take_i(core_n_taken_i),
    .word_o(core_n_digit_o)
  );
  mf_harness_pacer #(.Steps(K), .Seed(16'hace1)) u_p (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .start_i(read),
    .ready_i(1'b1),
    .step_o (core_p_next_o),
    .count_o(unused_read)
  );

  always_ff @(posedge clk_i) begin
    if (load) begin
      n0_prime_q <= n0_prime_i;
      n_q        <= RBits'(n_i);
    end
    if (read) top_q <= core_p_i[RBits];
    if (core_p_next_o) digits_q <= RBits'({core_p_i[DigitBits-1:0], digits_q} >> DigitBits);
    if (rst_ni && rsp_valid_o) begin
      the_digits_are_the_result : assert ({top_q, digits_q} == core_p_i);
    end
  end

  assign core_n0_prime_o = core_req_valid_o || running ? n0_prime_q : 'x;
  assign difference      = {top_q, digits_q} - {1'b0, n_q};
  assign p_o             = Lazy || {top_q, digits_q} < {1'b0, n_q} ? OperandW'(digits_q)
                                                                   : OperandW'(difference);

  // The result is below the operands' bound.
  logic unused_high;
  assign unused_high = ^(difference >> OperandW);

endmodule
