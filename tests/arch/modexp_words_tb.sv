// SPDX-License-Identifier: Apache-2.0
//
// Checks the native form mf_modexp_words as its user meets it: operands that stay, writes that have
// no effect, what can be read and when, an abort and a reset at every cycle and what they leave,
// and one sequence of addresses for two exponents.

module modexp_words_tb #(
  // Parameters of mf_modexp_words.
  parameter int unsigned Width           = 13,
  parameter int unsigned ExponentBits    = 9,
  parameter int unsigned Algorithm       = 4,
  parameter int unsigned DigitW          = 2,
  parameter int unsigned Multipliers     = 1,
  parameter int unsigned Adder           = 4,
  parameter int unsigned SumBits         = 14,
  parameter int unsigned CarryBits       = 0,
  parameter int unsigned ResultSumBits   = 14,
  parameter int unsigned ResultCarryBits = 0,
  parameter bit          Signed          = 1'b0,
  parameter int unsigned Passes          = 1,
  parameter int unsigned ConstantBits    = 1,
  // Two operations of one modulus and length, their results and their latency.
  parameter int unsigned N         = 0,
  parameter int unsigned Constants = 0,
  parameter int unsigned R1        = 0,
  parameter int unsigned R2        = 0,
  parameter int unsigned X         = 0,
  parameter int unsigned E         = 0,
  parameter int unsigned Y         = 0,
  parameter int unsigned OtherX    = 0,
  parameter int unsigned OtherE    = 0,
  parameter int unsigned OtherY    = 0,
  parameter int unsigned Length    = 9,
  parameter int unsigned Latency   = 0
);

  localparam int unsigned K = (Width + Adder - 1) / Adder;
  localparam int unsigned C = (ConstantBits + Adder - 1) / Adder;
  localparam int unsigned L = (ExponentBits + Adder - 1) / Adder;

  logic clk = 1'b0, rst_n = 1'b0;
  logic write_valid = 1'b0, write_ready, req_valid = 1'b0, req_ready, rsp_valid, rsp_ready = 1'b0;
  logic abort = 1'b0, running = 1'b0;
  logic [u_dut.WriteW-1:0] write_addr;
  logic [u_dut.ReadW-1:0]  read_addr = '0;
  logic [Adder-1:0]        write_data, read_data;
  logic [3:0]              error;

  mf_modexp_words #(
    .Width          (Width),
    .ExponentBits   (ExponentBits),
    .Algorithm      (Algorithm),
    .DigitW         (DigitW),
    .Multipliers    (Multipliers),
    .Adder          (Adder),
    .SumBits        (SumBits),
    .CarryBits      (CarryBits),
    .ResultSumBits  (ResultSumBits),
    .ResultCarryBits(ResultCarryBits),
    .Signed         (Signed),
    .Passes         (Passes),
    .ConstantBits   (ConstantBits)
  ) u_dut (
    .clk_i        (clk),
    .rst_ni       (rst_n),
    .write_valid_i(write_valid),
    .write_ready_o(write_ready),
    .write_addr_i (write_addr),
    .write_data_i (write_data),
    .req_valid_i  (req_valid),
    .req_ready_o  (req_ready),
    .e_len_i      ($bits(u_dut.e_len_i)'(Length)),
    .rsp_valid_o  (rsp_valid),
    .rsp_ready_i  (rsp_ready),
    .error_o      (error),
    .read_addr_i  (read_addr),
    .read_data_o  (read_data),
    .abort_i      (abort)
  );

  always #5 clk = !clk;

  // While an operation runs nothing is read or written, and addresses are hashed. The exponent's
  // reader looks at words before it has loaded, too, which follows the clock alone.
  logic [31:0] hash = '0;

  always_ff @(posedge clk) begin
    if (running && !rsp_valid) begin
      if (read_data != '0) $fatal(1, "a word can be read too early");
      if (write_ready || req_ready) $fatal(1, "a running core takes words");
      hash <= ({hash[30:0], 1'b0} ^ {1'b0, hash[31:1]}) +
              {8'(u_dut.read_addr), 8'(u_dut.write_addr), u_dut.write_operand,
               7'(u_dut.u_chains.gen_chain[0].u_chain.table_read_addr),
               u_dut.chain_ready ? 8'd0 :
                   8'(u_dut.u_chains.gen_chain[0].u_chain.u_exponent.gen_memory.index)};
    end else if (!running) begin
      hash <= '0;
    end
  end

  task automatic edges(int unsigned count);
    repeat (count) @(posedge clk);
    #1;
  endtask

  task automatic put(int unsigned first, int unsigned words, longint unsigned value,
                     int unsigned bits);
    longint unsigned padded;
    padded = value | (~64'd0 << bits);  // what is above an operand has no effect
    for (int unsigned i = 0; i < words; i++) begin
      write_valid = 1'b1;
      write_addr  = $bits(write_addr)'(first + i);
      write_data  = Adder'(padded >> (i * Adder));
      #1;
      if (!write_ready) $fatal(1, "a word is not taken");
      edges(1);
    end
    write_valid = 1'b0;
  endtask

  task automatic put_all();
    put(0, K, 64'(R1), Width);
    put(K, K, 64'(R2), Width);
    put(2 * K, K, 64'(N), Width);
    put(3 * K, C, 64'(Constants), ConstantBits);
    put(3 * K + C, K, 64'(X), Width);
    put(4 * K + C, L, 64'(E), ExponentBits);
  endtask

  task automatic start();
    #1;
    if (!req_ready) $fatal(1, "a request is not taken");
    req_valid = 1'b1;
    edges(1);
    req_valid = 1'b0;
    running   = 1'b1;
  endtask

  task automatic finish(longint unsigned y, logic [3:0] code);
    logic [63:0] got;
    got = '0;
    while (!rsp_valid) edges(1);
    if (error != code) $fatal(1, "code %0d, not %0d", error, code);
    for (int unsigned i = 0; i < K; i++) begin
      read_addr = $bits(read_addr)'(i);
      edges(1);
      got |= 64'(read_data) << (i * Adder);
    end
    if (got != y) $fatal(1, "y = %0d, not %0d", got, y);
    rsp_ready = 1'b1;
    edges(1);
    rsp_ready = 1'b0;
    read_addr = '0;
    running   = 1'b0;
    if (rsp_valid) $fatal(1, "the response stays");
  endtask

  task automatic power(longint unsigned y);
    start();
    edges(Latency - 1);
    if (rsp_valid) $fatal(1, "the response is early");
    edges(1);
    if (!rsp_valid) $fatal(1, "the response is late");
    finish(y, 4'd0);
  endtask

  task automatic nothing_left();
    for (int unsigned i = 0; i < u_dut.Depth; i++) begin
      if (u_dut.u_operands.gen_memory.words_q[i] != '0) $fatal(1, "word %0d is left", i);
    end
    for (int unsigned i = 0; i < L; i++) begin
      if (u_dut.u_chains.gen_chain[0].u_chain.u_exponent.gen_memory.u_words.gen_memory.words_q[i]
          != '0) begin
        $fatal(1, "word %0d of e is left", i);
      end
    end
    if (|u_dut.u_chains.gen_chain[0].u_chain.t_s_q ||
        |u_dut.u_chains.gen_chain[0].u_chain.acc_s_q) $fatal(1, "an operand is left");
  endtask

  task automatic ready();
    #1;
    while (!req_ready) edges(1);
  endtask

  logic [31:0] first;

  initial begin
    edges(2);
    rst_n = 1'b1;
    ready();
    nothing_left();

    put_all();
    start();
    edges(Latency);
    first = hash;
    finish(64'(Y), 4'd0);
    power(64'(Y));
    put(3 * K + C, K, 64'(OtherX), Width);
    put(4 * K + C, L, 64'(OtherE), ExponentBits);
    start();
    edges(Latency);
    if (hash != first) $fatal(1, "addresses tell operands");
    finish(64'(OtherY), 4'd0);

    // Addresses above the operands, and words while it runs.
    for (int unsigned i = 4 * K + C + L; i < 1 << $bits(write_addr); i++) put(i, 1, '1, Adder);
    start();
    write_valid = 1'b1;
    for (int unsigned i = 0; i < Latency; i++) begin
      write_addr = $bits(write_addr)'(i);
      write_data = '1;
      edges(1);
    end
    write_valid = 1'b0;
    finish(64'(OtherY), 4'd0);

    // An abort, or a reset, so many cycles after the request; a response that waits stays.
    for (int unsigned i = 0; i <= Latency + 2; i++) begin
      put_all();
      start();
      edges(i);
      abort = 1'b1;
      edges(1);
      abort = 1'b0;
      if (i < Latency) finish('0, 4'd15);
      else finish(64'(Y), 4'd0);
      ready();
      nothing_left();
    end
    for (int unsigned i = 0; i <= Latency; i += 3) begin
      put_all();
      start();
      edges(i);
      running = 1'b0;
      rst_n   = 1'b0;
      edges(1);
      rst_n = 1'b1;
      #1;
      if (req_ready || write_ready || rsp_valid) $fatal(1, "ready before memories are overwritten");
      ready();
      nothing_left();
    end

    // An idle core that is aborted, and one whose response is taken at that time, have no response.
    put_all();
    abort = 1'b1;
    edges(1);
    abort = 1'b0;
    ready();
    nothing_left();
    put_all();
    start();
    edges(Latency);
    abort     = 1'b1;
    rsp_ready = 1'b1;
    edges(1);
    abort     = 1'b0;
    rsp_ready = 1'b0;
    running   = 1'b0;
    ready();
    if (rsp_valid) $fatal(1, "a response that was taken comes again");
    nothing_left();

    put_all();
    power(64'(Y));
    $display("PASS");
    $finish;
  end

endmodule
