// SPDX-License-Identifier: Apache-2.0
//
// RSA engine with AXI4-Stream: a request is a packet, and so is its response. One operation at a
// time: a request is taken when the response to the one before has been sent.
//
// Operations, errors, parameters, latency: mf_rsa.
// Request:  COMMAND, LENGTH (fields as in mf_bus_regs), operands, in beats of 32 bits. Of load:
//           n, e, p, q, dP, dQ, qInv; private: x; x^e mod n of the three kinds: n, e, x; set-up: n.
//           A number has all its words, the lowest first: ceil(Bits / 32), of the five parts of a
//           key ceil(ceil(Bits / 2) / 32). TLAST with the last beat.
// Response: a beat with the error in bits 7:0 and the tag of COMMAND in 15:8, TLAST if there is no
//           result; then y, ceil(Bits / 32) beats.
// Refused:  a packet that is no legal request is taken to its TLAST and answered by an error:
//           OPERATION if the engine has no such operation, or for a load while load_lock_i is high;
//           LENGTH if the packet is shorter or longer than its operation wants; ABORTED if abort_i
//           or zeroize_all_i came before its end. Nothing is started. The part of a key that was
//           taken can't be read, and the next load overwrites it.
// TUSER:    high in a beat that is no part of a result: the beat of an error; and beats of y, which
//           are zeros then, after abort_i, zeroize_all_i or a fault, or if a word failed its check.
// Names:    the ports of AXI have the names by which tools know AXI.
// Paths:    abort_i to alert_o, zeroize_all_i to alert_o, within a cycle.
//
// state_q   Command, Length, Operands: the beat that is awaited; Drop: the rest of a packet that is
//           refused; Start, Run: until the engine is idle; Status: the first beat of the response;
//           Read, Capture, Word: a word of y
// operand_q 0 n, 1 e, 2 x or the key; word_q its word, or that of y
// refusal_q the error that refuses the packet, or its result

module mf_rsa_axis
  import mf_engine_pkg::*;
  import mf_rsa_pkg::*;
#(
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
  parameter int unsigned Check                 = 0
) (
  input  logic        clk_i,
  /// The exponentiators' clock, with HalfClock above 1.
  input  logic        half_clk_i,
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

  /// Ends the operation, request or response under way, with ABORTED.
  input  logic        abort_i,
  /// As abort_i, then wipes all keys and memories; for a cycle at least.
  input  logic        zeroize_all_i,
  /// No key is loaded.
  input  logic        load_lock_i,
  output logic        busy_o,
  /// Keys that can be used.
  output logic [15:0] slots_valid_o,
  /// Cycles of the last operation.
  output logic [31:0] cycles_o,
  /// For a cycle: a result failed its check.
  output logic        alert_o,
  /// State of the engine, of mf_rsa; not secret.
  output logic [3:0]  phase_o,

  input  logic        random_valid_i,
  output logic        random_ready_o,
  input  logic [31:0] random_i
);

  localparam int unsigned FullBeats = (Bits + 31) / 32;
  localparam int unsigned KeyBeats  = 5 * (((Bits + 1) / 2 + 31) / 32);
  localparam logic [15:0] PlaceX    = 16'h1000;
  localparam logic [15:0] PlaceE    = 16'h1200;
  localparam logic [15:0] PlaceY    = 16'h1400;
  localparam logic [15:0] PlaceN    = 16'h1600;
  localparam logic [15:0] PlaceKey  = 16'h2000;

  typedef enum logic [3:0] {
    StCommand, StLength, StOperands, StDrop, StStart, StRun, StStatus, StRead, StCapture, StWord
  } state_e;

  typedef struct packed {
    logic [7:0] tag;
    logic [3:0] slot;
    logic [3:0] op;
  } command_t;

  state_e      state_q;
  command_t    command_q;
  logic [15:0] n_bits_q, e_bits_q;
  logic [1:0]  operand_q;
  logic [9:0]  word_q;
  error_e      refusal_q;
  logic [31:0] data_q;     // of the response
  logic        user_q;

  logic        take_beat, send_beat, legal, last_word, last_beat, has_result, disturbed;
  logic [15:0] base;
  logic [9:0]  words;
  error_e      refusal;
  logic [7:0]  code;

  logic        busy, wiping, done, done_event, error_event;
  logic [7:0]  error;
  logic        win_valid, win_rvalid, win_error;
  logic [15:0] win_addr;
  logic [31:0] win_rdata;

  // ---------------------------------------------------------------- requests

  // While the engine wipes, a packet waits.
  assign s_axis_tready = !busy && state_q inside {StCommand, StLength, StOperands, StDrop};
  assign take_beat     = s_axis_tvalid && s_axis_tready;
  assign disturbed     = busy || abort_i || zeroize_all_i;

  assign legal = command_q.op >= CommandLoad &&
                 command_q.op <= (Public ? CommandSetup : CommandPrivate) &&
                 !(command_q.op == CommandLoad && load_lock_i);

  always_comb begin
    unique case (operand_q)
      2'd0:    base = PlaceN;
      2'd1:    base = PlaceE;
      default: base = (command_q.op == CommandLoad) ? PlaceKey : PlaceX;
    endcase
    if (state_q != StOperands) base = PlaceY;
  end

  assign words     = (base == PlaceKey) ? 10'(KeyBeats) : 10'(FullBeats);
  assign last_word = word_q == words - 10'd1;
  assign last_beat = last_word && (operand_q == 2'd2 || command_q.op == CommandSetup);
  assign win_addr  = base + {4'd0, word_q, 2'd0};
  assign win_valid = (state_q == StOperands) ? take_beat : state_q == StRead;

  // The error that refuses the packet, if any, or its result.
  always_comb begin
    refusal = ErrNone;
    if (disturbed && !(state_q inside {StCommand, StRun})) refusal = ErrAborted;
    if (take_beat) begin
      unique case (state_q)
        StCommand:  if (s_axis_tlast) refusal = ErrLength;
        StLength:   if (!legal) refusal = ErrOperation;
                    else if (s_axis_tlast) refusal = ErrLength;
        StOperands: if (s_axis_tlast != last_beat) refusal = ErrLength;
        default: ;
      endcase
    end
  end

  // ---------------------------------------------------------------- responses

  always_comb begin
    code = done ? error : ErrAborted;
    if (refusal_q != ErrNone) code = refusal_q;
  end

  assign has_result    = !user_q && !(command_q.op inside {CommandLoad, CommandSetup});
  assign m_axis_tvalid = state_q inside {StStatus, StWord};
  assign m_axis_tdata  = data_q;
  assign m_axis_tuser  = user_q;
  assign m_axis_tlast  = (state_q == StStatus) ? !has_result : last_word;
  assign send_beat     = m_axis_tvalid && m_axis_tready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StCommand;
      command_q <= '0;
      n_bits_q  <= '0;
      e_bits_q  <= '0;
      operand_q <= '0;
      word_q    <= '0;
      refusal_q <= ErrNone;
      data_q    <= '0;
      user_q    <= 1'b0;
    end else begin
      if (state_q == StCommand || refusal_q == ErrNone) refusal_q <= refusal;

      unique case (state_q)
        StCommand: begin
          word_q <= '0;
          if (take_beat) begin
            command_q <= '{tag: s_axis_tdata[15:8], slot: s_axis_tdata[7:4],
                           op: s_axis_tdata[3:0]};
            state_q   <= s_axis_tlast ? StStart : StLength;
          end
        end
        StLength: begin
          operand_q <= (command_q.op == CommandPrivate) ? 2'd2 : 2'd0;
          if (take_beat) begin
            {e_bits_q, n_bits_q} <= s_axis_tdata;
            if (s_axis_tlast) state_q <= StStart;
            else state_q <= legal ? StOperands : StDrop;
          end
        end
        StOperands: begin
          if (take_beat) begin
            word_q <= last_word ? '0 : word_q + 10'd1;
            if (last_word) operand_q <= operand_q + 2'd1;
            if (s_axis_tlast) state_q <= StStart;
            else if (last_beat) state_q <= StDrop;
          end
        end
        StDrop:  if (take_beat && s_axis_tlast) state_q <= StStart;
        StStart: state_q <= StRun;
        StRun: begin
          word_q <= '0;
          if (!busy) begin
            data_q  <= {16'd0, command_q.tag, code};
            user_q  <= code != ErrNone;
            state_q <= StStatus;
          end
        end
        StStatus:  if (send_beat) state_q <= has_result ? StRead : StCommand;
        StRead:    state_q <= StCapture;
        StCapture: begin
          data_q  <= win_rdata & {32{code == ErrNone}};
          user_q  <= win_error || code != ErrNone;
          state_q <= StWord;
        end
        StWord: begin
          if (send_beat) begin
            word_q  <= word_q + 10'd1;
            state_q <= last_word ? StCommand : StRead;
          end
        end
        default: state_q <= StCommand;
      endcase
    end
  end

  // ---------------------------------------------------------------- engine

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
    .start_i       (state_q == StStart && refusal_q == ErrNone && !disturbed),
    .abort_i       (abort_i),
    .zeroize_slot_i(1'b0),
    .zeroize_all_i (zeroize_all_i),
    .lock_i        (1'b0),
    .op_i          (command_q.op),
    .slot_i        (command_q.slot),
    .n_bits_i      (n_bits_q),
    .e_bits_i      (e_bits_q),
    .busy_o        (busy),
    .wiping_o      (wiping),
    .done_o        (done),
    .error_o       (error),
    .slots_valid_o (slots_valid_o),
    .cycles_o      (cycles_o),
    .done_event_o  (done_event),
    .error_event_o (error_event),
    .alert_event_o (alert_o),
    .phase_o       (phase_o),
    .win_valid_i   (win_valid),
    .win_write_i   (state_q == StOperands),
    .win_addr_i    (win_addr),
    .win_wdata_i   (s_axis_tdata),
    .win_rvalid_o  (win_rvalid),
    .win_rdata_o   (win_rdata),
    .win_error_o   (win_error),
    .random_valid_i(random_valid_i),
    .random_ready_o(random_ready_o),
    .random_i      (random_i)
  );

  assign busy_o = busy;

  // Not used: the end is seen by busy, and a window answers in the next cycle.
  logic unused_events;
  assign unused_events = ^{wiping, done_event, error_event, win_rvalid};

endmodule
