// SPDX-License-Identifier: Apache-2.0
//
// Montgomery multiplier of a unit modulus, radix 2^DigitW, for FPGAs without multiplier blocks: all
// adders are in words on carry chains, and a carry out of a word is saved until it can enter a
// chain at its lowest bit.
//
// Source:   Orup, ARITH-12, 1995: the quotient digit without a product, used later. Schedule, words
//           and the way of the carries are this library's.
// Computes: p = a * b * R^-1 mod n, R = 2^(w K), w = DigitW, v = log2(w), L = w (v + 2),
//           K = ceil((Width + L + 2) / w).
// Takes:    n-bar = (n n' + 1) / 2^L, n' = -n^-1 mod 2^L in [0, 2^L), so that 0 < n-bar <= n.
// Contract: n odd, 3 <= n < 2^Width; a, b, p < 2^(L+1) n (closed).
// Latency:  K + k + 2 v + 8 cycles, k = WordW / w. Interval: 2 more.
// Constant time: yes.
//
// Recurrence: Y(0) = 0; u(t) = Y(t) mod 2^w, u(t) = 0 for t < 0;
// Y(t+1) = floor(Y(t) / 2^w) + a(t) b + u(t-v-1) n-bar, a(t) the digits of a.
// u(K) is the last digit of the quotient, and E more digits leave Y:
// p = 2^(w E) Y(K+1+E) + the digits u(K+1) to u(K+E).
//
// Rows and sums, all in registers: in level 0 row j is bit j of a's digit times b plus bit j of u
// times n-bar. Each sum of level 1 to v joins two of the level below; the sum of level v joins Y.
//
// Carries: a multiple of 2^(w i) may join Y i steps late, i digits lower: u is the digit that is
// there. A carry out of a word has the weight of the word above, and so that of the same word k
// steps later. An adder has its words' ends where the lower one of its two sums has them, whose
// carries enter it at their time. The carries of the upper sum enter k steps late the lowest row
// that it has been made from, those of the sum of level v row 0, and those of Y again Y.
//
// Cycle c is the one that follows edge c; the request is accepted at edge 0. F = K + k + 2 v + 3:
// in cycle F only Y's own carries are on their way.
// Phase    cycles      d_q   n_q    y_q                              carries into Y
// Idle     -           -     load   0; rows and sums are 0, too      -
// Loop     0 .. F - 1  a(c)  n-bar  Y(c-v-1), from v + 1 on          of k steps before
//          K+v+2 on    0     0
//          F .. F + 4  0     0      from F + 2 on with all carries   from F + 4 on: between words
// Done     until taken 0     0      p without its E lowest digits    none

module mf_unit_chain #(
  /// Bits of the modulus; 3 to 8192.
  parameter int unsigned Width  = 256,
  /// Bits of a digit; 2, 4, 8 or 16.
  parameter int unsigned DigitW = 4,
  /// Bits of a word; a multiple of DigitW from DigitW (log2(DigitW) + 1) to 256.
  parameter int unsigned WordW  = 16,
  /// 0: behavioural adders, 1: ECP5 CCU2C.
  parameter int unsigned Block  = 0,

  localparam int unsigned LegalWidth  = Width < 3 || Width > 8192 ? 3 : Width,
  localparam bit          BadDigitW   = DigitW != 2 && DigitW != 4 && DigitW != 8 && DigitW != 16,
  localparam int unsigned LegalDigitW = BadDigitW ? 2 : DigitW,
  localparam int unsigned Levels      = $clog2(LegalDigitW),  // v
  localparam bit          BadWordW    = WordW > 256 || WordW % LegalDigitW != 0 ||
                                        WordW < LegalDigitW * (Levels + 1),
  localparam int unsigned LegalWordW  = BadWordW ? LegalDigitW * (Levels + 1) : WordW,
  localparam int unsigned ScaleW      = LegalDigitW * (Levels + 2),  // L
  localparam int unsigned OperandW    = LegalWidth + ScaleW + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  /// n-bar.
  input  logic [Width-1:0]    n_scaled_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_unit_chain: Width must be 3 to 8192");
  end else if (BadDigitW) begin : gen_illegal_digit
    $fatal(1, "mf_unit_chain: DigitW must be 2, 4, 8 or 16");
  end else if (BadWordW) begin : gen_illegal_word
    $fatal(1, "mf_unit_chain: WordW must be DigitW times log2(DigitW) + 1 or more, to 256");
  end else if (Block > 1) begin : gen_illegal_block
    $fatal(1, "mf_unit_chain: Block must be 0 (generic) or 1 (ECP5)");
  end

  localparam int unsigned Digits  = (LegalWidth + ScaleW + LegalDigitW + 1) / LegalDigitW;  // K
  localparam int unsigned Steps   = LegalWordW / LegalDigitW;                               // k
  localparam int unsigned LoopEnd = Digits + Steps + 2 * Levels + 3;                        // F
  localparam int unsigned Extra   = Steps + Levels + 1;                                     // E
  localparam int unsigned LowW    = Extra * LegalDigitW;
  localparam int unsigned LeastW  = OperandW + LegalDigitW + 1;
  localparam int unsigned StateW  = (LeastW > LegalWordW) ? LeastW : LegalWordW + 1;  // two words
  localparam int unsigned Words   = (StateW + LegalWordW - 1) / LegalWordW;
  localparam int unsigned SumW    = OperandW + LegalDigitW + Levels;  // of level v
  localparam int unsigned Ends    = (SumW + LegalWordW - 1) / LegalWordW;
  localparam int unsigned CountW  = $clog2(LoopEnd + 6);

  typedef enum logic [1:0] {StIdle, StLoop, StDone} phase_e;

  // ---------------------------------------------------------------- control

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] cycle_q;  // of the phase Loop

  // Control of the datapath in this cycle.
  logic       idle_q;     // a request may be accepted; rows, sums, Y and carries become 0
  logic       take_q;     // the cycle before one with shift_q
  logic       shift_q;    // Y moves by a digit
  logic       n_clear_q;  // cycle K + v + 1
  logic [5:0] tail_q;     // cycles F - 1 to F + 4

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:  if (req_valid_i) phase_d = StLoop;
      StLoop:  if (tail_q[5]) phase_d = StDone;
      StDone:  if (rsp_ready_i) phase_d = StIdle;
      default: phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q   <= StIdle;
      cycle_q   <= '0;
      idle_q    <= 1'b1;
      take_q    <= 1'b1;
      shift_q   <= 1'b1;
      n_clear_q <= 1'b0;
      tail_q    <= '0;
    end else begin
      phase_q   <= phase_d;
      cycle_q   <= (phase_q == StLoop) ? cycle_q + CountW'(1) : '0;
      idle_q    <= phase_d == StIdle;
      take_q    <= (take_q && cycle_q != CountW'(LoopEnd - 2)) || idle_q;
      shift_q   <= take_q;
      n_clear_q <= cycle_q == CountW'(Digits + Levels);
      tail_q    <= {tail_q[4:0], cycle_q == CountW'(LoopEnd - 2)};
    end
  end

  assign req_ready_o = idle_q;
  assign rsp_valid_o = phase_q == StDone;

  // ---------------------------------------------------------------- operands

  logic [OperandW-1:0]    a_q, b_q;
  logic [Width-1:0]       n_q;
  logic [LegalDigitW-1:0] d_q;
  logic [LowW-1:0]        low_q;  // the digits that left Y last
  logic [StateW-1:0]      y_q;

  always_ff @(posedge clk_i) begin
    {a_q, d_q} <= (OperandW + LegalDigitW)'(idle_q ? a_i : a_q);
    if (idle_q) b_q <= b_i;
    if (n_clear_q)   n_q <= '0;
    else if (idle_q) n_q <= n_scaled_i;
    if (shift_q) low_q <= {y_q[LegalDigitW-1:0], low_q[LowW-1:LegalDigitW]};
  end

  // ---------------------------------------------------------------- rows and their sum

  // Sum i of each level, and the carries out of its words.
  logic [Levels:0][LegalDigitW-1:0][SumW-1:0] sums;
  logic [Levels:0][LegalDigitW-1:0][Ends-1:0] carries;
  logic [SumW-1:0]                            late;  // Y's own carries on their way in cycle F

  for (genvar level = 0; level <= Levels; level++) begin : gen_level
    localparam int unsigned Bits      = OperandW + (1 << level) + level;
    localparam int unsigned LevelEnds = (Bits + LegalWordW - 1) / LegalWordW;

    for (genvar i = 0; i < (LegalDigitW >> level); i++) begin : gen_sum
      logic [Bits-1:0]      a, b, c, d, sum, sum_q;
      logic [LevelEnds-1:0] carry_in, carry, carry_q;

      if (level == 0) begin : gen_row
        // The level of the highest sum whose lowest row this is.
        localparam int unsigned Own  = (i == 0) ? Levels : $clog2(i & -i);
        localparam int unsigned Late = Steps - Own - 1;

        logic [Late:0][LevelEnds-1:0] line;  // its carries, by age

        assign a = Bits'(b_q);
        assign b = {Bits{d_q[i]}};
        assign c = Bits'(n_q);
        assign d = {Bits{y_q[i]}};

        assign line[0]  = carries[Own][i>>Own][LevelEnds-1:0];
        assign carry_in = line[Late];

        for (genvar stage = 0; stage < Late; stage++) begin : gen_late
          always_ff @(posedge clk_i) line[stage+1] <= idle_q ? '0 : line[stage];
        end
      end else begin : gen_join
        assign a        = Bits'(sums[level-1][2*i+1]) << (1 << (level - 1));
        assign b        = {Bits{tail_q[1] && level == Levels}};
        assign c        = Bits'(sums[level-1][2*i]);
        assign d        = (level == Levels) ? Bits'(late) : '0;
        assign carry_in = LevelEnds'({carries[level-1][2*i], 1'b0});
      end

      mf_chain_adder #(
        .Width(Bits), .WordW(LegalWordW), .Operands(level == 0 ? 0 : 1), .Block(Block)
      ) u_add (
        .a_i(a), .b_i(b), .c_i(c), .d_i(d), .carry_i(carry_in), .sum_o(sum), .carry_o(carry)
      );

      always_ff @(posedge clk_i) begin
        if (idle_q) begin
          sum_q   <= '0;
          carry_q <= '0;
        end else begin
          sum_q   <= sum;
          carry_q <= carry;
        end
      end

      assign sums[level][i]    = SumW'(sum_q);
      assign carries[level][i] = Ends'(carry_q);
    end

    for (genvar i = LegalDigitW >> level; i < LegalDigitW; i++) begin : gen_none
      assign sums[level][i]    = '0;
      assign carries[level][i] = '0;
    end
  end

  // ---------------------------------------------------------------- Y

  logic [StateW-1:0]           y;
  logic [Words-1:0]            y_carry, y_carry_in_q;
  logic [Steps-1:0][Words-1:0] y_carry_q;  // by age
  logic [Words-1:0]            ones, generates_q, propagates_q, between;

  mf_chain_adder #(.Width(StateW), .WordW(LegalWordW), .Operands(2), .Block(Block)) u_y (
    .a_i    (StateW'(sums[Levels][0])),
    .b_i    ({StateW{shift_q}}),
    .c_i    (y_q >> LegalDigitW),
    .d_i    (y_q),
    .carry_i(y_carry_in_q),
    .sum_o  (y),
    .carry_o(y_carry)
  );

  always_ff @(posedge clk_i) begin
    if (idle_q) begin
      y_q          <= '0;
      y_carry_q    <= '0;
      y_carry_in_q <= '0;
    end else begin
      y_q          <= y;
      y_carry_q    <= {y_carry_q[Steps-2:0], y_carry};
      y_carry_in_q <= take_q ? y_carry_q[Steps-2] : between << 1;
    end
  end

  // A carry of age i is i digits below the word above its own.
  always_comb begin
    late = '0;
    for (int unsigned word = 1; word < Words; word++) begin
      for (int unsigned age = 0; age < Steps; age++) begin
        late[LegalWordW * word - LegalDigitW * age] = y_carry_q[age][word-1];
      end
    end
  end

  // In cycle F + 2 each word has a carry or passes one, or neither. The carries between words are
  // found in cycle F + 3, and are 0 in all others.
  for (genvar word = 0; word < Words; word++) begin : gen_word
    localparam int unsigned Low  = word * LegalWordW;
    localparam int unsigned Bits = (StateW - Low < LegalWordW) ? StateW - Low : LegalWordW;
    assign ones[word] = &y_q[Low+:Bits];
  end

  always_ff @(posedge clk_i) begin
    if (tail_q[3]) begin
      generates_q  <= y_carry_q[0];
      propagates_q <= ones;
    end else begin
      generates_q  <= '0;
      propagates_q <= '0;
    end
  end

  mf_carry_lookahead #(.Width(Words), .Style(0)) u_between (
    .clk_i(clk_i), .generate_i(generates_q), .propagate_i(propagates_q), .carry_o(between)
  );

  // ---------------------------------------------------------------- result

  assign p_o = OperandW'({y_q, low_q});

endmodule
