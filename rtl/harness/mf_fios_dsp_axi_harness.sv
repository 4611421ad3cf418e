// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. An AXI master around mf_fios_dsp_axi (ports core_*), with the ports of
// mf_fios_dsp_par.
//
// After acceptance a request is sent as a packet, with pauses at random, whose last beat is taken
// in the cycle after LoadCycles; its response is taken with pauses at random, too. Beside that the
// registers with the lengths of packets and the number of products are read. Data is unknown
// without its valid.
// Latency: LoadCycles + ReadCycles, 2, and that of mf_fios_dsp_axi, from the last beat of the
//          request to the first of the response.

module mf_fios_dsp_axi_harness #(
  /// Parameters of mf_fios_dsp_par, as far as they decide the ports.
  parameter int unsigned Width     = 256,
  parameter int unsigned WordWidth = 17,
  parameter int unsigned Variant   = 0,

  localparam bit          IsUnit   = Variant == mf_fios_pkg::Unit,
  localparam int unsigned OperandW = IsUnit ? Width + 1 + WordWidth : Width + 1,
  localparam int unsigned ModulusW = IsUnit ? Width : Width + WordWidth
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [ModulusW-1:0] n_words_i,
  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o,

  output logic                core_s_axis_tvalid_o,
  input  logic                core_s_axis_tready_i,
  output logic [31:0]         core_s_axis_tdata_o,
  output logic                core_s_axis_tlast_o,

  input  logic                core_m_axis_tvalid_i,
  output logic                core_m_axis_tready_o,
  input  logic [31:0]         core_m_axis_tdata_i,
  input  logic                core_m_axis_tlast_i,
  input  logic                core_m_axis_tuser_i,

  output logic                core_s_axil_awvalid_o,
  input  logic                core_s_axil_awready_i,
  output logic [4:0]          core_s_axil_awaddr_o,
  output logic [2:0]          core_s_axil_awprot_o,
  output logic                core_s_axil_wvalid_o,
  input  logic                core_s_axil_wready_i,
  output logic [31:0]         core_s_axil_wdata_o,
  output logic [3:0]          core_s_axil_wstrb_o,
  input  logic                core_s_axil_bvalid_i,
  output logic                core_s_axil_bready_o,
  input  logic [1:0]          core_s_axil_bresp_i,
  output logic                core_s_axil_arvalid_o,
  input  logic                core_s_axil_arready_i,
  output logic [4:0]          core_s_axil_araddr_o,
  output logic [2:0]          core_s_axil_arprot_o,
  input  logic                core_s_axil_rvalid_i,
  output logic                core_s_axil_rready_o,
  input  logic [31:0]         core_s_axil_rdata_i,
  input  logic [1:0]          core_s_axil_rresp_i
);

  localparam int unsigned OperandBeats = (OperandW + 31) / 32;
  localparam int unsigned ModulusBeats = (ModulusW + 31) / 32;
  localparam int unsigned RequestBeats = 2 * OperandBeats + ModulusBeats;
  localparam int unsigned LoadCycles   = 2 * RequestBeats + 6;
  localparam int unsigned ReadCycles   = 2 * OperandBeats + 4;
  localparam int unsigned SentW        = $clog2(RequestBeats);
  localparam int unsigned TakenW       = $clog2(OperandBeats + 1);
  localparam logic [4:0]  BeatsAddress = 5'h08, ProductsAddress = 5'h14;

  // ---------------------------------------------------------------- requests and responses

  logic                          load, last, read, sending, unused_running;
  logic [RequestBeats-1:0][31:0] request_q;
  logic [OperandBeats-1:0][31:0] p_q;
  logic [SentW-1:0]              sent;
  logic [TakenW-1:0]             taken;

  mf_harness_control #(.LoadCycles(LoadCycles), .ReadCycles(ReadCycles)) u_control (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid_i),
    .req_ready_o(req_ready_o),
    .load_o     (load),
    .request_o  (last),
    .accepted_i (core_s_axis_tready_i),
    .running_o  (unused_running),
    .finished_i (core_m_axis_tvalid_i),
    .read_o     (read),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i)
  );

  mf_harness_pacer #(.Steps(RequestBeats - 1), .Seed(16'h1234)) u_request (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .start_i(load),
    .ready_i(core_s_axis_tready_i),
    .step_o (sending),
    .count_o(sent)
  );
  mf_harness_pacer #(.Steps(OperandBeats), .Seed(16'h5678)) u_response (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .start_i(read),
    .ready_i(core_m_axis_tvalid_i),
    .step_o (core_m_axis_tready_o),
    .count_o(taken)
  );

  assign core_s_axis_tvalid_o = sending || last;
  assign core_s_axis_tdata_o  = core_s_axis_tvalid_o ? request_q[sent] : 'x;
  assign core_s_axis_tlast_o  = core_s_axis_tvalid_o ? last : 'x;
  assign p_o                  = OperandW'(p_q);

  // The result is below its bound.
  logic unused_high;
  assign unused_high = ^{1'b0, p_q >> OperandW};

  always_ff @(posedge clk_i) begin
    if (load) begin
      request_q <= {(32 * ModulusBeats)'(n_words_i), (32 * OperandBeats)'(b_i),
                    (32 * OperandBeats)'(a_i)};
    end
    if (core_m_axis_tvalid_i && core_m_axis_tready_o) begin
      p_q[taken] <= core_m_axis_tdata_i;
      if (rst_ni) begin
        a_product_was_asked_for : assert (!core_m_axis_tuser_i);
        the_packet_has_its_length :
          assert (core_m_axis_tlast_i == (taken == TakenW'(OperandBeats - 1)));
      end
    end
    if (rst_ni && rsp_valid_o) begin
      the_whole_packet_was_taken : assert (taken == TakenW'(OperandBeats));
    end
  end

  // ---------------------------------------------------------------- registers

  typedef enum logic [1:0] {StIdle, StAddress, StData} access_e;

  access_e     access_q;
  logic        products_read_q;  // which register is read
  logic [31:0] products_q;       // responses taken since reset

  assign core_s_axil_arvalid_o = access_q == StAddress;
  assign core_s_axil_arprot_o  = core_s_axil_arvalid_o ? '0 : 'x;
  assign core_s_axil_rready_o  = access_q == StData;

  always_comb begin
    core_s_axil_araddr_o = products_read_q ? ProductsAddress : BeatsAddress;
    if (!core_s_axil_arvalid_o) core_s_axil_araddr_o = 'x;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      access_q        <= StIdle;
      products_read_q <= 1'b0;
      products_q      <= '0;
    end else begin
      if (rsp_valid_o && rsp_ready_i) products_q <= products_q + 32'd1;
      unique case (access_q)
        StIdle:    if (load) access_q <= StAddress;
        StAddress: if (core_s_axil_arready_i) access_q <= StData;
        StData: begin
          if (core_s_axil_rvalid_i) begin
            access_q        <= products_read_q ? StIdle : StAddress;
            products_read_q <= !products_read_q;
          end
        end
        default:   access_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (core_s_axil_rvalid_i && core_s_axil_rready_o) begin
        the_register_is_right :
          assert (core_s_axil_rresp_i == '0 && core_s_axil_rdata_i ==
                  (products_read_q ? products_q : {16'(OperandBeats), 16'(RequestBeats)}));
      end
      if (rsp_valid_o) begin
        both_registers_were_read : assert (access_q == StIdle);
      end
    end
  end

  // Nothing is written.
  assign core_s_axil_awvalid_o = 1'b0;
  assign core_s_axil_awaddr_o  = 'x;
  assign core_s_axil_awprot_o  = 'x;
  assign core_s_axil_wvalid_o  = 1'b0;
  assign core_s_axil_wdata_o   = 'x;
  assign core_s_axil_wstrb_o   = 'x;
  assign core_s_axil_bready_o  = 1'b1;

  logic unused_write;
  assign unused_write = ^{core_s_axil_awready_i, core_s_axil_wready_i, core_s_axil_bvalid_i,
                          core_s_axil_bresp_i};

endmodule
