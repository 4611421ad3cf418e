// SPDX-License-Identifier: Apache-2.0
//
// Checks mf_convert: sums, latency, a result that stays until it is taken, reset in mid-operation.

module convert_tb #(
  parameter int unsigned Width      = 65,
  parameter int unsigned Converter  = 8,
  parameter int unsigned Operations = 2000
);

  localparam int unsigned WordW = (Converter < Width) ? Converter : Width;
  localparam int unsigned Words = (Width + WordW - 1) / WordW;

  logic clk = 1'b0, rst_n = 1'b0, req_valid = 1'b0, req_ready, rsp_valid, rsp_ready = 1'b0;
  logic [Width-1:0] value, s, c, p;

  mf_convert #(.Width(Width), .Converter(Converter)) u_dut (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .s_i        (s),
    .c_i        (c),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready),
    .p_o        (p)
  );

  always #5 clk = !clk;

  function automatic logic [Width-1:0] random_bits();
    logic [Width-1:0] bits;
    for (int unsigned i = 0; i < Width; i++) bits[i] = $urandom_range(7) < 4;
    return bits;
  endfunction

  task automatic edges(int unsigned count);
    repeat (count) @(posedge clk);
    #1;
  endtask

  int unsigned latency;
  logic [Width-1:0] mask;

  initial begin
    edges(2);
    rst_n = 1'b1;
    for (int unsigned operation = 0; operation < Operations; operation++) begin
      // Random splits, and carries through many places.
      value = (operation % 4 == 0) ? '1 : random_bits();
      mask  = random_bits() & random_bits();
      c     = (operation % 4 == 1) ? value & ~(value - 1) : value & mask;
      if (operation % 4 == 2) begin
        c = value >> 1;
      end
      s = value - c;
      req_valid = 1'b1;
      while (!req_ready) edges(1);
      edges(1);
      req_valid = 1'b0;
      s = ~s;
      c = ~c;
      if (operation % 16 == 7) begin
        edges($urandom_range(Words + 1));
        rst_n = 1'b0;
        #1;
        if (rsp_valid || !req_ready) $fatal(1, "reset does not end the operation");
        rst_n = 1'b1;
        continue;
      end
      latency = 0;
      while (!rsp_valid) begin
        edges(1);
        latency++;
      end
      if (latency != Words) $fatal(1, "latency %0d, expected %0d", latency, Words);
      edges($urandom_range(2));
      if (!rsp_valid || p != value) $fatal(1, "operation %0d: %h, expected %h", operation, p, value);
      rsp_ready = 1'b1;
      edges(1);
      rsp_ready = 1'b0;
      if (rsp_valid) $fatal(1, "the response is offered twice");
    end
    $display("PASS");
    $finish;
  end

endmodule
