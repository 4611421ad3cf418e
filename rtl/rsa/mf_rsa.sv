// SPDX-License-Identifier: Apache-2.0
//
// RSA engine: the private operation y = x^d mod n with CRT on two half-width exponentiators,
// blinded, and checked before the result can be read.
//
// Source:   montforge; CRT after Quisquater and Couvreur (1982), blinding after Kocher (1996),
//           check of the result after Boneh, DeMillo, Lipton (1997).
// Multiplier: module mf_rsa_multiplier, of width ceil(Bits / 2), with the packed ports of
//           mf_modexp_multiplier; closed, R = 2^RExponent, fixed latency.
// Key:      p, q, dP, dQ, qInv in the key windows, n and e in the windows N and E, n_bits_i. Load
//           copies them to a slot, checks them, computes R, R^2, 2^L R^2 and the multiplier's
//           constants for p and q, draws the blinding pairs, and signs and checks a random message.
//           All checks are exact, that of e dP = 1 mod p - 1 too, but for one: the signed message
//           is a single Fermat test of p and of q.
// Private:  L = ceil(n_bits / 2), c = c1 2^L + c0; for p, and likewise for q:
//           x = MonPro(c1, 2^L R^2) + MonPro(c0, R^2), x = MonPro(x, vf), t = x^(d + k (p - 1)) by
//           a window, m1 = MonPro(t, vi), a new pair (vf^2, vi^2); y = m2 + q h for
//           h = (m1 - m2) qInv mod p.
//           Then y < n, p q = n, and y^e = c modulo p and modulo q, or by the third exponentiator
//           modulo n, or both (Check). For the check c is read again from the host's memory, where
//           the datapath can write zeros only.
// Errors:   mf_engine_pkg::error_e. After a fault the key is overwritten, and its slot answers
//           USE until it is loaded or zeroized.
// Window:   byte addresses, 32-bit words, little-endian; win_rdata_o, win_rvalid_o and win_error_o
//           come in the next cycle. A value is written over its whole window.
//           1000 X (write), 1200 E (write), 1400 Y (read), 1600 N, 2000 key (write): p, q, dP, dQ,
//           qInv, each ceil(Bits / 2) bits rounded up to words. Y is 0 unless the result is
//           released.
// Memories: words carry check bits from the window to the last use, and from the result to the
//           window (mf_engine_memory). Reset, abort, an error and the end overwrite all secrets.
// Clocks:   with HalfClock above 1 the exponentiators are on half_clk_i, which has HalfClock cycles
//           in one of clk_i, with rising edges in line. clk_i then samples registers of half_clk_i
//           in each cycle, and half_clk_i those of clk_i in the last of its HalfClock cycles.
// Latency:  1362 turns for Bits = 2048, Window = 5, Eblind = 64, Halves = 2, and word operations;
//           depends on n_bits_i, e and the random source's pauses, not on data or keys.

module mf_rsa
  import mf_engine_pkg::*;
  import mf_rsa_pkg::*;
#(
  /// Bits of the widest n; 32 to 4096.
  parameter int unsigned Bits            = 2048,
  /// Bits of the shortest n; 16 to Bits.
  parameter int unsigned MinBits         = 512,
  /// Bits of a digit of the window; 2 to 6.
  parameter int unsigned Window          = 5,
  /// Exponentiators: 2, or 1 for p and q one after the other.
  parameter int unsigned Halves          = 2,
  /// Bits of the exponents' blinding; 0 or 64.
  parameter int unsigned Eblind          = 64,
  /// Keys; 1 to 16.
  parameter int unsigned Slots           = 1,
  /// Bits of a word; 32 or 64.
  parameter int unsigned A               = 32,
  /// log2 R of the multiplier.
  parameter int unsigned RExponent       = Bits / 2 + 2,
  /// Multiplier's constant, of mf_derivation_pkg: 0 none; of m = -n^-1 mod 2^InverseBits 1 m,
  /// 2 (n m + 1) / 2^InverseBits, 4 n 2^InverseBits + m; 3 n + 1, with InverseBits = 1.
  parameter int unsigned ConstantKind    = 0,
  /// 1 to 8192.
  parameter int unsigned InverseBits     = 1,
  /// m is in two's complement.
  parameter bit          InverseSigned   = 1'b0,
  /// Bits of the multiplier's constants; at least 1.
  parameter int unsigned ConstantBits    = 1,
  /// Bits of an operand's sum vector (of the operand itself, if binary).
  parameter int unsigned SumBits         = Bits / 2 + 1,
  /// Bits of an operand's carry vector; 0: binary.
  parameter int unsigned CarryBits       = 0,
  parameter int unsigned ResultSumBits   = SumBits,
  parameter int unsigned ResultCarryBits = CarryBits,
  /// Results are signed, |v| < n.
  parameter bit          Signed          = 1'b0,
  /// Subtractions of n that make a result below n, after n is added to a negative one; 0 to 6.
  parameter int unsigned Corrections     = 1,
  /// Results are below 2^(Scale + 1) n, and subtracting n times an estimate of their quotient by n
  /// comes before the one correction; 1 to 61, 0: they need none.
  parameter int unsigned Scale           = 0,
  /// The exponentiators' tables are block RAM of an FPGA.
  parameter bit          TableBlock      = 1'b0,
  /// The tables are memories of words; for binary operands.
  parameter bit          TableWords      = 1'b0,
  /// Cycles of half_clk_i in one of clk_i; 1 to 4. 1: all is on clk_i, half_clk_i is not used.
  parameter int unsigned HalfClock       = 1,
  /// Block of the word unit's products: 0 cells, 1 DSP48E2, 2 ECP5 MULT18X18D.
  parameter int unsigned Block           = 0,
  /// A third exponentiator, of full width, for operations on one modulus.
  parameter bit          Public          = 1'b0,
  /// Options of its multiplier.
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
  parameter int unsigned Check                 = 0,
  /// log2 of the cycles after which a step has failed: more than the longest power takes; by
  /// default than with turns of 4 w + 64 cycles for a multiplier of w bits; 1 to 64.
  parameter int unsigned WatchdogBits =
      $clog2((4 * (Public ? Bits : (Bits + 1) / 2) + 64) *
             (2 * (Public ? Bits : (Bits + 1) / 2) + 192)) + 1
) (
  input  logic        clk_i,
  /// The exponentiators' clock, with HalfClock above 1.
  input  logic        half_clk_i,
  input  logic        rst_ni,

  input  logic        start_i,
  input  logic        abort_i,
  /// At any time: slot slot_i, or all slots, are not valid from the next cycle on; an operation
  /// under way ends with ErrAborted, a wipe is finished; then the slot, or all memories, are
  /// overwritten.
  input  logic        zeroize_slot_i,
  input  logic        zeroize_all_i,
  /// 1 load, 2 private; with Public 3 and 5 x^e mod n in a time that depends on e, 4 in a time that
  /// depends on e_bits_i, 6 set-up of n alone (3 to 5 do it if n is new).
  input  logic [3:0]  op_i,
  input  logic [3:0]  slot_i,
  input  logic [15:0] n_bits_i,
  /// Bits of e of the operations 3 to 5, at most Bits.
  input  logic [15:0] e_bits_i,
  /// The key windows can't be written.
  input  logic        lock_i,

  output logic        busy_o,
  output logic        wiping_o,
  output logic        done_o,
  output logic [7:0]  error_o,
  output logic [15:0] slots_valid_o,
  /// Cycles of the last operation.
  output logic [31:0] cycles_o,
  /// 0 idle, 1 wipe, 2 load and its checks, 3 constants, 4 reduce and enter, 5 blind,
  /// 6 exponentiate, 7 leave and renew, 8 recombine, 9 check, 10 release.
  output logic [3:0]  phase_o,
  output logic        done_event_o,
  output logic        error_event_o,
  output logic        alert_event_o,

  input  logic        win_valid_i,
  input  logic        win_write_i,
  input  logic [15:0] win_addr_i,
  input  logic [31:0] win_wdata_i,
  output logic        win_rvalid_o,
  output logic [31:0] win_rdata_o,
  output logic        win_error_o,

  input  logic        random_valid_i,
  output logic        random_ready_o,
  input  logic [31:0] random_i
);

  if (Bits < 32 || Bits > 4096) begin : gen_illegal_bits
    $fatal(1, "mf_rsa: Bits must be 32 to 4096");
  end
  if (MinBits < 16 || MinBits > Bits) begin : gen_illegal_min_bits
    $fatal(1, "mf_rsa: MinBits must be 16 to Bits");
  end
  if (Window < 2 || Window > 6) begin : gen_illegal_window
    $fatal(1, "mf_rsa: Window must be 2 to 6");
  end
  if (Halves != 1 && Halves != 2) begin : gen_illegal_halves
    $fatal(1, "mf_rsa: Halves must be 1 or 2");
  end
  if (Eblind != 0 && Eblind != 64) begin : gen_illegal_eblind
    $fatal(1, "mf_rsa: Eblind must be 0 or 64");
  end
  if (Slots < 1 || Slots > 16) begin : gen_illegal_slots
    $fatal(1, "mf_rsa: Slots must be 1 to 16");
  end
  if (A != 32 && A != 64) begin : gen_illegal_a
    $fatal(1, "mf_rsa: A must be 32 or 64");
  end
  if ($signed(SumBits) < 1) begin : gen_illegal_sum_bits
    $fatal(1, "mf_rsa: SumBits must be at least 1");
  end
  if ($signed(ConstantBits) < 1) begin : gen_illegal_constant_bits
    $fatal(1, "mf_rsa: ConstantBits must be at least 1");
  end
  if (Public && $signed(PublicSumBits) < 1) begin : gen_illegal_public_sum_bits
    $fatal(1, "mf_rsa: PublicSumBits must be at least 1");
  end
  if (Public && $signed(PublicConstantBits) < 1) begin : gen_illegal_public_constant_bits
    $fatal(1, "mf_rsa: PublicConstantBits must be at least 1");
  end
  if (WatchdogBits < 1 || WatchdogBits > 64) begin : gen_illegal_watchdog
    $fatal(1, "mf_rsa: WatchdogBits must be 1 to 64");
  end
  if (HalfClock < 1 || HalfClock > 4) begin : gen_illegal_half_clock
    $fatal(1, "mf_rsa: HalfClock must be 1 to 4");
  end
  if (ConstantKind > 4) begin : gen_illegal_constants
    $fatal(1, "mf_rsa: ConstantKind must be 0 to 4");
  end
  if (InverseBits < 1 || InverseBits > 8192) begin : gen_illegal_inverse
    $fatal(1, "mf_rsa: InverseBits must be 1 to 8192");
  end
  if (Corrections > 6) begin : gen_illegal_corrections
    $fatal(1, "mf_rsa: Corrections must be 0 to 6");
  end
  if (PublicConstantKind > 4) begin : gen_illegal_public_constants
    $fatal(1, "mf_rsa: PublicConstantKind must be 0 to 4");
  end
  if (PublicInverseBits < 1 || PublicInverseBits > 8192) begin : gen_illegal_public_inverse
    $fatal(1, "mf_rsa: PublicInverseBits must be 1 to 8192");
  end
  if (PublicCorrections > 6) begin : gen_illegal_public_corrections
    $fatal(1, "mf_rsa: PublicCorrections must be 0 to 6");
  end
  if (Scale > 61 || (Scale != 0 && (Signed || Corrections != 1))) begin : gen_illegal_scale
    $fatal(1, "mf_rsa: Scale must be 0 to 61; 0 if Signed or Corrections != 1");
  end
  if (PublicScale > 61 || (PublicScale != 0 && (PublicSigned || PublicCorrections != 1)))
  begin : gen_illegal_public_scale
    $fatal(1, "mf_rsa: PublicScale must be 0 to 61; 0 if PublicSigned or PublicCorrections != 1");
  end
  if (Check > (Public ? CheckBoth : CheckPq)) begin : gen_illegal_check
    $fatal(1, "mf_rsa: Check must be 0 to 2, and 0 without Public");
  end

  // Where parameters are illegal, sizes are small, so that elaboration gets to the message.
  localparam bit      BitsLegal = Bits >= 32 && Bits <= 4096;
  localparam config_t Config    = '{
    bits: BitsLegal ? Bits : 32, min_bits: MinBits, window: Window,
    halves: (Halves == 1) ? 1 : 2, eblind: Eblind, slots: Slots, word_w: (A == 64) ? 64 : 32,
    table_block: TableBlock, table_words: TableWords, has_full: Public,
    check: (Check > CheckBoth) ? CheckPq : Check,
    watchdog_bits: (WatchdogBits < 1 || WatchdogBits > 64) ? 1 : WatchdogBits,
    half: '{
      r_exponent: RExponent, constant_kind: ConstantKind, inverse_bits: InverseBits,
      inverse_signed: InverseSigned,
      constant_bits: ($signed(ConstantBits) < 1) ? 1 : ConstantBits,
      sum_bits: (BitsLegal && $signed(SumBits) > 0) ? SumBits : 17,
      carry_bits: CarryBits, result_sum_bits: ResultSumBits, result_carry_bits: ResultCarryBits,
      has_sign: Signed, corrections: Corrections, scale: Scale
    },
    full: '{
      r_exponent: PublicRExponent, constant_kind: PublicConstantKind,
      inverse_bits: PublicInverseBits, inverse_signed: PublicInverseSigned,
      constant_bits: ($signed(PublicConstantBits) < 1) ? 1 : PublicConstantBits,
      sum_bits: (BitsLegal && $signed(PublicSumBits) > 0) ? PublicSumBits : 33,
      carry_bits: PublicCarryBits,
      result_sum_bits: PublicResultSumBits, result_carry_bits: PublicResultCarryBits,
      has_sign: PublicSigned, corrections: PublicCorrections, scale: PublicScale
    }
  };
  localparam engine_t     Engine    = engine_of(Config);
  localparam int unsigned AddrW     = Engine.addr_w;
  localparam int unsigned MainAddrW = $clog2(Engine.main_depth);
  localparam int unsigned HostAddrW = $clog2(Engine.host_depth);
  localparam int unsigned WordW     = Engine.word_w;
  localparam int unsigned Lanes     = WordW / 32;
  localparam int unsigned Exponentiators = Engine.exponentiators;

  // ---------------------------------------------------------------- memories

  logic [1:0][AddrW-1:0]  words_rd_addr;
  logic [1:0][WordW-1:0]  main_data, host_data;
  logic [1:0][Lanes-1:0][7:0] main_check, host_check;
  logic                   main_write, host_write;
  logic [AddrW-1:0]       wr_addr;
  logic [WordW-1:0]       wr_data;
  logic [1:0][MainAddrW-1:0] main_rd_addr;
  logic [1:0][HostAddrW-1:0] host_rd_addr;
  logic [Lanes-1:0]       host_wr_en;
  logic [HostAddrW-1:0]   host_wr_addr;
  logic [WordW-1:0]       host_wr_data;

  mf_engine_memory #(.Width(WordW), .Depth(Engine.main_depth)) u_main (
    .clk_i     (clk_i),
    .wr_en_i   ({Lanes{main_write}}),
    .wr_addr_i (wr_addr[MainAddrW-1:0]),
    .wr_data_i (wr_data),
    .rd_addr_i (main_rd_addr),
    .rd_data_o (main_data),
    .rd_check_o(main_check)
  );

  mf_engine_memory #(.Width(WordW), .Depth(Engine.host_depth)) u_host (
    .clk_i     (clk_i),
    .wr_en_i   (host_wr_en),
    .wr_addr_i (host_wr_addr),
    .wr_data_i (host_wr_data),
    .rd_addr_i (host_rd_addr),
    .rd_data_o (host_data),
    .rd_check_o(host_check)
  );

  // ---------------------------------------------------------------- windows

  localparam int unsigned ResultUnit = Units * Engine.slots * Engine.slot_variables;
  localparam window_t [3:0] Windows  = '{
    '{page: 7'h08, unit: Units * 32'(HostX[4:0]), writable: 1'b1, default: '0},
    '{page: 7'h09, unit: Units * 32'(HostE[4:0]), writable: 1'b1, default: '0},
    '{page: 7'h0a, unit: ResultUnit, readable: 1'b1, result: 1'b1, default: '0},
    '{page: 7'h0b, unit: Units * 32'(HostN[4:0]), writable: 1'b1, readable: 1'b1, modulus: 1'b1,
      default: '0}
  };

  logic             window_write, modulus_write, occupied, release_result;
  logic [AddrW-1:0] window_addr;
  logic [Lanes-1:0] window_lane;

  mf_engine_windows #(
    .Engine (Engine),
    .Bits   (Config.bits),
    .Windows(4),
    .Table  (Windows),
    .KeyUnit(Units * 32'(HostPq[4:0]))
  ) u_windows (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .win_valid_i    (win_valid_i),
    .win_write_i    (win_write_i),
    .win_addr_i     (win_addr_i),
    .win_rvalid_o   (win_rvalid_o),
    .win_rdata_o    (win_rdata_o),
    .win_error_o    (win_error_o),
    .occupied_i     (occupied),
    .lock_i         (lock_i),
    .release_i      (release_result),
    .write_o        (window_write),
    .modulus_write_o(modulus_write),
    .addr_o         (window_addr),
    .lane_o         (window_lane),
    .main_data_i    (main_data[0]),
    .main_check_i   (main_check[0]),
    .host_data_i    (host_data[0]),
    .host_check_i   (host_check[0])
  );

  assign main_rd_addr[0] = occupied ? words_rd_addr[0][MainAddrW-1:0] : window_addr[MainAddrW-1:0];
  assign main_rd_addr[1] = words_rd_addr[1][MainAddrW-1:0];
  assign host_rd_addr[0] = occupied ? words_rd_addr[0][HostAddrW-1:0] : window_addr[HostAddrW-1:0];
  assign host_rd_addr[1] = words_rd_addr[1][HostAddrW-1:0];
  assign host_wr_en      = {Lanes{host_write}} | (window_lane & {Lanes{window_write}});
  assign host_wr_addr    = host_write ? wr_addr[HostAddrW-1:0] : window_addr[HostAddrW-1:0];
  assign host_wr_data    = host_write ? wr_data : {Lanes{win_wdata_i}};

  // ---------------------------------------------------------------- control and word unit

  logic                    words_start, words_stop, words_busy, flag, borrow, odd, top;
  logic                    integrity, random_error, random_waits, result_write_q, z_host;
  word_e                   words_op, load_kind;
  logic [AddrW-1:0]        z_base, z_len, x_base, x_len, y_base, y_len;
  logic [1:0]              x_kind, y_kind;
  logic [15:0]             amount;
  logic                    load, load_first, store, nonzero;
  localparam int unsigned HalfW = (Exponentiators > 1) ? $clog2(Exponentiators) : 1;
  logic [HalfW-1:0]        half;
  logic [WordW-1:0]            word_x, word_y;
  // What of data time may follow: a public exponent, and whether one is zero.
  logic [WordW-1:0]            public_word;
  logic                        public_nonzero;
  logic [Exponentiators-1:0] go, half_busy, half_rst_n;
  logic [Exponentiators-1:0][WordW-1:0] half_word;
  logic [Exponentiators-1:0][15:0] turns;
  go_t                     fn;
  logic [Engine.length_w-1:0] length;

  kind_t          next_kind;
  program_state_t state;
  program_event_t events;
  program_row_t   row;
  program_value_t value;
  logic [15:0]    n_bits;
  logic           waits;

  assign public_word    = word_x & {WordW{load && load_kind == WordLoadPublic}};
  assign public_nonzero = nonzero && row.kind.one_modulus && state.times == TimesNonzero;

  mf_rsa_program #(
    .Config(Config)
  ) u_program (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .next_op_i       (op_i),
    .next_kind_o     (next_kind),
    .state_i         (state),
    .event_i         (events),
    .n_bits_i        (n_bits),
    .waits_i         (waits),
    .row_o           (row),
    .value_o         (value),
    .public_nonzero_i(public_nonzero),
    .exponent_valid_i(load && load_kind == WordLoadPublic && load_first),
    .exponent_i      (public_word[31:0]),
    .turns_i         (turns)
  );

  mf_engine_control #(
    .Engine(Engine)
  ) u_control (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .start_i       (start_i),
    .abort_i       (abort_i),
    .zeroize_slot_i(zeroize_slot_i),
    .zeroize_all_i (zeroize_all_i),
    .op_i          (op_i),
    .slot_i        (slot_i),
    .n_bits_i      (n_bits_i),
    .e_bits_i      (e_bits_i),
    .n_write_i     (modulus_write),
    .busy_o        (busy_o),
    .occupied_o    (occupied),
    .wiping_o      (wiping_o),
    .done_o        (done_o),
    .error_o       (error_o),
    .slots_valid_o (slots_valid_o),
    .cycles_o      (cycles_o),
    .phase_o       (phase_o),
    .done_event_o  (done_event_o),
    .error_event_o (error_event_o),
    .alert_event_o (alert_event_o),
    .release_o     (release_result),
    .words_start_o (words_start),
    .words_stop_o  (words_stop),
    .words_op_o    (words_op),
    .z_base_o      (z_base),
    .z_len_o       (z_len),
    .z_host_o      (z_host),
    .x_base_o      (x_base),
    .x_len_o       (x_len),
    .x_kind_o      (x_kind),
    .y_base_o      (y_base),
    .y_len_o       (y_len),
    .y_kind_o      (y_kind),
    .amount_o      (amount),
    .flag_o        (flag),
    .words_busy_i  (words_busy),
    .borrow_i      (borrow),
    .nonzero_i     (nonzero),
    .odd_i         (odd),
    .top_i         (top),
    .integrity_i   (integrity),
    .random_error_i(random_error),
    .random_waits_i(random_waits),
    .result_write_i(result_write_q),
    .half_rst_no   (half_rst_n),
    .half_o        (half),
    .go_o          (go),
    .fn_o          (fn),
    .length_o      (length),
    .half_busy_i   (half_busy),
    .next_kind_i   (next_kind),
    .state_o       (state),
    .event_o       (events),
    .n_bits_o      (n_bits),
    .waits_o       (waits),
    .row_i         (row),
    .value_i       (value)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) result_write_q <= 1'b0;
    else result_write_q <= main_write &&
                           32'(wr_addr[MainAddrW-1:0]) >= ResultUnit * Engine.words &&
                           32'(wr_addr[MainAddrW-1:0]) < (ResultUnit + Units) * Engine.words;
  end

  // Places beyond the memories are not used.
  logic unused_bits;
  assign unused_bits = ^{wr_addr, window_addr, words_rd_addr};

  mf_engine_words #(.WordW(WordW), .AddrW(AddrW), .Block(Block)) u_words (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .start_i       (words_start),
    .stop_i        (words_stop),
    .op_i          (words_op),
    .z_base_i      (z_base),
    .z_len_i       (z_len),
    .z_host_i      (z_host),
    .x_base_i      (x_base),
    .x_len_i       (x_len),
    .x_kind_i      (x_kind),
    .y_base_i      (y_base),
    .y_len_i       (y_len),
    .y_kind_i      (y_kind),
    .amount_i      (amount),
    .flag_i        (flag),
    .busy_o        (words_busy),
    .borrow_o      (borrow),
    .nonzero_o     (nonzero),
    .odd_o         (odd),
    .top_o         (top),
    .integrity_o   (integrity),
    .rd_addr_o     (words_rd_addr),
    .main_data_i   (main_data),
    .main_check_i  (main_check),
    .host_data_i   (host_data),
    .host_check_i  (host_check),
    .main_write_o  (main_write),
    .host_write_o  (host_write),
    .wr_addr_o     (wr_addr),
    .wr_data_o     (wr_data),
    .load_o        (load),
    .load_first_o  (load_first),
    .load_kind_o   (load_kind),
    .word_x_o      (word_x),
    .word_y_o      (word_y),
    .store_o       (store),
    .store_word_i  (half_word[half]),
    .random_valid_i(random_valid_i),
    .random_ready_o(random_ready_o),
    .random_i      (random_i),
    .random_error_o(random_error),
    .random_waits_o(random_waits)
  );

  // ---------------------------------------------------------------- exponentiators

  logic half_clk, half_step;  // half_step: half_clk's cycle ends with one of clk_i

  if (HalfClock == 1) begin : gen_one_clock
    logic unused_clock;
    assign unused_clock = half_clk_i;
    assign half_clk     = clk_i;
    assign half_step    = 1'b1;
  end else begin : gen_half_clock
    assign half_clk = half_clk_i;

    mf_engine_step #(.Ratio((HalfClock > 4) ? 4 : HalfClock)) u_step (
      .slow_clk_i(clk_i), .fast_clk_i(half_clk_i), .rst_ni(rst_ni), .step_o(half_step)
    );
  end

  // Those of the halves, then that of full width.
  for (genvar e = 0; e < Exponentiators; e++) begin : gen_exponentiator
    localparam bit Full = e == Config.halves;
    logic          selected_q, go_q, store_q;  // half follows the step, which began cycles before

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        selected_q <= 1'b0;
        go_q       <= 1'b0;
        store_q    <= 1'b0;
      end else begin
        selected_q <= 32'(half) == e;
        go_q       <= go[e];
        store_q    <= store && selected_q;
      end
    end

    mf_rsa_exponentiator #(
      .Full        (Full),
      .Width       (Full ? Config.bits : half_bits(Config.bits)),
      .ExponentBits(Full ? full_exponent_bits(Config.bits)
                         : exponent_bits(Config.bits, Config.eblind)),
      .PublicBits  (Full ? full_exponent_bits(Config.bits) : 32),
      .DigitW      (Window),
      .LengthW     (Engine.length_w),
      .WordW       (WordW),
      .Words       (Full ? 2 * Engine.words : Engine.words),
      .Multiplier  (Full ? Config.full : Config.half),
      .TableBlock  (TableBlock),
      .TableWords  (TableWords)
    ) u_exponentiator (
      .clk_i        (half_clk),
      .rst_ni       (half_rst_n[e]),
      .load_i       (load && selected_q && half_step),
      .load_kind_i  (load_kind),
      .word_x_i     (word_x),
      .word_y_i     (word_y),
      .public_word_i(public_word),
      .load_first_i (load_first),
      .go_i         (go_q && half_step),
      .fn_i         (fn),
      .length_i     (length),
      .busy_o       (half_busy[e]),
      .store_i      (store_q && half_step),
      .word_o       (half_word[e]),
      .turns_clear_i(events.turns_clear && half_step),
      .turns_o      (turns[e])
    );
  end

endmodule
