// SPDX-License-Identifier: Apache-2.0
//
// What the modules of the RSA engine share: codes, operations, the micro-program's words, and the
// counts that montforge.programs.rsa.render_counts takes from its rows; a test compares them.

package mf_rsa_pkg;

  import mf_derivation_pkg::*;

  /// Values of error_o.
  typedef enum logic [7:0] {
    ErrNone           = 8'd0,
    ErrModulusEven    = 8'd1,
    ErrLength         = 8'd2,
    ErrMessage        = 8'd3,
    ErrPrimesEqual    = 8'd4,
    ErrProduct        = 8'd5,
    ErrExponent       = 8'd6,
    ErrPublicExponent = 8'd7,
    ErrQInv           = 8'd8,
    ErrRange          = 8'd9,
    ErrBusy           = 8'd10,
    ErrSlotEmpty      = 8'd11,
    ErrUse            = 8'd12,
    ErrRandom         = 8'd13,
    ErrFault          = 8'd14,
    ErrAborted        = 8'd15,
    ErrOperation      = 8'd16
  } error_e;

  /// Values of op_i.
  localparam logic [3:0] CommandLoad    = 4'd1;
  localparam logic [3:0] CommandPrivate = 4'd2;
  // 3 and 5 are x^e mod n in a time that depends on e.
  localparam logic [3:0] CommandFull    = 4'd4;   // the same by a window
  localparam logic [3:0] CommandModexp  = 4'd5;
  localparam logic [3:0] CommandSetup   = 4'd6;   // of n alone

  /// Variables: two bits of region, five of number. Each is a pair of half-width values, one of p
  /// and one of q, or one value of full width.
  typedef logic [6:0] variable_t;

  // Of the slot.
  localparam variable_t SlotN         = 7'h00;  // p, q
  localparam variable_t SlotD         = 7'h01;  // dP, dQ
  localparam variable_t SlotConstants = 7'h02;  // the multiplier's
  localparam variable_t SlotR1        = 7'h03;  // R mod n
  localparam variable_t SlotR2        = 7'h04;  // R^2 mod n
  localparam variable_t SlotShift     = 7'h05;  // 2^L R^2 mod n
  localparam variable_t SlotVf        = 7'h06;  // blinding pair: vi^-e R mod n
  localparam variable_t SlotVi        = 7'h07;  // and vi
  localparam variable_t SlotM         = 7'h08;  // p q, full
  localparam variable_t SlotQInv      = 7'h09;  // of p: qInv R mod p; of q: e
  localparam int unsigned SlotVariables = 10;
  // The same of p q, in engines that check modulo n.
  localparam variable_t SlotFullConstants = 7'h0a;  // full
  localparam variable_t SlotFullR2        = 7'h0b;  // full
  localparam int unsigned FullVariables = 2;
  // floor(2^(bits(n) + Scale + 2) / n) of n and of p q, 64 bits, for results below 2^(Scale + 1) n.
  localparam variable_t SlotEstimate     = 7'h0c;
  localparam variable_t SlotFullEstimate = 7'h0d;  // full
  localparam int unsigned EstimateVariables = 2;

  // Of the work area. The result is first.
  localparam variable_t WorkY = 7'h20;  // result, full
  localparam variable_t WorkA = 7'h21;
  localparam variable_t WorkB = 7'h22;
  localparam variable_t WorkT = 7'h23;  // of reductions
  localparam variable_t WorkM = 7'h24;  // m1, m2; s^e in the domain
  localparam variable_t WorkC = 7'h25;  // what enters, full
  localparam variable_t WorkX = 7'h26;  // what was entered
  localparam variable_t WorkH = 7'h27;
  localparam variable_t WorkP = 7'h28;  // wide: products, exponents; two variables
  localparam variable_t WorkK = 7'h2a;  // k of the exponents; estimates of quotients
  localparam variable_t WorkS = 7'h2b;  // message of the self-test, full
  localparam int unsigned WorkVariables = 12;

  // Of the host.
  localparam variable_t HostX    = 7'h40;  // full
  localparam variable_t HostN    = 7'h41;  // full
  localparam variable_t HostE    = 7'h42;  // full
  localparam variable_t HostPq   = 7'h43;
  localparam variable_t HostD    = 7'h44;
  localparam variable_t HostQInv = 7'h45;
  localparam int unsigned HostVariables = 6;

  // Small constants.
  localparam variable_t Zero = 7'h60;
  localparam variable_t One  = 7'h61;
  localparam variable_t Two  = 7'h62;

  /// Operations on one modulus take the last slot, and all variables full.
  /// How a variable is taken: the bank's half, all of it, two variables for each bank, the half
  /// of p, that of q, 64 bits of the bank's half.
  typedef enum logic [2:0] {FormHalf, FormFull, FormWide, FormP, FormQ, FormShort} form_e;

  typedef struct packed {
    variable_t name;
    form_e     form;
  } operand_t;

  /// Values of Check.
  localparam int unsigned CheckPq   = 0;
  localparam int unsigned CheckN    = 1;
  localparam int unsigned CheckBoth = 2;

  // ---------------------------------------------------------------- parameters

  /// Facts of a multiplier: the parameters of mf_rsa with these names, or those named Public*.
  typedef struct packed {
    int unsigned r_exponent;
    int unsigned constant_kind;
    int unsigned inverse_bits;
    bit          inverse_signed;
    int unsigned constant_bits;
    int unsigned sum_bits;
    int unsigned carry_bits;
    int unsigned result_sum_bits;
    int unsigned result_carry_bits;
    bit          has_sign;
    int unsigned corrections;
    int unsigned scale;
  } multiplier_t;

  /// The constant takes steps with the bits of n; is made of m; is not the steps' result alone.
  function automatic logic has_steps(input int unsigned kind);
    return kind != NoConstant && kind != RaisedConstant;
  endfunction

  function automatic logic has_inverse(input int unsigned kind);
    return kind == InverseConstant || kind == WordsConstant;
  endfunction

  function automatic logic is_made(input int unsigned kind);
    return kind != NoConstant && kind != ScaledConstant;
  endfunction

  /// The parameters of mf_rsa; it makes the one value, as tools take only integers for a top.
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

  /// What follows from a config_t: sizes of memories, addresses and lengths.
  typedef struct packed {
    int unsigned half_bits;
    int unsigned words;          // of a half's value
    int unsigned e_words;        // of a half's exponent
    int unsigned exponent_bits;  // of a half
    int unsigned full_exponent_bits;
    int unsigned length_w;       // bits of an exponent's length, and of a digit more
    int unsigned slot_variables;
    int unsigned slots;          // the host's n has one, too
    int unsigned exponentiators;
    int unsigned main_depth;
    int unsigned host_depth;
    int unsigned addr_w;
  } layout_t;

  function automatic int unsigned larger(input int unsigned a, b);
    return (a > b) ? a : b;
  endfunction

  function automatic layout_t layout_of(input config_t c);
    layout_t     l;
    int unsigned scale, bits;
    logic        unused;
    unused      = ^c;  // of c not all is needed
    scale       = larger(c.half.scale, c.full.scale);
    l.half_bits = (c.bits + 1) / 2;
    // As long as k (64 bits) at least; two bits above the half for sums, or results of a scaled
    // multiplier; the constants; the product of which an estimated quotient is the upper part.
    bits = larger(larger(l.half_bits + 2 + scale, 64), c.half.constant_bits);
    if (c.has_full) bits = larger(bits, (c.full.constant_bits + 1) / 2);
    if (scale != 0) bits = larger(bits, 2 * scale + 6);
    l.words              = (bits + c.word_w - 1) / c.word_w;
    l.e_words            = l.words + c.eblind / c.word_w;
    l.exponent_bits      = larger(l.half_bits + c.eblind, 40);
    l.full_exponent_bits = larger(c.bits, 40);
    l.length_w = $clog2((c.has_full ? larger(l.exponent_bits, l.full_exponent_bits)
                                    : l.exponent_bits) + c.window + 1);
    l.slot_variables = SlotVariables;
    if (scale != 0) l.slot_variables += FullVariables + EstimateVariables;
    else if (c.check != CheckPq) l.slot_variables += FullVariables;
    l.slots          = c.slots + 32'(c.has_full);
    l.exponentiators = c.halves + 32'(c.has_full);
    l.main_depth     = (l.slots * l.slot_variables + WorkVariables) * 2 * l.words;
    l.host_depth     = HostVariables * 2 * l.words;
    // Indices into a vector go up to 2^16 / word_w words beyond it.
    l.addr_w = larger($clog2(l.main_depth), 12) + 1;
    return l;
  endfunction

  // ---------------------------------------------------------------- rendered

  // Products of a private operation modulo q, beside its window and public power.
  function automatic int unsigned products_of_q(input int unsigned check);
    unique case (check)
      CheckPq: return 12;
      CheckN: return 7;
      CheckBoth: return 12;
      default: return 0;
    endcase
  endfunction

  // Modulo p.
  function automatic int unsigned products_of_p(input int unsigned check);
    unique case (check)
      CheckPq: return 13;
      CheckN: return 8;
      CheckBoth: return 13;
      default: return 0;
    endcase
  endfunction

  // Modulo n, of full width.
  function automatic int unsigned products_of_n(input int unsigned check);
    unique case (check)
      CheckPq: return 0;
      CheckN: return 2;
      CheckBoth: return 2;
      default: return 0;
    endcase
  endfunction

  // Powers by e modulo p, and modulo q.
  function automatic int unsigned public_powers(input int unsigned check);
    unique case (check)
      CheckPq: return 1;
      CheckN: return 0;
      CheckBoth: return 1;
      default: return 0;
    endcase
  endfunction

  // Checks that each outcome code counts in a private operation.
  function automatic int unsigned private_checks(input int unsigned check);
    unique case (check)
      CheckPq: return 5;
      CheckN: return 4;
      CheckBoth: return 6;
      default: return 0;
    endcase
  endfunction

  // The same in an operation on one modulus.
  localparam int unsigned PowerChecks = 1;

  // ---------------------------------------------------------------- steps

  /// Operations of the word unit on vectors of words.
  typedef enum logic [3:0] {
    WordAdd,      // z = x + y
    WordSub,      // z = x - y; borrow, zero
    WordCompare,  // the same without z
    WordSelect,   // z = flag ? x : y
    WordShift,    // z = x >> amount
    WordLow,      // z = x mod 2^amount
    WordMul,      // z = x * y
    WordRandom,   // z = random below 2^amount
    WordLoadAB,   // to a half
    WordLoadB,
    WordLoadNK,
    WordLoadE,
    WordStore,    // z = the half's result
    WordWipe      // zeros
  } word_e;

  /// What a step is.
  typedef enum logic [2:0] {
    StepWords,    // an operation of the word unit
    StepReduce,   // z = z mod n for z < 2 n
    StepPut,      // z = the half's result, below n
    StepGo,       // load a half and start it
    StepCall,     // a segment
    StepStop,     // end if an error was found
    StepReturn
  } step_e;

  typedef enum logic [1:0] {GoMul, GoKeep, GoWindow, GoPublic} go_e;

  /// What must hold after an operation on words.
  typedef enum logic [2:0] {
    IfAny, IfLess, IfNotLess, IfEqual, IfNotEqual, IfOdd, IfLength, IfTurns
  } condition_e;

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

  /// Outcome codes, which checks that hold take a step on.
  typedef enum logic [1:0] {CodeNone, CodeFirst, CodeSecond} code_e;

  typedef enum logic [4:0] {
    SegLoad, SegKey, SegSetup, SegInverse, SegInverseEnd, SegPowers, SegDouble, SegSquare, SegPair,
    SegConstant, SegDraw, SegPrivate, SegHalf, SegEnter, SegGarner, SegCheck, SegCheckHalf,
    SegModulus, SegPower, SegWindow, SegPublic, SegPublicPower, SegDigits, SegFull, SegCheckFull,
    SegScale, SegEstimate, SegReenter, SegInverses, SegRemainder
  } segment_e;

  /// How often a segment is called.
  typedef enum logic [4:0] {
    TimesOnce,    // for both halves
    TimesHalves,  // for one half after the other, if there is one exponentiator
    TimesDouble,  // log2 R - L
    TimesEstimate,  // Scale + 2
    TimesSquare,  // bits of log2 R below the highest
    TimesBit,     // once if that bit is 1, else not at all
    TimesInverse,     // InverseBits, without the last if it subtracts
    TimesInverseEnd,  // once if it does
    TimesConstant,    // once if the multiplier takes n + 1, m or n 2^InverseBits + m
    TimesSetup,       // once if n is new
    TimesPower,       // once but for CommandSetup
    TimesWindow,      // once for CommandFull
    TimesPublic,      // once for the others
    TimesFull,        // once, with all variables full, if results are checked modulo n
    TimesNonzero,     // once if the words compared last were not equal
    TimesRenew,   // once if the blinding pair is worn out
    Times32
  } times_e;

  typedef struct packed {
    step_e      step;
    word_e      word;
    go_e        go;
    operand_t   z;
    operand_t   x;
    operand_t   y;
    amount_e    amount;
    condition_e condition;
    error_e     error;
    code_e      code;
    segment_e   segment;
    times_e     times;
  } instruction_t;

  /// What is under way, for the host.
  typedef enum logic [3:0] {
    PhaseIdle, PhaseWipe, PhaseLoad, PhaseConstants, PhaseEnter, PhaseBlind, PhasePower, PhaseRenew,
    PhaseRecombine, PhaseCheck, PhaseRelease
  } phase_e;

  /// Error of a condition that has the segment repeated.
  localparam error_e Again = ErrNone;

  /// Check bits of 32 bits: x^8 + x^2 + x + 1, all errors of one or two bits, bursts to 8.
  function automatic logic [7:0] crc(input logic [31:0] data);
    logic [7:0] check;
    check = '0;
    for (int unsigned i = 0; i < 32; i++) begin
      check = {check[6:0], 1'b0} ^ ((check[7] ^ data[31-i]) ? 8'h07 : 8'h00);
    end
    return check;
  endfunction

  /// Seed of the outcome codes, and the step that a check takes them on.
  localparam logic [31:0] CodeSeed = 32'h6d66_7273;

  function automatic logic [31:0] code_step(input logic [31:0] code);
    return {code[30:0], code[31] ^ code[21] ^ code[1] ^ code[0]} ^ 32'h9e37_79b9;
  endfunction

  function automatic logic [31:0] code_after(input int unsigned steps);
    logic [31:0] code;
    code = CodeSeed;
    for (int unsigned i = 0; i < steps; i++) code = code_step(code);
    return code;
  endfunction

endpackage
