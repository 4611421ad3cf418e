// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite to a port of 32-bit words: one access at a time; if a read and a write wait, in turn.
//
// Access:   req_valid_o is high for one cycle, with address, kind and data; the answer is
//           rsp_valid_i, one cycle or more later, with data and error, which becomes SLVERR.
// Refused:  writes whose strobes are not all ones, and addresses that are not multiples of 4, are
//           answered with SLVERR and make no request.
// Channels: each of AW, W and AR has a register for one transfer, and is ready while the register
//           is empty: no path leads from an input of AXI to an output within a cycle. The data of a
//           read is that of its answer, or 0; written data is never seen there.
// Latency:  if rsp_valid_i follows req_valid_o at once, a write is answered three cycles after both
//           of its channels are taken, a read three cycles after its address.
// Names:    the ports have the names by which tools know AXI.
//
// state_q   Ask: requests the access that the channels hold, if any. Wait: for the answer. Respond:
//           until AXI takes the answer.

module mf_axil_port #(
  /// Bits of an address; at least 3.
  parameter int unsigned AddressW = 16
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                s_axil_awvalid,
  output logic                s_axil_awready,
  input  logic [AddressW-1:0] s_axil_awaddr,
  input  logic [2:0]          s_axil_awprot,
  input  logic                s_axil_wvalid,
  output logic                s_axil_wready,
  input  logic [31:0]         s_axil_wdata,
  input  logic [3:0]          s_axil_wstrb,
  output logic                s_axil_bvalid,
  input  logic                s_axil_bready,
  output logic [1:0]          s_axil_bresp,
  input  logic                s_axil_arvalid,
  output logic                s_axil_arready,
  input  logic [AddressW-1:0] s_axil_araddr,
  input  logic [2:0]          s_axil_arprot,
  output logic                s_axil_rvalid,
  input  logic                s_axil_rready,
  output logic [31:0]         s_axil_rdata,
  output logic [1:0]          s_axil_rresp,

  output logic                req_valid_o,
  output logic                req_write_o,
  output logic [AddressW-1:0] req_addr_o,
  output logic [31:0]         req_wdata_o,
  input  logic                rsp_valid_i,
  input  logic [31:0]         rsp_rdata_i,
  input  logic                rsp_error_i
);

  if (AddressW < 3) begin : gen_illegal_address_w
    $fatal(1, "mf_axil_port: AddressW must be at least 3");
  end

  localparam logic [1:0] Okay   = 2'b00;
  localparam logic [1:0] SlvErr = 2'b10;

  typedef enum logic [1:0] {Ask, Wait, Respond} state_e;

  state_e              state_d, state_q;
  logic                aw_full_q, w_full_q, ar_full_q;
  logic [AddressW-1:0] aw_addr_q, ar_addr_q;
  logic [31:0]         w_data_q;
  logic                w_whole_q;     // all bytes are written
  logic                write_q, error_q;
  logic                last_write_q;  // the last access; the other kind goes first
  logic [31:0]         rdata_q;
  logic                can_write, do_write, do_read, refused, answered;

  assign can_write = aw_full_q && w_full_q;
  assign do_write  = state_q == Ask && can_write && !(ar_full_q && last_write_q);
  assign do_read   = state_q == Ask && ar_full_q && !do_write;
  assign refused   = req_addr_o[1:0] != '0 || (do_write && !w_whole_q);
  assign answered  = write_q ? s_axil_bready : s_axil_rready;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Ask:     if (do_write || do_read) state_d = refused ? Respond : Wait;
      Wait:    if (rsp_valid_i) state_d = Respond;
      Respond: if (answered) state_d = Ask;
      default: state_d = Ask;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= Ask;
      last_write_q <= 1'b0;
      aw_full_q    <= 1'b0;
      w_full_q     <= 1'b0;
      ar_full_q    <= 1'b0;
    end else begin
      state_q <= state_d;
      if (do_write || do_read) last_write_q <= do_write;
      aw_full_q <= aw_full_q ? !do_write : s_axil_awvalid;
      w_full_q  <= w_full_q ? !do_write : s_axil_wvalid;
      ar_full_q <= ar_full_q ? !do_read : s_axil_arvalid;
    end
  end

  always_ff @(posedge clk_i) begin
    if (s_axil_awvalid && s_axil_awready) aw_addr_q <= s_axil_awaddr;
    if (s_axil_arvalid && s_axil_arready) ar_addr_q <= s_axil_araddr;
    if (s_axil_wvalid && s_axil_wready) begin
      w_data_q  <= s_axil_wdata;
      w_whole_q <= s_axil_wstrb == '1;
    end else if (do_write) begin
      w_data_q <= '0;
    end
    if (do_write || do_read) begin
      write_q <= do_write;
      error_q <= 1'b1;
      rdata_q <= '0;
    end else if (state_q == Wait && rsp_valid_i) begin
      error_q <= rsp_error_i;
      if (!write_q && !rsp_error_i) rdata_q <= rsp_rdata_i;
    end
  end

  assign s_axil_awready = !aw_full_q;
  assign s_axil_wready  = !w_full_q;
  assign s_axil_arready = !ar_full_q;
  assign s_axil_bvalid  = state_q == Respond && write_q;
  assign s_axil_rvalid  = state_q == Respond && !write_q;
  assign s_axil_bresp   = error_q ? SlvErr : Okay;
  assign s_axil_rresp   = error_q ? SlvErr : Okay;
  assign s_axil_rdata   = rdata_q;

  assign req_valid_o = (do_write || do_read) && !refused;
  assign req_write_o = do_write;
  assign req_addr_o  = do_write ? aw_addr_q : ar_addr_q;
  assign req_wdata_o = w_data_q;

  // Not used: protection.
  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

endmodule
