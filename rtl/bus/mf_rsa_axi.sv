// SPDX-License-Identifier: Apache-2.0
//
// RSA engine with AXI4-Lite: mf_rsa behind the registers, windows and interrupt of mf_bus_axi.
//
// Operations, errors, parameters, latency: mf_rsa. Registers and windows: mf_bus_regs.
// Random:   words come from the random port, or with HostRandom from register RANDOM. They must be
//           uniform and unknown to the host; each is used once.
// Names:    the ports of AXI have the names by which tools know AXI.

module mf_rsa_axi #(
  /// As in mf_rsa:
  parameter int unsigned Bits            = 2048,
  parameter int unsigned MinBits         = 512,
  parameter int unsigned Window          = 5,
  parameter int unsigned Halves          = 2,
  parameter int unsigned Eblind          = 64,
  parameter int unsigned Slots           = 1,
  parameter int unsigned A               = 32,
  parameter int unsigned RExponent       = Bits / 2 + 2,
  parameter int unsigned ConstantKind    = 0,
  parameter int unsigned InverseBits     = 1,
  parameter bit          InverseSigned   = 1'b0,
  parameter int unsigned ConstantBits    = 1,
  parameter int unsigned SumBits         = Bits / 2 + 1,
  parameter int unsigned CarryBits       = 0,
  parameter int unsigned ResultSumBits   = SumBits,
  parameter int unsigned ResultCarryBits = CarryBits,
  parameter bit          Signed          = 1'b0,
  parameter int unsigned Corrections     = 1,
  parameter int unsigned Scale           = 0,
  parameter bit          TableBlock      = 1'b0,
  parameter bit          TableWords      = 1'b0,
  parameter int unsigned HalfClock       = 1,
  parameter int unsigned Block           = 0,
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
  parameter int unsigned Check                 = 0,
  /// Random words come from register RANDOM and not from the random port.
  parameter bit          HostRandom      = 1'b0
) (
  input  logic        clk_i,
  /// The exponentiators' clock, with HalfClock above 1.
  input  logic        half_clk_i,
  input  logic        rst_ni,

  input  logic        s_axil_awvalid,
  output logic        s_axil_awready,
  input  logic [15:0] s_axil_awaddr,
  input  logic [2:0]  s_axil_awprot,
  input  logic        s_axil_wvalid,
  output logic        s_axil_wready,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0]  s_axil_wstrb,
  output logic        s_axil_bvalid,
  input  logic        s_axil_bready,
  output logic [1:0]  s_axil_bresp,
  input  logic        s_axil_arvalid,
  output logic        s_axil_arready,
  input  logic [15:0] s_axil_araddr,
  input  logic [2:0]  s_axil_arprot,
  output logic        s_axil_rvalid,
  input  logic        s_axil_rready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0]  s_axil_rresp,
  output logic        irq_o,
  /// State of the engine, of mf_rsa; not secret.
  output logic [3:0]  phase_o,

  input  logic        random_valid_i,
  output logic        random_ready_o,
  input  logic [31:0] random_i
);

  localparam logic [31:0] Magic    = 32'h4D525341;  // MRSA
  // Private operation, blinding; public operation, powers of both classes, set-up.
  localparam logic [7:0]  Features = Public ? 8'h5f : 8'h41;

  logic        start, abort, zeroize_slot, zeroize_all, lock;
  logic [3:0]  op, slot;
  logic [15:0] n_bits, e_bits;
  logic        busy, wiping, done, done_event, error_event, alert_event;
  logic [7:0]  error;
  logic [15:0] slots_valid;
  logic [31:0] cycles;
  logic        win_valid, win_write, win_rvalid, win_error;
  logic [15:0] win_addr;
  logic [31:0] win_wdata, win_rdata;
  logic        random_valid, random_ready;
  logic [31:0] random_word;

  mf_bus_axi #(
    .Magic     (Magic),
    .Bits      (Bits),
    .Slots     (Slots),
    .Window    (Window),
    .Halves    (Halves),
    .Features  (Features),
    .HostRandom(HostRandom)
  ) u_bus (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .s_axil_awvalid       (s_axil_awvalid),
    .s_axil_awready       (s_axil_awready),
    .s_axil_awaddr        (s_axil_awaddr),
    .s_axil_awprot        (s_axil_awprot),
    .s_axil_wvalid        (s_axil_wvalid),
    .s_axil_wready        (s_axil_wready),
    .s_axil_wdata         (s_axil_wdata),
    .s_axil_wstrb         (s_axil_wstrb),
    .s_axil_bvalid        (s_axil_bvalid),
    .s_axil_bready        (s_axil_bready),
    .s_axil_bresp         (s_axil_bresp),
    .s_axil_arvalid       (s_axil_arvalid),
    .s_axil_arready       (s_axil_arready),
    .s_axil_araddr        (s_axil_araddr),
    .s_axil_arprot        (s_axil_arprot),
    .s_axil_rvalid        (s_axil_rvalid),
    .s_axil_rready        (s_axil_rready),
    .s_axil_rdata         (s_axil_rdata),
    .s_axil_rresp         (s_axil_rresp),
    .irq_o                (irq_o),
    .random_valid_i       (random_valid_i),
    .random_ready_o       (random_ready_o),
    .random_i             (random_i),
    .start_o              (start),
    .abort_o              (abort),
    .zeroize_slot_o       (zeroize_slot),
    .zeroize_all_o        (zeroize_all),
    .lock_o               (lock),
    .op_o                 (op),
    .slot_o               (slot),
    .n_bits_o             (n_bits),
    .e_bits_o             (e_bits),
    .busy_i               (busy),
    .wiping_i             (wiping),
    .done_i               (done),
    .error_i              (error),
    .slots_valid_i        (slots_valid),
    .cycles_i             (cycles),
    .done_event_i         (done_event),
    .error_event_i        (error_event),
    .alert_event_i        (alert_event),
    .win_valid_o          (win_valid),
    .win_write_o          (win_write),
    .win_addr_o           (win_addr),
    .win_wdata_o          (win_wdata),
    .win_rvalid_i         (win_rvalid),
    .win_rdata_i          (win_rdata),
    .win_error_i          (win_error),
    .engine_random_valid_o(random_valid),
    .engine_random_ready_i(random_ready),
    .engine_random_o      (random_word)
  );

  mf_rsa #(
    .Bits           (Bits),
    .MinBits        (MinBits),
    .Window         (Window),
    .Halves         (Halves),
    .Eblind         (Eblind),
    .Slots          (Slots),
    .A              (A),
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
    .Block          (Block),
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
    .half_clk_i    (half_clk_i),
    .rst_ni        (rst_ni),
    .start_i       (start),
    .abort_i       (abort),
    .zeroize_slot_i(zeroize_slot),
    .zeroize_all_i (zeroize_all),
    .lock_i        (lock),
    .op_i          (op),
    .slot_i        (slot),
    .n_bits_i      (n_bits),
    .e_bits_i      (e_bits),
    .busy_o        (busy),
    .wiping_o      (wiping),
    .done_o        (done),
    .error_o       (error),
    .slots_valid_o (slots_valid),
    .cycles_o      (cycles),
    .done_event_o  (done_event),
    .error_event_o (error_event),
    .alert_event_o (alert_event),
    .phase_o       (phase_o),
    .win_valid_i   (win_valid),
    .win_write_i   (win_write),
    .win_addr_i    (win_addr),
    .win_wdata_i   (win_wdata),
    .win_rvalid_o  (win_rvalid),
    .win_rdata_o   (win_rdata),
    .win_error_o   (win_error),
    .random_valid_i(random_valid),
    .random_ready_o(random_ready),
    .random_i      (random_word)
  );

endmodule
