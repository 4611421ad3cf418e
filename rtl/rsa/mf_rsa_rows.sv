// SPDX-License-Identifier: Apache-2.0
//
// The rows of the RSA engine's micro-program: segments of steps, without branches on data, and the
// phase that the host reads in each.
//
// A row is done for both halves (p and q), for one of them if its result has the form of p or q, or
// once if its result is of full width. scripts/make_programs.py writes the rows from
// montforge.programs.rsa, and the numbers of their turns and checks into mf_rsa_pkg.

module mf_rsa_rows
  import mf_engine_pkg::*;
  import mf_rsa_pkg::*;
  import mf_derivation_pkg::*;
#(
  parameter config_t Config
) (
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

  // c is the second factor.
  logic again;
  assign again = segment_i == SegReenter;

  instruction_t row;
  assign instruction_o = row;

  // ---------------------------------------------------------------- rendered

  // With CheckBoth SegCheck begins 3 rows earlier.
  logic [4:0] check_step;
  assign check_step = (Check == CheckBoth) ? step_i - 5'd3 : step_i;

  always_comb begin
    row = Nothing;
    unique case (segment_i)
      // A key: checks of its length and parts; then its constants, blinding pair and self-test.
      SegLoad: unique case (step_i)
        5'd0: row = must(by(AmountNTop, unary(WordShift, full(WorkC), full(HostN))), IfLength,
            ErrLength);
        5'd1: row = must(copy(half(SlotN), half(HostPq)), IfOdd, ErrModulusEven);
        5'd2: row = must(copy(full(SlotM), full(HostN)), IfOdd, ErrModulusEven);
        5'd3: row = must(compare(full(WorkC), full(One)), IfEqual, ErrLength);
        5'd4: row = by(AmountTop, unary(WordShift, half(WorkA), half(SlotN)));
        5'd5: row = must(compare(half(WorkA), full(One)), IfEqual, ErrLength);
        5'd6: row = must(compare(of_p(SlotN), of_q(SlotN)), IfNotEqual, ErrPrimesEqual);
        5'd7: row = words(WordMul, full(WorkP), of_p(SlotN), of_q(SlotN));
        5'd8: row = must(compare(full(WorkP), full(SlotM)), IfEqual, ErrProduct);
        5'd9: row = must(copy(half(SlotD), half(HostD)), IfOdd, ErrExponent);
        5'd10: row = must(compare(half(SlotD), half(SlotN)), IfLess, ErrExponent);
        5'd11: row = by(Amount32, unary(WordShift, full(WorkC), full(HostE)));
        5'd12: row = must(compare(full(WorkC), full(Zero)), IfEqual, ErrPublicExponent);
        5'd13: row = must(copy(of_q(SlotQInv), full(HostE)), IfOdd, ErrPublicExponent);
        5'd14: row = must(compare(of_q(SlotQInv), full(Two)), IfNotLess, ErrPublicExponent);
        5'd15: row = words(WordSub, half(WorkA), half(SlotN), full(One));
        5'd16: row = must(words(WordCompare, half(WorkA), of_q(SlotQInv), half(WorkA)), IfLess,
            ErrPublicExponent);
        5'd17: row = must(words(WordCompare, of_p(WorkA), of_p(HostQInv), of_p(SlotN)), IfLess,
            ErrRange);
        5'd18: row = stop();
        5'd19: row = call(SegInverses, TimesOnce);
        5'd20: row = stop();
        5'd21: row = call(SegSetup, TimesHalves);
        5'd22: row = (Check == CheckPq) ? call(SegKey, TimesOnce) : call(SegFull, TimesFull);
        5'd23: row = (Check == CheckPq) ? Nothing : copy(full(SlotFullConstants), full(WorkM));
        5'd24: row = copy(full(SlotFullR2), full(WorkX));
        5'd25: row = (PublicScale == 0)
            ? call(SegKey, TimesOnce)
            : copy(full(SlotFullEstimate), full(WorkH));
        5'd26: row = (PublicScale == 0) ? Nothing : call(SegKey, TimesOnce);
        default: ;
      endcase
      // dP and dQ are inverses of e: e dP - 1 = k (p - 1), exactly. After the checks before, dP is
      // odd and below p, and e < 2^32, so 0 < e dP - 1 < 2^32 (p - 1): 32 steps divide it by p - 1.
      // WorkA has p - 1, WorkC 2^32 (p - 1), WorkP after step i 2^i (e dP - 1) modulo that.
      SegInverses: unique case (step_i)
        5'd0: row = copy(short64(WorkK), full(HostE));
        5'd1: row = words(WordMul, wide(WorkP), short64(WorkK), half(SlotD));
        5'd2: row = words(WordSub, wide(WorkP), wide(WorkP), full(One));
        5'd3: row = words(WordSub, short64(WorkK), full(Zero), full(One));
        5'd4: row = by(Amount32, unary(WordLow, short64(WorkK), short64(WorkK)));
        5'd5: row = words(WordAdd, short64(WorkK), short64(WorkK), full(One));
        5'd6: row = words(WordMul, wide(WorkC), short64(WorkK), half(WorkA));
        5'd7: row = call(SegRemainder, Times32);
        5'd8: row = must(compare(wide(WorkP), full(Zero)), IfEqual, ErrExponent);
        default: ;
      endcase
      // A bit of the quotient: the remainder is doubled, and the divisor subtracted if it is not
      // above.
      SegRemainder: unique case (step_i)
        5'd0: row = words(WordAdd, wide(WorkP), wide(WorkP), wide(WorkP));
        5'd1: row = words(WordSub, wide(WorkT), wide(WorkP), wide(WorkC));
        5'd2: row = words(WordSelect, wide(WorkP), wide(WorkP), wide(WorkT));
        default: ;
      endcase
      // The constants of p q, made in the slot of the host's n, left in work for the key's slot.
      SegFull: unique case (step_i)
        5'd0: row = copy(half(SlotN), full(HostN));
        5'd1: row = call(SegSetup, TimesOnce);  // 3 turns
        5'd2: row = copy(half(WorkM), half(SlotConstants));
        5'd3: row = copy(half(WorkX), half(SlotR2));
        5'd4: row = (PublicScale == 0) ? Nothing : copy(half(WorkH), half(SlotEstimate));
        default: ;
      endcase
      // qInv R, and q qInv = 1 (mod p); the blinding pair; a random message signed and checked.
      SegKey: unique case (step_i)
        5'd0: row = words(WordLoadNK, of_p(SlotN), of_p(SlotN), of_p(SlotConstants));
        5'd1: row = copy(of_p(WorkA), of_q(SlotN));
        5'd2: row = reduce(of_p(WorkA));
        5'd3: row = go(GoMul, of_p(HostQInv), of_p(SlotR2));  // 1 turn
        5'd4: row = put(of_p(SlotQInv));
        5'd5: row = go(GoMul, of_p(WorkA), of_p(SlotQInv));  // 1 turn
        5'd6: row = put(of_p(WorkB));
        5'd7: row = must(compare(of_p(WorkB), full(One)), IfEqual, ErrQInv);
        5'd8: row = stop();
        5'd9: row = call(SegPair, TimesOnce);
        5'd10: row = by(AmountNTop, unary(WordRandom, full(WorkS), full(Zero)));
        5'd11: row = call(SegPrivate, TimesOnce);
        default: ;
      endcase
      // The multiplier's constants, R, R^2, 2^L R^2 modulo n, from n of L bits: R by doublings of
      // 2^L - n, R^2 by squarings and doublings of 2 R.
      SegSetup: unique case (step_i)
        5'd0: row = no_inverse ? copy(half(WorkB), full(One)) : call(SegDigits, TimesOnce);
        5'd1: row = call(SegInverse, TimesInverse);
        5'd2: row = call(SegInverseEnd, TimesInverseEnd);
        5'd3: row = call(SegConstant, TimesConstant);
        5'd4: row = copy(half(SlotConstants), half(WorkB));
        5'd5: row = words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants));
        5'd6: row = words(WordSub, half(WorkA), full(Zero), half(SlotN));
        5'd7: row = unary(WordLow, half(WorkA), half(WorkA));
        5'd8: row = copy(half(WorkB), half(WorkA));
        5'd9: row = scaled ? call(SegScale, TimesOnce) : call(SegDouble, TimesDouble);
        5'd10: row = copy(half(SlotR1), half(WorkB));
        5'd11: row = call(SegDouble, TimesOnce);
        5'd12: row = call(SegSquare, TimesSquare);
        5'd13: row = copy(half(SlotR2), half(WorkB));
        5'd14: row = go(GoMul, half(SlotR2), half(WorkA));  // 1 turn
        5'd15: row = put(half(WorkX));
        5'd16: row = go(GoMul, half(WorkX), half(SlotR2));  // 1 turn
        5'd17: row = put(half(SlotShift));
        default: ;
      endcase
      // R of a multiplier with Scale, and before it SlotEstimate, floor(2^(L + Scale + 2) / n).
      SegScale: unique case (step_i)
        5'd0: row = copy(half(WorkM), full(One));
        5'd1: row = call(SegEstimate, TimesEstimate);
        5'd2: row = copy(half(SlotEstimate), half(WorkM));
        5'd3: row = copy(half(WorkB), half(WorkA));
        5'd4: row = call(SegDouble, TimesDouble);
        default: ;
      endcase
      // A bit of that quotient: the remainder, in WorkB, is doubled; the flag: it is below n.
      SegEstimate: unique case (step_i)
        5'd0: row = words(WordAdd, half(WorkB), half(WorkB), half(WorkB));
        5'd1: row = words(WordSub, half(WorkT), half(WorkB), half(SlotN));
        5'd2: row = words(WordSelect, half(WorkB), half(WorkB), half(WorkT));
        5'd3: row = words(WordAdd, half(WorkM), half(WorkM), half(WorkM));
        5'd4: row = words(WordAdd, half(WorkH), half(WorkM), full(One));
        5'd5: row = words(WordSelect, half(WorkM), half(WorkM), half(WorkH));
        default: ;
      endcase
      // Before the steps of SegInverse: m in WorkM is 0, 2^i in WorkH is 1, WorkB is 1.
      SegDigits: unique case (step_i)
        5'd0: row = copy(half(WorkM), full(Zero));
        5'd1: row = copy(half(WorkH), full(One));
        5'd2: row = copy(half(WorkB), full(One));
        default: ;
      endcase
      // The multiplier's constant: n + 1, m or n 2^InverseBits + m.
      SegConstant: unique case (step_i)
        5'd0: row = no_inverse
            ? words(WordAdd, half(WorkB), half(SlotN), full(One))
            : copy(half(WorkB), half(WorkM));
        5'd1: row = words_kind ? words(WordMul, wide(WorkP), half(WorkH), half(SlotN)) : Nothing;
        5'd2: row = words(WordAdd, half(WorkB), wide(WorkP), half(WorkM));
        default: ;
      endcase
      // A step of (n m + 1) / 2^InverseBits, m = -n^-1 mod 2^InverseBits, in WorkB: if WorkB is
      // odd, n is added (in the last step of a signed m subtracted); then WorkB is halved. The flag
      // is the parity; by it 2^i, in WorkH, is added to m, in WorkM, in the same way.
      SegInverse, SegInverseEnd: unique case (step_i)
        5'd0: row = unary(WordLow, half(WorkT), half(WorkB));
        5'd1: row = words((segment_i == SegInverseEnd) ? WordSub : WordAdd, half(WorkA),
            half(WorkB), half(SlotN));
        5'd2: row = words(WordSelect, half(WorkB), half(WorkA), half(WorkB));
        5'd3: row = by(AmountOne, unary(WordShift, half(WorkB), half(WorkB)));
        5'd4: row = no_inverse
            ? Nothing
            : words((segment_i == SegInverseEnd) ? WordSub : WordAdd, half(WorkA), half(WorkM),
                half(WorkH));
        5'd5: row = words(WordSelect, half(WorkM), half(WorkA), half(WorkM));
        5'd6: row = words(WordAdd, half(WorkH), half(WorkH), half(WorkH));
        default: ;
      endcase
      // WorkB is doubled.
      SegDouble: unique case (step_i)
        5'd0: row = words(WordAdd, half(WorkB), half(WorkB), half(WorkB));
        5'd1: row = reduce(half(WorkB));
        default: ;
      endcase
      // R^2 R^-1 for R in WorkB, and if the bit of log2 R is 1, doubled.
      SegSquare: unique case (step_i)
        5'd0: row = go(GoMul, half(WorkB), half(WorkB));  // 1 turn
        5'd1: row = put(half(WorkB));
        5'd2: row = call(SegDouble, TimesBit);
        default: ;
      endcase
      // A new blinding pair: vi random in [2, 2^(L - 1)), vf = vi^(p - 1 - e) = vi^-e in the
      // domain.
      SegPair: unique case (step_i)
        5'd0: row = call(SegDraw, TimesOnce);
        5'd1: row = words(WordSub, wide(WorkP), half(SlotN), full(One));
        5'd2: row = words(WordSub, wide(WorkP), wide(WorkP), of_q(SlotQInv));
        5'd3: row = call(SegPowers, TimesHalves);
        default: ;
      endcase
      // vi, of a bit less than p and so below it, drawn again until it is at least 2: that tells
      // nothing of p.
      SegDraw: unique case (step_i)
        5'd0: row = by(AmountTop, unary(WordRandom, half(SlotVi), full(Zero)));
        5'd1: row = must(compare(half(SlotVi), full(Two)), IfNotLess, Again);
        default: ;
      endcase
      // vf, by the exponent in WorkP.
      SegPowers: unique case (step_i)
        5'd0: row = words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants));
        5'd1: row = go(GoMul, half(SlotVi), half(SlotR2));  // 1 turn
        5'd2: row = put(half(WorkX));
        5'd3: row = unary(WordLoadE, half(WorkX), wide(WorkP));
        5'd4: row = go(GoWindow, half(WorkX), half(SlotR1));  // window
        5'd5: row = put(half(SlotVf));
        default: ;
      endcase
      // The private operation; d' = d + k (p - 1) is in WorkP.
      SegPrivate: unique case (step_i)
        5'd0: row = copy(full(WorkC), full(HostX));
        5'd1: row = must(compare(full(WorkC), full(SlotM)), IfLess, ErrMessage);
        5'd2: row = stop();
        5'd3: row = call(SegPair, TimesRenew);
        5'd4: row = by(Amount64, unary(WordRandom, short64(WorkK), full(Zero)));
        5'd5: row = words(WordSub, half(WorkA), half(SlotN), full(One));
        5'd6: row = (Eblind == 0)
            ? copy(wide(WorkP), full(Zero))
            : words(WordMul, wide(WorkP), short64(WorkK), half(WorkA));
        5'd7: row = words(WordAdd, wide(WorkP), wide(WorkP), half(SlotD));
        5'd8: row = call(SegHalf, TimesHalves);
        5'd9: row = call(SegGarner, TimesOnce);  // 1 turn
        5'd10: row = call(SegCheck, TimesOnce);
        default: ;
      endcase
      // The power of one half, m1 or m2, and its next blinding pair.
      SegHalf: unique case (step_i)
        5'd0: row = words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants));
        5'd1: row = call(SegEnter, TimesOnce);  // 2 turns
        5'd2: row = go(GoMul, half(WorkX), half(SlotVf));  // 1 turn
        5'd3: row = put(half(WorkX));
        5'd4: row = unary(WordLoadE, half(WorkX), wide(WorkP));
        5'd5: row = by(AmountD, go(GoWindow, half(WorkX), half(SlotR1)));  // window
        5'd6: row = go(GoKeep, half(WorkX), half(SlotVi));  // 1 turn
        5'd7: row = put(half(WorkM));
        5'd8: row = go(GoMul, half(SlotVf), half(SlotVf));  // 1 turn
        5'd9: row = put(half(SlotVf));
        5'd10: row = go(GoMul, half(SlotVi), half(SlotR2));  // 1 turn
        5'd11: row = put(half(WorkA));
        5'd12: row = go(GoMul, half(WorkA), half(SlotVi));  // 1 turn
        5'd13: row = put(half(SlotVi));
        default: ;
      endcase
      // WorkX = WorkC in the domain: c1 2^L R^2 R^-1 + c0 R^2 R^-1 for WorkC = c1 2^L + c0. In the
      // check (SegReenter) c is the second factor: a stuck bit in the register of one factor would
      // else change c and y in the same way.
      SegEnter, SegReenter: unique case (step_i)
        5'd0: row = unary(WordShift, half(WorkA), full(WorkC));
        5'd1: row = unary(WordLow, half(WorkB), full(WorkC));
        5'd2: row = reduce(half(WorkA));
        5'd3: row = reduce(half(WorkB));
        5'd4: row = again
            ? go(GoMul, half(SlotShift), half(WorkA))
            : go(GoMul, half(WorkA), half(SlotShift));  // 1 turn
        5'd5: row = put(half(WorkA));
        5'd6: row = again
            ? go(GoMul, half(SlotR2), half(WorkB))
            : go(GoMul, half(WorkB), half(SlotR2));  // 1 turn
        5'd7: row = put(half(WorkX));
        5'd8: row = words(WordAdd, half(WorkX), half(WorkX), half(WorkA));
        5'd9: row = reduce(half(WorkX));
        default: ;
      endcase
      // y = m2 + h q, h = (m1 - m2) qInv mod p.
      SegGarner: unique case (step_i)
        5'd0: row = words(WordLoadNK, of_p(SlotN), of_p(SlotN), of_p(SlotConstants));
        5'd1: row = copy(of_p(WorkA), of_q(WorkM));
        5'd2: row = reduce(of_p(WorkA));
        5'd3: row = words(WordSub, of_p(WorkB), of_p(WorkM), of_p(WorkA));
        5'd4: row = words(WordAdd, of_p(WorkA), of_p(WorkB), of_p(SlotN));
        5'd5: row = words(WordSelect, of_p(WorkB), of_p(WorkA), of_p(WorkB));
        5'd6: row = go(GoMul, of_p(WorkB), of_p(SlotQInv));  // 1 turn
        5'd7: row = put(of_p(WorkH));
        5'd8: row = words(WordMul, full(WorkP), of_p(WorkH), of_q(SlotN));
        5'd9: row = words(WordAdd, full(WorkY), full(WorkP), of_q(WorkM));
        default: ;
      endcase
      // y < n, p q = n, y^e = c mod p and mod q or mod n, the number of turns; each comparison is
      // made twice.
      SegCheck: unique case (check_step)
        5'd29: row = call(SegCheckFull, TimesOnce);
        5'd30: row = counts(CodeFirst, compare(full(WorkC), full(HostX)), IfEqual);
        5'd31: row = counts(CodeSecond, compare(full(WorkC), full(HostX)), IfEqual);
        5'd0: row = counts(CodeFirst, compare(full(WorkY), full(SlotM)), IfLess);
        5'd1: row = words(WordMul, full(WorkP), of_p(SlotN), of_q(SlotN));
        5'd2: row = counts(CodeFirst, compare(full(WorkP), full(SlotM)), IfEqual);
        5'd3: row = (Check == CheckN)
            ? call(SegCheckFull, TimesOnce)
            : call(SegCheckHalf, TimesHalves);
        5'd4: row = (Check == CheckN)
            ? counts(CodeFirst, compare(full(WorkC), full(HostX)), IfEqual)
            : counts(CodeFirst, compare(half(WorkM), half(WorkX)), IfEqual);
        5'd5: row = counts(CodeFirst, compare(full(One), full(One)), IfTurns);
        5'd6: row = counts(CodeSecond, compare(full(WorkY), full(SlotM)), IfLess);
        5'd7: row = counts(CodeSecond, compare(full(WorkP), full(SlotM)), IfEqual);
        5'd8: row = (Check == CheckN)
            ? counts(CodeSecond, compare(full(WorkC), full(HostX)), IfEqual)
            : counts(CodeSecond, compare(half(WorkM), half(WorkX)), IfEqual);
        5'd9: row = counts(CodeSecond, compare(full(One), full(One)), IfTurns);
        default: ;
      endcase
      // WorkM = y^e, WorkX = c, both in the domain; c is read from the host's memory once more. The
      // result of the last product is known: with a multiplier whose products no longer depend on
      // its operands both sides would be equal.
      SegCheckHalf: unique case (step_i)
        5'd0: row = words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants));
        5'd1: row = copy(full(WorkC), full(WorkY));
        5'd2: row = call(SegEnter, TimesOnce);  // 2 turns
        5'd3: row = unary(WordLoadPublic, half(WorkX), of_q(SlotQInv));
        5'd4: row = by(Amount32, go(GoPublic, half(WorkX), half(WorkX)));  // public power
        5'd5: row = put(half(WorkM));
        5'd6: row = copy(full(WorkC), full(HostX));
        5'd7: row = must(compare(full(WorkC), full(HostX)), IfEqual, ErrFault);
        5'd8: row = call(SegReenter, TimesOnce);  // 2 turns
        5'd9: row = go(GoMul, half(SlotR2), full(One));  // 1 turn
        5'd10: row = put(half(WorkA));
        5'd11: row = must(compare(half(WorkA), half(SlotR1)), IfEqual, ErrFault);
        default: ;
      endcase
      // WorkC = y^e mod n by the exponentiator of full width: y^(e - 1) in the domain, and plain y.
      SegCheckFull: unique case (step_i)
        5'd0: row = words(WordLoadNK, full(SlotM), full(SlotM), full(SlotFullConstants));
        5'd1: row = go(GoMul, full(WorkY), full(SlotFullR2));  // 1 turn
        5'd2: row = put(full(WorkA));
        5'd3: row = words(WordSub, full(WorkB), of_q(SlotQInv), full(One));
        5'd4: row = unary(WordLoadPublic, full(WorkA), full(WorkB));
        5'd5: row = by(Amount32, go(GoPublic, full(WorkA), full(WorkA)));  // public power
        5'd6: row = go(GoKeep, full(WorkA), full(WorkY));  // 1 turn
        5'd7: row = put(full(WorkC));
        default: ;
      endcase
      // Operations on one modulus: n and its constants; then a power.
      SegModulus: unique case (step_i)
        5'd0: row = must(by(AmountNTop, unary(WordShift, half(WorkA), full(HostN))), IfLength,
            ErrLength);
        5'd1: row = must(copy(half(SlotN), full(HostN)), IfOdd, ErrModulusEven);
        5'd2: row = must(compare(half(WorkA), full(One)), IfEqual, ErrLength);
        5'd3: row = stop();
        5'd4: row = call(SegSetup, TimesSetup);
        5'd5: row = call(SegPower, TimesPower);
        default: ;
      endcase
      // WorkY = x^e, checked to be below n.
      SegPower: unique case (step_i)
        5'd0: row = must(words(WordCompare, half(WorkA), full(HostX), half(SlotN)), IfLess,
            ErrMessage);
        5'd1: row = stop();
        5'd2: row = copy(half(WorkC), full(HostX));
        5'd3: row = words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants));
        5'd4: row = go(GoMul, half(WorkC), half(SlotR2));  // 1 turn
        5'd5: row = put(half(WorkX));
        5'd6: row = call(SegWindow, TimesWindow);
        5'd7: row = call(SegPublic, TimesPublic);
        5'd8: row = counts(CodeFirst, compare(half(WorkY), half(SlotN)), IfLess);
        5'd9: row = counts(CodeSecond, compare(half(WorkY), half(SlotN)), IfLess);
        default: ;
      endcase
      // The power by a window, in a time that depends on e_bits alone.
      SegWindow: unique case (step_i)
        5'd0: row = unary(WordLoadE, half(WorkX), full(HostE));
        5'd1: row = by(AmountE, go(GoWindow, half(WorkX), half(SlotR1)));  // window
        5'd2: row = go(GoKeep, half(WorkX), full(One));  // 1 turn
        5'd3: row = put(half(WorkY));
        default: ;
      endcase
      // For an odd e the last product is that of x^(e-1), in the domain, and plain x, for an even
      // one that of x^e and 1; it leaves the domain. If the power is x^0, the factor is the result.
      // The flag is 1 if e is odd.
      SegPublic: unique case (step_i)
        5'd0: row = by(AmountE, unary(WordLow, half(WorkA), full(HostE)));
        5'd1: row = words(WordSub, half(WorkB), half(WorkA), full(One));
        5'd2: row = unary(WordLow, half(WorkT), half(WorkA));
        5'd3: row = words(WordSelect, half(WorkA), half(WorkB), half(WorkA));
        5'd4: row = words(WordSelect, half(WorkB), full(HostX), full(One));
        5'd5: row = copy(half(WorkY), half(WorkB));
        5'd6: row = compare(half(WorkA), full(Zero));
        5'd7: row = call(SegPublicPower, TimesNonzero);
        default: ;
      endcase
      // WorkY = x^e or x^(e-1) times the factor, outside the domain.
      SegPublicPower: unique case (step_i)
        5'd0: row = unary(WordLoadPublic, half(WorkX), half(WorkA));
        5'd1: row = by(AmountE, go(GoPublic, half(WorkX), half(WorkX)));  // public power
        5'd2: row = go(GoKeep, half(WorkX), half(WorkB));  // 1 turn
        5'd3: row = put(half(WorkY));
        default: ;
      endcase
      default: ;
    endcase
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
