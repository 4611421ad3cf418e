// SPDX-License-Identifier: Apache-2.0
//
// The bus layer of all cores with AXI4-Lite, engines and plain cores: registers (mf_bus_regs),
// interrupt and word windows, in front of an engine's ports.
//
// Addresses: below 1000 (hexadecimal) registers, from there on windows, which the engine decodes.
//           SLVERR answers addresses of no register and no window, and accesses that a window
//           (reads of a write-only one, writes while busy) or mf_axil_port refuses.
// Engine:   commands are pulses of a cycle, with op_o, slot_o, n_bits_o, e_bits_o beside them.
//           lock_o closes its key window until reset. A window access is win_valid_o for one cycle;
//           its answer win_rvalid_i comes in the next cycle. Events are pulses.
// Interrupt: irq_o while an event is in INTR_STATE that INTR_ENABLE enables.
// Random:   with HostRandom the words written to register RANDOM wait here, at most 16, for the
//           engine; else random_valid_i and random_i go to it. A word leaves once.
// Paths:    random_ready_i to random_ready_o, random_valid_i and random_i to the engine's, within
//           a cycle, without HostRandom.

module mf_bus_axi #(
  /// Register ID.
  parameter logic [31:0] Magic      = 32'h4D434F52,
  /// Bits of the widest modulus; 1 to 65535.
  parameter int unsigned Bits       = 256,
  /// Key slots; 0 to 16.
  parameter int unsigned Slots      = 0,
  /// Bits of a digit of the exponent; 0 to 15.
  parameter int unsigned Window     = 0,
  /// Half-width cores; 0 to 2.
  parameter int unsigned Halves     = 0,
  /// Bits 0 to 4 and 6 to 7 of register FEATURES.
  parameter logic [7:0]  Features   = 8'h80,
  /// Random words come from register RANDOM.
  parameter bit          HostRandom = 1'b0
) (
  input  logic        clk_i,
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

  input  logic        random_valid_i,
  output logic        random_ready_o,
  input  logic [31:0] random_i,

  output logic        start_o,
  output logic        abort_o,
  output logic        zeroize_slot_o,
  output logic        zeroize_all_o,
  output logic        lock_o,
  output logic [3:0]  op_o,
  output logic [3:0]  slot_o,
  output logic [15:0] n_bits_o,
  output logic [15:0] e_bits_o,
  input  logic        busy_i,
  input  logic        wiping_i,
  input  logic        done_i,
  input  logic [7:0]  error_i,
  input  logic [15:0] slots_valid_i,
  input  logic [31:0] cycles_i,
  input  logic        done_event_i,
  input  logic        error_event_i,
  input  logic        alert_event_i,

  output logic        win_valid_o,
  output logic        win_write_o,
  output logic [15:0] win_addr_o,
  output logic [31:0] win_wdata_o,
  input  logic        win_rvalid_i,
  input  logic [31:0] win_rdata_i,
  input  logic        win_error_i,

  output logic        engine_random_valid_o,
  input  logic        engine_random_ready_i,
  output logic [31:0] engine_random_o
);

  if (Bits < 1 || Bits > 65535) begin : gen_illegal_bits
    $fatal(1, "mf_bus_axi: Bits must be 1 to 65535");
  end
  if (Slots > 16) begin : gen_illegal_slots
    $fatal(1, "mf_bus_axi: Slots must be at most 16");
  end
  if (Window > 15) begin : gen_illegal_window
    $fatal(1, "mf_bus_axi: Window must be at most 15");
  end
  if (Halves > 2) begin : gen_illegal_halves
    $fatal(1, "mf_bus_axi: Halves must be at most 2");
  end

  localparam int unsigned RandomWords = 16;
  localparam int unsigned PlaceW      = $clog2(RandomWords);

  // ---------------------------------------------------------------- accesses

  logic        req_valid, req_write, rsp_valid, rsp_error;
  logic [15:0] req_addr;
  logic [31:0] req_wdata, rsp_rdata;
  logic        to_regs, to_windows;
  logic        regs_rd_ack, regs_rd_error, regs_wr_ack, regs_wr_error;
  logic        regs_stall_rd, regs_stall_wr;
  logic [31:0] regs_rdata;
  logic        regs_valid_q, regs_error_q;  // answer of the registers, or to an unused address
  logic [31:0] regs_rdata_q;

  mf_axil_port #(
    .AddressW(16)
  ) u_port (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .s_axil_awvalid(s_axil_awvalid),
    .s_axil_awready(s_axil_awready),
    .s_axil_awaddr (s_axil_awaddr),
    .s_axil_awprot (s_axil_awprot),
    .s_axil_wvalid (s_axil_wvalid),
    .s_axil_wready (s_axil_wready),
    .s_axil_wdata  (s_axil_wdata),
    .s_axil_wstrb  (s_axil_wstrb),
    .s_axil_bvalid (s_axil_bvalid),
    .s_axil_bready (s_axil_bready),
    .s_axil_bresp  (s_axil_bresp),
    .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready),
    .s_axil_araddr (s_axil_araddr),
    .s_axil_arprot (s_axil_arprot),
    .s_axil_rvalid (s_axil_rvalid),
    .s_axil_rready (s_axil_rready),
    .s_axil_rdata  (s_axil_rdata),
    .s_axil_rresp  (s_axil_rresp),
    .req_valid_o   (req_valid),
    .req_write_o   (req_write),
    .req_addr_o    (req_addr),
    .req_wdata_o   (req_wdata),
    .rsp_valid_i   (rsp_valid),
    .rsp_rdata_i   (rsp_rdata),
    .rsp_error_i   (rsp_error)
  );

  assign to_regs    = req_addr[15:6] == '0;
  assign to_windows = req_addr[15:12] != '0;

  // The registers answer in the cycle of the request, windows in the next one.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      regs_valid_q <= 1'b0;
      regs_error_q <= 1'b0;
      regs_rdata_q <= '0;
    end else begin
      regs_valid_q <= req_valid && !to_windows;
      regs_error_q <= !(regs_rd_ack && !regs_rd_error) && !(regs_wr_ack && !regs_wr_error);
      regs_rdata_q <= regs_rdata;
    end
  end

  assign rsp_valid = regs_valid_q || win_rvalid_i;
  assign rsp_error = regs_valid_q ? regs_error_q : win_error_i;
  assign rsp_rdata = regs_valid_q ? regs_rdata_q : win_rdata_i;

  assign win_valid_o = req_valid && to_windows;
  assign win_write_o = req_write;
  assign win_addr_o  = req_addr;
  assign win_wdata_o = req_wdata;

  // ---------------------------------------------------------------- registers

  mf_bus_regs_pkg::mf_bus_regs__in_t  hw_in;
  mf_bus_regs_pkg::mf_bus_regs__out_t hw_out;
  logic [31:0] random_space;

  mf_bus_regs u_registers (
    .clk                 (clk_i),
    .arst_n              (rst_ni),
    .s_cpuif_req         (req_valid && to_regs),
    .s_cpuif_req_is_wr   (req_write),
    .s_cpuif_addr        (req_addr[5:0]),
    .s_cpuif_wr_data     (req_wdata),
    .s_cpuif_wr_biten    ('1),
    .s_cpuif_req_stall_wr(regs_stall_wr),
    .s_cpuif_req_stall_rd(regs_stall_rd),
    .s_cpuif_rd_ack      (regs_rd_ack),
    .s_cpuif_rd_err      (regs_rd_error),
    .s_cpuif_rd_data     (regs_rdata),
    .s_cpuif_wr_ack      (regs_wr_ack),
    .s_cpuif_wr_err      (regs_wr_error),
    .hwif_in             (hw_in),
    .hwif_out            (hw_out)
  );

  assign hw_in.id.magic.next               = Magic;
  assign hw_in.size.bits.next              = 16'(Bits);
  assign hw_in.size.slots.next             = 8'(Slots);
  assign hw_in.size.window.next            = 4'(Window);
  assign hw_in.size.halves.next            = 4'(Halves);
  assign hw_in.features.private_op.next    = Features[0];
  assign hw_in.features.public_op.next     = Features[1];
  assign hw_in.features.modexp_full.next   = Features[2];
  assign hw_in.features.modexp_public.next = Features[3];
  assign hw_in.features.setup.next         = Features[4];
  assign hw_in.features.host_random.next   = HostRandom;
  assign hw_in.features.blinding.next      = Features[6];
  assign hw_in.features.core.next          = Features[7];
  assign hw_in.status.busy.next            = busy_i;
  assign hw_in.status.done.next            = done_i;
  assign hw_in.status.wiping.next          = wiping_i;
  assign hw_in.status.error.next           = error_i;
  assign hw_in.status.slots_valid.next     = slots_valid_i;
  assign hw_in.intr_state.done.next        = hw_out.intr_state.done.value;
  assign hw_in.intr_state.error.next       = hw_out.intr_state.error.value;
  assign hw_in.intr_state.alert.next       = hw_out.intr_state.alert.value;
  assign hw_in.intr_state.done.hwset       = done_event_i || hw_out.intr_test.done.value;
  assign hw_in.intr_state.error.hwset      = error_event_i || hw_out.intr_test.error.value;
  assign hw_in.intr_state.alert.hwset      = alert_event_i || hw_out.intr_test.alert.value;
  assign hw_in.cycles.count.next           = cycles_i;
  assign hw_in.random.word.next            = random_space;

  assign irq_o = (hw_out.intr_state.done.value && hw_out.intr_enable.done.value)
                 || (hw_out.intr_state.error.value && hw_out.intr_enable.error.value)
                 || (hw_out.intr_state.alert.value && hw_out.intr_enable.alert.value);

  assign start_o        = hw_out.ctrl.start.value;
  assign abort_o        = hw_out.ctrl.abort_op.value;
  assign zeroize_slot_o = hw_out.ctrl.zeroize_slot.value;
  assign zeroize_all_o  = hw_out.ctrl.zeroize_all.value;
  assign lock_o         = hw_out.lock.keys.value;
  assign op_o           = hw_out.command.op.value;
  assign slot_o         = hw_out.command.slot.value;
  assign n_bits_o       = hw_out.length.n_bits.value;
  assign e_bits_o       = hw_out.length.e_bits.value;

  // ---------------------------------------------------------------- random words

  if (HostRandom) begin : gen_host_random
    logic [RandomWords-1:0][31:0] words_q;
    logic [PlaceW-1:0]            put_q, get_q;
    logic [PlaceW:0]              waiting_q;
    logic                         written_q, put, get;

    // The register holds a written word for one cycle, the one after the write.
    assign put = written_q && waiting_q != (PlaceW + 1)'(RandomWords);
    assign get = engine_random_valid_o && engine_random_ready_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        written_q <= 1'b0;
        put_q     <= '0;
        get_q     <= '0;
        waiting_q <= '0;
      end else begin
        written_q <= hw_out.random.word.swmod;
        put_q     <= put_q + PlaceW'(put);
        get_q     <= get_q + PlaceW'(get);
        waiting_q <= waiting_q + (PlaceW + 1)'(put) - (PlaceW + 1)'(get);
      end
    end

    always_ff @(posedge clk_i) begin
      if (put) words_q[put_q] <= hw_out.random.word.value;
      if (get && !(put && put_q == get_q)) words_q[get_q] <= '0;
    end

    assign random_space          = 32'(RandomWords) - 32'(waiting_q);
    assign engine_random_valid_o = waiting_q != '0;
    assign engine_random_o       = words_q[get_q];
    assign random_ready_o        = 1'b0;

    logic unused_random;
    assign unused_random = ^{random_valid_i, random_i};
  end else begin : gen_random_port
    assign random_space          = '0;
    assign engine_random_valid_o = random_valid_i;
    assign engine_random_o       = random_i;
    assign random_ready_o        = engine_random_ready_i;

    logic unused_word;
    assign unused_word = ^{hw_out.random.word.value, hw_out.random.word.swmod};
  end

  // Not used: registers never stall.
  logic unused_stalls;
  assign unused_stalls = regs_stall_rd || regs_stall_wr || Features[5];

endmodule
