// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite to a port of 32-bit words: one access at a time, in turn where both kinds wait.
//
// Access:   req_valid_o is high for one cycle, with address, kind and data; the answer is
//           rsp_valid_i, one cycle or more later, with data and error, which AXI gets as SLVERR.
// Refused:  writes whose strobes are not all ones, and addresses that are not multiples of 4, are
//           answered with SLVERR and make no request.
// Latency:  a write answers three cycles after both of its channels are valid, if rsp_valid_i
//           follows req_valid_o at once; a read as many after its address.
// Names:    the ports have the names by which tools know AXI.
//
// state_q   Idle: takes an access. Ask: requests it. Wait: for its answer. Respond: until it is
//           taken.

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

  typedef enum logic [1:0] {Idle, Ask, Wait, Respond} state_e;

  state_e              state_d, state_q;
  logic                write_q, refused_q, error_q;
  logic                last_write_q;  // the last access; the other kind goes first
  logic [AddressW-1:0] addr_q;
  logic [31:0]         data_q;        // of the write, then of the answer
  logic                can_write, take_write, take_read, answered;

  assign can_write  = s_axil_awvalid && s_axil_wvalid;
  assign take_write = state_q == Idle && can_write && !(s_axil_arvalid && last_write_q);
  assign take_read  = state_q == Idle && s_axil_arvalid && !take_write;
  assign answered   = (s_axil_bvalid && s_axil_bready) || (s_axil_rvalid && s_axil_rready);

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:    if (take_write || take_read) state_d = Ask;
      Ask:     state_d = refused_q ? Respond : Wait;
      Wait:    if (rsp_valid_i) state_d = Respond;
      Respond: if (answered) state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= Idle;
      last_write_q <= 1'b0;
    end else begin
      state_q <= state_d;
      if (take_write || take_read) last_write_q <= take_write;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_write || take_read) begin
      write_q   <= take_write;
      addr_q    <= take_write ? s_axil_awaddr : s_axil_araddr;
      data_q    <= take_write ? s_axil_wdata : '0;
      refused_q <= take_write ? s_axil_wstrb != '1 || s_axil_awaddr[1:0] != '0
                              : s_axil_araddr[1:0] != '0;
      error_q   <= 1'b1;
    end else if (state_q == Wait && rsp_valid_i) begin
      data_q  <= write_q || rsp_error_i ? '0 : rsp_rdata_i;
      error_q <= rsp_error_i;
    end
  end

  assign s_axil_awready = take_write;
  assign s_axil_wready  = take_write;
  assign s_axil_arready = take_read;
  assign s_axil_bvalid  = state_q == Respond && write_q;
  assign s_axil_rvalid  = state_q == Respond && !write_q;
  assign s_axil_bresp   = error_q ? SlvErr : Okay;
  assign s_axil_rresp   = error_q ? SlvErr : Okay;
  assign s_axil_rdata   = data_q;

  assign req_valid_o = state_q == Ask && !refused_q;
  assign req_write_o = write_q;
  assign req_addr_o  = addr_q;
  assign req_wdata_o = data_q;

  // Not used: protection.
  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

endmodule
