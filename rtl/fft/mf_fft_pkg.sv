// SPDX-License-Identifier: Apache-2.0
//
// Micro-programs and types of the FFT-based McLaughlin multiplier.
//
// Source:   Dai 2018, Fig. 4, 8, 9 (the order of an element's operations), Section 6.2.
// Holds:    the steps of the three units of an element (FFT operator, multiplier-adder, adder with
//           subtractor), the controls of an element in each cycle, and the map of words to memory
//           banks.
// Memories: S0, S1, S2: spectra; Time: results of inverse transforms; digits X, Y, M.
//
// Contexts: an element can have two, each with its own half of every memory but the ping-pong one,
//           and with its own y; a step is of the first context, or of the other. Forwarded words
//           are those of the first.
//
// A step waits until the numbers of complete steps of the units reach its three counts. The tables
// are written by scripts/make_programs.py from the programs of the cycle model,
// montforge.programs.fft. The fast variant has the same steps, which begin earlier
// (mf_fft_control), except where two products follow one another: beside these it makes the
// spectrum of y for h.

package mf_fft_pkg;

  typedef logic [5:0] program_t;
  // x y; y^2 (or x y with x in the other element); A and X known; y times 1; y^2 and t y in turns.
  typedef enum logic [2:0] {General, Squaring, Common, Last, Pair} form_e;
  // m below r; m may exceed r; moduli exchanged.
  typedef enum logic [1:0] {Canonical, RelaxedM, SwappedModuli} mode_e;
  typedef logic [3:0] count_t;  // steps of a unit
  typedef logic [8:0] index_t;  // number of a word, at most 512
  typedef logic [9:0] shift_t;  // power of two, below the ring's bits

  typedef enum logic [1:0] {FromX, FromY, FromM, FromS0} source_e;
  typedef enum logic [1:0] {ToS0, ToS1, ToS2, ToTime} target_e;
  typedef enum logic [1:0] {OfS0, OfS1, OfS2} spectrum_e;
  // The forwarded word of the element or of its partner; a word of the constants; 1.
  typedef enum logic [1:0] {Forwarded, Constant, One} factor_e;
  // Accumulate: digits and carry of the words of Time. Add: the carry is added to M. Fix: so is the
  // carry of that sum, or 1 for all ones. Short: the carry is added to the first segments alone.
  // Result: 1 + carry - M, halved. Direct: the same beside the accumulation (mf_fft_direct), in
  // place of Accumulate and Result in programs with a redundant digit.
  typedef enum logic [2:0] {Accumulate, Add, Fix, Short, Result, Direct} kind_e;

  // ---------------------------------------------------------------- steps

  typedef struct packed {
    source_e source;
    target_e target;
    logic    second;  // nega-cyclic, cyclic with the swapped moduli; else the other one
    logic    inverse;
    logic    other;
    count_t  after_transforms;
    count_t  after_products;
    count_t  after_passes;
  } transform_step_t;

  typedef struct packed {
    spectrum_e  a;
    spectrum_e  forward;
    factor_e    factor;
    logic [1:0] constant;  // 0: N', 1: N, 2: A, 3: X
    target_e    target;
    logic       add;       // the word of S2
    logic       streamed;  // it reads the transform that it waits for, and writes elsewhere
    logic       reversed;  // an inverse transform reads its results, bit-reversed
    logic       other;
    count_t     after_transforms;
    count_t     after_products;
    count_t     after_passes;
  } product_step_t;

  typedef struct packed {
    kind_e  kind;
    logic   second;
    logic   other;
    count_t after_transforms;
    count_t after_products;
    count_t after_passes;
  } pass_step_t;

  // ---------------------------------------------------------------- controls of an element
  // The owner of data is the number of its context.

  // A row of a stage: words 4 row to 4 row + 3, in the first stage bit-reversed.
  typedef struct packed {
    logic    valid;
    logic    first;
    source_e source;
    logic    owner;
    logic    parity;  // half of the ping-pong memory
    index_t  row;
  } fft_read_t;

  // Roots of unity of two butterflies; sqrt2 in a transform's last stage alone.
  typedef struct packed {
    shift_t [1:0] shift;
    logic   [1:0] negative;
    logic         sqrt2;
  } twiddle_t;

  // Words of the row: 2 row, 2 row + 1, and those half of the length further on; of two stages at
  // once word row, and those 1/4, 2/4, 3/4 of the length further on.
  typedef struct packed {
    logic    valid;
    logic    last;  // to the target, else to the ping-pong memory
    target_e target;
    logic    owner;
    logic    parity;
    index_t  row;
  } fft_write_t;

  typedef struct packed {
    logic       valid;
    spectrum_e  a;
    spectrum_e  forward;
    factor_e    factor;
    logic [1:0] constant;
    logic       owner;
    logic       forward_owner;
    index_t     index;
  } product_read_t;

  // The addend's read, and the product's write.
  typedef struct packed {
    logic   valid;
    logic   owner;
    index_t index;
  } addend_read_t;

  typedef struct packed {
    logic    valid;
    target_e target;
    logic    owner;
    index_t  index;
  } product_write_t;

  // A segment's read and write.
  typedef struct packed {
    logic   valid;
    logic   first;
    logic   last;
    kind_e  kind;
    logic   second;
    logic   owner;
    index_t row;
  } pass_read_t;

  typedef struct packed {
    logic   valid;
    kind_e  kind;
    logic   owner;
    index_t row;
  } pass_write_t;

  // Of a pass of kind Direct: the adder gives a segment (the first one); the cycle after the last.
  typedef struct packed {
    logic valid;
    logic first;
    logic again;
  } direct_t;

  typedef struct packed {
    fft_read_t      fft_read;
    twiddle_t       twiddle;         // two cycles after the read
    twiddle_t       second_twiddle;  // of the second of two stages at once, a butterfly later
    fft_write_t     fft_write;
    product_read_t  product_read;
    addend_read_t   addend_read;
    product_write_t product_write;
    pass_read_t     pass_read;
    direct_t        direct;
    pass_write_t    pass_write;
  } control_t;

  // ---------------------------------------------------------------- banks

  // Bank of word `index` of 2^bits words.
  function automatic logic [1:0] bank_of(input index_t index, input int unsigned bits);
    return {index[1] ^ index[bits-1], index[0] ^ index[bits-2]};
  endfunction

  // Of words 4 row to 4 row + 3 bank b has word 4 row + (b ^ four_swap).
  function automatic logic [1:0] four_swap(input index_t row, input int unsigned bits);
    return {row[bits-3], row[bits-4]};
  endfunction

  // ---------------------------------------------------------------- butterflies

  // Cycles of mf_fft_butterfly without a multiplication by sqrt 2.
  function automatic int unsigned butterfly_cycles(input logic fast);
    return fast ? 32'd5 : 32'd8;
  endfunction

  // ---------------------------------------------------------------- programs

  function automatic program_t program_of(input form_e form, input logic all_at_once,
                                          input logic fast, input mode_e mode,
                                          input logic ladder);
    unique case (form)
      General:  return (all_at_once ? 6'd0 : 6'd3) + program_t'(mode);
      Squaring: return (all_at_once ? (fast ? 6'd12 : 6'd6) : 6'd18) + program_t'({mode, ladder});
      Common:   return (fast ? 6'd27 : 6'd24) + program_t'(mode);
      Pair:     return 6'd34 + program_t'(mode);
      default:  return (fast ? 6'd32 : 6'd30) + program_t'(mode[1]);
    endcase
  endfunction

  function automatic transform_step_t transform_step(input program_t program_number,
                                                        input count_t number);
    unique case ({program_number, number})
      {6'd0, 4'd1}, {6'd1, 4'd1}, {6'd2, 4'd1}, {6'd3, 4'd1}, {6'd4, 4'd1}, {6'd5, 4'd1},
      {6'd6, 4'd0}, {6'd7, 4'd0}, {6'd8, 4'd0}, {6'd9, 4'd0}, {6'd10, 4'd0}, {6'd11, 4'd0},
      {6'd12, 4'd0}, {6'd13, 4'd0}, {6'd14, 4'd0}, {6'd15, 4'd0}, {6'd16, 4'd0}, {6'd17, 4'd0},
      {6'd18, 4'd0}, {6'd19, 4'd0}, {6'd20, 4'd0}, {6'd21, 4'd0}, {6'd22, 4'd0}, {6'd23, 4'd0},
      {6'd24, 4'd0}, {6'd25, 4'd0}, {6'd26, 4'd0}, {6'd27, 4'd0}, {6'd28, 4'd0}, {6'd29, 4'd0},
      {6'd30, 4'd0}, {6'd31, 4'd0}, {6'd32, 4'd0}, {6'd33, 4'd0}, {6'd34, 4'd0}, {6'd35, 4'd0},
      {6'd36, 4'd0}:
        return '{FromY, ToS1, 1'b0, 1'b0, 1'b0, 4'd0, 4'd0, 4'd0};
      {6'd0, 4'd2}, {6'd1, 4'd2}, {6'd2, 4'd2}, {6'd3, 4'd4}, {6'd4, 4'd4}, {6'd5, 4'd4}:
        return '{FromX, ToS2, 1'b1, 1'b0, 1'b0, 4'd0, 4'd0, 4'd0};
      {6'd0, 4'd3}, {6'd1, 4'd3}, {6'd2, 4'd3}, {6'd3, 4'd5}, {6'd4, 4'd5}, {6'd5, 4'd5},
      {6'd6, 4'd1}, {6'd7, 4'd1}, {6'd8, 4'd1}, {6'd9, 4'd1}, {6'd10, 4'd1}, {6'd11, 4'd1},
      {6'd12, 4'd2}, {6'd13, 4'd2}, {6'd14, 4'd2}, {6'd15, 4'd2}, {6'd16, 4'd2}, {6'd17, 4'd2},
      {6'd18, 4'd4}, {6'd19, 4'd4}, {6'd20, 4'd4}, {6'd21, 4'd4}, {6'd22, 4'd4}, {6'd23, 4'd4},
      {6'd34, 4'd4}, {6'd35, 4'd4}, {6'd36, 4'd4}:
        return '{FromS0, ToTime, 1'b0, 1'b1, 1'b0, 4'd0, 4'd2, 4'd0};
      {6'd0, 4'd4}, {6'd1, 4'd4}, {6'd2, 4'd4}, {6'd3, 4'd6}, {6'd4, 4'd6}, {6'd5, 4'd6}:
        return '{FromY, ToS1, 1'b1, 1'b0, 1'b0, 4'd0, 4'd0, 4'd0};
      {6'd0, 4'd5}, {6'd2, 4'd5}, {6'd6, 4'd3}, {6'd7, 4'd3}, {6'd10, 4'd3}, {6'd11, 4'd3},
      {6'd12, 4'd3}, {6'd13, 4'd3}, {6'd16, 4'd3}, {6'd17, 4'd3}, {6'd24, 4'd3}, {6'd26, 4'd3},
      {6'd27, 4'd3}, {6'd29, 4'd3}, {6'd30, 4'd3}, {6'd31, 4'd3}, {6'd32, 4'd3}, {6'd33, 4'd3}:
        return '{FromM, ToS1, 1'b1, 1'b0, 1'b0, 4'd0, 4'd0, 4'd3};
      {6'd0, 4'd6}, {6'd1, 4'd6}, {6'd2, 4'd6}, {6'd3, 4'd8}, {6'd4, 4'd8}, {6'd5, 4'd8},
      {6'd6, 4'd4}, {6'd7, 4'd4}, {6'd8, 4'd4}, {6'd9, 4'd4}, {6'd10, 4'd4}, {6'd11, 4'd4},
      {6'd12, 4'd4}, {6'd13, 4'd4}, {6'd14, 4'd4}, {6'd15, 4'd4}, {6'd16, 4'd4}, {6'd17, 4'd4},
      {6'd18, 4'd6}, {6'd19, 4'd6}, {6'd20, 4'd6}, {6'd21, 4'd6}, {6'd22, 4'd6}, {6'd23, 4'd6}:
        return '{FromS0, ToTime, 1'b1, 1'b1, 1'b0, 4'd0, 4'd4, 4'd0};
      {6'd1, 4'd5}, {6'd8, 4'd3}, {6'd9, 4'd3}, {6'd14, 4'd3}, {6'd15, 4'd3}, {6'd25, 4'd3},
      {6'd28, 4'd3}:
        return '{FromM, ToS1, 1'b1, 1'b0, 1'b0, 4'd0, 4'd0, 4'd2};
      {6'd3, 4'd2}, {6'd4, 4'd2}, {6'd5, 4'd2}, {6'd18, 4'd1}, {6'd19, 4'd1}, {6'd20, 4'd1},
      {6'd21, 4'd1}, {6'd22, 4'd1}, {6'd23, 4'd1}, {6'd24, 4'd1}, {6'd25, 4'd1}, {6'd26, 4'd1},
      {6'd27, 4'd2}, {6'd28, 4'd2}, {6'd29, 4'd2}, {6'd30, 4'd1}, {6'd31, 4'd1}, {6'd32, 4'd2},
      {6'd33, 4'd2}:
        return '{FromS0, ToTime, 1'b0, 1'b1, 1'b0, 4'd0, 4'd1, 4'd0};
      {6'd3, 4'd3}, {6'd4, 4'd3}, {6'd18, 4'd3}, {6'd19, 4'd3}, {6'd20, 4'd3}, {6'd21, 4'd3}:
        return '{FromM, ToS0, 1'b0, 1'b0, 1'b0, 4'd0, 4'd0, 4'd2};
      {6'd3, 4'd7}, {6'd18, 4'd5}, {6'd19, 4'd5}:
        return '{FromM, ToS1, 1'b1, 1'b0, 1'b0, 4'd0, 4'd0, 4'd5};
      {6'd4, 4'd7}, {6'd20, 4'd5}, {6'd21, 4'd5}:
        return '{FromM, ToS1, 1'b1, 1'b0, 1'b0, 4'd0, 4'd0, 4'd4};
      {6'd5, 4'd3}, {6'd22, 4'd3}, {6'd23, 4'd3}:
        return '{FromM, ToS0, 1'b0, 1'b0, 1'b0, 4'd0, 4'd0, 4'd3};
      {6'd5, 4'd7}, {6'd22, 4'd5}, {6'd23, 4'd5}:
        return '{FromM, ToS1, 1'b1, 1'b0, 1'b0, 4'd0, 4'd0, 4'd6};
      {6'd6, 4'd2}, {6'd7, 4'd2}, {6'd8, 4'd2}, {6'd9, 4'd2}, {6'd10, 4'd2}, {6'd11, 4'd2},
      {6'd12, 4'd1}, {6'd13, 4'd1}, {6'd14, 4'd1}, {6'd15, 4'd1}, {6'd16, 4'd1}, {6'd17, 4'd1},
      {6'd18, 4'd2}, {6'd19, 4'd2}, {6'd20, 4'd2}, {6'd21, 4'd2}, {6'd22, 4'd2}, {6'd23, 4'd2},
      {6'd24, 4'd2}, {6'd25, 4'd2}, {6'd26, 4'd2}, {6'd27, 4'd1}, {6'd28, 4'd1}, {6'd29, 4'd1},
      {6'd30, 4'd2}, {6'd31, 4'd2}, {6'd32, 4'd1}, {6'd33, 4'd1}, {6'd34, 4'd2}, {6'd35, 4'd2},
      {6'd36, 4'd2}:
        return '{FromY, ToS2, 1'b1, 1'b0, 1'b0, 4'd0, 4'd0, 4'd0};
      {6'd24, 4'd4}, {6'd25, 4'd4}, {6'd26, 4'd4}, {6'd27, 4'd4}, {6'd28, 4'd4}, {6'd29, 4'd4},
      {6'd30, 4'd4}, {6'd31, 4'd4}, {6'd32, 4'd4}, {6'd33, 4'd4}:
        return '{FromS0, ToTime, 1'b1, 1'b1, 1'b0, 4'd0, 4'd3, 4'd0};
      {6'd34, 4'd1}, {6'd35, 4'd1}, {6'd36, 4'd1}:
        return '{FromY, ToS1, 1'b0, 1'b0, 1'b1, 4'd0, 4'd0, 4'd0};
      {6'd34, 4'd3}, {6'd35, 4'd3}, {6'd36, 4'd3}:
        return '{FromY, ToS1, 1'b1, 1'b0, 1'b1, 4'd0, 4'd3, 4'd0};
      {6'd34, 4'd5}, {6'd35, 4'd5}, {6'd36, 4'd5}:
        return '{FromS0, ToTime, 1'b0, 1'b1, 1'b1, 4'd0, 4'd4, 4'd0};
      {6'd34, 4'd6}, {6'd36, 4'd6}:
        return '{FromM, ToS1, 1'b1, 1'b0, 1'b0, 4'd0, 4'd4, 4'd3};
      {6'd34, 4'd7}, {6'd36, 4'd7}:
        return '{FromM, ToS1, 1'b1, 1'b0, 1'b1, 4'd0, 4'd5, 4'd6};
      {6'd34, 4'd8}, {6'd35, 4'd8}, {6'd36, 4'd8}:
        return '{FromS0, ToTime, 1'b1, 1'b1, 1'b0, 4'd0, 4'd7, 4'd0};
      {6'd34, 4'd9}, {6'd35, 4'd9}, {6'd36, 4'd9}:
        return '{FromS0, ToTime, 1'b1, 1'b1, 1'b1, 4'd0, 4'd8, 4'd0};
      {6'd35, 4'd6}:
        return '{FromM, ToS1, 1'b1, 1'b0, 1'b0, 4'd0, 4'd4, 4'd2};
      {6'd35, 4'd7}:
        return '{FromM, ToS1, 1'b1, 1'b0, 1'b1, 4'd0, 4'd5, 4'd4};
      default: return '{FromX, ToS0, 1'b0, 1'b0, 1'b0, 4'd0, 4'd0, 4'd0};
    endcase
  endfunction

  function automatic count_t transform_steps(input program_t program_number);
    unique case (program_number)
      6'd0, 6'd1, 6'd2, 6'd18, 6'd19, 6'd20, 6'd21, 6'd22, 6'd23: return 4'd7;
      6'd3, 6'd4, 6'd5: return 4'd9;
      6'd34, 6'd35, 6'd36: return 4'd10;
      default: return 4'd5;
    endcase
  endfunction

  function automatic product_step_t product_step(input program_t program_number,
                                                    input count_t number);
    unique case ({program_number, number})
      {6'd0, 4'd1}, {6'd1, 4'd1}, {6'd2, 4'd1}:
        return '{OfS0, OfS1, Forwarded, 2'd0, ToS0, 1'b0, 1'b0, 1'b1, 1'b0, 4'd2, 4'd0, 4'd0};
      {6'd0, 4'd2}, {6'd1, 4'd2}, {6'd2, 4'd2}:
        return '{OfS2, OfS1, Forwarded, 2'd0, ToS2, 1'b0, 1'b0, 1'b0, 1'b0, 4'd5, 4'd0, 4'd0};
      {6'd0, 4'd3}, {6'd1, 4'd3}, {6'd2, 4'd3}, {6'd18, 4'd3}, {6'd19, 4'd3}, {6'd20, 4'd3},
      {6'd21, 4'd3}, {6'd22, 4'd3}, {6'd23, 4'd3}:
        return '{OfS1, OfS0, Constant, 2'd1, ToS0, 1'b1, 1'b1, 1'b1, 1'b0, 4'd6, 4'd0, 4'd0};
      {6'd3, 4'd0}, {6'd4, 4'd0}, {6'd5, 4'd0}:
        return '{OfS0, OfS0, Constant, 2'd0, ToS0, 1'b0, 1'b0, 1'b1, 1'b0, 4'd1, 4'd0, 4'd0};
      {6'd3, 4'd1}, {6'd4, 4'd1}, {6'd5, 4'd1}, {6'd19, 4'd1}, {6'd21, 4'd1}, {6'd23, 4'd1}:
        return '{OfS0, OfS1, Forwarded, 2'd0, ToS0, 1'b0, 1'b0, 1'b1, 1'b0, 4'd4, 4'd0, 4'd0};
      {6'd3, 4'd2}, {6'd4, 4'd2}, {6'd5, 4'd2}:
        return '{OfS2, OfS1, Forwarded, 2'd0, ToS2, 1'b0, 1'b0, 1'b0, 1'b0, 4'd7, 4'd0, 4'd0};
      {6'd3, 4'd3}, {6'd4, 4'd3}, {6'd5, 4'd3}:
        return '{OfS1, OfS0, Constant, 2'd1, ToS0, 1'b1, 1'b1, 1'b1, 1'b0, 4'd8, 4'd0, 4'd0};
      {6'd6, 4'd0}, {6'd7, 4'd0}, {6'd8, 4'd0}, {6'd9, 4'd0}, {6'd10, 4'd0}, {6'd11, 4'd0},
      {6'd12, 4'd0}, {6'd13, 4'd0}, {6'd14, 4'd0}, {6'd15, 4'd0}, {6'd16, 4'd0}, {6'd17, 4'd0},
      {6'd34, 4'd0}, {6'd35, 4'd0}, {6'd36, 4'd0}:
        return '{OfS1, OfS0, Constant, 2'd0, ToS0, 1'b0, 1'b1, 1'b0, 1'b0, 4'd1, 4'd0, 4'd0};
      {6'd6, 4'd1}, {6'd8, 4'd1}, {6'd10, 4'd1}, {6'd12, 4'd1}, {6'd14, 4'd1}, {6'd16, 4'd1}:
        return '{OfS1, OfS0, Forwarded, 2'd0, ToS0, 1'b0, 1'b0, 1'b1, 1'b0, 4'd1, 4'd0, 4'd0};
      {6'd6, 4'd2}, {6'd7, 4'd2}, {6'd8, 4'd2}, {6'd9, 4'd2}, {6'd10, 4'd2}, {6'd11, 4'd2},
      {6'd18, 4'd2}, {6'd19, 4'd2}, {6'd20, 4'd2}, {6'd21, 4'd2}, {6'd22, 4'd2}, {6'd23, 4'd2},
      {6'd34, 4'd5}, {6'd35, 4'd5}, {6'd36, 4'd5}:
        return '{OfS2, OfS2, Forwarded, 2'd0, ToS2, 1'b0, 1'b0, 1'b0, 1'b0, 4'd3, 4'd0, 4'd0};
      {6'd6, 4'd3}, {6'd7, 4'd3}, {6'd8, 4'd3}, {6'd9, 4'd3}, {6'd10, 4'd3}, {6'd11, 4'd3},
      {6'd12, 4'd3}, {6'd13, 4'd3}, {6'd14, 4'd3}, {6'd15, 4'd3}, {6'd16, 4'd3}, {6'd17, 4'd3},
      {6'd24, 4'd2}, {6'd25, 4'd2}, {6'd26, 4'd2}, {6'd27, 4'd2}, {6'd28, 4'd2}, {6'd29, 4'd2},
      {6'd30, 4'd2}, {6'd31, 4'd2}, {6'd32, 4'd2}, {6'd33, 4'd2}:
        return '{OfS1, OfS0, Constant, 2'd1, ToS0, 1'b1, 1'b1, 1'b1, 1'b0, 4'd4, 4'd0, 4'd0};
      {6'd7, 4'd1}, {6'd9, 4'd1}, {6'd11, 4'd1}, {6'd13, 4'd1}, {6'd15, 4'd1}, {6'd17, 4'd1},
      {6'd34, 4'd1}, {6'd35, 4'd1}, {6'd36, 4'd1}:
        return '{OfS0, OfS1, Forwarded, 2'd0, ToS0, 1'b0, 1'b0, 1'b1, 1'b0, 4'd1, 4'd0, 4'd0};
      {6'd12, 4'd2}, {6'd13, 4'd2}, {6'd14, 4'd2}, {6'd15, 4'd2}, {6'd16, 4'd2}, {6'd17, 4'd2}:
        return '{OfS2, OfS2, Forwarded, 2'd0, ToS2, 1'b0, 1'b0, 1'b0, 1'b0, 4'd2, 4'd0, 4'd0};
      {6'd18, 4'd0}, {6'd19, 4'd0}, {6'd20, 4'd0}, {6'd21, 4'd0}, {6'd22, 4'd0}, {6'd23, 4'd0},
      {6'd30, 4'd0}, {6'd31, 4'd0}, {6'd32, 4'd0}, {6'd33, 4'd0}:
        return '{OfS1, OfS0, Constant, 2'd0, ToS0, 1'b0, 1'b1, 1'b1, 1'b0, 4'd1, 4'd0, 4'd0};
      {6'd18, 4'd1}, {6'd20, 4'd1}, {6'd22, 4'd1}:
        return '{OfS1, OfS0, Forwarded, 2'd0, ToS0, 1'b0, 1'b0, 1'b1, 1'b0, 4'd4, 4'd0, 4'd0};
      {6'd24, 4'd0}, {6'd25, 4'd0}, {6'd26, 4'd0}, {6'd27, 4'd0}, {6'd28, 4'd0}, {6'd29, 4'd0}:
        return '{OfS1, OfS0, Constant, 2'd2, ToS0, 1'b0, 1'b1, 1'b1, 1'b0, 4'd1, 4'd0, 4'd0};
      {6'd24, 4'd1}, {6'd25, 4'd1}, {6'd26, 4'd1}:
        return '{OfS2, OfS0, Constant, 2'd3, ToS2, 1'b0, 1'b0, 1'b0, 1'b0, 4'd3, 4'd0, 4'd0};
      {6'd27, 4'd1}, {6'd28, 4'd1}, {6'd29, 4'd1}:
        return '{OfS2, OfS0, Constant, 2'd3, ToS2, 1'b0, 1'b0, 1'b0, 1'b0, 4'd2, 4'd0, 4'd0};
      {6'd30, 4'd1}, {6'd31, 4'd1}:
        return '{OfS2, OfS0, One, 2'd0, ToS2, 1'b0, 1'b0, 1'b0, 1'b0, 4'd3, 4'd0, 4'd0};
      {6'd32, 4'd1}, {6'd33, 4'd1}:
        return '{OfS2, OfS0, One, 2'd0, ToS2, 1'b0, 1'b0, 1'b0, 1'b0, 4'd2, 4'd0, 4'd0};
      {6'd34, 4'd2}, {6'd35, 4'd2}, {6'd36, 4'd2}:
        return '{OfS1, OfS0, Constant, 2'd0, ToS0, 1'b0, 1'b1, 1'b0, 1'b1, 4'd2, 4'd0, 4'd0};
      {6'd34, 4'd3}, {6'd35, 4'd3}, {6'd36, 4'd3}:
        return '{OfS0, OfS1, Forwarded, 2'd0, ToS0, 1'b0, 1'b0, 1'b1, 1'b1, 4'd2, 4'd0, 4'd0};
      {6'd34, 4'd4}, {6'd35, 4'd4}, {6'd36, 4'd4}:
        return '{OfS1, OfS2, Forwarded, 2'd0, ToS2, 1'b0, 1'b0, 1'b0, 1'b1, 4'd4, 4'd0, 4'd0};
      {6'd34, 4'd6}, {6'd35, 4'd6}, {6'd36, 4'd6}:
        return '{OfS1, OfS0, Constant, 2'd1, ToS0, 1'b1, 1'b1, 1'b1, 1'b0, 4'd7, 4'd0, 4'd0};
      {6'd34, 4'd7}, {6'd35, 4'd7}, {6'd36, 4'd7}:
        return '{OfS1, OfS0, Constant, 2'd1, ToS0, 1'b1, 1'b1, 1'b1, 1'b1, 4'd8, 4'd0, 4'd0};
      default: return '{OfS0, OfS0, Constant, 2'd0, ToS0, 1'b0, 1'b0, 1'b0, 1'b0, 4'd1, 4'd0, 4'd0};
    endcase
  endfunction

  function automatic count_t product_steps(input program_t program_number);
    unique case (program_number)
      6'd24, 6'd25, 6'd26, 6'd27, 6'd28, 6'd29, 6'd30, 6'd31, 6'd32, 6'd33: return 4'd3;
      6'd34, 6'd35, 6'd36: return 4'd8;
      default: return 4'd4;
    endcase
  endfunction

  function automatic pass_step_t pass_step(input program_t program_number,
                                              input count_t number);
    unique case ({program_number, number})
      {6'd0, 4'd1}, {6'd2, 4'd1}, {6'd5, 4'd1}, {6'd6, 4'd1}, {6'd7, 4'd1}, {6'd10, 4'd1},
      {6'd11, 4'd1}, {6'd12, 4'd1}, {6'd13, 4'd1}, {6'd16, 4'd1}, {6'd17, 4'd1}, {6'd22, 4'd1},
      {6'd23, 4'd1}, {6'd24, 4'd1}, {6'd26, 4'd1}, {6'd27, 4'd1}, {6'd29, 4'd1}, {6'd30, 4'd1},
      {6'd31, 4'd1}, {6'd32, 4'd1}, {6'd33, 4'd1}, {6'd34, 4'd1}, {6'd36, 4'd1}:
        return '{Add, 1'b0, 1'b0, 4'd0, 4'd0, 4'd1};
      {6'd0, 4'd2}, {6'd2, 4'd2}, {6'd5, 4'd2}, {6'd6, 4'd2}, {6'd7, 4'd2}, {6'd10, 4'd2},
      {6'd11, 4'd2}, {6'd12, 4'd2}, {6'd13, 4'd2}, {6'd16, 4'd2}, {6'd17, 4'd2}, {6'd22, 4'd2},
      {6'd23, 4'd2}, {6'd24, 4'd2}, {6'd26, 4'd2}, {6'd27, 4'd2}, {6'd29, 4'd2}, {6'd30, 4'd2},
      {6'd31, 4'd2}, {6'd32, 4'd2}, {6'd33, 4'd2}, {6'd34, 4'd2}, {6'd36, 4'd2}:
        return '{Fix, 1'b0, 1'b0, 4'd0, 4'd0, 4'd2};
      {6'd0, 4'd3}, {6'd2, 4'd3}:
        return '{Accumulate, 1'b1, 1'b0, 4'd7, 4'd0, 4'd3};
      {6'd0, 4'd4}, {6'd6, 4'd4}, {6'd7, 4'd4}, {6'd12, 4'd4}, {6'd13, 4'd4}, {6'd24, 4'd4},
      {6'd27, 4'd4}, {6'd30, 4'd4}, {6'd32, 4'd4}:
        return '{Result, 1'b1, 1'b0, 4'd0, 4'd0, 4'd4};
      {6'd1, 4'd1}, {6'd3, 4'd1}, {6'd4, 4'd1}, {6'd8, 4'd1}, {6'd9, 4'd1}, {6'd14, 4'd1},
      {6'd15, 4'd1}, {6'd18, 4'd1}, {6'd19, 4'd1}, {6'd20, 4'd1}, {6'd21, 4'd1}, {6'd25, 4'd1},
      {6'd28, 4'd1}, {6'd35, 4'd1}:
        return '{Short, 1'b0, 1'b0, 4'd0, 4'd0, 4'd1};
      {6'd1, 4'd2}:
        return '{Accumulate, 1'b1, 1'b0, 4'd7, 4'd0, 4'd2};
      {6'd1, 4'd3}, {6'd8, 4'd3}, {6'd9, 4'd3}, {6'd14, 4'd3}, {6'd15, 4'd3}, {6'd25, 4'd3},
      {6'd28, 4'd3}:
        return '{Result, 1'b1, 1'b0, 4'd0, 4'd0, 4'd3};
      {6'd2, 4'd4}, {6'd10, 4'd4}, {6'd11, 4'd4}, {6'd16, 4'd4}, {6'd17, 4'd4}, {6'd26, 4'd4},
      {6'd29, 4'd4}, {6'd31, 4'd4}, {6'd33, 4'd4}:
        return '{Add, 1'b1, 1'b0, 4'd0, 4'd0, 4'd4};
      {6'd2, 4'd5}, {6'd4, 4'd5}, {6'd10, 4'd5}, {6'd11, 4'd5}, {6'd16, 4'd5}, {6'd17, 4'd5},
      {6'd20, 4'd5}, {6'd21, 4'd5}, {6'd26, 4'd5}, {6'd29, 4'd5}, {6'd31, 4'd5}, {6'd33, 4'd5},
      {6'd35, 4'd5}:
        return '{Result, 1'b1, 1'b0, 4'd0, 4'd0, 4'd5};
      {6'd3, 4'd0}, {6'd4, 4'd0}, {6'd5, 4'd0}, {6'd12, 4'd0}, {6'd13, 4'd0}, {6'd14, 4'd0},
      {6'd15, 4'd0}, {6'd16, 4'd0}, {6'd17, 4'd0}, {6'd27, 4'd0}, {6'd28, 4'd0}, {6'd29, 4'd0},
      {6'd32, 4'd0}, {6'd33, 4'd0}:
        return '{Accumulate, 1'b0, 1'b0, 4'd3, 4'd0, 4'd0};
      {6'd3, 4'd2}, {6'd4, 4'd2}:
        return '{Accumulate, 1'b0, 1'b0, 4'd6, 4'd0, 4'd2};
      {6'd3, 4'd3}, {6'd18, 4'd3}, {6'd19, 4'd3}:
        return '{Add, 1'b0, 1'b0, 4'd0, 4'd0, 4'd3};
      {6'd3, 4'd4}, {6'd18, 4'd4}, {6'd19, 4'd4}:
        return '{Fix, 1'b0, 1'b0, 4'd0, 4'd0, 4'd4};
      {6'd3, 4'd5}:
        return '{Accumulate, 1'b1, 1'b0, 4'd9, 4'd0, 4'd5};
      {6'd3, 4'd6}, {6'd18, 4'd6}, {6'd19, 4'd6}:
        return '{Result, 1'b1, 1'b0, 4'd0, 4'd0, 4'd6};
      {6'd4, 4'd3}, {6'd20, 4'd3}, {6'd21, 4'd3}:
        return '{Short, 1'b0, 1'b0, 4'd0, 4'd0, 4'd3};
      {6'd4, 4'd4}, {6'd35, 4'd4}:
        return '{Accumulate, 1'b1, 1'b0, 4'd9, 4'd0, 4'd4};
      {6'd5, 4'd3}:
        return '{Accumulate, 1'b0, 1'b0, 4'd6, 4'd0, 4'd3};
      {6'd5, 4'd4}, {6'd22, 4'd4}, {6'd23, 4'd4}:
        return '{Add, 1'b0, 1'b0, 4'd0, 4'd0, 4'd4};
      {6'd5, 4'd5}, {6'd22, 4'd5}, {6'd23, 4'd5}:
        return '{Fix, 1'b0, 1'b0, 4'd0, 4'd0, 4'd5};
      {6'd5, 4'd6}, {6'd34, 4'd6}, {6'd36, 4'd6}:
        return '{Accumulate, 1'b1, 1'b0, 4'd9, 4'd0, 4'd6};
      {6'd5, 4'd7}, {6'd22, 4'd7}, {6'd23, 4'd7}, {6'd36, 4'd7}:
        return '{Add, 1'b1, 1'b0, 4'd0, 4'd0, 4'd7};
      {6'd5, 4'd8}, {6'd22, 4'd8}, {6'd23, 4'd8}, {6'd36, 4'd8}:
        return '{Result, 1'b1, 1'b0, 4'd0, 4'd0, 4'd8};
      {6'd6, 4'd0}, {6'd7, 4'd0}, {6'd8, 4'd0}, {6'd9, 4'd0}, {6'd10, 4'd0}, {6'd11, 4'd0},
      {6'd18, 4'd0}, {6'd19, 4'd0}, {6'd20, 4'd0}, {6'd21, 4'd0}, {6'd22, 4'd0}, {6'd23, 4'd0},
      {6'd24, 4'd0}, {6'd25, 4'd0}, {6'd26, 4'd0}, {6'd30, 4'd0}, {6'd31, 4'd0}:
        return '{Accumulate, 1'b0, 1'b0, 4'd2, 4'd0, 4'd0};
      {6'd6, 4'd3}, {6'd7, 4'd3}, {6'd10, 4'd3}, {6'd11, 4'd3}, {6'd12, 4'd3}, {6'd13, 4'd3},
      {6'd16, 4'd3}, {6'd17, 4'd3}, {6'd24, 4'd3}, {6'd26, 4'd3}, {6'd27, 4'd3}, {6'd29, 4'd3},
      {6'd30, 4'd3}, {6'd31, 4'd3}, {6'd32, 4'd3}, {6'd33, 4'd3}:
        return '{Accumulate, 1'b1, 1'b0, 4'd5, 4'd0, 4'd3};
      {6'd8, 4'd2}, {6'd9, 4'd2}, {6'd14, 4'd2}, {6'd15, 4'd2}, {6'd25, 4'd2}, {6'd28, 4'd2}:
        return '{Accumulate, 1'b1, 1'b0, 4'd5, 4'd0, 4'd2};
      {6'd18, 4'd2}, {6'd19, 4'd2}, {6'd20, 4'd2}, {6'd21, 4'd2}:
        return '{Accumulate, 1'b0, 1'b0, 4'd5, 4'd0, 4'd2};
      {6'd18, 4'd5}, {6'd19, 4'd5}:
        return '{Accumulate, 1'b1, 1'b0, 4'd7, 4'd0, 4'd5};
      {6'd20, 4'd4}, {6'd21, 4'd4}:
        return '{Accumulate, 1'b1, 1'b0, 4'd7, 4'd0, 4'd4};
      {6'd22, 4'd3}, {6'd23, 4'd3}:
        return '{Accumulate, 1'b0, 1'b0, 4'd5, 4'd0, 4'd3};
      {6'd22, 4'd6}, {6'd23, 4'd6}:
        return '{Accumulate, 1'b1, 1'b0, 4'd7, 4'd0, 4'd6};
      {6'd34, 4'd0}, {6'd35, 4'd0}, {6'd36, 4'd0}:
        return '{Accumulate, 1'b0, 1'b0, 4'd5, 4'd0, 4'd0};
      {6'd34, 4'd3}, {6'd36, 4'd3}:
        return '{Accumulate, 1'b0, 1'b1, 4'd6, 4'd0, 4'd3};
      {6'd34, 4'd4}, {6'd36, 4'd4}:
        return '{Add, 1'b0, 1'b1, 4'd0, 4'd0, 4'd4};
      {6'd34, 4'd5}, {6'd36, 4'd5}:
        return '{Fix, 1'b0, 1'b1, 4'd0, 4'd0, 4'd5};
      {6'd34, 4'd7}:
        return '{Result, 1'b1, 1'b0, 4'd0, 4'd0, 4'd7};
      {6'd34, 4'd8}:
        return '{Accumulate, 1'b1, 1'b1, 4'd10, 4'd0, 4'd8};
      {6'd34, 4'd9}:
        return '{Result, 1'b1, 1'b1, 4'd0, 4'd0, 4'd9};
      {6'd35, 4'd2}:
        return '{Accumulate, 1'b0, 1'b1, 4'd6, 4'd0, 4'd2};
      {6'd35, 4'd3}:
        return '{Short, 1'b0, 1'b1, 4'd0, 4'd0, 4'd3};
      {6'd35, 4'd6}:
        return '{Accumulate, 1'b1, 1'b1, 4'd10, 4'd0, 4'd6};
      {6'd35, 4'd7}:
        return '{Result, 1'b1, 1'b1, 4'd0, 4'd0, 4'd7};
      {6'd36, 4'd9}:
        return '{Accumulate, 1'b1, 1'b1, 4'd10, 4'd0, 4'd9};
      {6'd36, 4'd10}:
        return '{Add, 1'b1, 1'b1, 4'd0, 4'd0, 4'd10};
      {6'd36, 4'd11}:
        return '{Result, 1'b1, 1'b1, 4'd0, 4'd0, 4'd11};
      default: return '{Accumulate, 1'b0, 1'b0, 4'd4, 4'd0, 4'd0};
    endcase
  endfunction

  function automatic count_t pass_steps(input program_t program_number);
    unique case (program_number)
      6'd1, 6'd8, 6'd9, 6'd14, 6'd15, 6'd25, 6'd28: return 4'd4;
      6'd0, 6'd6, 6'd7, 6'd12, 6'd13, 6'd24, 6'd27, 6'd30, 6'd32: return 4'd5;
      6'd3, 6'd18, 6'd19: return 4'd7;
      6'd35: return 4'd8;
      6'd5, 6'd22, 6'd23: return 4'd9;
      6'd34: return 4'd10;
      6'd36: return 4'd12;
      default: return 4'd6;
    endcase
  endfunction

  function automatic pass_step_t redundant_pass_step(input program_t program_number,
                                                        input count_t number);
    unique case ({program_number, number})
      {6'd14, 4'd0}, {6'd15, 4'd0}:
        return '{Accumulate, 1'b0, 1'b0, 4'd3, 4'd0, 4'd0};
      {6'd14, 4'd1}, {6'd15, 4'd1}, {6'd35, 4'd1}:
        return '{Short, 1'b0, 1'b0, 4'd0, 4'd0, 4'd1};
      {6'd14, 4'd2}, {6'd15, 4'd2}:
        return '{Direct, 1'b1, 1'b0, 4'd5, 4'd0, 4'd2};
      {6'd35, 4'd0}:
        return '{Accumulate, 1'b0, 1'b0, 4'd5, 4'd0, 4'd0};
      {6'd35, 4'd2}:
        return '{Accumulate, 1'b0, 1'b1, 4'd6, 4'd0, 4'd2};
      {6'd35, 4'd3}:
        return '{Short, 1'b0, 1'b1, 4'd0, 4'd0, 4'd3};
      {6'd35, 4'd4}:
        return '{Direct, 1'b1, 1'b0, 4'd9, 4'd0, 4'd4};
      {6'd35, 4'd5}:
        return '{Direct, 1'b1, 1'b1, 4'd10, 4'd0, 4'd5};
      default: return pass_step(program_number, number);
    endcase
  endfunction

  function automatic count_t redundant_pass_steps(input program_t program_number);
    unique case (program_number)
      6'd14, 6'd15: return 4'd3;
      6'd35: return 4'd6;
      default: return pass_steps(program_number);
    endcase
  endfunction

endpackage
