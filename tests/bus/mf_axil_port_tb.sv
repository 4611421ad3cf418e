// SPDX-License-Identifier: Apache-2.0
//
// Testbench of mf_axil_port: channels of a master and answers of a slave, all with pauses at random.
// While the clock stands still all patterns of what a master controls are tried: no output changes.

module mf_axil_port_tb;

  localparam int unsigned Accesses = 2000;  // of each kind
  localparam int unsigned Patience = 200_000;

  logic        clk, rst_n;
  logic        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [5:0]  awaddr, araddr, req_addr;
  logic [31:0] wdata, rdata, req_wdata, answer;
  logic [3:0]  wstrb;
  logic [1:0]  bresp, rresp;
  logic        req_valid, req_write, rsp_valid, rsp_error;

  mf_axil_port #(
    .AddressW(6)
  ) u_dut (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .s_axil_awvalid(awvalid),
    .s_axil_awready(awready),
    .s_axil_awaddr (awaddr),
    .s_axil_awprot (3'd0),
    .s_axil_wvalid (wvalid),
    .s_axil_wready (wready),
    .s_axil_wdata  (wdata),
    .s_axil_wstrb  (wstrb),
    .s_axil_bvalid (bvalid),
    .s_axil_bready (bready),
    .s_axil_bresp  (bresp),
    .s_axil_arvalid(arvalid),
    .s_axil_arready(arready),
    .s_axil_araddr (araddr),
    .s_axil_arprot (3'd0),
    .s_axil_rvalid (rvalid),
    .s_axil_rready (rready),
    .s_axil_rdata  (rdata),
    .s_axil_rresp  (rresp),
    .req_valid_o   (req_valid),
    .req_write_o   (req_write),
    .req_addr_o    (req_addr),
    .req_wdata_o   (req_wdata),
    .rsp_valid_i   (rsp_valid),
    .rsp_rdata_i   (answer),
    .rsp_error_i   (rsp_error)
  );

  logic [31:0] memory [16];
  // What was taken and is not answered, the oldest first.
  logic [5:0]  writes [$], reads [$];
  logic [35:0] data [$];
  int unsigned written = 0, answered = 0, pause = 0, seen;
  logic        open = 0, open_write;  // a request that has no answer
  logic [5:0]  open_addr;

  function automatic logic [5:0] some_address();
    return {4'($urandom), $urandom_range(9) == 0 ? 2'($urandom) : 2'd0};
  endfunction

  // Address 15 is one that the slave does not know.
  function automatic logic refused(input logic [5:0] addr, input logic [3:0] strobes);
    return addr[1:0] != '0 || strobes != '1 || addr[5:2] == 4'd15;
  endfunction

  function automatic logic [73:0] outputs();
    return {awready, wready, arready, bvalid, bresp, rvalid, rresp, rdata, req_valid,
            req_valid ? {req_write, req_addr} : 7'd0, 25'd0};
  endfunction

  task automatic try_all_patterns();
    automatic logic [4:0]  kept = {awvalid, wvalid, bready, arvalid, rready};
    automatic logic [73:0] first = outputs();
    for (int unsigned i = 0; i < 32; i++) begin
      {awvalid, wvalid, bready, arvalid, rready} = 5'(i);
      #1;
      if (outputs() != first) $fatal(1, "pattern %0d changes an output with the clock still", i);
    end
    {awvalid, wvalid, bready, arvalid, rready} = kept;
    #1;
  endtask

  initial begin
    clk = 0;
    rst_n = 0;
    {awvalid, wvalid, bready, arvalid, rready, rsp_valid, rsp_error} = '0;
    {awaddr, araddr, wdata, wstrb, answer} = '0;
    for (int i = 0; i < 16; i++) memory[i] = $urandom;
    repeat (2) #1 clk = !clk;
    rst_n = 1;
    for (int unsigned cycle = 0; written < Accesses || answered < Accesses; cycle++) begin
      if (cycle == Patience) $fatal(1, "%0d writes, %0d reads: no end", written, answered);
      // Valid stays until it is taken; data has a value only beside it.
      if (!awvalid) begin
        awvalid = $urandom_range(2) == 0;
        awaddr  = some_address();
      end
      if (!wvalid) begin
        wvalid = $urandom_range(2) == 0;
        wdata  = $urandom;
        wstrb  = $urandom_range(9) == 0 ? 4'($urandom) : 4'hf;
      end
      if (!arvalid) begin
        arvalid = $urandom_range(2) == 0;
        araddr  = some_address();
      end
      bready    = $urandom_range(1) == 0;
      rready    = $urandom_range(1) == 0;
      rsp_valid = open && pause == 0;
      rsp_error = rsp_valid && open_addr[5:2] == 4'd15;
      answer    = rsp_valid && !open_write ? memory[open_addr[5:2]] : $urandom;
      #1 try_all_patterns();

      if (pause != 0) pause--;
      else if (rsp_valid) open = 0;
      if (req_valid) begin
        if (open) $fatal(1, "a request before the answer to the last one");
        open       = 1;
        open_write = req_write;
        open_addr  = req_addr;
        pause      = $urandom_range(2);
        if (req_write) begin
          if (writes.size() == 0 || data.size() == 0 || req_addr != writes[0] ||
              {4'hf, req_wdata} != data[0]) $fatal(1, "a write that nobody asked for");
          if (req_addr[5:2] != 4'd15) memory[req_addr[5:2]] = req_wdata;
        end else if (reads.size() == 0 || req_addr != reads[0]) begin
          $fatal(1, "a read that nobody asked for");
        end
      end
      if (bvalid && rdata != '0) $fatal(1, "something is on RDATA after a write");
      if (bvalid && bready) begin
        if (writes.size() == 0 || data.size() == 0) $fatal(1, "an answer to no write");
        if ((bresp == 2'b10) != refused(writes[0], data[0][35:32])) $fatal(1, "a wrong BRESP");
        void'(writes.pop_front());
        void'(data.pop_front());
        written++;
      end
      if (rvalid && rready) begin
        if (reads.size() == 0) $fatal(1, "an answer to no read");
        if ((rresp == 2'b10) != refused(reads[0], 4'hf)) $fatal(1, "a wrong RRESP");
        if (rdata != (rresp == 0 ? memory[reads[0][5:2]] : 32'd0)) $fatal(1, "a wrong RDATA");
        void'(reads.pop_front());
        answered++;
      end
      if (awvalid && awready) writes.push_back(awaddr);
      if (wvalid && wready) data.push_back({wstrb, wdata});
      if (arvalid && arready) reads.push_back(araddr);
      seen = {29'd0, awvalid && awready, wvalid && wready, arvalid && arready};
      clk = 1;
      #1 clk = 0;
      if (seen[2]) awvalid = 0;
      if (seen[1]) wvalid = 0;
      if (seen[0]) arvalid = 0;
    end
    $display("PASS");
    $finish;
  end

endmodule
