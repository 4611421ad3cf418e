// SPDX-License-Identifier: Apache-2.0
//
// The rows of the RSA engine's micro-program: segments of steps, without branches on data, and the
// phase that the host reads in each.
//
// A step is done for both halves (p and q), or for one if its result's form is that of one half or
// of full width. montforge.programs.rsa.render_rows writes the rows, and render_counts the numbers
// of their turns and checks for mf_rsa_pkg; a test compares them.

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

  localparam int unsigned HalfKind = Config.half.constant_kind;
  localparam int unsigned FullKind = Config.full.constant_kind;

  // What the multiplier takes.
  logic no_inverse, words_kind, scaled;
  assign no_inverse = full_i ? !has_inverse(FullKind) : !has_inverse(HalfKind);
  assign words_kind = full_i ? FullKind == WordsConstant
                             : HalfKind == WordsConstant;
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

  localparam instruction_t Nothing = '{
    step: StepReturn, word: WordAdd, go: GoMul,
    z: '{name: Zero, form: FormFull}, x: '{name: Zero, form: FormFull},
    y: '{name: Zero, form: FormFull},
    amount: AmountL, condition: IfAny, error: ErrNone, code: CodeNone, segment: SegLoad,
    times: TimesOnce
  };

  function automatic instruction_t words(input word_e word, input operand_t z, x, y);
    instruction_t i;
    i      = Nothing;
    i.step = StepWords;
    i.word = word;
    i.z    = z;
    i.x    = x;
    i.y    = y;
    return i;
  endfunction

  function automatic instruction_t copy(input operand_t z, x);
    return words(WordAdd, z, x, full(Zero));
  endfunction

  /// Words whose amount is not the default.
  function automatic instruction_t by(input amount_t amount, input instruction_t given);
    instruction_t i;
    i        = given;
    i.amount = amount;
    return i;
  endfunction

  /// Words after which a condition must hold.
  function automatic instruction_t must(input instruction_t given, input condition_e condition,
                                        input error_e error);
    instruction_t i;
    i           = given;
    i.condition = condition;
    i.error     = error;
    return i;
  endfunction

  /// A condition that an outcome code counts.
  function automatic instruction_t counts(input code_e code, input instruction_t given,
                                          input condition_e condition);
    instruction_t i;
    i      = must(given, condition, ErrFault);
    i.code = code;
    return i;
  endfunction

  function automatic instruction_t go(input go_t fn, input operand_t x, y);
    instruction_t i;
    i      = words((fn == GoKeep) ? WordLoadB : WordLoadAB, x, x, y);
    i.step = StepGo;
    i.go   = fn;
    return i;
  endfunction

  function automatic instruction_t put(input operand_t z);
    instruction_t i;
    i      = words(WordStore, z, z, full(Zero));
    i.step = StepPut;
    return i;
  endfunction

  function automatic instruction_t reduce(input operand_t z);
    instruction_t i;
    i      = words(WordAdd, z, z, full(Zero));
    i.step = StepReduce;
    return i;
  endfunction

  function automatic instruction_t call(input segment_t segment, input times_t times);
    instruction_t i;
    i         = Nothing;
    i.step    = StepCall;
    i.segment = segment;
    i.times   = times;
    return i;
  endfunction

  function automatic instruction_t stop();
    instruction_t i;
    i      = Nothing;
    i.step = StepStop;
    return i;
  endfunction

  // c is the second factor.
  logic again;
  assign again = segment_i == SegReenter;

  // ---------------------------------------------------------------- rendered

  instruction_t load, inverses, remainder, full_key, key, setup, scale, estimate, digits, constant,
                inverse, double, square, pair, draw, powers, private_op, one_half, enter, garner,
                check, check_half, check_full, modulus, power, window, public_e, public_power;

  // The length that the command says; the checks of a key; then what follows from it.
  always_comb begin
    unique case (step_i)
      5'd0: load = must(by(AmountNTop, words(WordShift, full(WorkC), full(HostN), full(Zero))),
                   IfLength, ErrLength);
      5'd1: load = must(copy(half(SlotN), half(HostPq)), IfOdd, ErrModulusEven);
      5'd2: load = must(copy(full(SlotM), full(HostN)), IfOdd, ErrModulusEven);
      5'd3: load = must(words(WordCompare, full(WorkC), full(WorkC), full(One)), IfEqual,
                   ErrLength);
      5'd4: load = by(AmountTop, words(WordShift, half(WorkA), half(SlotN), full(Zero)));
      5'd5: load = must(words(WordCompare, half(WorkA), half(WorkA), full(One)), IfEqual,
                   ErrLength);
      5'd6: load = must(words(WordCompare, of_p(SlotN), of_p(SlotN), of_q(SlotN)), IfNotEqual,
                   ErrPrimesEqual);
      5'd7: load = words(WordMul, full(WorkP), of_p(SlotN), of_q(SlotN));
      5'd8: load = must(words(WordCompare, full(WorkP), full(WorkP), full(SlotM)), IfEqual,
                   ErrProduct);
      5'd9: load = must(copy(half(SlotD), half(HostD)), IfOdd, ErrExponent);
      5'd10: load = must(words(WordCompare, half(SlotD), half(SlotD), half(SlotN)), IfLess,
                    ErrExponent);
      5'd11: load = by(Amount32, words(WordShift, full(WorkC), full(HostE), full(Zero)));
      5'd12: load = must(words(WordCompare, full(WorkC), full(WorkC), full(Zero)), IfEqual,
                    ErrPublicExponent);
      5'd13: load = must(copy(of_q(SlotQInv), full(HostE)), IfOdd, ErrPublicExponent);
      5'd14: load = must(words(WordCompare, of_q(SlotQInv), of_q(SlotQInv), full(Two)), IfNotLess,
                    ErrPublicExponent);
      5'd15: load = words(WordSub, half(WorkA), half(SlotN), full(One));
      5'd16: load = must(words(WordCompare, half(WorkA), of_q(SlotQInv), half(WorkA)), IfLess,
                    ErrPublicExponent);
      5'd17: load = must(words(WordCompare, of_p(WorkA), of_p(HostQInv), of_p(SlotN)), IfLess,
                    ErrRange);
      5'd18: load = stop();
      5'd19: load = call(SegInverses, TimesOnce);
      5'd20: load = stop();
      5'd21: load = call(SegSetup, TimesHalves);
      5'd22: load = (Check == CheckPq) ? call(SegKey, TimesOnce) : call(SegFull, TimesFull);
      5'd23: load = (Check == CheckPq) ? Nothing : copy(full(SlotFullConstants), full(WorkM));
      5'd24: load = copy(full(SlotFullR2), full(WorkX));
      5'd25: load = (PublicScale == 0)
                    ? call(SegKey, TimesOnce)
                    : copy(full(SlotFullEstimate), full(WorkH));
      5'd26: load = (PublicScale == 0) ? Nothing : call(SegKey, TimesOnce);
      default: load = Nothing;
    endcase
  end

  // dP and dQ are inverses of e: e dP - 1 = k (p - 1), exactly. After the checks before, dP is odd
  // and below p, and e < 2^32, so 0 < e dP - 1 < 2^32 (p - 1): 32 steps divide it by p - 1. WorkP
  // has 2^i (e dP - 1) modulo 2^32 (p - 1) after step i, WorkC 2^32 (p - 1), and WorkA p - 1.
  always_comb begin
    unique case (step_i)
      5'd0: inverses = copy(short64(WorkK), full(HostE));
      5'd1: inverses = words(WordMul, wide(WorkP), short64(WorkK), half(SlotD));
      5'd2: inverses = words(WordSub, wide(WorkP), wide(WorkP), full(One));
      5'd3: inverses = words(WordSub, short64(WorkK), full(Zero), full(One));
      5'd4: inverses = by(Amount32, words(WordLow, short64(WorkK), short64(WorkK), full(Zero)));
      5'd5: inverses = words(WordAdd, short64(WorkK), short64(WorkK), full(One));
      5'd6: inverses = words(WordMul, wide(WorkC), short64(WorkK), half(WorkA));
      5'd7: inverses = call(SegRemainder, Times32);
      5'd8: inverses = must(words(WordCompare, wide(WorkP), wide(WorkP), full(Zero)), IfEqual,
                       ErrExponent);
      default: inverses = Nothing;
    endcase
  end

  // A bit of the quotient: the remainder is doubled, and the divisor subtracted if it is not above.
  always_comb begin
    unique case (step_i)
      5'd0: remainder = words(WordAdd, wide(WorkP), wide(WorkP), wide(WorkP));
      5'd1: remainder = words(WordSub, wide(WorkT), wide(WorkP), wide(WorkC));
      5'd2: remainder = words(WordSelect, wide(WorkP), wide(WorkP), wide(WorkT));
      default: remainder = Nothing;
    endcase
  end

  // The constants of p q, in the place of the host's n; from there to the key's.
  always_comb begin
    unique case (step_i)
      5'd0: full_key = copy(half(SlotN), full(HostN));
      5'd1: full_key = call(SegSetup, TimesOnce);  // 3 turns
      5'd2: full_key = copy(half(WorkM), half(SlotConstants));
      5'd3: full_key = copy(half(WorkX), half(SlotR2));
      5'd4: full_key = (PublicScale == 0) ? Nothing : copy(half(WorkH), half(SlotEstimate));
      default: full_key = Nothing;
    endcase
  end

  // qInv R, q qInv = 1 (mod p); blinding pair; a random message signed and checked.
  always_comb begin
    unique case (step_i)
      5'd0: key = words(WordLoadNK, of_p(SlotN), of_p(SlotN), of_p(SlotConstants));
      5'd1: key = copy(of_p(WorkA), of_q(SlotN));
      5'd2: key = reduce(of_p(WorkA));
      5'd3: key = go(GoMul, of_p(HostQInv), of_p(SlotR2));  // 1 turn
      5'd4: key = put(of_p(SlotQInv));
      5'd5: key = go(GoMul, of_p(WorkA), of_p(SlotQInv));  // 1 turn
      5'd6: key = put(of_p(WorkB));
      5'd7: key = must(words(WordCompare, of_p(WorkB), of_p(WorkB), full(One)), IfEqual, ErrQInv);
      5'd8: key = stop();
      5'd9: key = call(SegPair, TimesOnce);
      5'd10: key = by(AmountNTop, words(WordRandom, full(WorkS), full(Zero), full(Zero)));
      5'd11: key = call(SegPrivate, TimesOnce);
      default: key = Nothing;
    endcase
  end

  // The multiplier's constants, R, R^2, 2^L R^2 modulo n, from n of L bits: R by doublings of 2^L -
  // n, R^2 by squarings and doublings of 2 R.
  always_comb begin
    unique case (step_i)
      5'd0: setup = no_inverse ? copy(half(WorkB), full(One)) : call(SegDigits, TimesOnce);
      5'd1: setup = call(SegInverse, TimesInverse);
      5'd2: setup = call(SegInverseEnd, TimesInverseEnd);
      5'd3: setup = call(SegConstant, TimesConstant);
      5'd4: setup = copy(half(SlotConstants), half(WorkB));
      5'd5: setup = words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants));
      5'd6: setup = words(WordSub, half(WorkA), full(Zero), half(SlotN));
      5'd7: setup = words(WordLow, half(WorkA), half(WorkA), full(Zero));
      5'd8: setup = copy(half(WorkB), half(WorkA));
      5'd9: setup = scaled ? call(SegScale, TimesOnce) : call(SegDouble, TimesDouble);
      5'd10: setup = copy(half(SlotR1), half(WorkB));
      5'd11: setup = call(SegDouble, TimesOnce);
      5'd12: setup = call(SegSquare, TimesSquare);
      5'd13: setup = copy(half(SlotR2), half(WorkB));
      5'd14: setup = go(GoMul, half(SlotR2), half(WorkA));  // 1 turn
      5'd15: setup = put(half(WorkX));
      5'd16: setup = go(GoMul, half(WorkX), half(SlotR2));  // 1 turn
      5'd17: setup = put(half(SlotShift));
      default: setup = Nothing;
    endcase
  end

  // The same, and before it SlotEstimate: bits of the quotient of 2^L 2^(Scale + 2) and n.
  always_comb begin
    unique case (step_i)
      5'd0: scale = copy(half(WorkM), full(One));
      5'd1: scale = call(SegEstimate, TimesEstimate);
      5'd2: scale = copy(half(SlotEstimate), half(WorkM));
      5'd3: scale = copy(half(WorkB), half(WorkA));
      5'd4: scale = call(SegDouble, TimesDouble);
      default: scale = Nothing;
    endcase
  end

  // A bit: the remainder, in WorkB, is doubled; the flag is 1 if it is below n.
  always_comb begin
    unique case (step_i)
      5'd0: estimate = words(WordAdd, half(WorkB), half(WorkB), half(WorkB));
      5'd1: estimate = words(WordSub, half(WorkT), half(WorkB), half(SlotN));
      5'd2: estimate = words(WordSelect, half(WorkB), half(WorkB), half(WorkT));
      5'd3: estimate = words(WordAdd, half(WorkM), half(WorkM), half(WorkM));
      5'd4: estimate = words(WordAdd, half(WorkH), half(WorkM), full(One));
      5'd5: estimate = words(WordSelect, half(WorkM), half(WorkM), half(WorkH));
      default: estimate = Nothing;
    endcase
  end

  // The start of the steps below with m.
  always_comb begin
    unique case (step_i)
      5'd0: digits = copy(half(WorkM), full(Zero));
      5'd1: digits = copy(half(WorkH), full(One));
      5'd2: digits = copy(half(WorkB), full(One));
      default: digits = Nothing;
    endcase
  end

  // n + 1, or what is made of m: itself, or n 2^InverseBits + m.
  always_comb begin
    unique case (step_i)
      5'd0: constant = no_inverse
                       ? words(WordAdd, half(WorkB), half(SlotN), full(One))
                       : copy(half(WorkB), half(WorkM));
      5'd1: constant = words_kind ? words(WordMul, wide(WorkP), half(WorkH), half(SlotN)) : Nothing;
      5'd2: constant = words(WordAdd, half(WorkB), wide(WorkP), half(WorkM));
      default: constant = Nothing;
    endcase
  end

  // A step of (n m + 1) / 2^InverseBits, m = -n^-1 mod 2^InverseBits, in WorkB: n is added to what
  // is odd (subtracted in the last step of a signed m), and the sum halved. The flag is the parity,
  // by which 2^i, in WorkH, is added to m, in WorkM, in the same way.
  always_comb begin
    unique case (step_i)
      5'd0: inverse = words(WordLow, half(WorkT), half(WorkB), full(Zero));
      5'd1: inverse = words((segment_i == SegInverseEnd) ? WordSub : WordAdd, half(WorkA),
                      half(WorkB), half(SlotN));
      5'd2: inverse = words(WordSelect, half(WorkB), half(WorkA), half(WorkB));
      5'd3: inverse = by(AmountOne, words(WordShift, half(WorkB), half(WorkB), full(Zero)));
      5'd4: inverse = no_inverse
                      ? Nothing
                      : words((segment_i == SegInverseEnd) ? WordSub : WordAdd, half(WorkA),
                          half(WorkM), half(WorkH));
      5'd5: inverse = words(WordSelect, half(WorkM), half(WorkA), half(WorkM));
      5'd6: inverse = words(WordAdd, half(WorkH), half(WorkH), half(WorkH));
      default: inverse = Nothing;
    endcase
  end

  // WorkB is doubled.
  always_comb begin
    unique case (step_i)
      5'd0: double = words(WordAdd, half(WorkB), half(WorkB), half(WorkB));
      5'd1: double = reduce(half(WorkB));
      default: double = Nothing;
    endcase
  end

  // R^2 R^-1 for R in WorkB, and if the bit of log2 R is 1, doubled.
  always_comb begin
    unique case (step_i)
      5'd0: square = go(GoMul, half(WorkB), half(WorkB));  // 1 turn
      5'd1: square = put(half(WorkB));
      5'd2: square = call(SegDouble, TimesBit);
      default: square = Nothing;
    endcase
  end

  // A new blinding pair: vi random in [2, p), vf = vi^(p - 1 - e) = vi^-e in the domain.
  always_comb begin
    unique case (step_i)
      5'd0: pair = call(SegDraw, TimesOnce);
      5'd1: pair = words(WordSub, wide(WorkP), half(SlotN), full(One));
      5'd2: pair = words(WordSub, wide(WorkP), wide(WorkP), of_q(SlotQInv));
      5'd3: pair = call(SegPowers, TimesHalves);
      default: pair = Nothing;
    endcase
  end

  // vi, drawn again until it is legal.
  always_comb begin
    unique case (step_i)
      5'd0: draw = words(WordRandom, half(SlotVi), full(Zero), full(Zero));
      5'd1: draw = must(words(WordCompare, half(SlotVi), half(SlotVi), half(SlotN)), IfLess, Again);
      5'd2: draw = must(words(WordCompare, half(SlotVi), half(SlotVi), full(Two)), IfNotLess,
                   Again);
      default: draw = Nothing;
    endcase
  end

  // vf, by the exponent in WorkP.
  always_comb begin
    unique case (step_i)
      5'd0: powers = words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants));
      5'd1: powers = go(GoMul, half(SlotVi), half(SlotR2));  // 1 turn
      5'd2: powers = put(half(WorkX));
      5'd3: powers = words(WordLoadE, half(WorkX), wide(WorkP), full(Zero));
      5'd4: powers = go(GoWindow, half(WorkX), half(SlotR1));  // window
      5'd5: powers = put(half(SlotVf));
      default: powers = Nothing;
    endcase
  end

  // The private operation; d' = d + k (p - 1) is in WorkP.
  always_comb begin
    unique case (step_i)
      5'd0: private_op = copy(full(WorkC), full(HostX));
      5'd1: private_op = must(words(WordCompare, full(WorkC), full(WorkC), full(SlotM)), IfLess,
                         ErrMessage);
      5'd2: private_op = stop();
      5'd3: private_op = call(SegPair, TimesRenew);
      5'd4: private_op = by(Amount64, words(WordRandom, short64(WorkK), full(Zero), full(Zero)));
      5'd5: private_op = words(WordSub, half(WorkA), half(SlotN), full(One));
      5'd6: private_op = (Eblind == 0)
                         ? copy(wide(WorkP), full(Zero))
                         : words(WordMul, wide(WorkP), short64(WorkK), half(WorkA));
      5'd7: private_op = words(WordAdd, wide(WorkP), wide(WorkP), half(SlotD));
      5'd8: private_op = call(SegHalf, TimesHalves);
      5'd9: private_op = call(SegGarner, TimesOnce);  // 1 turns
      5'd10: private_op = call(SegCheck, TimesOnce);
      default: private_op = Nothing;
    endcase
  end

  // Of each half: m1 or m2, and the next blinding pair.
  always_comb begin
    unique case (step_i)
      5'd0: one_half = words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants));
      5'd1: one_half = call(SegEnter, TimesOnce);  // 2 turns
      5'd2: one_half = go(GoMul, half(WorkX), half(SlotVf));  // 1 turn
      5'd3: one_half = put(half(WorkX));
      5'd4: one_half = words(WordLoadE, half(WorkX), wide(WorkP), full(Zero));
      5'd5: one_half = by(AmountD, go(GoWindow, half(WorkX), half(SlotR1)));  // window
      5'd6: one_half = go(GoKeep, half(WorkX), half(SlotVi));  // 1 turn
      5'd7: one_half = put(half(WorkM));
      5'd8: one_half = go(GoMul, half(SlotVf), half(SlotVf));  // 1 turn
      5'd9: one_half = put(half(SlotVf));
      5'd10: one_half = go(GoMul, half(SlotVi), half(SlotR2));  // 1 turn
      5'd11: one_half = put(half(WorkA));
      5'd12: one_half = go(GoMul, half(WorkA), half(SlotVi));  // 1 turn
      5'd13: one_half = put(half(SlotVi));
      default: one_half = Nothing;
    endcase
  end

  // WorkX = WorkC in the domain: c1 2^L R^2 R^-1 + c0 R^2 R^-1 for WorkC = c1 2^L + c0. In the
  // check c is the second factor: a bit that is stuck in a register of one of them would change it
  // in the same way in both.
  always_comb begin
    unique case (step_i)
      5'd0: enter = words(WordShift, half(WorkA), full(WorkC), full(Zero));
      5'd1: enter = words(WordLow, half(WorkB), full(WorkC), full(Zero));
      5'd2: enter = reduce(half(WorkA));
      5'd3: enter = reduce(half(WorkB));
      5'd4: enter = again
                    ? go(GoMul, half(SlotShift), half(WorkA))
                    : go(GoMul, half(WorkA), half(SlotShift));  // 1 turn
      5'd5: enter = put(half(WorkA));
      5'd6: enter = again
                    ? go(GoMul, half(SlotR2), half(WorkB))
                    : go(GoMul, half(WorkB), half(SlotR2));  // 1 turn
      5'd7: enter = put(half(WorkX));
      5'd8: enter = words(WordAdd, half(WorkX), half(WorkX), half(WorkA));
      5'd9: enter = reduce(half(WorkX));
      default: enter = Nothing;
    endcase
  end

  // y = m2 + h q, h = (m1 - m2) qInv mod p.
  always_comb begin
    unique case (step_i)
      5'd0: garner = words(WordLoadNK, of_p(SlotN), of_p(SlotN), of_p(SlotConstants));
      5'd1: garner = copy(of_p(WorkA), of_q(WorkM));
      5'd2: garner = reduce(of_p(WorkA));
      5'd3: garner = words(WordSub, of_p(WorkB), of_p(WorkM), of_p(WorkA));
      5'd4: garner = words(WordAdd, of_p(WorkA), of_p(WorkB), of_p(SlotN));
      5'd5: garner = words(WordSelect, of_p(WorkB), of_p(WorkA), of_p(WorkB));
      5'd6: garner = go(GoMul, of_p(WorkB), of_p(SlotQInv));  // 1 turn
      5'd7: garner = put(of_p(WorkH));
      5'd8: garner = words(WordMul, full(WorkP), of_p(WorkH), of_q(SlotN));
      5'd9: garner = words(WordAdd, full(WorkY), full(WorkP), of_q(WorkM));
      default: garner = Nothing;
    endcase
  end

  // y < n, p q = n, y^e = c mod p and mod q or mod n, the number of turns; each compared twice.
  localparam logic [4:0] CheckStart = (Check == CheckBoth) ? 5'd3 : 5'd0;
  always_comb begin
    unique case (step_i - CheckStart)
      5'd29: check = call(SegCheckFull, TimesOnce);
      5'd30: check = counts(CodeFirst, words(WordCompare, full(WorkC), full(WorkC), full(HostX)),
                     IfEqual);
      5'd31: check = counts(CodeSecond, words(WordCompare, full(WorkC), full(WorkC), full(HostX)),
                     IfEqual);
      5'd0: check = counts(CodeFirst, words(WordCompare, full(WorkY), full(WorkY), full(SlotM)),
                    IfLess);
      5'd1: check = words(WordMul, full(WorkP), of_p(SlotN), of_q(SlotN));
      5'd2: check = counts(CodeFirst, words(WordCompare, full(WorkP), full(WorkP), full(SlotM)),
                    IfEqual);
      5'd3: check = (Check == CheckN)
                    ? call(SegCheckFull, TimesOnce)
                    : call(SegCheckHalf, TimesHalves);
      5'd4: check = (Check == CheckN)
                    ? counts(CodeFirst, words(WordCompare, full(WorkC), full(WorkC), full(HostX)),
                        IfEqual)
                    : counts(CodeFirst, words(WordCompare, half(WorkM), half(WorkM), half(WorkX)),
                        IfEqual);
      5'd5: check = counts(CodeFirst, words(WordCompare, full(One), full(One), full(One)), IfTurns);
      5'd6: check = counts(CodeSecond, words(WordCompare, full(WorkY), full(WorkY), full(SlotM)),
                    IfLess);
      5'd7: check = counts(CodeSecond, words(WordCompare, full(WorkP), full(WorkP), full(SlotM)),
                    IfEqual);
      5'd8: check = (Check == CheckN)
                    ? counts(CodeSecond, words(WordCompare, full(WorkC), full(WorkC), full(HostX)),
                        IfEqual)
                    : counts(CodeSecond, words(WordCompare, half(WorkM), half(WorkM), half(WorkX)),
                        IfEqual);
      5'd9: check = counts(CodeSecond, words(WordCompare, full(One), full(One), full(One)),
                    IfTurns);
      default: check = Nothing;
    endcase
  end

  // WorkM = y^e, WorkX = c, both in the domain; c anew from the host's memory. Last a product whose
  // result is known: a multiplier whose products no longer depend on its operands would make both
  // sides equal.
  always_comb begin
    unique case (step_i)
      5'd0: check_half = words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants));
      5'd1: check_half = copy(full(WorkC), full(WorkY));
      5'd2: check_half = call(SegEnter, TimesOnce);  // 2 turns
      5'd3: check_half = words(WordLoadE, half(WorkX), of_q(SlotQInv), full(Zero));
      5'd4: check_half = by(Amount32, go(GoPublic, half(WorkX), half(WorkX)));  // public power
      5'd5: check_half = put(half(WorkM));
      5'd6: check_half = copy(full(WorkC), full(HostX));
      5'd7: check_half = must(words(WordCompare, full(WorkC), full(WorkC), full(HostX)), IfEqual,
                         ErrFault);
      5'd8: check_half = call(SegReenter, TimesOnce);  // 2 turns
      5'd9: check_half = go(GoMul, half(SlotR2), full(One));  // 1 turn
      5'd10: check_half = put(half(WorkA));
      5'd11: check_half = must(words(WordCompare, half(WorkA), half(WorkA), half(SlotR1)), IfEqual,
                          ErrFault);
      default: check_half = Nothing;
    endcase
  end

  // WorkC = y^e mod n by the exponentiator of full width: y^(e - 1) in the domain, and plain y.
  always_comb begin
    unique case (step_i)
      5'd0: check_full = words(WordLoadNK, full(SlotM), full(SlotM), full(SlotFullConstants));
      5'd1: check_full = go(GoMul, full(WorkY), full(SlotFullR2));  // 1 turn
      5'd2: check_full = put(full(WorkA));
      5'd3: check_full = words(WordSub, full(WorkB), of_q(SlotQInv), full(One));
      5'd4: check_full = words(WordLoadE, full(WorkA), full(WorkB), full(Zero));
      5'd5: check_full = by(Amount32, go(GoPublic, full(WorkA), full(WorkA)));  // public power
      5'd6: check_full = go(GoKeep, full(WorkA), full(WorkY));  // 1 turn
      5'd7: check_full = put(full(WorkC));
      default: check_full = Nothing;
    endcase
  end

  // Operations on one modulus: n and its constants; then a power.
  always_comb begin
    unique case (step_i)
      5'd0: modulus = must(by(AmountNTop, words(WordShift, half(WorkA), full(HostN), full(Zero))),
                      IfLength, ErrLength);
      5'd1: modulus = must(copy(half(SlotN), full(HostN)), IfOdd, ErrModulusEven);
      5'd2: modulus = must(words(WordCompare, half(WorkA), half(WorkA), full(One)), IfEqual,
                      ErrLength);
      5'd3: modulus = stop();
      5'd4: modulus = call(SegSetup, TimesSetup);
      5'd5: modulus = call(SegPower, TimesPower);
      default: modulus = Nothing;
    endcase
  end

  // WorkY = x^e, checked to be below n.
  always_comb begin
    unique case (step_i)
      5'd0: power = must(words(WordCompare, half(WorkA), full(HostX), half(SlotN)), IfLess,
                    ErrMessage);
      5'd1: power = stop();
      5'd2: power = copy(half(WorkC), full(HostX));
      5'd3: power = words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants));
      5'd4: power = go(GoMul, half(WorkC), half(SlotR2));  // 1 turn
      5'd5: power = put(half(WorkX));
      5'd6: power = call(SegWindow, TimesWindow);
      5'd7: power = call(SegPublic, TimesPublic);
      5'd8: power = counts(CodeFirst, words(WordCompare, half(WorkY), half(WorkY), half(SlotN)),
                    IfLess);
      5'd9: power = counts(CodeSecond, words(WordCompare, half(WorkY), half(WorkY), half(SlotN)),
                    IfLess);
      default: power = Nothing;
    endcase
  end

  // The power by a window, in a time that depends on e_bits alone.
  always_comb begin
    unique case (step_i)
      5'd0: window = words(WordLoadE, half(WorkX), full(HostE), full(Zero));
      5'd1: window = by(AmountE, go(GoWindow, half(WorkX), half(SlotR1)));  // window
      5'd2: window = go(GoKeep, half(WorkX), full(One));  // 1 turn
      5'd3: window = put(half(WorkY));
      default: window = Nothing;
    endcase
  end

  // An odd e ends with the product of x^(e-1), in the domain, and plain x, which leaves it; an even
  // one with that of x^e and 1. If the power is x^0, the factor is the result. The flag is 1 if e
  // is odd.
  always_comb begin
    unique case (step_i)
      5'd0: public_e = by(AmountE, words(WordLow, half(WorkA), full(HostE), full(Zero)));
      5'd1: public_e = words(WordSub, half(WorkB), half(WorkA), full(One));
      5'd2: public_e = words(WordLow, half(WorkT), half(WorkA), full(Zero));
      5'd3: public_e = words(WordSelect, half(WorkA), half(WorkB), half(WorkA));
      5'd4: public_e = words(WordSelect, half(WorkB), full(HostX), full(One));
      5'd5: public_e = copy(half(WorkY), half(WorkB));
      5'd6: public_e = words(WordCompare, half(WorkA), half(WorkA), full(Zero));
      5'd7: public_e = call(SegPublicPower, TimesNonzero);
      default: public_e = Nothing;
    endcase
  end

  // WorkY = x^e or x^(e-1) times the factor, which leaves the domain.
  always_comb begin
    unique case (step_i)
      5'd0: public_power = words(WordLoadE, half(WorkX), half(WorkA), full(Zero));
      5'd1: public_power = by(AmountE, go(GoPublic, half(WorkX), half(WorkX)));  // public power
      5'd2: public_power = go(GoKeep, half(WorkX), half(WorkB));  // 1 turn
      5'd3: public_power = put(half(WorkY));
      default: public_power = Nothing;
    endcase
  end

  always_comb begin
    unique case (segment_i)
      SegLoad: instruction_o = load;
      SegInverses: instruction_o = inverses;
      SegRemainder: instruction_o = remainder;
      SegFull: instruction_o = full_key;
      SegKey: instruction_o = key;
      SegSetup: instruction_o = setup;
      SegScale: instruction_o = scale;
      SegEstimate: instruction_o = estimate;
      SegDigits: instruction_o = digits;
      SegConstant: instruction_o = constant;
      SegInverse, SegInverseEnd: instruction_o = inverse;
      SegDouble: instruction_o = double;
      SegSquare: instruction_o = square;
      SegPair: instruction_o = pair;
      SegDraw: instruction_o = draw;
      SegPowers: instruction_o = powers;
      SegPrivate: instruction_o = private_op;
      SegHalf: instruction_o = one_half;
      SegEnter, SegReenter: instruction_o = enter;
      SegGarner: instruction_o = garner;
      SegCheck: instruction_o = check;
      SegCheckHalf: instruction_o = check_half;
      SegCheckFull: instruction_o = check_full;
      SegModulus: instruction_o = modulus;
      SegPower: instruction_o = power;
      SegWindow: instruction_o = window;
      SegPublic: instruction_o = public_e;
      SegPublicPower: instruction_o = public_power;
      default: instruction_o = Nothing;
    endcase
  end

  // Rows that end the phases of SegHalf.
  localparam logic [4:0] LastEnter = 5'd1;
  localparam logic [4:0] LastBlind = 5'd3;
  localparam logic [4:0] LastPower = 5'd5;

  // What the host reads.
  always_comb begin
    unique case (segment_i)
      SegSetup, SegDigits, SegConstant, SegInverse, SegInverseEnd, SegDouble, SegSquare:
        phase_o = PhaseConstants;
      SegPair, SegDraw, SegPowers:
        phase_o = PhaseRenew;
      SegPrivate, SegEnter, SegReenter:
        phase_o = PhaseEnter;
      SegGarner:
        phase_o = PhaseRecombine;
      SegCheck:
        phase_o = PhaseCheck;
      SegPower, SegWindow, SegPublic, SegPublicPower:
        phase_o = PhasePower;
      SegHalf: begin
        phase_o = PhaseRenew;
        if (step_i <= LastEnter)
          phase_o = PhaseEnter;
        else if (step_i <= LastBlind)
          phase_o = PhaseBlind;
        else if (step_i <= LastPower || (step_i == LastPower + 5'd1 && waits_i))
          phase_o = PhasePower;
      end
      default: phase_o = PhaseLoad;
    endcase
  end

endmodule
