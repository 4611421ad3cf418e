// SPDX-License-Identifier: Apache-2.0
//
// Derives the constants of an exponentiation from the modulus alone: r1 = R mod n,
// r2 = R^2 mod n, and the multiplier's constants. R = 2^RBits.
//
// Source:   montforge; the quotient bits as in S. R. Dusse, B. S. Kaliski, "A cryptographic library
//           for the Motorola DSP56000", Eurocrypt 1990.
// Contract: n odd, 3 <= n < 2^Width, sampled on acceptance; a set-up with another n ends, too, and
//           its results have no meaning. Results stand while rsp_valid_o is high, until the next
//           request or abort. product_* asks for single products of mf_modexp_chain, MonPro(a, a)
//           canonical, for which n_o and the constants stand.
//
// 1. Steps of t <- (t + q n) / 2, q = t mod 2, from t = 1: after InverseBits of them the bits q are
//    m = -n^-1 mod 2^InverseBits, and t = (n m + 1) / 2^InverseBits. With InverseSigned the last
//    step subtracts n, and m is in two's complement.
// 2. c = 2^(L-1), L = bitlen(n); then x - L + 1 times c <- 2c mod n; r1 = c (x = RBits).
// 3. c = 2 r1 mod n; for the bits of x below the top one: c <- MonPro(c, c), and where the bit is 1
//    c <- 2c mod n; r2 = c.
//
// Latency:  InverseBits (Words + 1) + 2 Words + 2 + (2 Words + 1) (popcount(x) + 1) +
//           2 Words (x - L) + (P + 3) floor(log2 x) - 1 cycles, P the cycles of a product in the
//           chain, Words = ceil((Width + 2) / Adder).
// Constant time: yes, for moduli of one bit length, over a multiplier of fixed latency.
//
// n_q, c_q  rotate a word a cycle; a doubling is one pass that compares 2c with n and one that
//           subtracts. c is t, 2^(L-1), and the power of 2.

module mf_modexp_setup
  import mf_derivation_pkg::*;
#(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width         = 256,
  /// R is 2^RBits; at least Width.
  parameter int unsigned RBits         = Width + 2,
  /// Bits of a word; 4 to 1024.
  parameter int unsigned Adder         = 32,
  /// Steps of 1; 0: the multiplier has no constants.
  parameter int unsigned InverseBits   = 0,
  /// The last step subtracts.
  parameter bit          InverseSigned = 1'b0,
  /// Kind and bits of the lowest constant: 0 none, 1 m, 2 t, 3 n m + 1, 4 n 2^InverseBits + m.
  parameter int unsigned LowKind       = NoConstant,
  parameter int unsigned LowBits       = 1,
  /// Kind and bits of the constant above it.
  parameter int unsigned HighKind      = NoConstant,
  parameter int unsigned HighBits      = 1,

  // Where RBits is illegal, it is elaborated as 3, so that elaboration gets to the message.
  localparam int unsigned LegalRBits   = $signed(RBits) < 3 ? 3 : RBits,
  localparam int unsigned ConstantBits = LowBits + ((HighKind == NoConstant) ? 0 : HighBits)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  logic [Width-1:0]        n_i,

  /// High while results stand.
  output logic                    rsp_valid_o,
  output logic [Width-1:0]        n_o,
  output logic [ConstantBits-1:0] constants_o,
  output logic [Width-1:0]        r1_o,
  output logic [Width-1:0]        r2_o,

  /// Ends the set-up and overwrites all with zeros; without effect on results that stand.
  input  logic                    abort_i,

  /// A product of r2_o with itself; the response is taken in the cycle in which it comes.
  output logic                    product_valid_o,
  input  logic                    product_ready_i,
  input  logic                    product_rsp_valid_i,
  input  logic [Width-1:0]        product_y_i
);

  localparam int unsigned Words    = (Width + 2 + Adder - 1) / Adder;
  localparam int unsigned PaddedW  = Words * Adder;
  localparam int unsigned WordW    = $clog2(Words + 2);
  localparam int unsigned InverseW = (InverseBits > 0) ? InverseBits : 1;
  localparam int unsigned LeftW    =
      $clog2(((LegalRBits > InverseBits) ? LegalRBits : InverseBits) + 2);
  localparam int unsigned PlaceW   = $clog2(Adder + 1);
  localparam int unsigned RBitsW   = $clog2(LegalRBits + 1);
  localparam int unsigned IndexW   = $clog2(RBitsW);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_modexp_setup: Width must be 3 to 8192");
  end
  if ($signed(RBits) < $signed(Width)) begin : gen_illegal_r
    $fatal(1, "mf_modexp_setup: RBits must be at least Width");
  end
  if (Adder < 4 || Adder > 1024) begin : gen_illegal_adder
    $fatal(1, "mf_modexp_setup: Adder must be 4 to 1024");
  end
  if (LowKind > WordsConstant || HighKind > WordsConstant ||
      (LowKind == NoConstant) != (InverseBits == 0)) begin : gen_illegal_kind
    $fatal(1, "mf_modexp_setup: LowKind and HighKind must be 0 to 4, LowKind 0 if InverseBits is");
  end

  // Empty: no results. Inverse: step 1. Measure, Encode, Mark: c = 2^(L-1). Compare, Subtract: the
  // passes of a doubling. Next: the next step is decided. Square, Wait: a product. Ready: results.
  typedef enum logic [3:0] {
    StEmpty, StInverse, StMeasure, StEncode, StMark, StCompare, StSubtract, StNext, StSquare,
    StWait, StReady
  } state_e;

  state_e              state_q;
  logic [WordW-1:0]    word_q;       // of the pass
  logic [LeftW-1:0]    left_q;       // steps, or doublings, after this one
  logic [IndexW-1:0]   index_q;      // of the bit of x
  logic                have_r1_q;
  logic                squared_q;    // the bit's squaring is done
  logic [PaddedW-1:0]  n_q, c_q, c_shifted;
  logic [Width-1:0]    r1_q;
  logic                load, pass, last_word, rotate_n;

  assign load      = req_valid_i && req_ready_o;
  assign pass      = state_q inside {StInverse, StMeasure, StMark, StCompare, StSubtract};
  // A step of Inverse has one cycle more: its shift to the right needs the word above.
  assign last_word = word_q == WordW'((state_q == StInverse) ? Words : Words - 1);
  assign rotate_n  = pass && word_q != WordW'(Words);

  // ---------------------------------------------------------------- a word in a cycle

  logic [Adder-1:0] n_word, c_word, term, addend, sum, into;
  logic             carry, carry_q;     // of the addition
  logic             above_q;            // the bit shifted out of the word before
  logic [Adder-2:0] below_q;            // the sum of the word before without its lowest bit
  logic             negative;           // the last step's subtraction
  logic             quotient_q;         // in Inverse q, in doublings 2c >= n
  logic             subtract;

  assign n_word   = n_q[Adder-1:0];
  assign c_word   = c_q[Adder-1:0];
  assign negative = InverseSigned && left_q == '0;
  assign subtract = state_q != StInverse || negative;
  assign addend   = (state_q == StInverse) ? c_word : {c_word[Adder-2:0], above_q};
  assign term     = (n_word & {Adder{state_q == StCompare || quotient_q}}) ^ {Adder{subtract}};
  assign {carry, sum} = {1'b0, addend} + {1'b0, term} + (Adder + 1)'(carry_q);

  // Bit and place of the highest 1 in the top word.
  logic [Adder-1:0]  top_word_q, top_bit, top_bit_q;
  logic [WordW-1:0]  top_q;
  logic [PlaceW-1:0] place;

  always_comb begin
    top_bit = '0;
    place   = '0;
    for (int unsigned i = 0; i < Adder; i++) begin
      if (top_word_q[i]) begin
        top_bit = Adder'(1) << i;
        place   = PlaceW'(i);
      end
    end
  end

  always_comb begin
    unique case (state_q)
      // The last word's highest bit is the sign.
      StInverse:  into = {(word_q == WordW'(Words)) ? below_q[Adder-2] : sum[0], below_q};
      StMark:     into = top_bit_q & {Adder{word_q == top_q}};
      StSubtract: into = sum;
      default:    into = c_word;
    endcase
    c_shifted = PaddedW'({into, c_q} >> Adder);
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      n_q  <= PaddedW'(n_i);
      c_q  <= PaddedW'(1);
    end else if (state_q == StEmpty) begin
      n_q  <= '0;
      c_q  <= '0;
      r1_q <= '0;
    end else begin
      if (rotate_n) n_q <= PaddedW'({n_word, n_q} >> Adder);
      if (pass) c_q <= c_shifted;
      if (state_q == StWait && product_rsp_valid_i) c_q <= PaddedW'(product_y_i);
      if (state_q == StNext && !have_r1_q) r1_q <= c_q[Width-1:0];
    end

    // Between passes the carry that the next pass begins with is set.
    if (load) begin
      carry_q <= InverseSigned && InverseBits == 1;
      above_q <= 1'b0;
    end else if (!pass || last_word) begin
      carry_q <= state_q != StInverse || (InverseSigned && left_q == LeftW'(1));
      above_q <= 1'b0;
    end else begin
      carry_q <= carry;
      above_q <= c_word[Adder-1];
    end
    below_q <= sum[Adder-1:1];
    if (load) quotient_q <= 1'b1;
    else if (state_q == StCompare && last_word) quotient_q <= carry;
    else if (state_q == StInverse && last_word) quotient_q <= c_shifted[0];

    if (state_q == StMeasure) begin
      if (word_q == '0 || n_word != '0) begin
        top_q      <= word_q;
        top_word_q <= n_word;
      end
    end
    if (state_q == StEncode) top_bit_q <= top_bit;
  end

  // ---------------------------------------------------------------- sequence

  localparam logic [RBitsW-1:0] X = RBitsW'(LegalRBits);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StEmpty;
      word_q    <= '0;
      left_q    <= '0;
      index_q   <= '0;
      have_r1_q <= 1'b0;
      squared_q <= 1'b0;
    end else begin
      word_q <= (!pass || last_word) ? '0 : word_q + WordW'(1);
      unique case (state_q)
        StEmpty, StReady: begin
          have_r1_q <= 1'b0;
          squared_q <= 1'b0;
          index_q   <= IndexW'(RBitsW - 1);
          left_q    <= LeftW'((InverseBits > 0) ? InverseBits - 1 : 0);
          if (load) state_q <= (InverseBits > 0) ? StInverse : StMeasure;
        end
        StInverse: begin
          if (last_word) begin
            left_q <= left_q - LeftW'(1);
            if (left_q == '0) state_q <= StMeasure;
          end
        end
        StMeasure: if (last_word) state_q <= StEncode;
        StEncode: begin
          state_q <= StMark;
          left_q  <= LeftW'(RBits - Adder * 32'(top_q) - 32'(place));
        end
        StMark: if (last_word) state_q <= StCompare;
        StCompare: if (last_word) state_q <= StSubtract;
        StSubtract: begin
          if (last_word) begin
            left_q  <= left_q - LeftW'(1);
            state_q <= (left_q <= LeftW'(1)) ? StNext : StCompare;
          end
        end
        StNext: begin
          have_r1_q <= 1'b1;
          left_q    <= LeftW'(1);
          squared_q <= 1'b0;
          if (!have_r1_q || (squared_q && X[index_q])) state_q <= StCompare;
          else if (index_q == '0) state_q <= StReady;
          else begin
            index_q <= index_q - IndexW'(1);
            state_q <= StSquare;
          end
        end
        StSquare: if (product_ready_i) state_q <= StWait;
        StWait: begin
          squared_q <= 1'b1;
          if (product_rsp_valid_i) state_q <= StNext;
        end
        default: state_q <= StEmpty;
      endcase
      if (abort_i && state_q != StReady) state_q <= StEmpty;
    end
  end

  assign req_ready_o         = (state_q == StEmpty || state_q == StReady) && !abort_i;
  assign rsp_valid_o         = state_q == StReady;
  assign product_valid_o     = state_q == StSquare && !abort_i;
  assign n_o                 = n_q[Width-1:0];
  assign r1_o                = r1_q;
  assign r2_o                = c_q[Width-1:0];

  // ---------------------------------------------------------------- constants

  if (InverseBits == 0) begin : gen_no_constants
    assign constants_o = '0;
  end else begin : gen_constants
    localparam bit          HasScaled = LowKind == ScaledConstant || LowKind == RaisedConstant ||
                                        HighKind == ScaledConstant || HighKind == RaisedConstant;
    localparam int unsigned ScaledW   = Width + InverseBits + 2;

    logic [InverseW-1:0] inverse_q;
    logic [ScaledW-1:0]  scaled;

    // The bits q come the lowest first.
    always_ff @(posedge clk_i) begin
      if (state_q == StEmpty) inverse_q <= '0;
      else if (state_q == StInverse && word_q == '0) begin
        inverse_q <= InverseW'({quotient_q, inverse_q} >> 1);
      end
    end

    if (HasScaled) begin : gen_scaled
      logic [Width-1:0] scaled_q;

      always_ff @(posedge clk_i) begin
        if (state_q == StEmpty) scaled_q <= '0;
        else if (state_q == StMeasure && word_q == '0) scaled_q <= c_q[Width-1:0];
      end
      assign scaled = ScaledW'(scaled_q);
    end else begin : gen_no_scaled
      assign scaled = '0;
    end

    function automatic logic [ScaledW-1:0] constant(int unsigned kind,
                                                    logic [InverseW-1:0] inverse,
                                                    logic [ScaledW-1:0]  tail,
                                                    logic [Width-1:0]    modulus);
      unique case (kind)
        InverseConstant: return ScaledW'(inverse);
        ScaledConstant:  return tail;
        RaisedConstant:  return tail << InverseBits;
        WordsConstant:   return ScaledW'({modulus, inverse});
        default:         return '0;
      endcase
    endfunction

    assign constants_o[LowBits-1:0] = LowBits'(constant(LowKind, inverse_q, scaled, n_o));
    if (HighKind != NoConstant) begin : gen_high
      assign constants_o[ConstantBits-1:LowBits] =
          HighBits'(constant(HighKind, inverse_q, scaled, n_o));
    end
  end

endmodule
