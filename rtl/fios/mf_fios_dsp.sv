// SPDX-License-Identifier: Apache-2.0
//
// Systolic FIOS multiplier: sequencer and array of processing elements, native word interface.
//
// Source:   "Scalable DSP optimized Montgomery Multiplier", Section III, Fig. 5.
// Computes: p = x * y * R^-1 mod n, R = 2^(WordWidth Words), without a final subtraction.
// Contract: R > 4n, 0 <= x, y, p < 2n. Variant 2 works modulo n' = n * (-n^-1 mod 2^WordWidth)
//           instead of n and takes (n' + 1) / 2^WordWidth.
// Words:    *_next_o is high in the cycle in which *_word_i must have the next word; the source
//           can't stall. Each iteration takes a word of x; the order of the program takes those of
//           y and of n: n0' = -n^-1 mod 2^WordWidth, n_0, n_1 .. (variant 2: (n' + 1) /
//           2^WordWidth).
// Results:  a word of p in each cycle with p_valid_o, the lowest first. With variant 1 the last but
//           one comes with p_last_o, and the last one with it on p_top_o. The sink can't stall.
// Array:    a ring of Elements elements in which the iterations go round, or (Expanded) a chain of
//           one for each iteration. A ring of few elements has a delay in its loop.
// Latency:  start(Words - 1) + slots + Pipeline cycles from the first issue to the last word, with
//           start(i) = i Offset + floor(i / Elements) loop delay; the first issue is in the fourth
//           cycle after the accepting edge. Variant 0: 11 Words - 4. Words of p are on p_word_o two
//           cycles later if operations start in different elements in turn (Rotates).
// Paths:    op_valid_i to op_ready_next_o, op_room_next_i to op_ready_next_o, within a cycle.
// Constant time: yes.

module mf_fios_dsp #(
  /// Bits of a word; 16 to 23.
  parameter int unsigned WordWidth = 17,
  /// Words of an operand; at most 1024.
  parameter int unsigned Words     = 16,
  /// Processing elements; Words if Expanded.
  parameter int unsigned Elements  = 5,
  /// One element for each iteration.
  parameter bit          Expanded  = 1'b0,
  /// 0: published, 1: fast, 2: unit modulus.
  parameter int unsigned Variant   = 0,
  /// Cycles from operands to result of the multiplier-accumulator: 1, 2 or 3.
  parameter int unsigned Pipeline  = 3,
  /// Register for C in the multiplier-accumulator.
  parameter bit          CRegister = 1'b1,
  /// Multiplier-accumulator: 0 behavioural, 1 DSP48E2, 2 ECP5.
  parameter int unsigned Block     = 0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  /// Room for the result of an operation that is accepted in the next cycle. The input stays high
  /// until an operation is accepted, and has no effect in the cycle after the acceptance.
  input  logic                 op_room_next_i,
  input  logic                 op_valid_i,
  output logic                 op_ready_o,
  /// op_ready_o in the next cycle.
  output logic                 op_ready_next_o,

  output logic                 x_next_o,
  input  logic [WordWidth-1:0] x_word_i,
  output logic                 y_next_o,
  input  logic [WordWidth-1:0] y_word_i,
  output logic                 n_next_o,
  input  logic [WordWidth-1:0] n_word_i,

  output logic                 p_valid_o,
  output logic                 p_last_o,
  output logic [WordWidth-1:0] p_word_o,
  output logic [WordWidth-1:0] p_top_o
);

  import mf_fios_pkg::*;

  if (Variant > 2) begin : gen_illegal_variant
    $fatal(1, "mf_fios_dsp: Variant must be 0 (published), 1 (fast) or 2 (unit)");
  end else if (Variant == Published && (Pipeline != 3 || !CRegister)) begin : gen_illegal_published
    $fatal(1, "mf_fios_dsp: Pipeline must be 3 and CRegister 1 with Variant 0 (published)");
  end else if (Words < minimum_words(Variant, Pipeline)) begin : gen_illegal_words
    $fatal(1, "mf_fios_dsp: Words must be at least the program's smallest number of words");
  end else if (Elements < 1 || Elements > Words ||
               (Expanded && Elements != Words)) begin : gen_illegal_size
    $fatal(1, "mf_fios_dsp: Elements must be 1 to Words, and Words if Expanded");
  end else if (Words > 1024) begin : gen_illegal_many_words
    $fatal(1, "mf_fios_dsp: Words must be at most 1024");
  end else if (WordWidth < 16 || WordWidth > 23) begin : gen_illegal_word_width
    $fatal(1, "mf_fios_dsp: WordWidth must be 16 to 23");
  end

  localparam int unsigned Ring      = Elements < 1 || Elements > 1024 ? 1 : Elements;
  localparam code_t       Code      = code_of(Variant, Pipeline, 32'(CRegister));
  localparam int unsigned Offset    = offset(Code);
  localparam int unsigned Context   = context_cycles(Variant, Pipeline, Words);
  localparam int unsigned LoopDelay = Expanded ? 0 : loop_delay(Context, Ring, Offset);
  localparam int unsigned Left      = Words % Ring;  // elements of the last, partial round
  localparam bit          Rotates   = Variant != Published && !Expanded && LoopDelay == 0
                                      && Left != 0;
  localparam int unsigned Rounds    = (Words - 1) / Ring;
  localparam int unsigned LastStart = (Words - 1) * Offset + Rounds * LoopDelay;
  localparam int unsigned LastX     = Expanded ? 2 * (Words - 1) : LastStart;
  localparam int unsigned Busy      = Rotates ? (Words - Ring) * Offset + Context
                                              : Rounds * (Ring * Offset + LoopDelay) + Context;
  localparam int unsigned Interval  = Busy > LastX + 2 ? Busy : LastX + 2;
  localparam int unsigned LastPlace = (Words - 1) % Ring;  // unless it rotates
  localparam int unsigned Beats     = Variant == Fast ? Words - 1 : Words;

  // ---------------------------------------------------------------- sequencer

  step_t                sequencer_step;
  logic                 step_valid, word_valid, x_last;
  logic [WordWidth-1:0] sequencer_word, x;

  mf_fios_sequencer #(
    .WordWidth(WordWidth), .Words(Words), .Variant(Variant), .Pipeline(Pipeline),
    .Interval(Interval), .XPeriod(Expanded ? 2 : Offset), .XRound(Ring), .XPause(LoopDelay)
  ) u_sequencer (
    .clk_i, .rst_ni, .op_room_next_i, .op_valid_i, .op_ready_o, .op_ready_next_o,
    .x_next_o, .x_word_i, .y_next_o, .y_word_i, .n_next_o, .n_word_i,
    .step_o      (sequencer_step),
    .step_valid_o(step_valid),
    .word_o      (sequencer_word),
    .word_valid_o(word_valid),
    .x_o         (x),
    .x_last_o    (x_last)
  );

  // ---------------------------------------------------------------- where operations start

  logic [Elements-1:0] starts_here;  // one-hot

  if (Rotates) begin : gen_rotation
    logic [Elements-1:0] starts_here_q;
    // The first operation starts in element 0, others in the element behind the last iteration's.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        starts_here_q <= Elements'(1) << (Elements - Left);
      end else if (op_valid_i && op_ready_o) begin
        starts_here_q <= {starts_here_q[Elements-Left-1:0], starts_here_q[Elements-1-:Left]};
      end
    end
    assign starts_here = starts_here_q;
  end else begin : gen_fixed_start
    assign starts_here = Elements'(1);
  end

  // ---------------------------------------------------------------- elements

  step_t [Elements-1:0]                step_in, step_out;
  logic  [Elements-1:0][WordWidth-1:0] word_in, word_out, pin_in, pin_out;
  logic  [Elements-1:0][WordWidth-1:0] x_in, result, result_top;
  logic  [Elements-1:0][WordWidth-1:0] quotient_digits;
  logic  [Elements-1:0]                last_in, emits, quotient_valids;

  if (Expanded) begin : gen_chain
    logic unused_ends;
    assign step_in[0]  = StepIdle;
    assign word_in[0]  = '0;
    assign pin_in[0]   = '0;
    assign unused_ends = ^{step_out[Elements-1], word_out[Elements-1], pin_out[Elements-1], x_last};
  end else begin : gen_ring
    localparam int unsigned LinkW = 2 * WordWidth;

    if (LoopDelay == 0) begin : gen_no_delay
      assign step_in[0] = step_out[Elements-1];
    end else begin : gen_delay
      step_t [LoopDelay-1:0] steps_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          steps_q <= {LoopDelay{StepIdle}};
        end else begin
          steps_q <= $bits(steps_q)'({steps_q, step_out[Elements-1]});
        end
      end
      assign step_in[0] = steps_q[LoopDelay-1];
    end

    mf_delay_line #(.Width(LinkW), .Depth(LoopDelay)) u_loop (
      .clk_i(clk_i),
      .d_i  ({word_out[Elements-1], pin_out[Elements-1]}),
      .q_o  ({word_in[0], pin_in[0]})
    );
  end

  for (genvar g = 0; g < Ring; g++) begin : gen_elements
    if (g > 0) begin : gen_link
      assign step_in[g] = step_out[g-1];
      assign word_in[g] = word_out[g-1];
      assign pin_in[g]  = pin_out[g-1];
    end

    // In a chain, x_i overtakes the steps: it enters 2 i cycles after x_0, whose element starts
    // Offset i cycles before its own. In a ring, x_i is there when its iteration starts.
    if (Expanded && g > 0) begin : gen_x_chain
      mf_delay_line #(.Width(WordWidth), .Depth(Offset - 2)) u_x (
        .clk_i(clk_i), .d_i(x_in[g-1]), .q_o(x_in[g])
      );
    end else begin : gen_x
      assign x_in[g] = x;
    end
    assign last_in[g] = Expanded ? g == Elements - 1 : x_last;

    mf_fios_element #(
      .WordWidth(WordWidth), .Variant(Variant), .Pipeline(Pipeline), .CRegister(CRegister),
      .Block(Block)
    ) u_element (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .takes_steps_i   (starts_here[g] && step_valid),
      .takes_words_i   (starts_here[g] && word_valid),
      .sequencer_step_i(sequencer_step),
      .sequencer_word_i(sequencer_word),
      .step_i          (step_in[g]),
      .word_i          (word_in[g]),
      .pin_i           (pin_in[g]),
      .x_i             (x_in[g]),
      .last_i          (last_in[g]),
      .step_o          (step_out[g]),
      .word_o          (word_out[g]),
      .pin_o           (pin_out[g]),
      .emits_o         (emits[g]),
      .result_o        (result[g]),
      .result_top_o    (result_top[g]),
      .quotient_valid_o(quotient_valids[g]),
      .quotient_digit_o(quotient_digits[g])
    );
  end

  // ---------------------------------------------------------------- quotient digits

  // For a check of the product, which has one operation under way: then no two elements have a
  // digit in the same cycle.
  logic                 quotient_valid, unused_quotient;
  logic [WordWidth-1:0] quotient_digit;

  always_comb begin
    quotient_digit = '0;
    for (int unsigned g = 0; g < Elements; g++) begin
      quotient_digit |= quotient_digits[g] & {WordWidth{quotient_valids[g]}};
    end
  end

  assign quotient_valid  = |quotient_valids;
  assign unused_quotient = ^{quotient_valid, quotient_digit};

  // ---------------------------------------------------------------- results

  localparam int unsigned BeatW = $clog2(Beats + 1);

  logic [Pipeline-1:0]  emitted_q[Elements];  // the top bit: the word is in P
  logic [Elements-1:0]  in_p;
  logic                 valid_d, valid_q, last_q;
  logic [BeatW-1:0]     beats_q;              // words of this result that are still to come

  // emits is high when an element issues the step of a word, so that registers are between an
  // element and the logic that counts and stores words, which may be far from it.
  for (genvar g = 0; g < Ring; g++) begin : gen_emitted
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) emitted_q[g] <= '0;
      else emitted_q[g] <= Pipeline'({emitted_q[g], emits[g]});
    end
    assign in_p[g] = emitted_q[g][Pipeline-1];
  end

  if (Rotates) begin : gen_any_result
    // Elements may be far from each other: each has a register for its words.
    logic [2*WordWidth-1:0] result_q[Elements], any_d, any_q;
    logic                   valid_result_q;

    for (genvar g = 0; g < Ring; g++) begin : gen_result
      always_ff @(posedge clk_i) begin
        result_q[g] <= in_p[g] ? {result_top[g], result[g]} : '0;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_result_q <= 1'b0;
      else valid_result_q <= |in_p;
    end

    always_comb begin
      any_d = '0;
      for (int unsigned g = 0; g < Elements; g++) any_d |= result_q[g];
    end

    always_ff @(posedge clk_i) any_q <= any_d;

    assign valid_d             = valid_result_q;
    assign {p_top_o, p_word_o} = any_q;
  end else begin : gen_one_result
    logic unused_results;
    assign unused_results = ^{in_p, result, result_top};
    if (Pipeline == 1) begin : gen_now
      assign valid_d = emits[LastPlace];
    end else begin : gen_early
      assign valid_d = emitted_q[LastPlace][Pipeline-2];
    end
    assign p_word_o = result[LastPlace];
    assign p_top_o  = result_top[LastPlace];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      last_q  <= 1'b0;
      beats_q <= BeatW'(Beats);
    end else begin
      valid_q <= valid_d;
      last_q  <= valid_d && beats_q == BeatW'(1);
      if (valid_d) beats_q <= beats_q == BeatW'(1) ? BeatW'(Beats) : beats_q - BeatW'(1);
    end
  end

  assign p_valid_o = valid_q;
  assign p_last_o  = last_q;

endmodule
