// SPDX-License-Identifier: Apache-2.0
//
// The rows of the RSA engine's micro-program: segments of steps, without branches on data, and the
// phase that the host reads in each.
//
// A row is done for both halves (p and q), for one of them if its result has the form of p or q, or
// once if its result is of full width. A row comes a cycle after its segment and step, the phase at
// once. scripts/make_programs.py writes the rows from
// montforge.programs.rsa, and the numbers of their turns and checks into mf_rsa_pkg.

module mf_rsa_rows
  import mf_engine_pkg::*;
  import mf_rsa_pkg::*;
  import mf_derivation_pkg::*;
#(
  parameter config_t Config
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  /// Steps are for one modulus of full width.
  input  logic         full_i,
  input  segment_t     segment_i,
  input  logic [4:0]   step_i,
  /// The step waits for its exponentiator.
  input  logic         waits_i,
  output instruction_t instruction_o,
  output phase_e       phase_o
);

  localparam int unsigned Eblind      = Config.eblind;
  localparam int unsigned PublicScale = Config.full.scale;
  localparam int unsigned Check       = Config.check;
  localparam int unsigned HalfKind    = Config.half.constant_kind;
  localparam int unsigned FullKind    = Config.full.constant_kind;

  // The constants that the multiplier takes, and its results.
  logic no_inverse, words_kind, scaled;
  assign no_inverse = full_i ? !has_inverse(FullKind) : !has_inverse(HalfKind);
  assign words_kind = full_i ? FullKind == WordsConstant : HalfKind == WordsConstant;
  assign scaled     = (full_i ? PublicScale : Config.half.scale) != 0;

  // ---------------------------------------------------------------- notation

  function automatic operand_t half(input variable_t name);
    return '{name: name, form: FormHalf};
  endfunction

  function automatic operand_t full(input variable_t name);
    return '{name: name, form: FormFull};
  endfunction

  function automatic operand_t wide(input variable_t name);
    return '{name: name, form: FormWide};
  endfunction

  function automatic operand_t of_p(input variable_t name);
    return '{name: name, form: FormP};
  endfunction

  function automatic operand_t of_q(input variable_t name);
    return '{name: name, form: FormQ};
  endfunction

  function automatic operand_t short64(input variable_t name);
    return '{name: name, form: FormShort};
  endfunction

  function automatic instruction_t operation(input step_e step, input word_e word, input go_t fn,
                                             input operand_t z, x, y);
    return '{
      step: step, word: word, go: fn, z: z, x: x, y: y, amount: AmountL, condition: IfAny,
      error: ErrNone, code: CodeNone, segment: SegLoad, times: TimesOnce
    };
  endfunction

  localparam operand_t     Unused  = '{name: Zero, form: FormFull};
  localparam instruction_t Nothing = operation(StepReturn, WordAdd, GoMul, Unused, Unused, Unused);

  function automatic instruction_t words(input word_e word, input operand_t z, x, y);
    return operation(StepWords, word, GoMul, z, x, y);
  endfunction

  function automatic instruction_t unary(input word_e word, input operand_t z, x);
    return words(word, z, x, Unused);
  endfunction

  function automatic instruction_t copy(input operand_t z, x);
    return unary(WordAdd, z, x);
  endfunction

  function automatic instruction_t compare(input operand_t x, y);
    return words(WordCompare, x, x, y);
  endfunction

  function automatic instruction_t go(input go_t fn, input operand_t x, y);
    return operation(StepGo, (fn == GoKeep) ? WordLoadB : WordLoadAB, fn, x, x, y);
  endfunction

  function automatic instruction_t put(input operand_t z);
    return operation(StepPut, WordStore, GoMul, z, z, Unused);
  endfunction

  function automatic instruction_t reduce(input operand_t z);
    return operation(StepReduce, WordAdd, GoMul, z, z, Unused);
  endfunction

  function automatic instruction_t stop();
    return operation(StepStop, WordAdd, GoMul, Unused, Unused, Unused);
  endfunction

  function automatic instruction_t call(input segment_t segment, input times_t times);
    call         = Nothing;
    call.step    = StepCall;
    call.segment = segment;
    call.times   = times;
  endfunction

  /// The row on an amount of bits other than L.
  function automatic instruction_t by(input amount_t amount, input instruction_t given);
    by        = given;
    by.amount = amount;
  endfunction

  /// The row, after which a condition must hold.
  function automatic instruction_t must(input instruction_t given, input condition_e condition,
                                        input error_e error);
    must           = given;
    must.condition = condition;
    must.error     = error;
  endfunction

  /// The row, with a condition that an outcome code counts.
  function automatic instruction_t counts(input code_e code, input instruction_t given,
                                          input condition_e condition);
    counts      = must(given, condition, ErrFault);
    counts.code = code;
  endfunction

  // One bit each: a row takes few levels of logic from them.
  logic [31:0] segments_q, steps_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      segments_q <= '0;
      steps_q    <= '0;
    end else begin
      segments_q <= 32'd1 << segment_i;
      steps_q    <= 32'd1 << step_i;
    end
  end

  // c is the second factor.
  logic again;
  assign again = segments_q[SegReenter];

  /// Where the row differs from Nothing.
  function automatic instruction_t at(input logic selected, input instruction_t given);
    return (given ^ Nothing) & {$bits(instruction_t){selected}};
  endfunction

  instruction_t here, chosen;  // of a segment; of the one that it is
  assign instruction_o = chosen ^ Nothing;

  // ---------------------------------------------------------------- rendered

  // With CheckBoth SegCheck begins 3 rows earlier.
  logic [31:0] check_steps;
  assign check_steps = (Check == CheckBoth)
      ? {steps_q[2:0], steps_q[31:3]}
      : steps_q;

  logic unused_bits;
  assign unused_bits = ^{segments_q, steps_q, check_steps};

  always_comb begin
    chosen = '0;

    // A key: checks of its length and parts; then its constants, blinding pair and self-test.
    here = '0;
    here |= at(steps_q[0], must(by(AmountNTop, unary(WordShift, full(WorkC), full(HostN))),
        IfLength, ErrLength));
    here |= at(steps_q[1], must(copy(half(SlotN), half(HostPq)), IfOdd, ErrModulusEven));
    here |= at(steps_q[2], must(copy(full(SlotM), full(HostN)), IfOdd, ErrModulusEven));
    here |= at(steps_q[3], must(compare(full(WorkC), full(One)), IfEqual, ErrLength));
    here |= at(steps_q[4], by(AmountTop, unary(WordShift, half(WorkA), half(SlotN))));
    here |= at(steps_q[5], must(compare(half(WorkA), full(One)), IfEqual, ErrLength));
    here |= at(steps_q[6], must(compare(of_p(SlotN), of_q(SlotN)), IfNotEqual, ErrPrimesEqual));
    here |= at(steps_q[7], words(WordMul, full(WorkP), of_p(SlotN), of_q(SlotN)));
    here |= at(steps_q[8], must(compare(full(WorkP), full(SlotM)), IfEqual, ErrProduct));
    here |= at(steps_q[9], must(copy(half(SlotD), half(HostD)), IfOdd, ErrExponent));
    here |= at(steps_q[10], must(compare(half(SlotD), half(SlotN)), IfLess, ErrExponent));
    here |= at(steps_q[11], by(Amount32, unary(WordShift, full(WorkC), full(HostE))));
    here |= at(steps_q[12], must(compare(full(WorkC), full(Zero)), IfEqual, ErrPublicExponent));
    here |= at(steps_q[13], must(copy(of_q(SlotQInv), full(HostE)), IfOdd, ErrPublicExponent));
    here |= at(steps_q[14], must(compare(of_q(SlotQInv), full(Two)), IfNotLess, ErrPublicExponent));
    here |= at(steps_q[15], words(WordSub, half(WorkA), half(SlotN), full(One)));
    here |= at(steps_q[16], must(words(WordCompare, half(WorkA), of_q(SlotQInv), half(WorkA)),
        IfLess, ErrPublicExponent));
    here |= at(steps_q[17], must(words(WordCompare, of_p(WorkA), of_p(HostQInv), of_p(SlotN)),
        IfLess, ErrRange));
    here |= at(steps_q[18], stop());
    here |= at(steps_q[19], call(SegInverses, TimesOnce));
    here |= at(steps_q[20], stop());
    here |= at(steps_q[21], call(SegSetup, TimesHalves));
    here |= at(steps_q[22], (Check == CheckPq)
        ? call(SegKey, TimesOnce)
        : call(SegFull, TimesFull));
    here |= at(steps_q[23], (Check == CheckPq)
        ? Nothing
        : copy(full(SlotFullConstants), full(WorkM)));
    here |= at(steps_q[24], copy(full(SlotFullR2), full(WorkX)));
    here |= at(steps_q[25], (PublicScale == 0)
        ? call(SegKey, TimesOnce)
        : copy(full(SlotFullEstimate), full(WorkH)));
    here |= at(steps_q[26], (PublicScale == 0) ? Nothing : call(SegKey, TimesOnce));
    chosen |= here & {$bits(instruction_t){segments_q[SegLoad]}};

    // dP and dQ are inverses of e: e dP - 1 = k (p - 1), exactly. After the checks before, dP is
    // odd and below p, and e < 2^32, so 0 < e dP - 1 < 2^32 (p - 1): 32 steps divide it by p - 1.
    // WorkA has p - 1, WorkC 2^32 (p - 1), WorkP after step i 2^i (e dP - 1) modulo that.
    here = '0;
    here |= at(steps_q[0], copy(short64(WorkK), full(HostE)));
    here |= at(steps_q[1], words(WordMul, wide(WorkP), short64(WorkK), half(SlotD)));
    here |= at(steps_q[2], words(WordSub, wide(WorkP), wide(WorkP), full(One)));
    here |= at(steps_q[3], words(WordSub, short64(WorkK), full(Zero), full(One)));
    here |= at(steps_q[4], by(Amount32, unary(WordLow, short64(WorkK), short64(WorkK))));
    here |= at(steps_q[5], words(WordAdd, short64(WorkK), short64(WorkK), full(One)));
    here |= at(steps_q[6], words(WordMul, wide(WorkC), short64(WorkK), half(WorkA)));
    here |= at(steps_q[7], call(SegRemainder, Times32));
    here |= at(steps_q[8], must(compare(wide(WorkP), full(Zero)), IfEqual, ErrExponent));
    chosen |= here & {$bits(instruction_t){segments_q[SegInverses]}};

    // A bit of the quotient: the remainder is doubled, and the divisor subtracted if it is not
    // above.
    here = '0;
    here |= at(steps_q[0], words(WordAdd, wide(WorkP), wide(WorkP), wide(WorkP)));
    here |= at(steps_q[1], words(WordSub, wide(WorkT), wide(WorkP), wide(WorkC)));
    here |= at(steps_q[2], words(WordSelect, wide(WorkP), wide(WorkP), wide(WorkT)));
    chosen |= here & {$bits(instruction_t){segments_q[SegRemainder]}};

    // The constants of p q, made in the slot of the host's n, left in work for the key's slot.
    here = '0;
    here |= at(steps_q[0], copy(half(SlotN), full(HostN)));
    here |= at(steps_q[1], call(SegSetup, TimesOnce));  // 3 turns
    here |= at(steps_q[2], copy(half(WorkM), half(SlotConstants)));
    here |= at(steps_q[3], copy(half(WorkX), half(SlotR2)));
    here |= at(steps_q[4], (PublicScale == 0) ? Nothing : copy(half(WorkH), half(SlotEstimate)));
    chosen |= here & {$bits(instruction_t){segments_q[SegFull]}};

    // qInv R, and q qInv = 1 (mod p); the blinding pair; a random message signed and checked.
    here = '0;
    here |= at(steps_q[0], words(WordLoadNK, of_p(SlotN), of_p(SlotN), of_p(SlotConstants)));
    here |= at(steps_q[1], copy(of_p(WorkA), of_q(SlotN)));
    here |= at(steps_q[2], reduce(of_p(WorkA)));
    here |= at(steps_q[3], go(GoMul, of_p(HostQInv), of_p(SlotR2)));  // 1 turn
    here |= at(steps_q[4], put(of_p(SlotQInv)));
    here |= at(steps_q[5], go(GoMul, of_p(WorkA), of_p(SlotQInv)));  // 1 turn
    here |= at(steps_q[6], put(of_p(WorkB)));
    here |= at(steps_q[7], must(compare(of_p(WorkB), full(One)), IfEqual, ErrQInv));
    here |= at(steps_q[8], stop());
    here |= at(steps_q[9], call(SegPair, TimesOnce));
    here |= at(steps_q[10], by(AmountNTop, unary(WordRandom, full(WorkS), full(Zero))));
    here |= at(steps_q[11], call(SegPrivate, TimesOnce));
    chosen |= here & {$bits(instruction_t){segments_q[SegKey]}};

    // The multiplier's constants, R, R^2, 2^L R^2 modulo n, from n of L bits: R by doublings of 2^L
    // - n, R^2 by squarings and doublings of 2 R.
    here = '0;
    here |= at(steps_q[0], no_inverse ? copy(half(WorkB), full(One)) : call(SegDigits, TimesOnce));
    here |= at(steps_q[1], call(SegInverse, TimesInverse));
    here |= at(steps_q[2], call(SegInverseEnd, TimesInverseEnd));
    here |= at(steps_q[3], call(SegConstant, TimesConstant));
    here |= at(steps_q[4], copy(half(SlotConstants), half(WorkB)));
    here |= at(steps_q[5], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    here |= at(steps_q[6], words(WordSub, half(WorkA), full(Zero), half(SlotN)));
    here |= at(steps_q[7], unary(WordLow, half(WorkA), half(WorkA)));
    here |= at(steps_q[8], copy(half(WorkB), half(WorkA)));
    here |= at(steps_q[9], scaled ? call(SegScale, TimesOnce) : call(SegDouble, TimesDouble));
    here |= at(steps_q[10], copy(half(SlotR1), half(WorkB)));
    here |= at(steps_q[11], call(SegDouble, TimesOnce));
    here |= at(steps_q[12], call(SegSquare, TimesSquare));
    here |= at(steps_q[13], copy(half(SlotR2), half(WorkB)));
    here |= at(steps_q[14], go(GoMul, half(SlotR2), half(WorkA)));  // 1 turn
    here |= at(steps_q[15], put(half(WorkX)));
    here |= at(steps_q[16], go(GoMul, half(WorkX), half(SlotR2)));  // 1 turn
    here |= at(steps_q[17], put(half(SlotShift)));
    chosen |= here & {$bits(instruction_t){segments_q[SegSetup]}};

    // R of a multiplier with Scale, and before it SlotEstimate, floor(2^(L + Scale + 2) / n).
    here = '0;
    here |= at(steps_q[0], copy(half(WorkM), full(One)));
    here |= at(steps_q[1], call(SegEstimate, TimesEstimate));
    here |= at(steps_q[2], copy(half(SlotEstimate), half(WorkM)));
    here |= at(steps_q[3], copy(half(WorkB), half(WorkA)));
    here |= at(steps_q[4], call(SegDouble, TimesDouble));
    chosen |= here & {$bits(instruction_t){segments_q[SegScale]}};

    // A bit of that quotient: the remainder, in WorkB, is doubled; the flag: it is below n.
    here = '0;
    here |= at(steps_q[0], words(WordAdd, half(WorkB), half(WorkB), half(WorkB)));
    here |= at(steps_q[1], words(WordSub, half(WorkT), half(WorkB), half(SlotN)));
    here |= at(steps_q[2], words(WordSelect, half(WorkB), half(WorkB), half(WorkT)));
    here |= at(steps_q[3], words(WordAdd, half(WorkM), half(WorkM), half(WorkM)));
    here |= at(steps_q[4], words(WordAdd, half(WorkH), half(WorkM), full(One)));
    here |= at(steps_q[5], words(WordSelect, half(WorkM), half(WorkM), half(WorkH)));
    chosen |= here & {$bits(instruction_t){segments_q[SegEstimate]}};

    // Before the steps of SegInverse: m in WorkM is 0, 2^i in WorkH is 1, WorkB is 1.
    here = '0;
    here |= at(steps_q[0], copy(half(WorkM), full(Zero)));
    here |= at(steps_q[1], copy(half(WorkH), full(One)));
    here |= at(steps_q[2], copy(half(WorkB), full(One)));
    chosen |= here & {$bits(instruction_t){segments_q[SegDigits]}};

    // The multiplier's constant: n + 1, m or n 2^InverseBits + m.
    here = '0;
    here |= at(steps_q[0], no_inverse
        ? words(WordAdd, half(WorkB), half(SlotN), full(One))
        : copy(half(WorkB), half(WorkM)));
    here |= at(steps_q[1], words_kind
        ? words(WordMul, wide(WorkP), half(WorkH), half(SlotN))
        : Nothing);
    here |= at(steps_q[2], words(WordAdd, half(WorkB), wide(WorkP), half(WorkM)));
    chosen |= here & {$bits(instruction_t){segments_q[SegConstant]}};

    // A step of (n m + 1) / 2^InverseBits, m = -n^-1 mod 2^InverseBits, in WorkB: if WorkB is odd,
    // n is added (in the last step of a signed m subtracted); then WorkB is halved. The flag is the
    // parity; by it 2^i, in WorkH, is added to m, in WorkM, in the same way.
    here = '0;
    here |= at(steps_q[0], unary(WordLow, half(WorkT), half(WorkB)));
    here |= at(steps_q[1], words((segment_i == SegInverseEnd) ? WordSub : WordAdd, half(WorkA),
        half(WorkB), half(SlotN)));
    here |= at(steps_q[2], words(WordSelect, half(WorkB), half(WorkA), half(WorkB)));
    here |= at(steps_q[3], by(AmountOne, unary(WordShift, half(WorkB), half(WorkB))));
    here |= at(steps_q[4], no_inverse
        ? Nothing
        : words((segment_i == SegInverseEnd) ? WordSub : WordAdd, half(WorkA), half(WorkM),
            half(WorkH)));
    here |= at(steps_q[5], words(WordSelect, half(WorkM), half(WorkA), half(WorkM)));
    here |= at(steps_q[6], words(WordAdd, half(WorkH), half(WorkH), half(WorkH)));
    chosen |= here & {$bits(instruction_t){segments_q[SegInverse] || segments_q[SegInverseEnd]}};

    // WorkB is doubled.
    here = '0;
    here |= at(steps_q[0], words(WordAdd, half(WorkB), half(WorkB), half(WorkB)));
    here |= at(steps_q[1], reduce(half(WorkB)));
    chosen |= here & {$bits(instruction_t){segments_q[SegDouble]}};

    // R^2 R^-1 for R in WorkB, and if the bit of log2 R is 1, doubled.
    here = '0;
    here |= at(steps_q[0], go(GoMul, half(WorkB), half(WorkB)));  // 1 turn
    here |= at(steps_q[1], put(half(WorkB)));
    here |= at(steps_q[2], call(SegDouble, TimesBit));
    chosen |= here & {$bits(instruction_t){segments_q[SegSquare]}};

    // A new blinding pair: vi random in [2, 2^(L - 1)), vf = vi^(p - 1 - e) = vi^-e in the domain.
    here = '0;
    here |= at(steps_q[0], call(SegDraw, TimesOnce));
    here |= at(steps_q[1], words(WordSub, wide(WorkP), half(SlotN), full(One)));
    here |= at(steps_q[2], words(WordSub, wide(WorkP), wide(WorkP), of_q(SlotQInv)));
    here |= at(steps_q[3], call(SegPowers, TimesHalves));
    chosen |= here & {$bits(instruction_t){segments_q[SegPair]}};

    // vi, of a bit less than p and so below it, drawn again until it is at least 2: that tells
    // nothing of p.
    here = '0;
    here |= at(steps_q[0], by(AmountTop, unary(WordRandom, half(SlotVi), full(Zero))));
    here |= at(steps_q[1], must(compare(half(SlotVi), full(Two)), IfNotLess, Again));
    chosen |= here & {$bits(instruction_t){segments_q[SegDraw]}};

    // vf, by the exponent in WorkP.
    here = '0;
    here |= at(steps_q[0], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    here |= at(steps_q[1], go(GoMul, half(SlotVi), half(SlotR2)));  // 1 turn
    here |= at(steps_q[2], put(half(WorkX)));
    here |= at(steps_q[3], unary(WordLoadE, half(WorkX), wide(WorkP)));
    here |= at(steps_q[4], go(GoWindow, half(WorkX), half(SlotR1)));  // window
    here |= at(steps_q[5], put(half(SlotVf)));
    chosen |= here & {$bits(instruction_t){segments_q[SegPowers]}};

    // The private operation; d' = d + k (p - 1) is in WorkP.
    here = '0;
    here |= at(steps_q[0], copy(full(WorkC), full(HostX)));
    here |= at(steps_q[1], must(compare(full(WorkC), full(SlotM)), IfLess, ErrMessage));
    here |= at(steps_q[2], stop());
    here |= at(steps_q[3], call(SegPair, TimesRenew));
    here |= at(steps_q[4], by(Amount64, unary(WordRandom, short64(WorkK), full(Zero))));
    here |= at(steps_q[5], words(WordSub, half(WorkA), half(SlotN), full(One)));
    here |= at(steps_q[6], (Eblind == 0)
        ? copy(wide(WorkP), full(Zero))
        : words(WordMul, wide(WorkP), short64(WorkK), half(WorkA)));
    here |= at(steps_q[7], words(WordAdd, wide(WorkP), wide(WorkP), half(SlotD)));
    here |= at(steps_q[8], call(SegHalf, TimesHalves));
    here |= at(steps_q[9], call(SegGarner, TimesOnce));  // 1 turn
    here |= at(steps_q[10], call(SegCheck, TimesOnce));
    chosen |= here & {$bits(instruction_t){segments_q[SegPrivate]}};

    // The power of one half, m1 or m2, and its next blinding pair.
    here = '0;
    here |= at(steps_q[0], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    here |= at(steps_q[1], call(SegEnter, TimesOnce));  // 2 turns
    here |= at(steps_q[2], go(GoMul, half(WorkX), half(SlotVf)));  // 1 turn
    here |= at(steps_q[3], put(half(WorkX)));
    here |= at(steps_q[4], unary(WordLoadE, half(WorkX), wide(WorkP)));
    here |= at(steps_q[5], by(AmountD, go(GoWindow, half(WorkX), half(SlotR1))));  // window
    here |= at(steps_q[6], go(GoKeep, half(WorkX), half(SlotVi)));  // 1 turn
    here |= at(steps_q[7], put(half(WorkM)));
    here |= at(steps_q[8], go(GoMul, half(SlotVf), half(SlotVf)));  // 1 turn
    here |= at(steps_q[9], put(half(SlotVf)));
    here |= at(steps_q[10], go(GoMul, half(SlotVi), half(SlotR2)));  // 1 turn
    here |= at(steps_q[11], put(half(WorkA)));
    here |= at(steps_q[12], go(GoMul, half(WorkA), half(SlotVi)));  // 1 turn
    here |= at(steps_q[13], put(half(SlotVi)));
    chosen |= here & {$bits(instruction_t){segments_q[SegHalf]}};

    // WorkX = WorkC in the domain: c1 2^L R^2 R^-1 + c0 R^2 R^-1 for WorkC = c1 2^L + c0. In the
    // check (SegReenter) c is the second factor: a stuck bit in the register of one factor would
    // else change c and y in the same way.
    here = '0;
    here |= at(steps_q[0], unary(WordShift, half(WorkA), full(WorkC)));
    here |= at(steps_q[1], unary(WordLow, half(WorkB), full(WorkC)));
    here |= at(steps_q[2], reduce(half(WorkA)));
    here |= at(steps_q[3], reduce(half(WorkB)));
    here |= at(steps_q[4], again
        ? go(GoMul, half(SlotShift), half(WorkA))
        : go(GoMul, half(WorkA), half(SlotShift)));  // 1 turn
    here |= at(steps_q[5], put(half(WorkA)));
    here |= at(steps_q[6], again
        ? go(GoMul, half(SlotR2), half(WorkB))
        : go(GoMul, half(WorkB), half(SlotR2)));  // 1 turn
    here |= at(steps_q[7], put(half(WorkX)));
    here |= at(steps_q[8], words(WordAdd, half(WorkX), half(WorkX), half(WorkA)));
    here |= at(steps_q[9], reduce(half(WorkX)));
    chosen |= here & {$bits(instruction_t){segments_q[SegEnter] || segments_q[SegReenter]}};

    // y = m2 + h q, h = (m1 - m2) qInv mod p.
    here = '0;
    here |= at(steps_q[0], words(WordLoadNK, of_p(SlotN), of_p(SlotN), of_p(SlotConstants)));
    here |= at(steps_q[1], copy(of_p(WorkA), of_q(WorkM)));
    here |= at(steps_q[2], reduce(of_p(WorkA)));
    here |= at(steps_q[3], words(WordSub, of_p(WorkB), of_p(WorkM), of_p(WorkA)));
    here |= at(steps_q[4], words(WordAdd, of_p(WorkA), of_p(WorkB), of_p(SlotN)));
    here |= at(steps_q[5], words(WordSelect, of_p(WorkB), of_p(WorkA), of_p(WorkB)));
    here |= at(steps_q[6], go(GoMul, of_p(WorkB), of_p(SlotQInv)));  // 1 turn
    here |= at(steps_q[7], put(of_p(WorkH)));
    here |= at(steps_q[8], words(WordMul, full(WorkP), of_p(WorkH), of_q(SlotN)));
    here |= at(steps_q[9], words(WordAdd, full(WorkY), full(WorkP), of_q(WorkM)));
    chosen |= here & {$bits(instruction_t){segments_q[SegGarner]}};

    // y < n, p q = n, y^e = c mod p and mod q or mod n, the number of turns; each comparison is
    // made twice.
    here = '0;
    here |= at(check_steps[29], call(SegCheckFull, TimesOnce));
    here |= at(check_steps[30], counts(CodeFirst, compare(full(WorkC), full(HostX)), IfEqual));
    here |= at(check_steps[31], counts(CodeSecond, compare(full(WorkC), full(HostX)), IfEqual));
    here |= at(check_steps[0], counts(CodeFirst, compare(full(WorkY), full(SlotM)), IfLess));
    here |= at(check_steps[1], words(WordMul, full(WorkP), of_p(SlotN), of_q(SlotN)));
    here |= at(check_steps[2], counts(CodeFirst, compare(full(WorkP), full(SlotM)), IfEqual));
    here |= at(check_steps[3], (Check == CheckN)
        ? call(SegCheckFull, TimesOnce)
        : call(SegCheckHalf, TimesHalves));
    here |= at(check_steps[4], (Check == CheckN)
        ? counts(CodeFirst, compare(full(WorkC), full(HostX)), IfEqual)
        : counts(CodeFirst, compare(half(WorkM), half(WorkX)), IfEqual));
    here |= at(check_steps[5], counts(CodeFirst, compare(full(One), full(One)), IfTurns));
    here |= at(check_steps[6], counts(CodeSecond, compare(full(WorkY), full(SlotM)), IfLess));
    here |= at(check_steps[7], counts(CodeSecond, compare(full(WorkP), full(SlotM)), IfEqual));
    here |= at(check_steps[8], (Check == CheckN)
        ? counts(CodeSecond, compare(full(WorkC), full(HostX)), IfEqual)
        : counts(CodeSecond, compare(half(WorkM), half(WorkX)), IfEqual));
    here |= at(check_steps[9], counts(CodeSecond, compare(full(One), full(One)), IfTurns));
    chosen |= here & {$bits(instruction_t){segments_q[SegCheck]}};

    // WorkM = y^e, WorkX = c, both in the domain; c is read from the host's memory once more. The
    // result of the last product is known: with a multiplier whose products no longer depend on its
    // operands both sides would be equal.
    here = '0;
    here |= at(steps_q[0], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    here |= at(steps_q[1], copy(full(WorkC), full(WorkY)));
    here |= at(steps_q[2], call(SegEnter, TimesOnce));  // 2 turns
    here |= at(steps_q[3], unary(WordLoadPublic, half(WorkX), of_q(SlotQInv)));
    here |= at(steps_q[4], by(Amount32, go(GoPublic, half(WorkX), half(WorkX))));  // public power
    here |= at(steps_q[5], put(half(WorkM)));
    here |= at(steps_q[6], copy(full(WorkC), full(HostX)));
    here |= at(steps_q[7], must(compare(full(WorkC), full(HostX)), IfEqual, ErrFault));
    here |= at(steps_q[8], call(SegReenter, TimesOnce));  // 2 turns
    here |= at(steps_q[9], go(GoMul, half(SlotR2), full(One)));  // 1 turn
    here |= at(steps_q[10], put(half(WorkA)));
    here |= at(steps_q[11], must(compare(half(WorkA), half(SlotR1)), IfEqual, ErrFault));
    chosen |= here & {$bits(instruction_t){segments_q[SegCheckHalf]}};

    // WorkC = y^e mod n by the exponentiator of full width: y^(e - 1) in the domain, and plain y.
    here = '0;
    here |= at(steps_q[0], words(WordLoadNK, full(SlotM), full(SlotM), full(SlotFullConstants)));
    here |= at(steps_q[1], go(GoMul, full(WorkY), full(SlotFullR2)));  // 1 turn
    here |= at(steps_q[2], put(full(WorkA)));
    here |= at(steps_q[3], words(WordSub, full(WorkB), of_q(SlotQInv), full(One)));
    here |= at(steps_q[4], unary(WordLoadPublic, full(WorkA), full(WorkB)));
    here |= at(steps_q[5], by(Amount32, go(GoPublic, full(WorkA), full(WorkA))));  // public power
    here |= at(steps_q[6], go(GoKeep, full(WorkA), full(WorkY)));  // 1 turn
    here |= at(steps_q[7], put(full(WorkC)));
    chosen |= here & {$bits(instruction_t){segments_q[SegCheckFull]}};

    // Operations on one modulus: n and its constants; then a power.
    here = '0;
    here |= at(steps_q[0], must(by(AmountNTop, unary(WordShift, half(WorkA), full(HostN))),
        IfLength, ErrLength));
    here |= at(steps_q[1], must(copy(half(SlotN), full(HostN)), IfOdd, ErrModulusEven));
    here |= at(steps_q[2], must(compare(half(WorkA), full(One)), IfEqual, ErrLength));
    here |= at(steps_q[3], stop());
    here |= at(steps_q[4], call(SegSetup, TimesSetup));
    here |= at(steps_q[5], call(SegPower, TimesPower));
    chosen |= here & {$bits(instruction_t){segments_q[SegModulus]}};

    // WorkY = x^e, checked to be below n.
    here = '0;
    here |= at(steps_q[0], must(words(WordCompare, half(WorkA), full(HostX), half(SlotN)), IfLess,
        ErrMessage));
    here |= at(steps_q[1], stop());
    here |= at(steps_q[2], copy(half(WorkC), full(HostX)));
    here |= at(steps_q[3], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    here |= at(steps_q[4], go(GoMul, half(WorkC), half(SlotR2)));  // 1 turn
    here |= at(steps_q[5], put(half(WorkX)));
    here |= at(steps_q[6], call(SegWindow, TimesWindow));
    here |= at(steps_q[7], call(SegPublic, TimesPublic));
    here |= at(steps_q[8], counts(CodeFirst, compare(half(WorkY), half(SlotN)), IfLess));
    here |= at(steps_q[9], counts(CodeSecond, compare(half(WorkY), half(SlotN)), IfLess));
    chosen |= here & {$bits(instruction_t){segments_q[SegPower]}};

    // The power by a window, in a time that depends on e_bits alone.
    here = '0;
    here |= at(steps_q[0], unary(WordLoadE, half(WorkX), full(HostE)));
    here |= at(steps_q[1], by(AmountE, go(GoWindow, half(WorkX), half(SlotR1))));  // window
    here |= at(steps_q[2], go(GoKeep, half(WorkX), full(One)));  // 1 turn
    here |= at(steps_q[3], put(half(WorkY)));
    chosen |= here & {$bits(instruction_t){segments_q[SegWindow]}};

    // For an odd e the last product is that of x^(e-1), in the domain, and plain x, for an even one
    // that of x^e and 1; it leaves the domain. If the power is x^0, the factor is the result. The
    // flag is 1 if e is odd.
    here = '0;
    here |= at(steps_q[0], by(AmountE, unary(WordLow, half(WorkA), full(HostE))));
    here |= at(steps_q[1], words(WordSub, half(WorkB), half(WorkA), full(One)));
    here |= at(steps_q[2], unary(WordLow, half(WorkT), half(WorkA)));
    here |= at(steps_q[3], words(WordSelect, half(WorkA), half(WorkB), half(WorkA)));
    here |= at(steps_q[4], words(WordSelect, half(WorkB), full(HostX), full(One)));
    here |= at(steps_q[5], copy(half(WorkY), half(WorkB)));
    here |= at(steps_q[6], compare(half(WorkA), full(Zero)));
    here |= at(steps_q[7], call(SegPublicPower, TimesNonzero));
    chosen |= here & {$bits(instruction_t){segments_q[SegPublic]}};

    // WorkY = x^e or x^(e-1) times the factor, outside the domain.
    here = '0;
    here |= at(steps_q[0], unary(WordLoadPublic, half(WorkX), half(WorkA)));
    here |= at(steps_q[1], by(AmountE, go(GoPublic, half(WorkX), half(WorkX))));  // public power
    here |= at(steps_q[2], go(GoKeep, half(WorkX), half(WorkB)));  // 1 turn
    here |= at(steps_q[3], put(half(WorkY)));
    chosen |= here & {$bits(instruction_t){segments_q[SegPublicPower]}};
  end

  // The phase that the host reads.
  always_comb begin
    phase_o = PhaseLoad;
    unique case (segment_i)
      SegSetup, SegDigits, SegConstant, SegInverse, SegInverseEnd, SegDouble, SegSquare: phase_o =
        PhaseConstants;
      SegPair, SegDraw, SegPowers: phase_o = PhaseRenew;
      SegPrivate, SegEnter, SegReenter: phase_o = PhaseEnter;
      SegGarner: phase_o = PhaseRecombine;
      SegCheck: phase_o = PhaseCheck;
      SegPower, SegWindow, SegPublic, SegPublicPower: phase_o = PhasePower;
      SegHalf: begin
        phase_o = PhaseRenew;
        if (step_i <= 5'd1) phase_o = PhaseEnter;
        else if (step_i <= 5'd3) phase_o = PhaseBlind;
        else if (step_i <= 5'd5 || (step_i == 5'd6 && waits_i)) phase_o = PhasePower;
      end
      default: ;
    endcase
  end

endmodule
