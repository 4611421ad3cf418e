// SPDX-License-Identifier: Apache-2.0
//
// The RSA engine's variables, commands, segments and parameters. The counts of turns and checks are
// those of its micro-program's rows (scripts/make_programs.py).

package mf_rsa_pkg;

  import mf_derivation_pkg::*;
  import mf_engine_pkg::*;

  /// Values of op_i.
  localparam logic [3:0] CommandLoad    = 4'd1;
  localparam logic [3:0] CommandPrivate = 4'd2;
  // 3 and 5 are x^e mod n in a time that depends on e.
  localparam logic [3:0] CommandFull    = 4'd4;   // x^e mod n by a window
  localparam logic [3:0] CommandModexp  = 4'd5;
  localparam logic [3:0] CommandSetup   = 4'd6;   // of n alone

  // Variables of a slot.
  localparam variable_t SlotN         = 7'h00;  // p, q
  localparam variable_t SlotD         = 7'h01;  // dP, dQ
  localparam variable_t SlotConstants = 7'h02;  // the multiplier's
  localparam variable_t SlotR1        = 7'h03;  // R mod n
  localparam variable_t SlotR2        = 7'h04;  // R^2 mod n
  localparam variable_t SlotShift     = 7'h05;  // 2^L R^2 mod n
  localparam variable_t SlotVf        = 7'h06;  // of the blinding pair: vi^-e R mod n
  localparam variable_t SlotVi        = 7'h07;  // of the blinding pair: vi
  localparam variable_t SlotM         = 7'h08;  // p q, full
  localparam variable_t SlotQInv      = 7'h09;  // of p: qInv R mod p; of q: e
  localparam int unsigned SlotVariables = 10;
  // SlotConstants and SlotR2 of p q, in engines that check modulo n.
  localparam variable_t SlotFullConstants = 7'h0a;  // full
  localparam variable_t SlotFullR2        = 7'h0b;  // full
  localparam int unsigned FullVariables = 2;
  // floor(2^(bits(n) + Scale + 2) / n) of n and of p q, 64 bits, for results below 2^(Scale + 1) n.
  localparam variable_t SlotEstimate     = 7'h0c;
  localparam variable_t SlotFullEstimate = 7'h0d;  // full
  localparam int unsigned EstimateVariables = 2;

  // Variables of the work area. The result is the first one.
  localparam variable_t WorkY = 7'h20;  // result, full
  localparam variable_t WorkA = 7'h21;
  localparam variable_t WorkB = 7'h22;
  localparam variable_t WorkT = 7'h23;  // of reductions
  localparam variable_t WorkM = 7'h24;  // m1, m2; s^e in the domain
  localparam variable_t WorkC = 7'h25;  // value before its domain, full
  localparam variable_t WorkX = 7'h26;  // value in its domain
  localparam variable_t WorkH = 7'h27;
  localparam variable_t WorkP = 7'h28;  // wide: products, exponents; two variables
  localparam variable_t WorkK = 7'h2a;  // k of the exponents; estimates of quotients
  localparam variable_t WorkS = 7'h2b;  // message of the self-test, full
  localparam int unsigned WorkVariables = 12;

  // Variables of the host.
  localparam variable_t HostX    = 7'h40;  // full
  localparam variable_t HostN    = 7'h41;  // full
  localparam variable_t HostE    = 7'h42;  // full
  localparam variable_t HostPq   = 7'h43;
  localparam variable_t HostD    = 7'h44;
  localparam variable_t HostQInv = 7'h45;
  localparam int unsigned HostVariables = 6;

  // Operations on one modulus take the last slot, and all variables full.

  /// Values of Check.
  localparam int unsigned CheckPq   = 0;
  localparam int unsigned CheckN    = 1;
  localparam int unsigned CheckBoth = 2;

  // ---------------------------------------------------------------- parameters

  // Of a multiplier's constant: steps over the bits of n make it; m is computed; the steps' result
  // is not yet the constant.
  function automatic logic has_steps(input int unsigned kind);
    return kind != NoConstant && kind != RaisedConstant;
  endfunction

  function automatic logic has_inverse(input int unsigned kind);
    return kind == InverseConstant || kind == WordsConstant;
  endfunction

  function automatic logic is_made(input int unsigned kind);
    return kind != NoConstant && kind != ScaledConstant;
  endfunction

  /// The parameters of mf_rsa, which makes this value from integers: tools take no other ones for a
  /// top.
  typedef struct packed {
    int unsigned bits;
    int unsigned min_bits;
    int unsigned window;
    int unsigned halves;
    int unsigned eblind;
    int unsigned slots;
    int unsigned word_w;         // A
    bit          table_block;
    bit          table_words;
    bit          has_full;       // Public
    int unsigned check;
    int unsigned watchdog_bits;
    multiplier_t half;
    multiplier_t full;
  } config_t;

  function automatic int unsigned half_bits(input int unsigned bits);
    return (bits + 1) / 2;
  endfunction

  function automatic int unsigned exponent_bits(input int unsigned bits, eblind);
    return larger(half_bits(bits) + eblind, 40);
  endfunction

  function automatic int unsigned full_exponent_bits(input int unsigned bits);
    return larger(bits, 40);
  endfunction

  function automatic int unsigned larger(input int unsigned a, b);
    return (a > b) ? a : b;
  endfunction

  function automatic engine_t engine_of(input config_t c);
    engine_t     e;
    int unsigned scale, bits, exponent;
    logic        unused;
    unused = ^c;  // fields that are not needed here
    scale  = larger(c.half.scale, c.full.scale);
    // A value of a half holds k (64 bits); a half's value with two bits more for sums, or results
    // of a scaled multiplier; the constants; the product whose upper part estimates a quotient.
    bits = larger(larger(half_bits(c.bits) + 2 + scale, 64), c.half.constant_bits);
    if (c.has_full) bits = larger(bits, (c.full.constant_bits + 1) / 2);
    if (scale != 0) bits = larger(bits, 2 * scale + 6);
    e.words          = (bits + c.word_w - 1) / c.word_w;
    e.e_words        = e.words + c.eblind / c.word_w;
    exponent         = exponent_bits(c.bits, c.eblind);
    if (c.has_full) exponent = larger(exponent, full_exponent_bits(c.bits));
    e.length_w       = $clog2(exponent + c.window + 1);
    e.slot_variables = SlotVariables;
    if (scale != 0) e.slot_variables += FullVariables + EstimateVariables;
    else if (c.check != CheckPq) e.slot_variables += FullVariables;
    e.keys           = c.slots;
    e.slots          = c.slots + 32'(c.has_full);
    e.work_variables = WorkVariables;
    e.host_kept      = 2;  // X and N
    e.halves         = c.halves;
    e.exponentiators = c.halves + 32'(c.has_full);
    e.word_w         = c.word_w;
    e.main_depth     = (e.slots * e.slot_variables + WorkVariables) * 2 * e.words;
    e.host_depth     = HostVariables * 2 * e.words;
    // Indices into a vector go up to 2^16 / word_w words beyond it.
    e.addr_w         = larger($clog2(e.main_depth), 12) + 1;
    e.watchdog_bits  = c.watchdog_bits;
    e.half           = c.half;
    e.full           = c.full;
    e.variables      = '{
      modulus: SlotN, full_modulus: SlotM, estimate: SlotEstimate,
      full_estimate: SlotFullEstimate, rest: WorkT, quotient: WorkK, message: HostX,
      test_message: WorkS
    };
    return e;
  endfunction

  // ---------------------------------------------------------------- rendered

  // Products of a private operation modulo q, beside its window and public power; by Check.
  localparam int unsigned ProductsOfQ[3] = '{12, 7, 12};
  // Modulo p.
  localparam int unsigned ProductsOfP[3] = '{13, 8, 13};
  // Modulo n, of full width.
  localparam int unsigned ProductsOfN[3] = '{0, 2, 2};
  // Powers by e modulo p, and modulo q.
  localparam int unsigned PublicPowers[3] = '{1, 0, 1};
  // Checks that each outcome code counts in a private operation.
  localparam int unsigned PrivateChecks[3] = '{5, 4, 6};
  // The same in an operation on one modulus.
  localparam int unsigned PowerChecks = 1;

  // ---------------------------------------------------------------- steps

  typedef enum logic [1:0] {GoMul, GoKeep, GoWindow, GoPublic} go_e;

  /// Amounts of bits.
  typedef enum logic [2:0] {
    AmountL,     // L = ceil(n_bits / 2); n_bits if n is one modulus
    AmountTop,   // L - 1
    AmountNTop,  // n_bits - 1
    AmountD,     // L + Eblind
    AmountE,     // e_bits
    AmountOne,
    Amount32,
    Amount64
  } amount_e;

  typedef enum logic [4:0] {
    SegLoad, SegKey, SegSetup, SegInverse, SegInverseEnd, SegPowers, SegDouble, SegSquare, SegPair,
    SegConstant, SegDraw, SegPrivate, SegHalf, SegEnter, SegGarner, SegCheck, SegCheckHalf,
    SegModulus, SegPower, SegWindow, SegPublic, SegPublicPower, SegDigits, SegFull, SegCheckFull,
    SegScale, SegEstimate, SegReenter, SegInverses, SegRemainder
  } segment_e;

  /// How often a segment is called.
  typedef enum logic [4:0] {
    TimesOnce,        // for both halves
    TimesHalves,      // for one half after the other, if there is one exponentiator
    TimesDouble,      // log2 R - L
    TimesEstimate,    // Scale + 2
    TimesSquare,      // bits of log2 R below the highest
    TimesBit,         // once if the bit of log2 R of this SegSquare is 1, else not at all
    TimesInverse,     // InverseBits; with a signed m one less
    TimesInverseEnd,  // once with a signed m
    TimesConstant,    // once if the multiplier takes n + 1, m or n 2^InverseBits + m
    TimesSetup,       // once if n is new
    TimesPower,       // once but for CommandSetup
    TimesWindow,      // once for CommandFull
    TimesPublic,      // once but for CommandFull
    TimesFull,        // once, with all variables full, if results are checked modulo n
    TimesNonzero,     // once if the words compared last were not equal
    TimesRenew,       // once if the blinding pair is worn out
    Times32
  } times_e;

  /// Values of phase_o while rows are executed: the part of an operation that the host reads.
  typedef enum logic [3:0] {
    PhaseLoad = 4'd2, PhaseConstants = 4'd3, PhaseEnter = 4'd4, PhaseBlind = 4'd5,
    PhasePower = 4'd6, PhaseRenew = 4'd7, PhaseRecombine = 4'd8, PhaseCheck = 4'd9
  } phase_e;

  // ---------------------------------------------------------------- commands

  function automatic kind_t kind_of(input logic [3:0] op, input logic has_full);
    kind_t kind;
    kind.legal       = op >= CommandLoad && op <= (has_full ? CommandSetup : CommandPrivate);
    kind.loads       = op == CommandLoad;
    kind.one_modulus = has_full && !(op inside {CommandLoad, CommandPrivate});
    kind.has_result  = op inside {[CommandPrivate:CommandModexp]};
    kind.wipes_host  = op inside {CommandLoad, CommandFull};
    kind.segment     = (op == CommandLoad) ? SegLoad
                     : (op == CommandPrivate) ? SegPrivate : SegModulus;
    return kind;
  endfunction

endpackage
