// SPDX-License-Identifier: Apache-2.0
//
// A PicoRV32 with memory and the RSA engine on AXI4-Lite, for simulation.
//
// 0000_0000  memory, loaded from the file FIRMWARE (hexadecimal words)
// 2000_0000  write: a byte is printed; 2000_0004: the simulation ends with this status;
//            2000_0008: bit 0 stops the source of random words; 2000_000c: a bit of p in the
//            engine's slot 0 is turned round; read: cycles
// 4000_0000  the engine; its interrupt is number 4
//
// A response with an error on the bus stops the simulation with status 99.

module soc #(
  parameter int unsigned MemoryWords     = 16384,
  /// Of mf_rsa_axi.
  parameter int unsigned Bits            = 64,
  parameter int unsigned MinBits         = 16,
  parameter int unsigned Window          = 3,
  parameter int unsigned Halves          = 2,
  parameter int unsigned Eblind          = 64,
  parameter int unsigned Slots           = 2,
  parameter int unsigned A               = 32,
  /// Bits of the second factor of the word unit's smallest products: 16 for DSP blocks, or 8.
  parameter int unsigned Block           = 0,
  parameter int unsigned RExponent       = 34,
  parameter int unsigned ConstantKind    = 0,
  parameter int unsigned InverseBits     = 1,
  parameter bit          InverseSigned   = 1'b0,
  parameter int unsigned ConstantBits    = 1,
  parameter int unsigned SumBits         = 33,
  parameter int unsigned CarryBits       = 0,
  parameter int unsigned ResultSumBits   = SumBits,
  parameter int unsigned ResultCarryBits = CarryBits,
  parameter bit          Signed          = 1'b0,
  parameter int unsigned Corrections     = 1,
  /// Results are below 2^(Scale + 1) n, and subtracting n times an estimate of their quotient by n
  /// comes before the one correction; 1 to 61, 0: they need none.
  parameter int unsigned Scale           = 0,
  parameter bit          TableBlock      = 1'b0,
  /// They are memories of words; for binary operands.
  parameter bit          TableWords      = 1'b0,
  parameter int unsigned HalfClock       = 1,
  parameter bit          Public          = 1'b0,
  parameter int unsigned PublicRExponent       = Bits + 2,
  parameter int unsigned PublicConstantKind    = ConstantKind,
  parameter int unsigned PublicInverseBits     = InverseBits,
  parameter bit          PublicInverseSigned   = InverseSigned,
  parameter int unsigned PublicConstantBits    = 1,
  parameter int unsigned PublicSumBits         = Bits + 1,
  parameter int unsigned PublicCarryBits       = 0,
  parameter int unsigned PublicResultSumBits   = PublicSumBits,
  parameter int unsigned PublicResultCarryBits = PublicCarryBits,
  parameter bit          PublicSigned          = Signed,
  parameter int unsigned PublicCorrections     = Corrections,
  parameter int unsigned PublicScale           = Scale,
  /// How y^e = c is checked before release: 0 modulo p and q, on the halves; 1 modulo n, on the
  /// exponentiator of full width; 2 both ways.
  parameter int unsigned Check                 = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        random_valid_i,
  input  logic [31:0] random_i,
  output logic        print_valid_o,
  output logic [7:0]  print_o,
  output logic        end_valid_o,
  output logic [7:0]  end_o
);

  // ---------------------------------------------------------------- processor

  logic        awvalid, awready, wvalid, wready, bvalid, bready;
  logic        arvalid, arready, rvalid, rready, trap, irq;
  logic [31:0] awaddr, wdata, araddr, rdata;
  logic [2:0]  awprot, arprot;
  logic [3:0]  wstrb;

  picorv32_axi #(
    .BARREL_SHIFTER (1'b1),
    .ENABLE_MUL     (1'b1),
    .ENABLE_DIV     (1'b1),
    .ENABLE_IRQ     (1'b1),
    .LATCHED_IRQ    (32'hffff_ffef),  // the engine's interrupt is a level
    .STACKADDR      (4 * MemoryWords)
  ) u_cpu (
    .clk            (clk_i),
    .resetn         (rst_ni),
    .trap           (trap),
    .mem_axi_awvalid(awvalid),
    .mem_axi_awready(awready),
    .mem_axi_awaddr (awaddr),
    .mem_axi_awprot (awprot),
    .mem_axi_wvalid (wvalid),
    .mem_axi_wready (wready),
    .mem_axi_wdata  (wdata),
    .mem_axi_wstrb  (wstrb),
    .mem_axi_bvalid (bvalid),
    .mem_axi_bready (bready),
    .mem_axi_arvalid(arvalid),
    .mem_axi_arready(arready),
    .mem_axi_araddr (araddr),
    .mem_axi_arprot (arprot),
    .mem_axi_rvalid (rvalid),
    .mem_axi_rready (rready),
    .mem_axi_rdata  (rdata),
    .pcpi_valid     (),
    .pcpi_insn      (),
    .pcpi_rs1       (),
    .pcpi_rs2       (),
    .pcpi_wr        (1'b0),
    .pcpi_rd        ('0),
    .pcpi_wait      (1'b0),
    .pcpi_ready     (1'b0),
    .irq            ({27'd0, irq, 4'd0}),
    .eoi            (),
    .trace_valid    (),
    .trace_data     ()
  );

  // ---------------------------------------------------------------- memory and test registers

  logic [31:0] memory [MemoryWords];
  string       firmware;

  initial begin
    if ($value$plusargs("firmware=%s", firmware)) $readmemh(firmware, memory);
  end

  logic        to_engine_w, to_engine_r, local_bvalid_q, local_rvalid_q, no_random_q, failed_q;
  logic        local_write, local_read;
  logic [31:0] local_rdata_q, cycles_q;

  assign to_engine_w = awaddr[30];
  assign to_engine_r = araddr[30];
  assign local_write = awvalid && wvalid && !to_engine_w && !local_bvalid_q;
  assign local_read  = arvalid && !to_engine_r && !local_rvalid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      local_bvalid_q <= 1'b0;
      local_rvalid_q <= 1'b0;
      local_rdata_q  <= '0;
      no_random_q    <= 1'b0;
      cycles_q       <= '0;
    end else begin
      cycles_q       <= cycles_q + 32'd1;
      local_bvalid_q <= local_write || (local_bvalid_q && !bready);
      local_rvalid_q <= local_read || (local_rvalid_q && !rready);
      if (local_read) begin
        local_rdata_q <= araddr[29] ? cycles_q : memory[araddr[2 +: $clog2(MemoryWords)]];
      end
      if (local_write && awaddr[29] && awaddr[3:2] == 2'd2) no_random_q <= wdata[0];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 4; i++) begin
      if (local_write && !awaddr[29] && wstrb[i]) begin
        memory[awaddr[2 +: $clog2(MemoryWords)]][8*i +: 8] <= wdata[8*i +: 8];
      end
    end
  end

  assign print_valid_o = local_write && awaddr[29] && awaddr[3:2] == 2'd0;
  assign print_o       = wdata[7:0];
  assign end_valid_o   = (local_write && awaddr[29] && awaddr[3:2] == 2'd1) || trap || failed_q;
  assign end_o         = trap ? 8'd98 : failed_q ? 8'd99 : wdata[7:0];

  // A fault: the first word of the engine's memory is the lowest one of p.
  always_ff @(posedge clk_i) begin
    if (local_write && awaddr[29] && awaddr[3:2] == 2'd3) begin
      u_engine.u_engine.u_main.gen_lane[0].words_q[0][0] <=
          !u_engine.u_engine.u_main.gen_lane[0].words_q[0][0];
    end
  end

  // ---------------------------------------------------------------- engine

  logic        engine_awready, engine_wready, engine_bvalid, engine_arready, engine_rvalid;
  logic [1:0]  bresp, rresp;
  logic [31:0] engine_rdata;

  mf_rsa_axi #(
    .Bits           (Bits),
    .MinBits        (MinBits),
    .Window         (Window),
    .Halves         (Halves),
    .Eblind         (Eblind),
    .Slots          (Slots),
    .A              (A),
    .Block          (Block),
    .RExponent      (RExponent),
    .ConstantKind   (ConstantKind),
    .InverseBits    (InverseBits),
    .InverseSigned  (InverseSigned),
    .ConstantBits   (ConstantBits),
    .SumBits        (SumBits),
    .CarryBits      (CarryBits),
    .ResultSumBits  (ResultSumBits),
    .ResultCarryBits(ResultCarryBits),
    .Signed         (Signed),
    .Corrections    (Corrections),
    .Scale          (Scale),
    .TableBlock     (TableBlock),
    .TableWords     (TableWords),
    .HalfClock      (HalfClock),
    .Public(Public),
    .PublicRExponent(PublicRExponent),
    .PublicConstantKind(PublicConstantKind),
    .PublicInverseBits(PublicInverseBits),
    .PublicInverseSigned(PublicInverseSigned),
    .PublicConstantBits(PublicConstantBits),
    .PublicSumBits(PublicSumBits),
    .PublicCarryBits(PublicCarryBits),
    .PublicResultSumBits(PublicResultSumBits),
    .PublicResultCarryBits(PublicResultCarryBits),
    .PublicSigned(PublicSigned),
    .PublicCorrections(PublicCorrections),
    .PublicScale    (PublicScale),
    .Check(Check)
  ) u_engine (
    .clk_i         (clk_i),
    .half_clk_i    (clk_i),
    .rst_ni        (rst_ni),
    .s_axil_awvalid(awvalid && to_engine_w),
    .s_axil_awready(engine_awready),
    .s_axil_awaddr (awaddr[15:0]),
    .s_axil_awprot (awprot),
    .s_axil_wvalid (wvalid && to_engine_w),
    .s_axil_wready (engine_wready),
    .s_axil_wdata  (wdata),
    .s_axil_wstrb  (wstrb),
    .s_axil_bvalid (engine_bvalid),
    .s_axil_bready (bready),
    .s_axil_bresp  (bresp),
    .s_axil_arvalid(arvalid && to_engine_r),
    .s_axil_arready(engine_arready),
    .s_axil_araddr (araddr[15:0]),
    .s_axil_arprot (arprot),
    .s_axil_rvalid (engine_rvalid),
    .s_axil_rready (rready),
    .s_axil_rdata  (engine_rdata),
    .s_axil_rresp  (rresp),
    .irq_o         (irq),
    .phase_o       (),
    .random_valid_i(random_valid_i && !no_random_q),
    .random_ready_o(),
    .random_i      (random_i)
  );

  assign awready = to_engine_w ? engine_awready : local_write;
  assign wready  = to_engine_w ? engine_wready : local_write;
  assign arready = to_engine_r ? engine_arready : local_read;
  assign bvalid  = engine_bvalid || local_bvalid_q;
  assign rvalid  = engine_rvalid || local_rvalid_q;
  assign rdata   = engine_rvalid ? engine_rdata : local_rdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) failed_q <= 1'b0;
    else if ((engine_bvalid && bresp != '0) || (engine_rvalid && rresp != '0)) failed_q <= 1'b1;
  end

endmodule
