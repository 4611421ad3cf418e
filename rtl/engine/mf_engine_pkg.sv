// SPDX-License-Identifier: Apache-2.0
//
// Types that the parts of an engine share: error codes, variables in memory, the fields of a
// micro-program, and the facts of the engine that the parts are built for.
//
// An engine is mf_engine_control with a program beside it (mf_rsa_program), the word unit, two
// memories, the host's windows, and exponentiators. Amounts, segments, repetitions and phases are
// numbers here that the program gives a meaning.

package mf_engine_pkg;

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

  // ---------------------------------------------------------------- variables

  /// Variables: two bits of region, five of number. A variable is a pair of half-width values, of p
  /// and of q, or one value of full width. Regions: 0 the slot, 1 work (its first variable is the
  /// result), 2 the host's, 3 small numbers.
  typedef logic [6:0] variable_t;

  // Small constants.
  localparam variable_t Zero = 7'h60;
  localparam variable_t One  = 7'h61;
  localparam variable_t Two  = 7'h62;

  /// How a variable is taken: its half of the bank (p or q), all of it, two variables for each
  /// bank, its half of p, its half of q, 64 bits of its half of the bank.
  typedef enum logic [2:0] {FormHalf, FormFull, FormWide, FormP, FormQ, FormShort} form_e;

  typedef struct packed {
    variable_t name;
    form_e     form;
  } operand_t;

  /// Variables that the parts of the engine know.
  typedef struct packed {
    variable_t modulus;
    variable_t full_modulus;   // of a step of full width on a key
    variable_t estimate;       // floor(2^(bits(n) + scale + 2) / n), of a scaled multiplier
    variable_t full_estimate;
    variable_t rest;           // for reductions
    variable_t quotient;
    variable_t message;        // of the host
    variable_t test_message;   // in a load, in place of the host's message
  } variables_t;

  // ---------------------------------------------------------------- facts of an engine

  /// Facts of a multiplier, as the parameters of mf_rsa say them.
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

  typedef struct packed {
    int unsigned halves;          // exponentiators of half width, 1 or 2
    int unsigned exponentiators;  // all, the last one of full width if there is one
    int unsigned keys;            // slots of keys
    int unsigned slots;           // all, the last one of the host's modulus if there is one
    int unsigned slot_variables;
    int unsigned work_variables;
    int unsigned host_kept;       // variables of the host that a wipe of the key windows leaves
    int unsigned word_w;          // bits of a word: 32 or 64
    int unsigned words;           // of a half's value
    int unsigned e_words;         // of a half's exponent
    int unsigned length_w;        // bits of a number up to an exponent's length and a digit
    int unsigned main_depth;
    int unsigned host_depth;
    int unsigned addr_w;
    int unsigned watchdog_bits;
    multiplier_t half;
    multiplier_t full;
    variables_t  variables;
  } engine_t;

  localparam int unsigned Units = 2;  // values of a variable

  /// A window of the host: bits 15:9 of its address, and the place of its value, in values, in the
  /// host's memory, or if it is the result in the main memory.
  typedef struct packed {
    logic [6:0]  page;
    int unsigned unit;
    logic        writable;
    logic        readable;
    logic        result;
    logic        modulus;
  } window_t;

  // ---------------------------------------------------------------- micro-program

  typedef logic [1:0] go_t;       // an exponentiator's function
  typedef logic [2:0] amount_t;   // an amount of bits
  typedef logic [4:0] segment_t;
  typedef logic [4:0] times_t;    // how often a segment is called

  /// Operations of the word unit on vectors of words.
  typedef enum logic [3:0] {
    WordAdd,      // z = x + y
    WordSub,      // z = x - y; borrow, zero
    WordCompare,  // WordSub without z
    WordSelect,   // z = flag ? x : y
    WordShift,    // z = x >> amount
    WordLow,      // z = x mod 2^amount
    WordMul,      // z = x * y
    WordRandom,   // z = random below 2^amount
    WordLoadAB,   // to a half
    WordLoadB,
    WordLoadNK,
    WordLoadE,      // an exponent that may be secret
    WordLoadPublic, // a public one
    WordStore,    // z = the half's result
    WordWipe      // zeros
  } word_e;

  /// Kinds of steps.
  typedef enum logic [2:0] {
    StepWords,    // an operation of the word unit
    StepReduce,   // z = z mod n for z < 2 n
    StepPut,      // z = the half's result, below n
    StepGo,       // load a half and start it
    StepCall,     // a segment
    StepStop,     // end if an error was found
    StepReturn
  } step_e;

  /// Conditions after an operation on words.
  typedef enum logic [2:0] {
    IfAny, IfLess, IfNotLess, IfEqual, IfNotEqual, IfOdd, IfLength, IfTurns
  } condition_e;

  /// Outcome codes; a check that holds takes its code a step on.
  typedef enum logic [1:0] {CodeNone, CodeFirst, CodeSecond} code_e;

  typedef struct packed {
    step_e      step;
    word_e      word;
    go_t        go;
    operand_t   z;
    operand_t   x;
    operand_t   y;
    amount_t    amount;
    condition_e condition;
    error_e     error;
    code_e      code;
    segment_t   segment;
    times_t     times;
  } instruction_t;

  // ---------------------------------------------------------------- commands

  /// Kinds of commands.
  typedef struct packed {
    logic     legal;        // the engine has it
    logic     loads;        // a key into a slot, which can be used if it ends without an error
    logic     one_modulus;  // on the host's modulus, without a key
    logic     has_result;
    logic     wipes_host;   // in the end the host's key windows are overwritten
    segment_t segment;      // the first one
  } kind_t;

  // Between control and the program beside it. To the program: state (registers of control) and
  // events. From the program: row (values that follow from the state) and value (others, which can
  // depend on n_bits or waits).
  typedef struct packed {
    logic [3:0]  op;       // the command under way
    logic [3:0]  slot;
    logic [15:0] e_bits;
    logic        running;  // rows are executed
    segment_t    segment;  // the row
    logic [4:0]  step;
    logic        full;     // its segment is called at full width
    amount_t     amount;   // the instruction under way
    segment_t    called;
    times_t      times;
    logic [15:0] again;    // calls of the present segment that are still to come
  } program_state_t;

  typedef struct packed {
    logic   forget;       // the host's modulus may have changed
    logic   load;         // a load begins
    logic   late;         // a wipe exceeds its cycles
    logic   ends;         // the command ends, with the error
    error_e error;
    logic   turns_clear;  // exponentiators begin to count turns
  } program_event_t;

  typedef struct packed {
    kind_t        kind;        // of the command under way
    instruction_t row;
    logic         full;        // steps are of one modulus of full width
    logic         full_unit;   // the step is for the exponentiator of full width
    logic         keeps_flag;  // the flag is not the borrow of a difference
    logic         for_halves;  // the call is for one half after the other, with one exponentiator
    logic         for_full;    // the call is at full width
    logic         counts;      // the call begins the count of turns
    logic [31:0]  code_end;    // of the outcome codes
  } program_row_t;

  typedef struct packed {
    logic        length_ok;  // n_bits and e_bits are legal
    logic [15:0] length;     // bits of the modulus of the step under way
    logic [15:0] amount;
    logic [15:0] times;
    logic [3:0]  phase;
    logic        turns_ok;   // turns are those that are due
  } program_value_t;

  // Values of phase_o while no row is executed.
  localparam logic [3:0] PhaseIdle    = 4'd0;
  localparam logic [3:0] PhaseWipe    = 4'd1;
  localparam logic [3:0] PhaseRelease = 4'd10;

  /// Ranges of memory that are to be overwritten, in this order.
  typedef struct packed {
    logic slot_random;
    logic slot_zero;
    logic work;
    logic host;
    logic all_main;
    logic all_host;
  } clear_t;

  /// Guards, by their tags, and the violation that each sees.
  typedef enum logic [2:0] {
    GuardIntegrity,  // a word's check bits, or a copy in the word unit
    GuardCopies,     // a copy of the command, the instruction or the job
    GuardStep,       // a step exceeds its cycles
    GuardProgram,    // the program exceeds its cycles
    GuardCheck,      // a condition of the program whose error is FAULT
    GuardOutcome,    // the codes are not those of the checks, or the result is written after one
    GuardWipe,       // a wipe exceeds its cycles
    GuardDeadline    // a command exceeds its cycles
  } guard_e;

  // ---------------------------------------------------------------- codes

  /// Error of a condition that, if it fails, has the segment repeated.
  localparam error_e Again = ErrNone;

  /// The data bits that each check bit is the sum of.
  function automatic logic [7:0][31:0] crc_bits();
    logic [7:0][31:0] found;
    logic [31:0]      top;
    found = '0;
    for (int unsigned i = 0; i < 32; i++) begin
      top   = found[7] ^ (32'd1 << (31 - i));
      found = {found[6:0], 32'd0} ^ {160'd0, top, top, top};
    end
    return found;
  endfunction

  localparam logic [7:0][31:0] CrcBits = crc_bits();

  /// Check bits of 32 bits: x^8 + x^2 + x + 1, all errors of one or two bits, bursts to 8.
  function automatic logic [7:0] crc(input logic [31:0] data);
    logic [7:0] check;
    // A sum of data bits for each, which takes fewer levels of logic than a loop over the data.
    for (int unsigned i = 0; i < 8; i++) check[i] = ^(data & CrcBits[i]);
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

  // ---------------------------------------------------------------- products

  /// Latency of mf_engine_product.
  function automatic int unsigned product_latency(input int unsigned width,
                                                  input int unsigned block);
    return ((block != 0) ? 2 : 4) + 2 * $clog2(width / 16);
  endfunction

endpackage
