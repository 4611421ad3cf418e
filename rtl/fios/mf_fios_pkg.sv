// SPDX-License-Identifier: Apache-2.0
//
// Microprogram and formulas of the systolic FIOS multiplier.
//
// Source:   "Scalable DSP optimized Montgomery Multiplier", Table I (operations of the DSP block),
//           Algorithm 3 (program of a processing element), Section III.B (cycle counts).
// Variants: 0 published: Algorithm 3. 1 fast: no shift at the end, elements work without pause, and
//           an operation starts in the element behind that of the last iteration before. 2 unit:
//           the modulus is -1 modulo the word, so that m_i is a word of the sum and needs no
//           product.
//
// scripts/make_programs.py writes the tables from montforge.programs.fios. A program has the steps
// of the prologue, a pair of steps that is repeated, and the steps of the tail.

package mf_fios_pkg;

  typedef logic [3:0] code_t;
  typedef logic [3:0] step_t;
  // The element holds its accumulator.
  localparam step_t StepIdle = 4'd15;

  // P becomes Z + C + A * B: bits 3:2 select Z (0, P, P >> word), bit 1 adds C, bit 0 adds A * B.
  typedef enum logic [3:0] {
    OpHold      = 4'b0100,
    OpMul       = 4'b0001,
    OpMulC      = 4'b0011,
    OpAccMul    = 4'b0101,
    OpAccMulC   = 4'b0111,
    OpShift     = 4'b1000,
    OpShiftMul  = 4'b1001,
    OpShiftMulC = 4'b1011
  } op_e;
  // Bit of an operation that adds C.
  localparam int unsigned OpUsesC = 1;

  typedef enum logic [1:0] {AFromX, AFromP, AFromM} a_source_e;
  typedef enum logic [1:0] {BFromNone, BFromY, BFromN} b_source_e;
  // The incoming word, the first or the second register of its queue, a saved value.
  typedef enum logic [1:0] {CFromPin, CFromPin1, CFromPin2, CFromSaved} c_source_e;

  typedef struct packed {
    op_e       op;
    a_source_e a;
    b_source_e b;
    c_source_e c;
    logic      load_x;      // x_i enters its register
    logic      load_m;      // A is m_i, which enters its register
    logic      save_shift;  // the queue of saved values takes the result of this step
    logic      save_early;  // the saved value is in the last register but one of its queue
    logic      pin_shift;   // the queue of incoming words takes one
    logic      emit;        // the result of this step is a word for the neighbour
    logic      top;         // and its upper half is the last word
  } micro_t;

  localparam int unsigned Published = 0;
  localparam int unsigned Fast      = 1;
  localparam int unsigned Unit      = 2;

  // ---------------------------------------------------------------- formulas

  // Number of the table of an element.
  function automatic code_t code_of(input int unsigned variant, input int unsigned level,
                                    input int unsigned c_register);
    return code_t'(variant == Published ? 0 : 6 * variant - 5 + 2 * (level - 1) + c_register);
  endfunction

  // Smallest number of words of the program.
  function automatic int unsigned minimum_words(input int unsigned variant,
                                                input int unsigned level);
    return variant == Unit ? 4 : 2 * level - (variant == Published ? 1 : 0);
  endfunction

  function automatic int unsigned prologue_steps(input int unsigned variant,
                                                 input int unsigned level);
    if (variant == Unit) return (level < 2 ? 2 : level) + 1;
    return 4 * level - 1;
  endfunction

  function automatic int unsigned tail_steps(input int unsigned variant);
    return variant + 1;
  endfunction

  // Repetitions of the pair.
  function automatic int unsigned pairs(input int unsigned variant, input int unsigned level,
                                        input int unsigned words);
    if (variant == Unit) return words - 3;
    return words - 2 * level + 1 - (variant == Fast ? 1 : 0);
  endfunction

  // Issue cycles of one iteration.
  function automatic int unsigned slots(input int unsigned variant, input int unsigned level,
                                        input int unsigned words);
    return prologue_steps(variant, level) + 2 * pairs(variant, level, words) + tail_steps(variant);
  endfunction

  // Cycles between the starts of two iterations of an element.
  function automatic int unsigned context_cycles(input int unsigned variant,
                                                 input int unsigned level,
                                                 input int unsigned words);
    return slots(variant, level, words) + (variant == Published ? level : 0);
  endfunction

  // Registers between the last element of a ring and the first: an element is busy for `busy`
  // cycles, and neighbours start `spacing` cycles apart.
  function automatic int unsigned loop_delay(input int unsigned busy,
                                             input int unsigned elements,
                                             input int unsigned spacing);
    return busy > elements * spacing ? busy - elements * spacing : 0;
  endfunction

  // ---------------------------------------------------------------- microcode

  // Cycles between the starts of two neighbours.
  function automatic int unsigned offset(input code_t code);
    unique case (code)
      4'd0, 4'd6: return 9;
      4'd1, 4'd10, 4'd12: return 5;
      4'd2, 4'd3: return 6;
      4'd4: return 7;
      4'd5: return 8;
      4'd7: return 3;
      4'd8, 4'd9, 4'd11: return 4;
      default: return 0;
    endcase
  endfunction

  // Registers of the queue of incoming words.
  function automatic int unsigned pin_depth(input code_t code);
    unique case (code)
      4'd0, 4'd5, 4'd6: return 2;
      4'd1, 4'd2, 4'd3, 4'd4, 4'd7, 4'd8, 4'd9, 4'd10, 4'd11, 4'd12: return 1;
      default: return 0;
    endcase
  endfunction

  // Registers of the queue of saved values.
  function automatic int unsigned save_depth(input code_t code);
    unique case (code)
      4'd0, 4'd6: return 3;
      4'd1: return 1;
      4'd2, 4'd7, 4'd8, 4'd9, 4'd10, 4'd11, 4'd12: return 0;
      4'd3, 4'd4: return 2;
      4'd5: return 4;
      default: return 0;
    endcase
  endfunction

  // Signals that a step controls; flags in the order of micro_t.
  function automatic micro_t micro(input code_t code, input step_t step);
    unique case ({code, step})
      // 0: published, 3 pipeline levels, C register 1
      {4'd0, 4'd0}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b1010000});
      {4'd0, 4'd1}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd0, 4'd2}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd0, 4'd3}:   return micro_t'({OpMul, AFromP, BFromN, CFromPin, 7'b0000100});
      {4'd0, 4'd4}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin1, 7'b0010000});
      {4'd0, 4'd5}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd0, 4'd6}:   return micro_t'({OpMulC, AFromP, BFromN, CFromSaved, 7'b0110000});
      {4'd0, 4'd7}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0010110});
      {4'd0, 4'd8}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0000010});
      {4'd0, 4'd9}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0000110});
      {4'd0, 4'd10}:  return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0000010});
      {4'd0, 4'd11}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin2, 7'b0000100});
      {4'd0, 4'd12}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000010});
      {4'd0, 4'd13}:  return micro_t'({OpShift, AFromX, BFromNone, CFromPin, 7'b0000010});
      // 1: fast, 1 pipeline levels, C register 0
      {4'd1, 4'd0}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b1010000});
      {4'd1, 4'd1}:   return micro_t'({OpMul, AFromP, BFromN, CFromPin, 7'b0000000});
      {4'd1, 4'd2}:   return micro_t'({OpMulC, AFromP, BFromN, CFromSaved, 7'b0100100});
      {4'd1, 4'd3}:   return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin1, 7'b0000000});
      {4'd1, 4'd4}:   return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000110});
      {4'd1, 4'd5}:   return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin1, 7'b0000000});
      {4'd1, 4'd6}:   return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000011});
      // 2: fast, 1 pipeline levels, C register 1
      {4'd2, 4'd0}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b1000000});
      {4'd2, 4'd1}:   return micro_t'({OpMul, AFromP, BFromN, CFromPin, 7'b0000000});
      {4'd2, 4'd2}:   return micro_t'({OpMulC, AFromP, BFromN, CFromSaved, 7'b0100100});
      {4'd2, 4'd3}:   return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin1, 7'b0000000});
      {4'd2, 4'd4}:   return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000110});
      {4'd2, 4'd5}:   return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin1, 7'b0000000});
      {4'd2, 4'd6}:   return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000011});
      // 3: fast, 2 pipeline levels, C register 0
      {4'd3, 4'd0}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b1010000});
      {4'd3, 4'd1}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd3, 4'd2}:   return micro_t'({OpMul, AFromP, BFromN, CFromPin, 7'b0000000});
      {4'd3, 4'd3}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd3, 4'd4}:   return micro_t'({OpMulC, AFromP, BFromN, CFromSaved, 7'b0110000});
      {4'd3, 4'd5}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0000110});
      {4'd3, 4'd6}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0000010});
      {4'd3, 4'd7}:   return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin1, 7'b0000100});
      {4'd3, 4'd8}:   return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000010});
      {4'd3, 4'd9}:   return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin1, 7'b0000000});
      {4'd3, 4'd10}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000011});
      // 4: fast, 2 pipeline levels, C register 1
      {4'd4, 4'd0}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b1010000});
      {4'd4, 4'd1}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd4, 4'd2}:   return micro_t'({OpMul, AFromP, BFromN, CFromPin, 7'b0000000});
      {4'd4, 4'd3}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd4, 4'd4}:   return micro_t'({OpMulC, AFromP, BFromN, CFromSaved, 7'b0100000});
      {4'd4, 4'd5}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0001110});
      {4'd4, 4'd6}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0001010});
      {4'd4, 4'd7}:   return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin1, 7'b0000100});
      {4'd4, 4'd8}:   return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000010});
      {4'd4, 4'd9}:   return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin1, 7'b0000000});
      {4'd4, 4'd10}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000011});
      // 5: fast, 3 pipeline levels, C register 0
      {4'd5, 4'd0}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b1010000});
      {4'd5, 4'd1}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd5, 4'd2}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd5, 4'd3}:   return micro_t'({OpMul, AFromP, BFromN, CFromPin, 7'b0000100});
      {4'd5, 4'd4}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin1, 7'b0010000});
      {4'd5, 4'd5}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd5, 4'd6}:   return micro_t'({OpMulC, AFromP, BFromN, CFromSaved, 7'b0110000});
      {4'd5, 4'd7}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0010110});
      {4'd5, 4'd8}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0010010});
      {4'd5, 4'd9}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0000110});
      {4'd5, 4'd10}:  return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0000010});
      {4'd5, 4'd11}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin2, 7'b0000100});
      {4'd5, 4'd12}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000010});
      {4'd5, 4'd13}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin2, 7'b0000000});
      {4'd5, 4'd14}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000011});
      // 6: fast, 3 pipeline levels, C register 1
      {4'd6, 4'd0}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b1010000});
      {4'd6, 4'd1}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd6, 4'd2}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd6, 4'd3}:   return micro_t'({OpMul, AFromP, BFromN, CFromPin, 7'b0000100});
      {4'd6, 4'd4}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin1, 7'b0010000});
      {4'd6, 4'd5}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b0010000});
      {4'd6, 4'd6}:   return micro_t'({OpMulC, AFromP, BFromN, CFromSaved, 7'b0110000});
      {4'd6, 4'd7}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0010110});
      {4'd6, 4'd8}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0000010});
      {4'd6, 4'd9}:   return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0000110});
      {4'd6, 4'd10}:  return micro_t'({OpShiftMulC, AFromM, BFromN, CFromSaved, 7'b0000010});
      {4'd6, 4'd11}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin2, 7'b0000100});
      {4'd6, 4'd12}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000010});
      {4'd6, 4'd13}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin2, 7'b0000000});
      {4'd6, 4'd14}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000011});
      // 7: unit, 1 pipeline levels, C register 0
      {4'd7, 4'd0}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b1000000});
      {4'd7, 4'd1}:   return micro_t'({OpShiftMul, AFromP, BFromN, CFromPin, 7'b0100000});
      {4'd7, 4'd2}:   return micro_t'({OpAccMulC, AFromX, BFromY, CFromPin, 7'b0000010});
      {4'd7, 4'd3}:   return micro_t'({OpShiftMul, AFromM, BFromN, CFromPin, 7'b0000000});
      {4'd7, 4'd4}:   return micro_t'({OpAccMulC, AFromX, BFromY, CFromPin, 7'b0000010});
      {4'd7, 4'd5}:   return micro_t'({OpShiftMul, AFromM, BFromN, CFromPin, 7'b0000100});
      {4'd7, 4'd6}:   return micro_t'({OpAccMulC, AFromX, BFromY, CFromPin1, 7'b0000010});
      {4'd7, 4'd7}:   return micro_t'({OpShiftMul, AFromM, BFromN, CFromPin, 7'b0000010});
      // 8: unit, 1 pipeline levels, C register 1
      {4'd8, 4'd0}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b1000000});
      {4'd8, 4'd1}:   return micro_t'({OpShiftMul, AFromP, BFromN, CFromPin, 7'b0100000});
      {4'd8, 4'd2}:   return micro_t'({OpAccMulC, AFromX, BFromY, CFromPin, 7'b0000010});
      {4'd8, 4'd3}:   return micro_t'({OpShiftMul, AFromM, BFromN, CFromPin, 7'b0000000});
      {4'd8, 4'd4}:   return micro_t'({OpAccMulC, AFromX, BFromY, CFromPin, 7'b0000010});
      {4'd8, 4'd5}:   return micro_t'({OpShiftMul, AFromM, BFromN, CFromPin, 7'b0000100});
      {4'd8, 4'd6}:   return micro_t'({OpAccMulC, AFromX, BFromY, CFromPin1, 7'b0000010});
      {4'd8, 4'd7}:   return micro_t'({OpShiftMul, AFromM, BFromN, CFromPin, 7'b0000010});
      // 9: unit, 2 pipeline levels, C register 0
      {4'd9, 4'd0}:   return micro_t'({OpMulC, AFromX, BFromY, CFromPin1, 7'b1000000});
      {4'd9, 4'd1}:   return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin, 7'b0000000});
      {4'd9, 4'd2}:   return micro_t'({OpAccMul, AFromP, BFromN, CFromPin, 7'b0100010});
      {4'd9, 4'd3}:   return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin, 7'b0000000});
      {4'd9, 4'd4}:   return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000110});
      {4'd9, 4'd5}:   return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin1, 7'b0000000});
      {4'd9, 4'd6}:   return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000010});
      {4'd9, 4'd7}:   return micro_t'({OpShiftMul, AFromM, BFromN, CFromPin, 7'b0000110});
      {4'd9, 4'd15}:  return micro_t'({OpHold, AFromX, BFromNone, CFromPin, 7'b0000100});
      // 10: unit, 2 pipeline levels, C register 1
      {4'd10, 4'd0}:  return micro_t'({OpMulC, AFromX, BFromY, CFromPin1, 7'b1000000});
      {4'd10, 4'd1}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin, 7'b0000000});
      {4'd10, 4'd2}:  return micro_t'({OpAccMul, AFromP, BFromN, CFromPin, 7'b0100010});
      {4'd10, 4'd3}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin, 7'b0000000});
      {4'd10, 4'd4}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000110});
      {4'd10, 4'd5}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin1, 7'b0000000});
      {4'd10, 4'd6}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000010});
      {4'd10, 4'd7}:  return micro_t'({OpShiftMul, AFromM, BFromN, CFromPin, 7'b0000110});
      {4'd10, 4'd15}: return micro_t'({OpHold, AFromX, BFromNone, CFromPin, 7'b0000100});
      // 11: unit, 3 pipeline levels, C register 0
      {4'd11, 4'd0}:  return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b1000000});
      {4'd11, 4'd2}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin, 7'b0000000});
      {4'd11, 4'd3}:  return micro_t'({OpAccMul, AFromP, BFromN, CFromPin, 7'b0100010});
      {4'd11, 4'd4}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin, 7'b0000000});
      {4'd11, 4'd5}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000110});
      {4'd11, 4'd6}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin1, 7'b0000000});
      {4'd11, 4'd7}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000010});
      {4'd11, 4'd8}:  return micro_t'({OpShiftMul, AFromM, BFromN, CFromPin, 7'b0000010});
      // 12: unit, 3 pipeline levels, C register 1
      {4'd12, 4'd0}:  return micro_t'({OpMulC, AFromX, BFromY, CFromPin, 7'b1000000});
      {4'd12, 4'd2}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin, 7'b0000000});
      {4'd12, 4'd3}:  return micro_t'({OpAccMul, AFromP, BFromN, CFromPin, 7'b0100010});
      {4'd12, 4'd4}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin, 7'b0000000});
      {4'd12, 4'd5}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000110});
      {4'd12, 4'd6}:  return micro_t'({OpShiftMulC, AFromX, BFromY, CFromPin1, 7'b0000000});
      {4'd12, 4'd7}:  return micro_t'({OpAccMul, AFromM, BFromN, CFromPin, 7'b0000010});
      {4'd12, 4'd8}:  return micro_t'({OpShiftMul, AFromM, BFromN, CFromPin, 7'b0000010});
      default:        return micro_t'({OpHold, AFromX, BFromNone, CFromPin, 7'b0000000});
    endcase
  endfunction

endpackage
