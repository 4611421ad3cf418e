// SPDX-License-Identifier: Apache-2.0
//
// Systolic FIOS multiplier with AXI: requests and responses as packets on AXI4-Stream, registers
// (mf_fios_dsp_regs) on AXI4-Lite.
//
// Computes: the product of mf_fios_dsp_par; parameters and contract are the same.
// Request:  a, b, n_words, each in beats of 32 bits, the lowest first, the last beat filled with
//           zeros; TLAST with the last beat of n_words.
// Response: p in the same form, TUSER 0. To a malformed request: one beat with TUSER 1, whose data
//           says why: 1 too short, 2 too long, 3 bits above an operand. Responses come in the order
//           of requests. Operands are not compared with their bounds.
// Names:    the ports have the names by which tools know AXI.
// Latency:  the core's, the beats of request and response, and three cycles more.
//
// data_q    the request so far, the latest beat on top
// tags_q    for each request that is not answered: 0 or the reason of its error
// answer_q  the response that is sent, its next beat at the bottom

module mf_fios_dsp_axi #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width     = 256,
  /// Bits of a word; 16 to 23.
  parameter int unsigned WordWidth = 17,
  /// Words of an operand; R must be large enough (see mf_fios_dsp_par).
  parameter int unsigned Words     = 16,
  /// Processing elements; Words if Expanded.
  parameter int unsigned Elements  = 5,
  /// One element for each iteration.
  parameter bit          Expanded  = 1'b0,
  /// Results that can be under way or wait to be sent; 1 to 200.
  parameter int unsigned Results   = 2,
  /// 0: published, 1: fast, 2: unit modulus.
  parameter int unsigned Variant   = 0,
  /// Cycles from operands to result of the multiplier-accumulator: 1, 2 or 3.
  parameter int unsigned Pipeline  = 3,
  /// Register for C in the multiplier-accumulator.
  parameter bit          CRegister = 1'b1,
  /// Multiplier-accumulator: 0 behavioural, 1 DSP48E2, 2 ECP5.
  parameter int unsigned Block     = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic [31:0] s_axis_tdata,
  input  logic        s_axis_tlast,

  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic [31:0] m_axis_tdata,
  output logic        m_axis_tlast,
  output logic        m_axis_tuser,

  input  logic        s_axil_awvalid,
  output logic        s_axil_awready,
  input  logic [4:0]  s_axil_awaddr,
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
  input  logic [4:0]  s_axil_araddr,
  input  logic [2:0]  s_axil_arprot,
  output logic        s_axil_rvalid,
  input  logic        s_axil_rready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0]  s_axil_rresp
);

  if (Results < 1 || Results > 200) begin : gen_illegal_results
    $fatal(1, "mf_fios_dsp_axi: Results must be 1 to 200");
  end

  localparam bit          IsUnit        = Variant == mf_fios_pkg::Unit;
  localparam int unsigned OperandW      = IsUnit ? Width + 1 + WordWidth : Width + 1;
  localparam int unsigned ModulusW      = IsUnit ? Width : Width + WordWidth;
  localparam int unsigned OperandBeats  = (OperandW + 31) / 32;
  localparam int unsigned ModulusBeats  = (ModulusW + 31) / 32;
  localparam int unsigned RequestBeats  = 2 * OperandBeats + ModulusBeats;
  localparam int unsigned Tags          = Results + 2;
  localparam int unsigned RequestCountW = $clog2(RequestBeats + 1);
  localparam int unsigned AnswerCountW  = $clog2(OperandBeats + 1);
  localparam int unsigned TagPlaceW     = $clog2(Tags);
  localparam int unsigned TagCountW     = $clog2(Tags + 1);

  typedef enum logic [1:0] {RequestOk, RequestShort, RequestLong, RequestWide} reason_e;

  // ---------------------------------------------------------------- registers

  mf_fios_dsp_regs_pkg::mf_fios_dsp_regs__in_t  hw_in;
  mf_fios_dsp_regs_pkg::mf_fios_dsp_regs__out_t hw_out;

  mf_fios_dsp_regs u_registers (
    .clk           (clk_i),
    .arst_n        (rst_ni),
    .s_axil_awready(s_axil_awready),
    .s_axil_awvalid(s_axil_awvalid),
    .s_axil_awaddr (s_axil_awaddr),
    .s_axil_awprot (s_axil_awprot),
    .s_axil_wready (s_axil_wready),
    .s_axil_wvalid (s_axil_wvalid),
    .s_axil_wdata  (s_axil_wdata),
    .s_axil_wstrb  (s_axil_wstrb),
    .s_axil_bready (s_axil_bready),
    .s_axil_bvalid (s_axil_bvalid),
    .s_axil_bresp  (s_axil_bresp),
    .s_axil_arready(s_axil_arready),
    .s_axil_arvalid(s_axil_arvalid),
    .s_axil_araddr (s_axil_araddr),
    .s_axil_arprot (s_axil_arprot),
    .s_axil_rready (s_axil_rready),
    .s_axil_rvalid (s_axil_rvalid),
    .s_axil_rdata  (s_axil_rdata),
    .s_axil_rresp  (s_axil_rresp),
    .hwif_in       (hw_in),
    .hwif_out      (hw_out)
  );

  // ---------------------------------------------------------------- requests

  typedef enum logic [1:0] {Collect, Drop, Issue, Refuse} phase_e;

  phase_e                        phase_d, phase_q;
  reason_e                       reason_d, reason_q;
  logic [RequestBeats-1:0][31:0] data_q;
  logic [RequestCountW-1:0]      beats_q;  // of the request so far
  logic                          take_beat, last_beat, wide, room, put_tag;
  logic                          req_valid, req_ready;

  logic [32*OperandBeats-1:0]    a, b;
  logic [32*ModulusBeats-1:0]    n_words;

  assign {n_words, b, a} = data_q;
  assign wide            = (a >> OperandW) != '0 || (b >> OperandW) != '0
                           || (n_words >> ModulusW) != '0;
  assign s_axis_tready   = hw_out.control.enable.value && (phase_q == Collect || phase_q == Drop);
  assign take_beat       = s_axis_tvalid && s_axis_tready;
  assign last_beat       = beats_q == RequestCountW'(RequestBeats - 1);
  assign req_valid       = phase_q == Issue && !wide && room;
  assign put_tag         = (req_valid && req_ready) || (phase_q == Refuse && room);

  always_comb begin
    phase_d  = phase_q;
    reason_d = reason_q;
    unique case (phase_q)
      Collect: begin
        if (take_beat && s_axis_tlast && last_beat) begin
          phase_d  = Issue;
          reason_d = RequestOk;
        end else if (take_beat && s_axis_tlast) begin
          phase_d  = Refuse;
          reason_d = RequestShort;
        end else if (take_beat && last_beat) begin
          phase_d = Drop;
        end
      end
      Drop: begin
        if (take_beat && s_axis_tlast) begin
          phase_d  = Refuse;
          reason_d = RequestLong;
        end
      end
      Issue: begin
        if (wide) begin
          phase_d  = Refuse;
          reason_d = RequestWide;
        end else if (put_tag) begin
          phase_d = Collect;
        end
      end
      Refuse:  if (put_tag) phase_d = Collect;
      default: phase_d = Collect;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q  <= Collect;
      reason_q <= RequestOk;
      beats_q  <= '0;
    end else begin
      phase_q  <= phase_d;
      reason_q <= reason_d;
      if (take_beat) begin
        beats_q <= s_axis_tlast || phase_q == Drop ? '0 : beats_q + RequestCountW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_beat) data_q <= {s_axis_tdata, data_q[RequestBeats-1:1]};
  end

  // ---------------------------------------------------------------- core

  logic                rsp_valid, rsp_ready;
  logic [OperandW-1:0] p;

  mf_fios_dsp_par #(
    .Width    (Width),
    .WordWidth(WordWidth),
    .Words    (Words),
    .Elements (Elements),
    .Expanded (Expanded),
    .Results  (Results),
    .Variant  (Variant),
    .Pipeline (Pipeline),
    .CRegister(CRegister),
    .Block    (Block)
  ) u_multiplier (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .a_i        (a[OperandW-1:0]),
    .b_i        (b[OperandW-1:0]),
    .n_words_i  (n_words[ModulusW-1:0]),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready),
    .p_o        (p)
  );

  // ---------------------------------------------------------------- order of responses

  reason_e [Tags-1:0]   tags_q;
  logic [TagPlaceW-1:0] put_q, get_q;
  logic [TagCountW-1:0] waiting_q;
  logic                 get_tag;
  reason_e              tag;

  assign room = waiting_q != TagCountW'(Tags);
  assign tag  = tags_q[get_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      put_q     <= '0;
      get_q     <= '0;
      waiting_q <= '0;
    end else begin
      if (put_tag) put_q <= put_q == TagPlaceW'(Tags - 1) ? '0 : put_q + TagPlaceW'(1);
      if (get_tag) get_q <= get_q == TagPlaceW'(Tags - 1) ? '0 : get_q + TagPlaceW'(1);
      waiting_q <= waiting_q + TagCountW'(put_tag) - TagCountW'(get_tag);
    end
  end

  always_ff @(posedge clk_i) if (put_tag) tags_q[put_q] <= reason_q;

  // ---------------------------------------------------------------- responses

  logic [OperandBeats-1:0][31:0] answer_q;
  logic [AnswerCountW-1:0]       left_q;   // beats that are still to be sent
  logic                          error_q;
  logic                          idle, send_beat;
  logic [31:0]                   products_q, errors_q;
  reason_e                       last_error_q;

  assign idle          = left_q == '0;
  assign get_tag       = idle && waiting_q != '0 && (tag != RequestOk || rsp_valid);
  assign rsp_ready     = idle && waiting_q != '0 && tag == RequestOk;
  assign m_axis_tvalid = !idle;
  assign m_axis_tdata  = answer_q[0];
  assign m_axis_tlast  = left_q == AnswerCountW'(1);
  assign m_axis_tuser  = error_q;
  assign send_beat     = m_axis_tvalid && m_axis_tready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q       <= '0;
      error_q      <= 1'b0;
      products_q   <= '0;
      errors_q     <= '0;
      last_error_q <= RequestOk;
    end else begin
      if (get_tag) begin
        left_q  <= tag == RequestOk ? AnswerCountW'(OperandBeats) : AnswerCountW'(1);
        error_q <= tag != RequestOk;
        if (tag != RequestOk) last_error_q <= tag;
      end else if (send_beat) begin
        left_q <= left_q - AnswerCountW'(1);
      end
      if (send_beat && m_axis_tlast && !error_q) products_q <= products_q + 32'd1;
      if (send_beat && m_axis_tlast && error_q) errors_q <= errors_q + 32'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (get_tag) answer_q <= tag == RequestOk ? (32*OperandBeats)'(p) : (32*OperandBeats)'(tag);
    else if (send_beat) answer_q <= (32*OperandBeats)'({32'd0, answer_q} >> 32);
  end

  assign hw_in.size.bits.next      = 16'(Width);
  assign hw_in.size.word.next      = 8'(WordWidth);
  assign hw_in.beats.request.next  = 16'(RequestBeats);
  assign hw_in.beats.response.next = 16'(OperandBeats);
  assign hw_in.status.pending.next = 8'(waiting_q) + 8'(!idle);
  assign hw_in.status.error.next   = last_error_q;
  assign hw_in.products.count.next = products_q;
  assign hw_in.errors.count.next   = errors_q;

endmodule
