// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. The native form mf_eberle behind FIFOs, with the ports of mf_eberle_par.
//
// After acceptance the FIFOs of a, b and n are filled (mf_stream_source), a and n once for each
// row; then the core begins. The result is read by digits, with pauses at random, within
// ReadCycles; with Lazy = 0 the subtraction is done here.
// Latency: that of mf_eberle, LoadCycles and ReadCycles, and 2.

module mf_eberle_harness #(
  /// Parameters of mf_eberle.
  parameter int unsigned Width = 256,
  parameter int unsigned K     = 4,
  parameter bit          Lazy  = 1'b1,

  localparam int unsigned Needed    = (Width + (Lazy ? 2 : 0) + K - 1) / K,
  localparam int unsigned DigitBits = Needed < 2 ? 2 : Needed,
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
  output logic [OperandW-1:0]  p_o
);

  localparam int unsigned RBits      = K * DigitBits;
  localparam int unsigned LoadCycles = 2 * K * K + 6;
  localparam int unsigned ReadCycles = 2 * K + 4;
  localparam int unsigned CountW     = $clog2(LoadCycles + ReadCycles);

  typedef enum logic [2:0] {StIdle, StLoad, StRequest, StRun, StRead, StDone} phase_e;

  phase_e               phase_q;
  logic [CountW-1:0]    count_q, read_q;
  logic [15:0]          lfsr_q;
  logic                 load, core_ready, a_taken, b_taken, n_taken, p_valid, p_next;
  logic [DigitBits-1:0] a_digit, b_digit, n_digit, n0_prime_q;
  logic [RBits:0]       p, difference;
  logic [RBits-1:0]     read_digits_q, n_q;
  logic                 read_top_q;

  assign load        = req_valid_i && phase_q == StIdle;
  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;

  // K digits are read, in good time.
  assign p_next = phase_q == StRead && read_q != CountW'(K) &&
                  (lfsr_q[0] || CountW'(ReadCycles) - count_q <= CountW'(K) - read_q + CountW'(1));

  mf_stream_source #(.WordWidth(DigitBits), .Words(K * K), .Seed(16'h1234)) u_a (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   ({K{RBits'(a_i)}}),
    .take_i(a_taken),
    .word_o(a_digit)
  );
  mf_stream_source #(.WordWidth(DigitBits), .Words(K), .Seed(16'h5678)) u_b (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   (RBits'(b_i)),
    .take_i(b_taken),
    .word_o(b_digit)
  );
  mf_stream_source #(.WordWidth(DigitBits), .Words(K * K), .Seed(16'h9abc)) u_n (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .load_i(load),
    .d_i   ({K{RBits'(n_i)}}),
    .take_i(n_taken),
    .word_o(n_digit)
  );

  mf_eberle #(.Width(Width), .K(K), .Lazy(Lazy)) u_core (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(phase_q == StRequest),
    .req_ready_o(core_ready),
    .a_taken_o  (a_taken),
    .a_digit_i  (a_digit),
    .b_taken_o  (b_taken),
    .b_digit_i  (b_digit),
    .n_taken_o  (n_taken),
    .n_digit_i  (n_digit),
    .n0_prime_i (n0_prime_q),
    .p_valid_o  (p_valid),
    .p_next_i   (p_next),
    .p_o        (p)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
      count_q <= '0;
      read_q  <= '0;
      lfsr_q  <= 16'hace1;
    end else begin
      lfsr_q  <= {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[13] ^ lfsr_q[12] ^ lfsr_q[10]};
      count_q <= phase_q == StLoad || phase_q == StRead ? count_q + CountW'(1) : '0;
      read_q  <= phase_q != StRead ? '0 : p_next ? read_q + CountW'(1) : read_q;
      unique case (phase_q)
        StIdle:    if (req_valid_i) phase_q <= StLoad;
        StLoad:    if (count_q == CountW'(LoadCycles - 1)) phase_q <= StRequest;
        StRequest: if (core_ready) phase_q <= StRun;
        StRun:     if (p_valid) phase_q <= StRead;
        StRead:    if (count_q == CountW'(ReadCycles - 1)) phase_q <= StDone;
        StDone:    if (rsp_ready_i) phase_q <= StIdle;
        default:   phase_q <= StIdle;
      endcase
      if (phase_q == StDone && {read_top_q, read_digits_q} != p) begin
        $error("mf_eberle_harness: the digits are not the result");
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      n0_prime_q <= n0_prime_i;
      n_q        <= RBits'(n_i);
    end
    if (p_next) read_digits_q <= RBits'({p[DigitBits-1:0], read_digits_q} >> DigitBits);
    if (phase_q == StRun) read_top_q <= p[RBits];
  end

  assign difference = {read_top_q, read_digits_q} - {1'b0, n_q};
  assign p_o = Lazy || {read_top_q, read_digits_q} < {1'b0, n_q} ? OperandW'(read_digits_q)
                                                                  : OperandW'(difference);

endmodule
