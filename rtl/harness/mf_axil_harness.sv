// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. An AXI4-Lite master around a core with mf_bus_axi and mf_core_windows (ports
// core_*), with handshakes and packed data in place of the core's own ports.
//
// After acceptance the interrupt is cleared and enabled and the words of inputs_i are written, with
// pauses at random; then start is written, and after the interrupt the words of outputs_o are read,
// with pauses, too. Of four writes one sends its address a cycle before its data, one its data a
// cycle before its address. Each access takes at most five cycles. With Loads the operation is
// written too, and a load takes the same steps as a request, without a response. Addresses and data
// are unknown without their valid.
// Latency:  LoadCycles + ReadCycles, 2, and that of the core's form, from start to the interrupt;
//           of a load 1 more.

module mf_axil_harness #(
  /// Words of all inputs; at least 1.
  parameter int unsigned InputWords  = 4,
  /// Words of all results; at least 1.
  parameter int unsigned OutputWords = 1,
  /// The core has a load phase.
  parameter bit          Loads       = 1'b0
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic                      load_valid_i,
  output logic                      load_ready_o,
  input  logic                      req_valid_i,
  output logic                      req_ready_o,
  input  logic [32*InputWords-1:0]  inputs_i,
  output logic                      rsp_valid_o,
  input  logic                      rsp_ready_i,
  output logic [32*OutputWords-1:0] outputs_o,

  output logic                      core_s_axil_awvalid_o,
  input  logic                      core_s_axil_awready_i,
  output logic [15:0]               core_s_axil_awaddr_o,
  output logic [2:0]                core_s_axil_awprot_o,
  output logic                      core_s_axil_wvalid_o,
  input  logic                      core_s_axil_wready_i,
  output logic [31:0]               core_s_axil_wdata_o,
  output logic [3:0]                core_s_axil_wstrb_o,
  input  logic                      core_s_axil_bvalid_i,
  output logic                      core_s_axil_bready_o,
  input  logic [1:0]                core_s_axil_bresp_i,
  output logic                      core_s_axil_arvalid_o,
  input  logic                      core_s_axil_arready_i,
  output logic [15:0]               core_s_axil_araddr_o,
  output logic [2:0]                core_s_axil_arprot_o,
  input  logic                      core_s_axil_rvalid_i,
  output logic                      core_s_axil_rready_o,
  input  logic [31:0]               core_s_axil_rdata_i,
  input  logic [1:0]                core_s_axil_rresp_i,
  input  logic                      core_irq_i
);

  localparam int unsigned Before     = Loads ? 3 : 2;  // writes before the inputs
  localparam int unsigned Writes     = InputWords + Before;
  localparam int unsigned LoadCycles = 6 * Writes + 8;
  localparam int unsigned ReadCycles = 6 * OutputWords + 8;
  localparam int unsigned WriteW     = $clog2(Writes + 1);
  localparam int unsigned ReadW      = $clog2(OutputWords + 1);
  localparam logic [15:0] Control    = 16'h000c, Command = 16'h0010;
  localparam logic [15:0] State      = 16'h001c, Enable = 16'h0020;
  localparam logic [15:0] Inputs     = 16'h1000, Outputs = 16'h8000;

  logic                         load, read, request, unused_running;
  logic                         ready, done;
  logic                         loading_q;  // a load is under way
  logic                         writing, reading;  // an access is due
  logic                         aw_open_q, w_open_q, read_open_q;  // taken, not answered
  logic                         address_first, data_first;
  logic                         aw_taken, w_taken, read_taken, written, answered;
  logic [WriteW-1:0]            write;
  logic [ReadW-1:0]             place;
  logic [InputWords-1:0][31:0]  words_q;
  logic [OutputWords-1:0][31:0] results_q;

  mf_harness_control #(.LoadCycles(LoadCycles), .ReadCycles(ReadCycles)) u_control (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid_i || load_valid_i),
    .req_ready_o(ready),
    .load_o     (load),
    .request_o  (request),
    .accepted_i (aw_taken),
    .running_o  (unused_running),
    .finished_i (core_irq_i),
    .read_o     (read),
    .rsp_valid_o(done),
    .rsp_ready_i(rsp_ready_i || loading_q)
  );

  assign load_ready_o = Loads && ready;
  assign req_ready_o  = ready;
  assign rsp_valid_o  = done && !loading_q;

  mf_harness_pacer #(.Steps(Writes), .Seed(16'h1234)) u_writes (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .start_i(load),
    .ready_i(written),
    .step_o (writing),
    .count_o(write)
  );
  mf_harness_pacer #(.Steps(OutputWords), .Seed(16'h5678)) u_reads (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .start_i(read),
    .ready_i(answered),
    .step_o (reading),
    .count_o(place)
  );

  assign aw_taken   = core_s_axil_awvalid_o && core_s_axil_awready_i;
  assign w_taken    = core_s_axil_wvalid_o && core_s_axil_wready_i;
  assign read_taken = core_s_axil_arvalid_o && core_s_axil_arready_i;
  assign written    = core_s_axil_bvalid_i;
  assign answered   = core_s_axil_rvalid_i;
  assign outputs_o  = results_q;

  // The write of start has both at once: cycles count from there.
  assign address_first = writing && write[1:0] == 2'd1;
  assign data_first    = writing && write[1:0] == 2'd2;

  assign core_s_axil_awvalid_o = (writing || request) && !aw_open_q && (w_open_q || !data_first);
  assign core_s_axil_awprot_o  = core_s_axil_awvalid_o ? '0 : 'x;
  assign core_s_axil_wvalid_o  = (writing || request) && !w_open_q && (aw_open_q || !address_first);
  assign core_s_axil_wstrb_o   = core_s_axil_wvalid_o ? '1 : 'x;
  assign core_s_axil_bready_o  = 1'b1;
  assign core_s_axil_arvalid_o = reading && !read_open_q;
  assign core_s_axil_araddr_o  = core_s_axil_arvalid_o ? Outputs + (16'(place) << 2) : 'x;
  assign core_s_axil_arprot_o  = core_s_axil_arvalid_o ? '0 : 'x;
  assign core_s_axil_rready_o  = 1'b1;

  // The interrupt's state is cleared, the interrupt enabled, the inputs written.
  always_comb begin
    core_s_axil_awaddr_o = Inputs + (16'(write) << 2) - 16'(4 * Before);
    core_s_axil_wdata_o  = words_q[write - WriteW'(Before)];
    if (request) begin
      core_s_axil_awaddr_o = Control;
      core_s_axil_wdata_o  = 32'd1;
    end else if (write == '0) begin
      core_s_axil_awaddr_o = State;
      core_s_axil_wdata_o  = 32'd7;
    end else if (write == WriteW'(1)) begin
      core_s_axil_awaddr_o = Enable;
      core_s_axil_wdata_o  = 32'd1;
    end else if (Loads && write == WriteW'(2)) begin
      core_s_axil_awaddr_o = Command;
      core_s_axil_wdata_o  = loading_q ? 32'd6 : 32'd0;
    end
    if (!core_s_axil_awvalid_o) core_s_axil_awaddr_o = 'x;
    if (!core_s_axil_wvalid_o) core_s_axil_wdata_o = 'x;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_open_q   <= 1'b0;
      w_open_q    <= 1'b0;
      read_open_q <= 1'b0;
    end else begin
      aw_open_q   <= aw_taken || (aw_open_q && !written);
      w_open_q    <= w_taken || (w_open_q && !written);
      read_open_q <= read_taken || (read_open_q && !answered);
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      words_q   <= inputs_i;
      loading_q <= load_valid_i;
    end
    if (answered) results_q[place] <= core_s_axil_rdata_i;
    if (rst_ni) begin
      if (written) begin
        the_write_is_legal : assert (aw_open_q && w_open_q && core_s_axil_bresp_i == '0);
      end
      if (answered) begin
        the_read_is_legal : assert (read_open_q && core_s_axil_rresp_i == '0);
      end
      if (request) begin
        both_are_taken_at_once : assert (aw_taken == w_taken);
        all_inputs_were_written : assert (write == WriteW'(Writes));
      end
      if (done) begin
        all_results_were_read : assert (place == ReadW'(OutputWords));
      end
    end
  end

endmodule
