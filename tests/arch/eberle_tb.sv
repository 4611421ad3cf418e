// SPDX-License-Identifier: Apache-2.0
//
// Checks the native form mf_eberle: results that are read by digits, and again as a whole.

module eberle_tb #(
  parameter int unsigned Operations = 2000
);

  logic clk = 1'b0, rst_n = 1'b0, req_valid = 1'b0, req_ready, p_next = 1'b0;
  logic a_taken, b_taken, n_taken, p_valid;
  logic [15:0] a, b, n, a_q, b_q, n_q, read;
  logic [3:0] n0_prime;
  logic [16:0] p, first;

  mf_eberle #(.Width(16), .K(4), .Lazy(1'b0)) u_dut (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .a_taken_o  (a_taken),
    .a_digit_i  (a_q[3:0]),
    .b_taken_o  (b_taken),
    .b_digit_i  (b_q[3:0]),
    .n_taken_o  (n_taken),
    .n_digit_i  (n_q[3:0]),
    .n0_prime_i (n0_prime),
    .p_valid_o  (p_valid),
    .p_next_i   (p_next),
    .p_o        (p)
  );

  always #5 clk = !clk;

  always_ff @(posedge clk) begin
    if (req_valid && req_ready) begin
      a_q <= a;
      b_q <= b;
      n_q <= n;
    end else begin
      if (a_taken) a_q <= {a_q[3:0], a_q[15:4]};
      if (b_taken) b_q <= b_q >> 4;
      if (n_taken) n_q <= {n_q[3:0], n_q[15:4]};
    end
  end

  task automatic edges(int unsigned count);
    repeat (count) @(posedge clk);
    #1;
  endtask

  initial begin
    edges(2);
    rst_n = 1'b1;
    for (int unsigned operation = 0; operation < Operations; operation++) begin
      n = 16'($urandom_range(65535, 3)) | 16'd1;
      a = 16'($urandom_range(32'(n) - 1));
      b = 16'($urandom_range(32'(n) - 1));
      for (int unsigned digit = 1; digit < 16; digit += 2) begin
        if (4'(digit * 32'(n[3:0])) == 4'd15) n0_prime = 4'(digit);
      end
      req_valid = 1'b1;
      edges(1);
      req_valid = 1'b0;
      edges(35);
      if (p_valid) $fatal(1, "the result is early");
      edges(1);
      if (!p_valid) $fatal(1, "the result is late");
      first  = p;
      p_next = 1'b1;
      for (int unsigned digit = 0; digit < 4; digit++) begin
        read[4*digit+:4] = p[3:0];
        edges(1);
      end
      p_next = 1'b0;
      if ({first[16], read} != first || p != first) $fatal(1, "digits differ from the result");
      if (64'(p) >= 2 * 64'(n)) $fatal(1, "result is not below 2n");
      if ((64'(p) << 16) % 64'(n) != 64'(a) * 64'(b) % 64'(n)) $fatal(1, "wrong residue");
      edges(operation % 3);
    end
    $display("PASS");
    $finish;
  end

endmodule
