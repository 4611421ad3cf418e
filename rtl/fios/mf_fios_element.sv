// SPDX-License-Identifier: Apache-2.0
//
// Processing element of the systolic FIOS multiplier: one iteration, on one multiplier-accumulator.
//
// Source:   "Scalable DSP optimized Montgomery Multiplier", Fig. 3 and Algorithm 3.
// Computes: P = (P + x_i y + m_i n) / W, word by word, where m_i makes the sum divisible by W.
// Program:  mf_fios_pkg. The stream of steps comes from the neighbour three cycles before issue,
//           the stream of words (y_j, n_j in the order of use) one cycle before it. Both go on to
//           the next element, Offset cycles later; in the last iteration the steps end here.
// Timing:   the cycle in which the element issues a step is 0 below.
//
// cycle                  action of the step
// -1                     x_q, last_q are loaded (first step)
// 0                      operands and operation go to the multiplier-accumulator; m_q is loaded
// Pipeline - CRegister - 1   its C is chosen: the incoming word, or its queue, or a saved value
// Pipeline               its result is in P: a word for the neighbour, or a value to be saved
//
// pin_q     incoming words that wait for their sum
// save_q    sums x_i y_j + P_j of two words that wait for m_i
// top_q     (fast) the last word, which is the upper half of the last sum
//
// Constant time: yes, no control signal depends on words.

module mf_fios_element #(
  /// Bits of a word.
  parameter int unsigned WordWidth = 17,
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

  /// An operation starts here: take steps and words from the sequencer.
  input  logic                 takes_steps_i,
  input  logic                 takes_words_i,
  input  mf_fios_pkg::step_t   sequencer_step_i,
  input  logic [WordWidth-1:0] sequencer_word_i,

  /// From the neighbour.
  input  mf_fios_pkg::step_t   step_i,
  input  logic [WordWidth-1:0] word_i,
  input  logic [WordWidth-1:0] pin_i,

  /// x_i of the iteration that starts in the next cycle, and whether it is the last one.
  input  logic [WordWidth-1:0] x_i,
  input  logic                 last_i,

  /// To the neighbour.
  output mf_fios_pkg::step_t   step_o,
  output logic [WordWidth-1:0] word_o,
  output logic [WordWidth-1:0] pin_o,

  /// The step that is issued in this cycle gives a word of the result of the last iteration,
  /// Pipeline cycles later; result_top_o is then the upper half of the sum.
  output logic                 emits_o,
  output logic [WordWidth-1:0] result_o,
  output logic [WordWidth-1:0] result_top_o,

  /// With quotient_valid_o, quotient_digit_o is m_i of the iteration that the element works on.
  output logic                 quotient_valid_o,
  output logic [WordWidth-1:0] quotient_digit_o
);

  import mf_fios_pkg::*;

  localparam code_t       Code      = code_of(Variant, Pipeline, 32'(CRegister));
  localparam int unsigned Offset    = offset(Code);
  localparam int unsigned PinDepth  = pin_depth(Code);
  localparam int unsigned SaveDepth = save_depth(Code);
  localparam int unsigned ProductW  = 2 * WordWidth;

  // ---------------------------------------------------------------- streams

  step_t                step0_q, step1_q, step2_q;  // two, one, no cycles before the issue
  logic                 first0_q, first1_q;
  step_t                step_out;
  logic [WordWidth-1:0] word_q;
  logic                 last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step0_q  <= StepIdle;
      step1_q  <= StepIdle;
      step2_q  <= StepIdle;
      first0_q <= 1'b0;
      first1_q <= 1'b0;
    end else begin
      step0_q  <= takes_steps_i ? sequencer_step_i : step_i;
      step1_q  <= step0_q;
      step2_q  <= step1_q;
      first0_q <= takes_steps_i;
      first1_q <= first0_q;
    end
  end

  assign step_out = last_q ? StepIdle : step2_q;

  if (Offset == 3) begin : gen_short
    assign step_o = step_out;
  end else begin : gen_steps
    step_t [Offset-4:0] steps_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        steps_q <= {(Offset - 3){StepIdle}};
      end else begin
        steps_q <= $bits(steps_q)'({steps_q, step_out});
      end
    end
    assign step_o = steps_q[Offset-4];
  end

  always_ff @(posedge clk_i) word_q <= takes_words_i ? sequencer_word_i : word_i;

  mf_delay_line #(.Width(WordWidth), .Depth(Offset - 1)) u_words (
    .clk_i(clk_i), .d_i(word_q), .q_o(word_o)
  );

  // ---------------------------------------------------------------- control

  micro_t    micro0, micro1, micro2;
  logic      load_x_q, load_m_q;
  a_source_e a_source_q;
  op_e       op_d, op_q;

  assign micro0 = micro(Code, step0_q);
  assign micro1 = micro(Code, step1_q);
  assign micro2 = micro(Code, step2_q);

  // There is no incoming word in the first iteration.
  assign op_d = op_e'(micro1.op & ~(4'(first1_q && micro1.c != CFromSaved) << OpUsesC));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      load_x_q   <= 1'b0;
      load_m_q   <= 1'b0;
      a_source_q <= AFromX;
      op_q       <= OpHold;
    end else begin
      load_x_q   <= micro0.load_x;
      load_m_q   <= micro1.load_m;
      a_source_q <= micro1.a;
      op_q       <= op_d;
    end
  end

  // Selection of C, in the cycle in which the step's C must be there.
  localparam int unsigned CControlW = 4;
  c_source_e c_source;
  logic      save_early, pin_shift;

  if (Pipeline == 1 && CRegister) begin : gen_c_control_before
    mf_delay_line #(.Width(CControlW), .Depth(1)) u_c_control (
      .clk_i(clk_i),
      .d_i  ({micro0.c, micro0.save_early, micro0.pin_shift}),
      .q_o  ({c_source, save_early, pin_shift})
    );
  end else begin : gen_c_control
    mf_delay_line #(.Width(CControlW), .Depth(Pipeline - 32'(CRegister))) u_c_control (
      .clk_i(clk_i),
      .d_i  ({micro1.c, micro1.save_early, micro1.pin_shift}),
      .q_o  ({c_source, save_early, pin_shift})
    );
  end

  // Use of the step's result, in the cycle in which the result is in P.
  logic save_shift, top;

  mf_delay_line #(.Width(2), .Depth(Pipeline)) u_result_control (
    .clk_i(clk_i), .d_i({micro2.save_shift, micro2.top}), .q_o({save_shift, top})
  );

  // ---------------------------------------------------------------- multiplier-accumulator

  logic [WordWidth-1:0] x_q, m_q, a;
  logic [ProductW-1:0]  c, saved;
  logic [ProductW:0]    p;
  logic [WordWidth-1:0] p_word;

  assign p_word = p[WordWidth-1:0];

  always_comb begin
    unique case (a_source_q)
      AFromP:  a = p_word;
      AFromM:  a = m_q;
      default: a = x_q;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (load_x_q) begin
      x_q    <= x_i;
      last_q <= last_i;
    end
    if (load_m_q) m_q <= p_word;
  end

  mf_mac #(
    .Block(Block), .WordWidth(WordWidth), .Pipeline(Pipeline), .CRegister(CRegister)
  ) u_mac (
    .clk_i, .op_i(op_q), .a_i(a), .b_i(word_q), .c_i(c), .p_o(p)
  );

  // ---------------------------------------------------------------- queues and C

  logic [PinDepth:0][WordWidth-1:0] pins;  // 0 is the incoming word
  logic [PinDepth:1][WordWidth-1:0] pin_q;

  assign pins = {pin_q, pin_i};
  always_ff @(posedge clk_i) if (pin_shift) pin_q <= pins[PinDepth-1:0];

  if (SaveDepth == 0) begin : gen_no_save_queue
    logic unused_save_control;
    assign unused_save_control = save_shift ^ save_early;
    assign saved               = p[ProductW-1:0];
  end else begin : gen_save_queue
    logic [SaveDepth:0][ProductW-1:0] saves;  // 0 is the accumulator
    logic [SaveDepth:1][ProductW-1:0] save_q;

    assign saves = {save_q, p[ProductW-1:0]};
    always_ff @(posedge clk_i) if (save_shift) save_q <= saves[SaveDepth-1:0];
    assign saved = save_early ? saves[SaveDepth-1] : saves[SaveDepth];
  end

  always_comb begin
    unique case (c_source)
      CFromPin1:  c = ProductW'(pins[1]);
      CFromPin2:  c = ProductW'(pins[PinDepth]);
      CFromSaved: c = saved;
      default:    c = ProductW'(pins[0]);
    endcase
  end

  // ---------------------------------------------------------------- results

  assign emits_o      = micro2.emit && last_q;
  assign result_o     = p_word;
  assign result_top_o = p[ProductW-1:WordWidth];

  assign quotient_valid_o = load_m_q;
  assign quotient_digit_o = p_word;

  if (Variant == Fast) begin : gen_top
    logic [WordWidth-1:0] top_q;
    logic                 top_goes_out;

    mf_delay_line #(.Width(1), .Depth(2)) u_top_control (
      .clk_i(clk_i), .d_i(top), .q_o(top_goes_out)
    );

    always_ff @(posedge clk_i) if (top) top_q <= p[ProductW-1:WordWidth];
    assign pin_o = top_goes_out ? top_q : p_word;
  end else begin : gen_no_top
    logic unused_top;
    assign unused_top = top;
    assign pin_o      = p_word;
  end

  // Only the accumulator needs bit 2 WordWidth of P. Each use of a step takes some of its fields.
  logic unused_bits;
  assign unused_bits = ^{p[ProductW], micro0, micro1, micro2};

endmodule
