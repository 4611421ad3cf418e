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

  // A bit for each row, by segment and step: an instruction is a sum of rows.
  logic [31:0][31:0] rows_q;
  logic              again_q, again;  // c is the second factor

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rows_q  <= '0;
      again_q <= 1'b0;
    end else begin
      rows_q  <= 1024'd1 << {segment_i, step_i};
      again_q <= segment_i == SegReenter;
    end
  end

  assign again = again_q;

  /// Where the row differs from Nothing.
  function automatic instruction_t at(input logic selected, input instruction_t given);
    return (given ^ Nothing) & {$bits(instruction_t){selected}};
  endfunction

  logic [31:0]  steps;      // of a segment
  instruction_t parts[16];  // sums of rows, each of a sixteenth of them, for few levels of logic

  // ---------------------------------------------------------------- rendered

  logic unused_bits;
  assign unused_bits = ^rows_q;

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) parts[i] = '0;

    // A key: checks of its length and parts; then its constants, blinding pair and self-test.
    steps = rows_q[SegLoad];
    parts[0] |= at(steps[0], must(by(AmountNTop, unary(WordShift, full(WorkC), full(HostN))),
        IfLength, ErrLength));
    parts[1] |= at(steps[1], must(copy(half(SlotN), half(HostPq)), IfOdd, ErrModulusEven));
    parts[2] |= at(steps[2], must(copy(full(SlotM), full(HostN)), IfOdd, ErrModulusEven));
    parts[3] |= at(steps[3], must(compare(full(WorkC), full(One)), IfEqual, ErrLength));
    parts[4] |= at(steps[4], by(AmountTop, unary(WordShift, half(WorkA), half(SlotN))));
    parts[5] |= at(steps[5], must(compare(half(WorkA), full(One)), IfEqual, ErrLength));
    parts[6] |= at(steps[6], must(compare(of_p(SlotN), of_q(SlotN)), IfNotEqual, ErrPrimesEqual));
    parts[7] |= at(steps[7], words(WordMul, full(WorkP), of_p(SlotN), of_q(SlotN)));
    parts[8] |= at(steps[8], must(compare(full(WorkP), full(SlotM)), IfEqual, ErrProduct));
    parts[9] |= at(steps[9], must(copy(half(SlotD), half(HostD)), IfOdd, ErrExponent));
    parts[10] |= at(steps[10], must(compare(half(SlotD), half(SlotN)), IfLess, ErrExponent));
    parts[11] |= at(steps[11], by(Amount32, unary(WordShift, full(WorkC), full(HostE))));
    parts[12] |= at(steps[12], must(compare(full(WorkC), full(Zero)), IfEqual, ErrPublicExponent));
    parts[13] |= at(steps[13], must(copy(of_q(SlotQInv), full(HostE)), IfOdd, ErrPublicExponent));
    parts[14] |= at(steps[14], must(compare(of_q(SlotQInv), full(Two)), IfNotLess,
        ErrPublicExponent));
    parts[15] |= at(steps[15], words(WordSub, half(WorkA), half(SlotN), full(One)));
    parts[0] |= at(steps[16], must(words(WordCompare, half(WorkA), of_q(SlotQInv), half(WorkA)),
        IfLess, ErrPublicExponent));
    parts[1] |= at(steps[17], must(words(WordCompare, of_p(WorkA), of_p(HostQInv), of_p(SlotN)),
        IfLess, ErrRange));
    parts[2] |= at(steps[18], stop());
    parts[3] |= at(steps[19], call(SegInverses, TimesOnce));
    parts[4] |= at(steps[20], stop());
    parts[5] |= at(steps[21], call(SegSetup, TimesHalves));
    parts[6] |= at(steps[22], (Check == CheckPq)
        ? call(SegKey, TimesOnce)
        : call(SegFull, TimesFull));
    parts[7] |= at(steps[23], (Check == CheckPq)
        ? Nothing
        : copy(full(SlotFullConstants), full(WorkM)));
    parts[8] |= at(steps[24], copy(full(SlotFullR2), full(WorkX)));
    parts[9] |= at(steps[25], (PublicScale == 0)
        ? call(SegKey, TimesOnce)
        : copy(full(SlotFullEstimate), full(WorkH)));
    parts[10] |= at(steps[26], (PublicScale == 0) ? Nothing : call(SegKey, TimesOnce));

    // dP and dQ are inverses of e: e dP - 1 = k (p - 1), exactly. After the checks before, dP is
    // odd and below p, and e < 2^32, so 0 < e dP - 1 < 2^32 (p - 1): 32 steps divide it by p - 1.
    // WorkA has p - 1, WorkC 2^32 (p - 1), WorkP after step i 2^i (e dP - 1) modulo that.
    steps = rows_q[SegInverses];
    parts[0] |= at(steps[0], copy(short64(WorkK), full(HostE)));
    parts[1] |= at(steps[1], words(WordMul, wide(WorkP), short64(WorkK), half(SlotD)));
    parts[2] |= at(steps[2], words(WordSub, wide(WorkP), wide(WorkP), full(One)));
    parts[3] |= at(steps[3], words(WordSub, short64(WorkK), full(Zero), full(One)));
    parts[4] |= at(steps[4], by(Amount32, unary(WordLow, short64(WorkK), short64(WorkK))));
    parts[5] |= at(steps[5], words(WordAdd, short64(WorkK), short64(WorkK), full(One)));
    parts[6] |= at(steps[6], words(WordMul, wide(WorkC), short64(WorkK), half(WorkA)));
    parts[7] |= at(steps[7], call(SegRemainder, Times32));
    parts[8] |= at(steps[8], must(compare(wide(WorkP), full(Zero)), IfEqual, ErrExponent));

    // A bit of the quotient: the remainder is doubled, and the divisor subtracted if it is not
    // above.
    steps = rows_q[SegRemainder];
    parts[0] |= at(steps[0], words(WordAdd, wide(WorkP), wide(WorkP), wide(WorkP)));
    parts[1] |= at(steps[1], words(WordSub, wide(WorkT), wide(WorkP), wide(WorkC)));
    parts[2] |= at(steps[2], words(WordSelect, wide(WorkP), wide(WorkP), wide(WorkT)));

    // The constants of p q, made in the slot of the host's n, left in work for the key's slot.
    steps = rows_q[SegFull];
    parts[0] |= at(steps[0], copy(half(SlotN), full(HostN)));
    parts[1] |= at(steps[1], call(SegSetup, TimesOnce));  // 3 turns
    parts[2] |= at(steps[2], copy(half(WorkM), half(SlotConstants)));
    parts[3] |= at(steps[3], copy(half(WorkX), half(SlotR2)));
    parts[4] |= at(steps[4], (PublicScale == 0) ? Nothing : copy(half(WorkH), half(SlotEstimate)));

    // qInv R, and q qInv = 1 (mod p); the blinding pair; a random message signed and checked.
    steps = rows_q[SegKey];
    parts[0] |= at(steps[0], words(WordLoadNK, of_p(SlotN), of_p(SlotN), of_p(SlotConstants)));
    parts[1] |= at(steps[1], copy(of_p(WorkA), of_q(SlotN)));
    parts[2] |= at(steps[2], reduce(of_p(WorkA)));
    parts[3] |= at(steps[3], go(GoMul, of_p(HostQInv), of_p(SlotR2)));  // 1 turn
    parts[4] |= at(steps[4], put(of_p(SlotQInv)));
    parts[5] |= at(steps[5], go(GoMul, of_p(WorkA), of_p(SlotQInv)));  // 1 turn
    parts[6] |= at(steps[6], put(of_p(WorkB)));
    parts[7] |= at(steps[7], must(compare(of_p(WorkB), full(One)), IfEqual, ErrQInv));
    parts[8] |= at(steps[8], stop());
    parts[9] |= at(steps[9], call(SegPair, TimesOnce));
    parts[10] |= at(steps[10], by(AmountNTop, unary(WordRandom, full(WorkS), full(Zero))));
    parts[11] |= at(steps[11], call(SegPrivate, TimesOnce));

    // The multiplier's constants, R, R^2, 2^L R^2 modulo n, from n of L bits: R by doublings of 2^L
    // - n, R^2 by squarings and doublings of 2 R.
    steps = rows_q[SegSetup];
    parts[0] |= at(steps[0], no_inverse
        ? copy(half(WorkB), full(One))
        : call(SegDigits, TimesOnce));
    parts[1] |= at(steps[1], call(SegInverse, TimesInverse));
    parts[2] |= at(steps[2], call(SegInverseEnd, TimesInverseEnd));
    parts[3] |= at(steps[3], call(SegConstant, TimesConstant));
    parts[4] |= at(steps[4], copy(half(SlotConstants), half(WorkB)));
    parts[5] |= at(steps[5], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    parts[6] |= at(steps[6], words(WordSub, half(WorkA), full(Zero), half(SlotN)));
    parts[7] |= at(steps[7], unary(WordLow, half(WorkA), half(WorkA)));
    parts[8] |= at(steps[8], copy(half(WorkB), half(WorkA)));
    parts[9] |= at(steps[9], scaled ? call(SegScale, TimesOnce) : call(SegDouble, TimesDouble));
    parts[10] |= at(steps[10], copy(half(SlotR1), half(WorkB)));
    parts[11] |= at(steps[11], call(SegDouble, TimesOnce));
    parts[12] |= at(steps[12], call(SegSquare, TimesSquare));
    parts[13] |= at(steps[13], copy(half(SlotR2), half(WorkB)));
    parts[14] |= at(steps[14], go(GoMul, half(SlotR2), half(WorkA)));  // 1 turn
    parts[15] |= at(steps[15], put(half(WorkX)));
    parts[0] |= at(steps[16], go(GoMul, half(WorkX), half(SlotR2)));  // 1 turn
    parts[1] |= at(steps[17], put(half(SlotShift)));

    // R of a multiplier with Scale, and before it SlotEstimate, floor(2^(L + Scale + 2) / n).
    steps = rows_q[SegScale];
    parts[0] |= at(steps[0], copy(half(WorkM), full(One)));
    parts[1] |= at(steps[1], call(SegEstimate, TimesEstimate));
    parts[2] |= at(steps[2], copy(half(SlotEstimate), half(WorkM)));
    parts[3] |= at(steps[3], copy(half(WorkB), half(WorkA)));
    parts[4] |= at(steps[4], call(SegDouble, TimesDouble));

    // A bit of that quotient: the remainder, in WorkB, is doubled; the flag: it is below n.
    steps = rows_q[SegEstimate];
    parts[0] |= at(steps[0], words(WordAdd, half(WorkB), half(WorkB), half(WorkB)));
    parts[1] |= at(steps[1], words(WordSub, half(WorkT), half(WorkB), half(SlotN)));
    parts[2] |= at(steps[2], words(WordSelect, half(WorkB), half(WorkB), half(WorkT)));
    parts[3] |= at(steps[3], words(WordAdd, half(WorkM), half(WorkM), half(WorkM)));
    parts[4] |= at(steps[4], words(WordAdd, half(WorkH), half(WorkM), full(One)));
    parts[5] |= at(steps[5], words(WordSelect, half(WorkM), half(WorkM), half(WorkH)));

    // Before the steps of SegInverse: m in WorkM is 0, 2^i in WorkH is 1, WorkB is 1.
    steps = rows_q[SegDigits];
    parts[0] |= at(steps[0], copy(half(WorkM), full(Zero)));
    parts[1] |= at(steps[1], copy(half(WorkH), full(One)));
    parts[2] |= at(steps[2], copy(half(WorkB), full(One)));

    // The multiplier's constant: n + 1, m or n 2^InverseBits + m.
    steps = rows_q[SegConstant];
    parts[0] |= at(steps[0], no_inverse
        ? words(WordAdd, half(WorkB), half(SlotN), full(One))
        : copy(half(WorkB), half(WorkM)));
    parts[1] |= at(steps[1], words_kind
        ? words(WordMul, wide(WorkP), half(WorkH), half(SlotN))
        : Nothing);
    parts[2] |= at(steps[2], words(WordAdd, half(WorkB), wide(WorkP), half(WorkM)));

    // A step of (n m + 1) / 2^InverseBits, m = -n^-1 mod 2^InverseBits, in WorkB: if WorkB is odd,
    // n is added (in the last step of a signed m subtracted); then WorkB is halved. The flag is the
    // parity; by it 2^i, in WorkH, is added to m, in WorkM, in the same way.
    steps = rows_q[SegInverse] | rows_q[SegInverseEnd];
    parts[0] |= at(steps[0], unary(WordLow, half(WorkT), half(WorkB)));
    parts[1] |= at(steps[1], words((segment_i == SegInverseEnd) ? WordSub : WordAdd, half(WorkA),
        half(WorkB), half(SlotN)));
    parts[2] |= at(steps[2], words(WordSelect, half(WorkB), half(WorkA), half(WorkB)));
    parts[3] |= at(steps[3], by(AmountOne, unary(WordShift, half(WorkB), half(WorkB))));
    parts[4] |= at(steps[4], no_inverse
        ? Nothing
        : words((segment_i == SegInverseEnd) ? WordSub : WordAdd, half(WorkA), half(WorkM),
            half(WorkH)));
    parts[5] |= at(steps[5], words(WordSelect, half(WorkM), half(WorkA), half(WorkM)));
    parts[6] |= at(steps[6], words(WordAdd, half(WorkH), half(WorkH), half(WorkH)));

    // WorkB is doubled.
    steps = rows_q[SegDouble];
    parts[0] |= at(steps[0], words(WordAdd, half(WorkB), half(WorkB), half(WorkB)));
    parts[1] |= at(steps[1], reduce(half(WorkB)));

    // R^2 R^-1 for R in WorkB, and if the bit of log2 R is 1, doubled.
    steps = rows_q[SegSquare];
    parts[0] |= at(steps[0], go(GoMul, half(WorkB), half(WorkB)));  // 1 turn
    parts[1] |= at(steps[1], put(half(WorkB)));
    parts[2] |= at(steps[2], call(SegDouble, TimesBit));

    // A new blinding pair: vi random in [2, 2^(L - 1)), vf = vi^(p - 1 - e) = vi^-e in the domain.
    steps = rows_q[SegPair];
    parts[0] |= at(steps[0], call(SegDraw, TimesOnce));
    parts[1] |= at(steps[1], words(WordSub, wide(WorkP), half(SlotN), full(One)));
    parts[2] |= at(steps[2], words(WordSub, wide(WorkP), wide(WorkP), of_q(SlotQInv)));
    parts[3] |= at(steps[3], call(SegPowers, TimesHalves));

    // vi, of a bit less than p and so below it, drawn again until it is at least 2: that tells
    // nothing of p.
    steps = rows_q[SegDraw];
    parts[0] |= at(steps[0], by(AmountTop, unary(WordRandom, half(SlotVi), full(Zero))));
    parts[1] |= at(steps[1], must(compare(half(SlotVi), full(Two)), IfNotLess, Again));

    // vf, by the exponent in WorkP.
    steps = rows_q[SegPowers];
    parts[0] |= at(steps[0], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    parts[1] |= at(steps[1], go(GoMul, half(SlotVi), half(SlotR2)));  // 1 turn
    parts[2] |= at(steps[2], put(half(WorkX)));
    parts[3] |= at(steps[3], unary(WordLoadE, half(WorkX), wide(WorkP)));
    parts[4] |= at(steps[4], go(GoWindow, half(WorkX), half(SlotR1)));  // window
    parts[5] |= at(steps[5], put(half(SlotVf)));

    // The private operation; d' = d + k (p - 1) is in WorkP.
    steps = rows_q[SegPrivate];
    parts[0] |= at(steps[0], copy(full(WorkC), full(HostX)));
    parts[1] |= at(steps[1], must(compare(full(WorkC), full(SlotM)), IfLess, ErrMessage));
    parts[2] |= at(steps[2], stop());
    parts[3] |= at(steps[3], call(SegPair, TimesRenew));
    parts[4] |= at(steps[4], by(Amount64, unary(WordRandom, short64(WorkK), full(Zero))));
    parts[5] |= at(steps[5], words(WordSub, half(WorkA), half(SlotN), full(One)));
    parts[6] |= at(steps[6], (Eblind == 0)
        ? copy(wide(WorkP), full(Zero))
        : words(WordMul, wide(WorkP), short64(WorkK), half(WorkA)));
    parts[7] |= at(steps[7], words(WordAdd, wide(WorkP), wide(WorkP), half(SlotD)));
    parts[8] |= at(steps[8], call(SegHalf, TimesHalves));
    parts[9] |= at(steps[9], call(SegGarner, TimesOnce));  // 1 turn
    parts[10] |= at(steps[10], call(SegCheck, TimesOnce));

    // The power of one half, m1 or m2, and its next blinding pair.
    steps = rows_q[SegHalf];
    parts[0] |= at(steps[0], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    parts[1] |= at(steps[1], call(SegEnter, TimesOnce));  // 2 turns
    parts[2] |= at(steps[2], go(GoMul, half(WorkX), half(SlotVf)));  // 1 turn
    parts[3] |= at(steps[3], put(half(WorkX)));
    parts[4] |= at(steps[4], unary(WordLoadE, half(WorkX), wide(WorkP)));
    parts[5] |= at(steps[5], by(AmountD, go(GoWindow, half(WorkX), half(SlotR1))));  // window
    parts[6] |= at(steps[6], go(GoKeep, half(WorkX), half(SlotVi)));  // 1 turn
    parts[7] |= at(steps[7], put(half(WorkM)));
    parts[8] |= at(steps[8], go(GoMul, half(SlotVf), half(SlotVf)));  // 1 turn
    parts[9] |= at(steps[9], put(half(SlotVf)));
    parts[10] |= at(steps[10], go(GoMul, half(SlotVi), half(SlotR2)));  // 1 turn
    parts[11] |= at(steps[11], put(half(WorkA)));
    parts[12] |= at(steps[12], go(GoMul, half(WorkA), half(SlotVi)));  // 1 turn
    parts[13] |= at(steps[13], put(half(SlotVi)));

    // WorkX = WorkC in the domain: c1 2^L R^2 R^-1 + c0 R^2 R^-1 for WorkC = c1 2^L + c0. In the
    // check (SegReenter) c is the second factor: a stuck bit in the register of one factor would
    // else change c and y in the same way.
    steps = rows_q[SegEnter] | rows_q[SegReenter];
    parts[0] |= at(steps[0], unary(WordShift, half(WorkA), full(WorkC)));
    parts[1] |= at(steps[1], unary(WordLow, half(WorkB), full(WorkC)));
    parts[2] |= at(steps[2], reduce(half(WorkA)));
    parts[3] |= at(steps[3], reduce(half(WorkB)));
    parts[4] |= at(steps[4], again
        ? go(GoMul, half(SlotShift), half(WorkA))
        : go(GoMul, half(WorkA), half(SlotShift)));  // 1 turn
    parts[5] |= at(steps[5], put(half(WorkA)));
    parts[6] |= at(steps[6], again
        ? go(GoMul, half(SlotR2), half(WorkB))
        : go(GoMul, half(WorkB), half(SlotR2)));  // 1 turn
    parts[7] |= at(steps[7], put(half(WorkX)));
    parts[8] |= at(steps[8], words(WordAdd, half(WorkX), half(WorkX), half(WorkA)));
    parts[9] |= at(steps[9], reduce(half(WorkX)));

    // y = m2 + h q, h = (m1 - m2) qInv mod p.
    steps = rows_q[SegGarner];
    parts[0] |= at(steps[0], words(WordLoadNK, of_p(SlotN), of_p(SlotN), of_p(SlotConstants)));
    parts[1] |= at(steps[1], copy(of_p(WorkA), of_q(WorkM)));
    parts[2] |= at(steps[2], reduce(of_p(WorkA)));
    parts[3] |= at(steps[3], words(WordSub, of_p(WorkB), of_p(WorkM), of_p(WorkA)));
    parts[4] |= at(steps[4], words(WordAdd, of_p(WorkA), of_p(WorkB), of_p(SlotN)));
    parts[5] |= at(steps[5], words(WordSelect, of_p(WorkB), of_p(WorkA), of_p(WorkB)));
    parts[6] |= at(steps[6], go(GoMul, of_p(WorkB), of_p(SlotQInv)));  // 1 turn
    parts[7] |= at(steps[7], put(of_p(WorkH)));
    parts[8] |= at(steps[8], words(WordMul, full(WorkP), of_p(WorkH), of_q(SlotN)));
    parts[9] |= at(steps[9], words(WordAdd, full(WorkY), full(WorkP), of_q(WorkM)));

    // y < n, p q = n, y^e = c mod p and mod q or mod n, the number of turns; each comparison is
    // made twice.
    steps = rows_q[SegCheck];
    // With CheckBoth it begins 3 rows earlier.
    if (Check == CheckBoth) steps = {steps[2:0], steps[31:3]};
    parts[13] |= at(steps[29], call(SegCheckFull, TimesOnce));
    parts[14] |= at(steps[30], counts(CodeFirst, compare(full(WorkC), full(HostX)), IfEqual));
    parts[15] |= at(steps[31], counts(CodeSecond, compare(full(WorkC), full(HostX)), IfEqual));
    parts[0] |= at(steps[0], counts(CodeFirst, compare(full(WorkY), full(SlotM)), IfLess));
    parts[1] |= at(steps[1], words(WordMul, full(WorkP), of_p(SlotN), of_q(SlotN)));
    parts[2] |= at(steps[2], counts(CodeFirst, compare(full(WorkP), full(SlotM)), IfEqual));
    parts[3] |= at(steps[3], (Check == CheckN)
        ? call(SegCheckFull, TimesOnce)
        : call(SegCheckHalf, TimesHalves));
    parts[4] |= at(steps[4], (Check == CheckN)
        ? counts(CodeFirst, compare(full(WorkC), full(HostX)), IfEqual)
        : counts(CodeFirst, compare(half(WorkM), half(WorkX)), IfEqual));
    parts[5] |= at(steps[5], counts(CodeFirst, compare(full(One), full(One)), IfTurns));
    parts[6] |= at(steps[6], counts(CodeSecond, compare(full(WorkY), full(SlotM)), IfLess));
    parts[7] |= at(steps[7], counts(CodeSecond, compare(full(WorkP), full(SlotM)), IfEqual));
    parts[8] |= at(steps[8], (Check == CheckN)
        ? counts(CodeSecond, compare(full(WorkC), full(HostX)), IfEqual)
        : counts(CodeSecond, compare(half(WorkM), half(WorkX)), IfEqual));
    parts[9] |= at(steps[9], counts(CodeSecond, compare(full(One), full(One)), IfTurns));

    // WorkM = y^e, WorkX = c, both in the domain; c is read from the host's memory once more. The
    // result of the last product is known: with a multiplier whose products no longer depend on its
    // operands both sides would be equal.
    steps = rows_q[SegCheckHalf];
    parts[0] |= at(steps[0], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    parts[1] |= at(steps[1], copy(full(WorkC), full(WorkY)));
    parts[2] |= at(steps[2], call(SegEnter, TimesOnce));  // 2 turns
    parts[3] |= at(steps[3], unary(WordLoadPublic, half(WorkX), of_q(SlotQInv)));
    parts[4] |= at(steps[4], by(Amount32, go(GoPublic, half(WorkX), half(WorkX))));  // public power
    parts[5] |= at(steps[5], put(half(WorkM)));
    parts[6] |= at(steps[6], copy(full(WorkC), full(HostX)));
    parts[7] |= at(steps[7], must(compare(full(WorkC), full(HostX)), IfEqual, ErrFault));
    parts[8] |= at(steps[8], call(SegReenter, TimesOnce));  // 2 turns
    parts[9] |= at(steps[9], go(GoMul, half(SlotR2), full(One)));  // 1 turn
    parts[10] |= at(steps[10], put(half(WorkA)));
    parts[11] |= at(steps[11], must(compare(half(WorkA), half(SlotR1)), IfEqual, ErrFault));

    // WorkC = y^e mod n by the exponentiator of full width: y^(e - 1) in the domain, and plain y.
    steps = rows_q[SegCheckFull];
    parts[0] |= at(steps[0], words(WordLoadNK, full(SlotM), full(SlotM), full(SlotFullConstants)));
    parts[1] |= at(steps[1], go(GoMul, full(WorkY), full(SlotFullR2)));  // 1 turn
    parts[2] |= at(steps[2], put(full(WorkA)));
    parts[3] |= at(steps[3], words(WordSub, full(WorkB), of_q(SlotQInv), full(One)));
    parts[4] |= at(steps[4], unary(WordLoadPublic, full(WorkA), full(WorkB)));
    parts[5] |= at(steps[5], by(Amount32, go(GoPublic, full(WorkA), full(WorkA))));  // public power
    parts[6] |= at(steps[6], go(GoKeep, full(WorkA), full(WorkY)));  // 1 turn
    parts[7] |= at(steps[7], put(full(WorkC)));

    // Operations on one modulus: n and its constants; then a power.
    steps = rows_q[SegModulus];
    parts[0] |= at(steps[0], must(by(AmountNTop, unary(WordShift, half(WorkA), full(HostN))),
        IfLength, ErrLength));
    parts[1] |= at(steps[1], must(copy(half(SlotN), full(HostN)), IfOdd, ErrModulusEven));
    parts[2] |= at(steps[2], must(compare(half(WorkA), full(One)), IfEqual, ErrLength));
    parts[3] |= at(steps[3], stop());
    parts[4] |= at(steps[4], call(SegSetup, TimesSetup));
    parts[5] |= at(steps[5], call(SegPower, TimesPower));

    // WorkY = x^e, checked to be below n.
    steps = rows_q[SegPower];
    parts[0] |= at(steps[0], must(words(WordCompare, half(WorkA), full(HostX), half(SlotN)), IfLess,
        ErrMessage));
    parts[1] |= at(steps[1], stop());
    parts[2] |= at(steps[2], copy(half(WorkC), full(HostX)));
    parts[3] |= at(steps[3], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    parts[4] |= at(steps[4], go(GoMul, half(WorkC), half(SlotR2)));  // 1 turn
    parts[5] |= at(steps[5], put(half(WorkX)));
    parts[6] |= at(steps[6], call(SegWindow, TimesWindow));
    parts[7] |= at(steps[7], call(SegPublic, TimesPublic));
    parts[8] |= at(steps[8], counts(CodeFirst, compare(half(WorkY), half(SlotN)), IfLess));
    parts[9] |= at(steps[9], counts(CodeSecond, compare(half(WorkY), half(SlotN)), IfLess));

    // The power by a window, in a time that depends on e_bits alone.
    steps = rows_q[SegWindow];
    parts[0] |= at(steps[0], unary(WordLoadE, half(WorkX), full(HostE)));
    parts[1] |= at(steps[1], by(AmountE, go(GoWindow, half(WorkX), half(SlotR1))));  // window
    parts[2] |= at(steps[2], go(GoKeep, half(WorkX), full(One)));  // 1 turn
    parts[3] |= at(steps[3], put(half(WorkY)));

    // For an odd e the last product is that of x^(e-1), in the domain, and plain x, for an even one
    // that of x^e and 1; it leaves the domain. If the power is x^0, the factor is the result. The
    // flag is 1 if e is odd.
    steps = rows_q[SegPublic];
    parts[0] |= at(steps[0], by(AmountE, unary(WordLow, half(WorkA), full(HostE))));
    parts[1] |= at(steps[1], words(WordSub, half(WorkB), half(WorkA), full(One)));
    parts[2] |= at(steps[2], unary(WordLow, half(WorkT), half(WorkA)));
    parts[3] |= at(steps[3], words(WordSelect, half(WorkA), half(WorkB), half(WorkA)));
    parts[4] |= at(steps[4], words(WordSelect, half(WorkB), full(HostX), full(One)));
    parts[5] |= at(steps[5], copy(half(WorkY), half(WorkB)));
    parts[6] |= at(steps[6], compare(half(WorkA), full(Zero)));
    parts[7] |= at(steps[7], call(SegPublicPower, TimesNonzero));

    // WorkY = x^e or x^(e-1) times the factor, outside the domain.
    steps = rows_q[SegPublicPower];
    parts[0] |= at(steps[0], unary(WordLoadPublic, half(WorkX), half(WorkA)));
    parts[1] |= at(steps[1], by(AmountE, go(GoPublic, half(WorkX), half(WorkX))));  // public power
    parts[2] |= at(steps[2], go(GoKeep, half(WorkX), half(WorkB)));  // 1 turn
    parts[3] |= at(steps[3], put(half(WorkY)));

    for (int unsigned s = 8; s > 0; s = s / 2) begin
      for (int unsigned i = 0; i < s; i++) parts[i] |= parts[i+s];
    end
    instruction_o = parts[0] ^ Nothing;
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
