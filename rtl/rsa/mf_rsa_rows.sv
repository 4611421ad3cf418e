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

  /// Where the row differs from Nothing.
  function automatic instruction_t at(input logic selected, input instruction_t given);
    return (given ^ Nothing) & {$bits(instruction_t){selected}};
  endfunction

  // ---------------------------------------------------------------- rendered

  localparam int unsigned Rows = 225;
  logic [Rows-1:0] rows, rows_q;  // a bit for each
  logic            again_q;       // c is the second factor
  logic [26:0]     steps;         // a bit for each

  assign steps = 27'd1 << step_i;

  always_comb begin
    rows[26:0] = {27{segment_i inside {SegLoad}}} & steps[26:0];
    rows[35:27] = {9{segment_i inside {SegInverses}}} & steps[8:0];
    rows[38:36] = {3{segment_i inside {SegRemainder}}} & steps[2:0];
    rows[43:39] = {5{segment_i inside {SegFull}}} & steps[4:0];
    rows[55:44] = {12{segment_i inside {SegKey}}} & steps[11:0];
    rows[73:56] = {18{segment_i inside {SegSetup}}} & steps[17:0];
    rows[78:74] = {5{segment_i inside {SegScale}}} & steps[4:0];
    rows[84:79] = {6{segment_i inside {SegEstimate}}} & steps[5:0];
    rows[87:85] = {3{segment_i inside {SegDigits}}} & steps[2:0];
    rows[90:88] = {3{segment_i inside {SegConstant}}} & steps[2:0];
    rows[97:91] = {7{segment_i inside {SegInverse, SegInverseEnd}}} & steps[6:0];
    rows[99:98] = {2{segment_i inside {SegDouble}}} & steps[1:0];
    rows[102:100] = {3{segment_i inside {SegSquare}}} & steps[2:0];
    rows[106:103] = {4{segment_i inside {SegPair}}} & steps[3:0];
    rows[108:107] = {2{segment_i inside {SegDraw}}} & steps[1:0];
    rows[114:109] = {6{segment_i inside {SegPowers}}} & steps[5:0];
    rows[125:115] = {11{segment_i inside {SegPrivate}}} & steps[10:0];
    rows[139:126] = {14{segment_i inside {SegHalf}}} & steps[13:0];
    rows[149:140] = {10{segment_i inside {SegEnter, SegReenter}}} & steps[9:0];
    rows[159:150] = {10{segment_i inside {SegGarner}}} & steps[9:0];
    rows[172:160] = {13{segment_i inside {SegCheck}}} & steps[12:0];
    if (Check != CheckBoth) begin  // without the first rows
      rows[172:160] = {rows[169:160], 3'd0};
    end
    rows[184:173] = {12{segment_i inside {SegCheckHalf}}} & steps[11:0];
    rows[192:185] = {8{segment_i inside {SegCheckFull}}} & steps[7:0];
    rows[198:193] = {6{segment_i inside {SegModulus}}} & steps[5:0];
    rows[208:199] = {10{segment_i inside {SegPower}}} & steps[9:0];
    rows[212:209] = {4{segment_i inside {SegWindow}}} & steps[3:0];
    rows[220:213] = {8{segment_i inside {SegPublic}}} & steps[7:0];
    rows[224:221] = {4{segment_i inside {SegPublicPower}}} & steps[3:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rows_q  <= '0;
      again_q <= 1'b0;
    end else begin
      rows_q  <= rows;
      again_q <= segment_i == SegReenter;
    end
  end

  instruction_t parts[16];  // sums of rows, each of a sixteenth of them, for few levels of logic

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) parts[i] = '0;

    // A key: checks of its length and parts; then its constants, blinding pair and self-test.
    parts[0] |= at(rows_q[0], must(by(AmountNTop, unary(WordShift, full(WorkC), full(HostN))),
        IfLength, ErrLength));
    parts[1] |= at(rows_q[1], must(copy(half(SlotN), half(HostPq)), IfOdd, ErrModulusEven));
    parts[2] |= at(rows_q[2], must(copy(full(SlotM), full(HostN)), IfOdd, ErrModulusEven));
    parts[3] |= at(rows_q[3], must(compare(full(WorkC), full(One)), IfEqual, ErrLength));
    parts[4] |= at(rows_q[4], by(AmountTop, unary(WordShift, half(WorkA), half(SlotN))));
    parts[5] |= at(rows_q[5], must(compare(half(WorkA), full(One)), IfEqual, ErrLength));
    parts[6] |= at(rows_q[6], must(compare(of_p(SlotN), of_q(SlotN)), IfNotEqual, ErrPrimesEqual));
    parts[7] |= at(rows_q[7], words(WordMul, full(WorkP), of_p(SlotN), of_q(SlotN)));
    parts[8] |= at(rows_q[8], must(compare(full(WorkP), full(SlotM)), IfEqual, ErrProduct));
    parts[9] |= at(rows_q[9], must(copy(half(SlotD), half(HostD)), IfOdd, ErrExponent));
    parts[10] |= at(rows_q[10], must(compare(half(SlotD), half(SlotN)), IfLess, ErrExponent));
    parts[11] |= at(rows_q[11], by(Amount32, unary(WordShift, full(WorkC), full(HostE))));
    parts[12] |= at(rows_q[12], must(compare(full(WorkC), full(Zero)), IfEqual, ErrPublicExponent));
    parts[13] |= at(rows_q[13], must(copy(of_q(SlotQInv), full(HostE)), IfOdd, ErrPublicExponent));
    parts[14] |= at(rows_q[14], must(compare(of_q(SlotQInv), full(Two)), IfNotLess,
        ErrPublicExponent));
    parts[15] |= at(rows_q[15], words(WordSub, half(WorkA), half(SlotN), full(One)));
    parts[0] |= at(rows_q[16], must(words(WordCompare, half(WorkA), of_q(SlotQInv), half(WorkA)),
        IfLess, ErrPublicExponent));
    parts[1] |= at(rows_q[17], must(words(WordCompare, of_p(WorkA), of_p(HostQInv), of_p(SlotN)),
        IfLess, ErrRange));
    parts[2] |= at(rows_q[18], stop());
    parts[3] |= at(rows_q[19], call(SegInverses, TimesOnce));
    parts[4] |= at(rows_q[20], stop());
    parts[5] |= at(rows_q[21], call(SegSetup, TimesHalves));
    parts[6] |= at(rows_q[22], (Check == CheckPq)
        ? call(SegKey, TimesOnce)
        : call(SegFull, TimesFull));
    parts[7] |= at(rows_q[23], (Check == CheckPq)
        ? Nothing
        : copy(full(SlotFullConstants), full(WorkM)));
    parts[8] |= at(rows_q[24], copy(full(SlotFullR2), full(WorkX)));
    parts[9] |= at(rows_q[25], (PublicScale == 0)
        ? call(SegKey, TimesOnce)
        : copy(full(SlotFullEstimate), full(WorkH)));
    parts[10] |= at(rows_q[26], (PublicScale == 0) ? Nothing : call(SegKey, TimesOnce));

    // dP and dQ are inverses of e: e dP - 1 = k (p - 1), exactly. After the checks before, dP is
    // odd and below p, and e < 2^32, so 0 < e dP - 1 < 2^32 (p - 1): 32 steps divide it by p - 1.
    // WorkA has p - 1, WorkC 2^32 (p - 1), WorkP after step i 2^i (e dP - 1) modulo that.
    parts[11] |= at(rows_q[27], copy(short64(WorkK), full(HostE)));
    parts[12] |= at(rows_q[28], words(WordMul, wide(WorkP), short64(WorkK), half(SlotD)));
    parts[13] |= at(rows_q[29], words(WordSub, wide(WorkP), wide(WorkP), full(One)));
    parts[14] |= at(rows_q[30], words(WordSub, short64(WorkK), full(Zero), full(One)));
    parts[15] |= at(rows_q[31], by(Amount32, unary(WordLow, short64(WorkK), short64(WorkK))));
    parts[0] |= at(rows_q[32], words(WordAdd, short64(WorkK), short64(WorkK), full(One)));
    parts[1] |= at(rows_q[33], words(WordMul, wide(WorkC), short64(WorkK), half(WorkA)));
    parts[2] |= at(rows_q[34], call(SegRemainder, Times32));
    parts[3] |= at(rows_q[35], must(compare(wide(WorkP), full(Zero)), IfEqual, ErrExponent));

    // A bit of the quotient: the remainder is doubled, and the divisor subtracted if it is not
    // above.
    parts[4] |= at(rows_q[36], words(WordAdd, wide(WorkP), wide(WorkP), wide(WorkP)));
    parts[5] |= at(rows_q[37], words(WordSub, wide(WorkT), wide(WorkP), wide(WorkC)));
    parts[6] |= at(rows_q[38], words(WordSelect, wide(WorkP), wide(WorkP), wide(WorkT)));

    // The constants of p q, made in the slot of the host's n, left in work for the key's slot.
    parts[7] |= at(rows_q[39], copy(half(SlotN), full(HostN)));
    parts[8] |= at(rows_q[40], call(SegSetup, TimesOnce));  // 3 turns
    parts[9] |= at(rows_q[41], copy(half(WorkM), half(SlotConstants)));
    parts[10] |= at(rows_q[42], copy(half(WorkX), half(SlotR2)));
    parts[11] |= at(rows_q[43], (PublicScale == 0)
        ? Nothing
        : copy(half(WorkH), half(SlotEstimate)));

    // qInv R, and q qInv = 1 (mod p); the blinding pair; a random message signed and checked.
    parts[12] |= at(rows_q[44], words(WordLoadNK, of_p(SlotN), of_p(SlotN), of_p(SlotConstants)));
    parts[13] |= at(rows_q[45], copy(of_p(WorkA), of_q(SlotN)));
    parts[14] |= at(rows_q[46], reduce(of_p(WorkA)));
    parts[15] |= at(rows_q[47], go(GoMul, of_p(HostQInv), of_p(SlotR2)));  // 1 turn
    parts[0] |= at(rows_q[48], put(of_p(SlotQInv)));
    parts[1] |= at(rows_q[49], go(GoMul, of_p(WorkA), of_p(SlotQInv)));  // 1 turn
    parts[2] |= at(rows_q[50], put(of_p(WorkB)));
    parts[3] |= at(rows_q[51], must(compare(of_p(WorkB), full(One)), IfEqual, ErrQInv));
    parts[4] |= at(rows_q[52], stop());
    parts[5] |= at(rows_q[53], call(SegPair, TimesOnce));
    parts[6] |= at(rows_q[54], by(AmountNTop, unary(WordRandom, full(WorkS), full(Zero))));
    parts[7] |= at(rows_q[55], call(SegPrivate, TimesOnce));

    // The multiplier's constants, R, R^2, 2^L R^2 modulo n, from n of L bits: R by doublings of 2^L
    // - n, R^2 by squarings and doublings of 2 R.
    parts[8] |= at(rows_q[56], no_inverse
        ? copy(half(WorkB), full(One))
        : call(SegDigits, TimesOnce));
    parts[9] |= at(rows_q[57], call(SegInverse, TimesInverse));
    parts[10] |= at(rows_q[58], call(SegInverseEnd, TimesInverseEnd));
    parts[11] |= at(rows_q[59], call(SegConstant, TimesConstant));
    parts[12] |= at(rows_q[60], copy(half(SlotConstants), half(WorkB)));
    parts[13] |= at(rows_q[61], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    parts[14] |= at(rows_q[62], words(WordSub, half(WorkA), full(Zero), half(SlotN)));
    parts[15] |= at(rows_q[63], unary(WordLow, half(WorkA), half(WorkA)));
    parts[0] |= at(rows_q[64], copy(half(WorkB), half(WorkA)));
    parts[1] |= at(rows_q[65], scaled ? call(SegScale, TimesOnce) : call(SegDouble, TimesDouble));
    parts[2] |= at(rows_q[66], copy(half(SlotR1), half(WorkB)));
    parts[3] |= at(rows_q[67], call(SegDouble, TimesOnce));
    parts[4] |= at(rows_q[68], call(SegSquare, TimesSquare));
    parts[5] |= at(rows_q[69], copy(half(SlotR2), half(WorkB)));
    parts[6] |= at(rows_q[70], go(GoMul, half(SlotR2), half(WorkA)));  // 1 turn
    parts[7] |= at(rows_q[71], put(half(WorkX)));
    parts[8] |= at(rows_q[72], go(GoMul, half(WorkX), half(SlotR2)));  // 1 turn
    parts[9] |= at(rows_q[73], put(half(SlotShift)));

    // R of a multiplier with Scale, and before it SlotEstimate, floor(2^(L + Scale + 2) / n).
    parts[10] |= at(rows_q[74], copy(half(WorkM), full(One)));
    parts[11] |= at(rows_q[75], call(SegEstimate, TimesEstimate));
    parts[12] |= at(rows_q[76], copy(half(SlotEstimate), half(WorkM)));
    parts[13] |= at(rows_q[77], copy(half(WorkB), half(WorkA)));
    parts[14] |= at(rows_q[78], call(SegDouble, TimesDouble));

    // A bit of that quotient: the remainder, in WorkB, is doubled; the flag: it is below n.
    parts[15] |= at(rows_q[79], words(WordAdd, half(WorkB), half(WorkB), half(WorkB)));
    parts[0] |= at(rows_q[80], words(WordSub, half(WorkT), half(WorkB), half(SlotN)));
    parts[1] |= at(rows_q[81], words(WordSelect, half(WorkB), half(WorkB), half(WorkT)));
    parts[2] |= at(rows_q[82], words(WordAdd, half(WorkM), half(WorkM), half(WorkM)));
    parts[3] |= at(rows_q[83], words(WordAdd, half(WorkH), half(WorkM), full(One)));
    parts[4] |= at(rows_q[84], words(WordSelect, half(WorkM), half(WorkM), half(WorkH)));

    // Before the steps of SegInverse: m in WorkM is 0, 2^i in WorkH is 1, WorkB is 1.
    parts[5] |= at(rows_q[85], copy(half(WorkM), full(Zero)));
    parts[6] |= at(rows_q[86], copy(half(WorkH), full(One)));
    parts[7] |= at(rows_q[87], copy(half(WorkB), full(One)));

    // The multiplier's constant: n + 1, m or n 2^InverseBits + m.
    parts[8] |= at(rows_q[88], no_inverse
        ? words(WordAdd, half(WorkB), half(SlotN), full(One))
        : copy(half(WorkB), half(WorkM)));
    parts[9] |= at(rows_q[89], words_kind
        ? words(WordMul, wide(WorkP), half(WorkH), half(SlotN))
        : Nothing);
    parts[10] |= at(rows_q[90], words(WordAdd, half(WorkB), wide(WorkP), half(WorkM)));

    // A step of (n m + 1) / 2^InverseBits, m = -n^-1 mod 2^InverseBits, in WorkB: if WorkB is odd,
    // n is added (in the last step of a signed m subtracted); then WorkB is halved. The flag is the
    // parity; by it 2^i, in WorkH, is added to m, in WorkM, in the same way.
    parts[11] |= at(rows_q[91], unary(WordLow, half(WorkT), half(WorkB)));
    parts[12] |= at(rows_q[92], words((segment_i == SegInverseEnd) ? WordSub : WordAdd, half(WorkA),
        half(WorkB), half(SlotN)));
    parts[13] |= at(rows_q[93], words(WordSelect, half(WorkB), half(WorkA), half(WorkB)));
    parts[14] |= at(rows_q[94], by(AmountOne, unary(WordShift, half(WorkB), half(WorkB))));
    parts[15] |= at(rows_q[95], no_inverse
        ? Nothing
        : words((segment_i == SegInverseEnd) ? WordSub : WordAdd, half(WorkA), half(WorkM),
            half(WorkH)));
    parts[0] |= at(rows_q[96], words(WordSelect, half(WorkM), half(WorkA), half(WorkM)));
    parts[1] |= at(rows_q[97], words(WordAdd, half(WorkH), half(WorkH), half(WorkH)));

    // WorkB is doubled.
    parts[2] |= at(rows_q[98], words(WordAdd, half(WorkB), half(WorkB), half(WorkB)));
    parts[3] |= at(rows_q[99], reduce(half(WorkB)));

    // R^2 R^-1 for R in WorkB, and if the bit of log2 R is 1, doubled.
    parts[4] |= at(rows_q[100], go(GoMul, half(WorkB), half(WorkB)));  // 1 turn
    parts[5] |= at(rows_q[101], put(half(WorkB)));
    parts[6] |= at(rows_q[102], call(SegDouble, TimesBit));

    // A new blinding pair: vi random in [2, 2^(L - 1)), vf = vi^(p - 1 - e) = vi^-e in the domain.
    parts[7] |= at(rows_q[103], call(SegDraw, TimesOnce));
    parts[8] |= at(rows_q[104], words(WordSub, wide(WorkP), half(SlotN), full(One)));
    parts[9] |= at(rows_q[105], words(WordSub, wide(WorkP), wide(WorkP), of_q(SlotQInv)));
    parts[10] |= at(rows_q[106], call(SegPowers, TimesHalves));

    // vi, of a bit less than p and so below it, drawn again until it is at least 2: that tells
    // nothing of p.
    parts[11] |= at(rows_q[107], by(AmountTop, unary(WordRandom, half(SlotVi), full(Zero))));
    parts[12] |= at(rows_q[108], must(compare(half(SlotVi), full(Two)), IfNotLess, Again));

    // vf, by the exponent in WorkP.
    parts[13] |= at(rows_q[109], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    parts[14] |= at(rows_q[110], go(GoMul, half(SlotVi), half(SlotR2)));  // 1 turn
    parts[15] |= at(rows_q[111], put(half(WorkX)));
    parts[0] |= at(rows_q[112], unary(WordLoadE, half(WorkX), wide(WorkP)));
    parts[1] |= at(rows_q[113], go(GoWindow, half(WorkX), half(SlotR1)));  // window
    parts[2] |= at(rows_q[114], put(half(SlotVf)));

    // The private operation; d' = d + k (p - 1) is in WorkP.
    parts[3] |= at(rows_q[115], copy(full(WorkC), full(HostX)));
    parts[4] |= at(rows_q[116], must(compare(full(WorkC), full(SlotM)), IfLess, ErrMessage));
    parts[5] |= at(rows_q[117], stop());
    parts[6] |= at(rows_q[118], call(SegPair, TimesRenew));
    parts[7] |= at(rows_q[119], by(Amount64, unary(WordRandom, short64(WorkK), full(Zero))));
    parts[8] |= at(rows_q[120], words(WordSub, half(WorkA), half(SlotN), full(One)));
    parts[9] |= at(rows_q[121], (Eblind == 0)
        ? copy(wide(WorkP), full(Zero))
        : words(WordMul, wide(WorkP), short64(WorkK), half(WorkA)));
    parts[10] |= at(rows_q[122], words(WordAdd, wide(WorkP), wide(WorkP), half(SlotD)));
    parts[11] |= at(rows_q[123], call(SegHalf, TimesHalves));
    parts[12] |= at(rows_q[124], call(SegGarner, TimesOnce));  // 1 turn
    parts[13] |= at(rows_q[125], call(SegCheck, TimesOnce));

    // The power of one half, m1 or m2, and its next blinding pair.
    parts[14] |= at(rows_q[126], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    parts[15] |= at(rows_q[127], call(SegEnter, TimesOnce));  // 2 turns
    parts[0] |= at(rows_q[128], go(GoMul, half(WorkX), half(SlotVf)));  // 1 turn
    parts[1] |= at(rows_q[129], put(half(WorkX)));
    parts[2] |= at(rows_q[130], unary(WordLoadE, half(WorkX), wide(WorkP)));
    parts[3] |= at(rows_q[131], by(AmountD, go(GoWindow, half(WorkX), half(SlotR1))));  // window
    parts[4] |= at(rows_q[132], go(GoKeep, half(WorkX), half(SlotVi)));  // 1 turn
    parts[5] |= at(rows_q[133], put(half(WorkM)));
    parts[6] |= at(rows_q[134], go(GoMul, half(SlotVf), half(SlotVf)));  // 1 turn
    parts[7] |= at(rows_q[135], put(half(SlotVf)));
    parts[8] |= at(rows_q[136], go(GoMul, half(SlotVi), half(SlotR2)));  // 1 turn
    parts[9] |= at(rows_q[137], put(half(WorkA)));
    parts[10] |= at(rows_q[138], go(GoMul, half(WorkA), half(SlotVi)));  // 1 turn
    parts[11] |= at(rows_q[139], put(half(SlotVi)));

    // WorkX = WorkC in the domain: c1 2^L R^2 R^-1 + c0 R^2 R^-1 for WorkC = c1 2^L + c0. In the
    // check (SegReenter) c is the second factor: a stuck bit in the register of one factor would
    // else change c and y in the same way.
    parts[12] |= at(rows_q[140], unary(WordShift, half(WorkA), full(WorkC)));
    parts[13] |= at(rows_q[141], unary(WordLow, half(WorkB), full(WorkC)));
    parts[14] |= at(rows_q[142], reduce(half(WorkA)));
    parts[15] |= at(rows_q[143], reduce(half(WorkB)));
    parts[0] |= at(rows_q[144], again_q
        ? go(GoMul, half(SlotShift), half(WorkA))
        : go(GoMul, half(WorkA), half(SlotShift)));  // 1 turn
    parts[1] |= at(rows_q[145], put(half(WorkA)));
    parts[2] |= at(rows_q[146], again_q
        ? go(GoMul, half(SlotR2), half(WorkB))
        : go(GoMul, half(WorkB), half(SlotR2)));  // 1 turn
    parts[3] |= at(rows_q[147], put(half(WorkX)));
    parts[4] |= at(rows_q[148], words(WordAdd, half(WorkX), half(WorkX), half(WorkA)));
    parts[5] |= at(rows_q[149], reduce(half(WorkX)));

    // y = m2 + h q, h = (m1 - m2) qInv mod p.
    parts[6] |= at(rows_q[150], words(WordLoadNK, of_p(SlotN), of_p(SlotN), of_p(SlotConstants)));
    parts[7] |= at(rows_q[151], copy(of_p(WorkA), of_q(WorkM)));
    parts[8] |= at(rows_q[152], reduce(of_p(WorkA)));
    parts[9] |= at(rows_q[153], words(WordSub, of_p(WorkB), of_p(WorkM), of_p(WorkA)));
    parts[10] |= at(rows_q[154], words(WordAdd, of_p(WorkA), of_p(WorkB), of_p(SlotN)));
    parts[11] |= at(rows_q[155], words(WordSelect, of_p(WorkB), of_p(WorkA), of_p(WorkB)));
    parts[12] |= at(rows_q[156], go(GoMul, of_p(WorkB), of_p(SlotQInv)));  // 1 turn
    parts[13] |= at(rows_q[157], put(of_p(WorkH)));
    parts[14] |= at(rows_q[158], words(WordMul, full(WorkP), of_p(WorkH), of_q(SlotN)));
    parts[15] |= at(rows_q[159], words(WordAdd, full(WorkY), full(WorkP), of_q(WorkM)));

    // y < n, p q = n, y^e = c mod p and mod q or mod n, the number of turns; each comparison is
    // made twice.
    parts[0] |= at(rows_q[160], call(SegCheckFull, TimesOnce));
    parts[1] |= at(rows_q[161], counts(CodeFirst, compare(full(WorkC), full(HostX)), IfEqual));
    parts[2] |= at(rows_q[162], counts(CodeSecond, compare(full(WorkC), full(HostX)), IfEqual));
    parts[3] |= at(rows_q[163], counts(CodeFirst, compare(full(WorkY), full(SlotM)), IfLess));
    parts[4] |= at(rows_q[164], words(WordMul, full(WorkP), of_p(SlotN), of_q(SlotN)));
    parts[5] |= at(rows_q[165], counts(CodeFirst, compare(full(WorkP), full(SlotM)), IfEqual));
    parts[6] |= at(rows_q[166], (Check == CheckN)
        ? call(SegCheckFull, TimesOnce)
        : call(SegCheckHalf, TimesHalves));
    parts[7] |= at(rows_q[167], (Check == CheckN)
        ? counts(CodeFirst, compare(full(WorkC), full(HostX)), IfEqual)
        : counts(CodeFirst, compare(half(WorkM), half(WorkX)), IfEqual));
    parts[8] |= at(rows_q[168], counts(CodeFirst, compare(full(One), full(One)), IfTurns));
    parts[9] |= at(rows_q[169], counts(CodeSecond, compare(full(WorkY), full(SlotM)), IfLess));
    parts[10] |= at(rows_q[170], counts(CodeSecond, compare(full(WorkP), full(SlotM)), IfEqual));
    parts[11] |= at(rows_q[171], (Check == CheckN)
        ? counts(CodeSecond, compare(full(WorkC), full(HostX)), IfEqual)
        : counts(CodeSecond, compare(half(WorkM), half(WorkX)), IfEqual));
    parts[12] |= at(rows_q[172], counts(CodeSecond, compare(full(One), full(One)), IfTurns));

    // WorkM = y^e, WorkX = c, both in the domain; c is read from the host's memory once more. The
    // result of the last product is known: with a multiplier whose products no longer depend on its
    // operands both sides would be equal.
    parts[13] |= at(rows_q[173], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    parts[14] |= at(rows_q[174], copy(full(WorkC), full(WorkY)));
    parts[15] |= at(rows_q[175], call(SegEnter, TimesOnce));  // 2 turns
    parts[0] |= at(rows_q[176], unary(WordLoadPublic, half(WorkX), of_q(SlotQInv)));
    // public power
    parts[1] |= at(rows_q[177], by(Amount32, go(GoPublic, half(WorkX), half(WorkX))));
    parts[2] |= at(rows_q[178], put(half(WorkM)));
    parts[3] |= at(rows_q[179], copy(full(WorkC), full(HostX)));
    parts[4] |= at(rows_q[180], must(compare(full(WorkC), full(HostX)), IfEqual, ErrFault));
    parts[5] |= at(rows_q[181], call(SegReenter, TimesOnce));  // 2 turns
    parts[6] |= at(rows_q[182], go(GoMul, half(SlotR2), full(One)));  // 1 turn
    parts[7] |= at(rows_q[183], put(half(WorkA)));
    parts[8] |= at(rows_q[184], must(compare(half(WorkA), half(SlotR1)), IfEqual, ErrFault));

    // WorkC = y^e mod n by the exponentiator of full width: y^(e - 1) in the domain, and plain y.
    parts[9] |= at(rows_q[185], words(WordLoadNK, full(SlotM), full(SlotM),
        full(SlotFullConstants)));
    parts[10] |= at(rows_q[186], go(GoMul, full(WorkY), full(SlotFullR2)));  // 1 turn
    parts[11] |= at(rows_q[187], put(full(WorkA)));
    parts[12] |= at(rows_q[188], words(WordSub, full(WorkB), of_q(SlotQInv), full(One)));
    parts[13] |= at(rows_q[189], unary(WordLoadPublic, full(WorkA), full(WorkB)));
    // public power
    parts[14] |= at(rows_q[190], by(Amount32, go(GoPublic, full(WorkA), full(WorkA))));
    parts[15] |= at(rows_q[191], go(GoKeep, full(WorkA), full(WorkY)));  // 1 turn
    parts[0] |= at(rows_q[192], put(full(WorkC)));

    // Operations on one modulus: n and its constants; then a power.
    parts[1] |= at(rows_q[193], must(by(AmountNTop, unary(WordShift, half(WorkA), full(HostN))),
        IfLength, ErrLength));
    parts[2] |= at(rows_q[194], must(copy(half(SlotN), full(HostN)), IfOdd, ErrModulusEven));
    parts[3] |= at(rows_q[195], must(compare(half(WorkA), full(One)), IfEqual, ErrLength));
    parts[4] |= at(rows_q[196], stop());
    parts[5] |= at(rows_q[197], call(SegSetup, TimesSetup));
    parts[6] |= at(rows_q[198], call(SegPower, TimesPower));

    // WorkY = x^e, checked to be below n.
    parts[7] |= at(rows_q[199], must(words(WordCompare, half(WorkA), full(HostX), half(SlotN)),
        IfLess, ErrMessage));
    parts[8] |= at(rows_q[200], stop());
    parts[9] |= at(rows_q[201], copy(half(WorkC), full(HostX)));
    parts[10] |= at(rows_q[202], words(WordLoadNK, half(SlotN), half(SlotN), half(SlotConstants)));
    parts[11] |= at(rows_q[203], go(GoMul, half(WorkC), half(SlotR2)));  // 1 turn
    parts[12] |= at(rows_q[204], put(half(WorkX)));
    parts[13] |= at(rows_q[205], call(SegWindow, TimesWindow));
    parts[14] |= at(rows_q[206], call(SegPublic, TimesPublic));
    parts[15] |= at(rows_q[207], counts(CodeFirst, compare(half(WorkY), half(SlotN)), IfLess));
    parts[0] |= at(rows_q[208], counts(CodeSecond, compare(half(WorkY), half(SlotN)), IfLess));

    // The power by a window, in a time that depends on e_bits alone.
    parts[1] |= at(rows_q[209], unary(WordLoadE, half(WorkX), full(HostE)));
    parts[2] |= at(rows_q[210], by(AmountE, go(GoWindow, half(WorkX), half(SlotR1))));  // window
    parts[3] |= at(rows_q[211], go(GoKeep, half(WorkX), full(One)));  // 1 turn
    parts[4] |= at(rows_q[212], put(half(WorkY)));

    // For an odd e the last product is that of x^(e-1), in the domain, and plain x, for an even one
    // that of x^e and 1; it leaves the domain. If the power is x^0, the factor is the result. The
    // flag is 1 if e is odd.
    parts[5] |= at(rows_q[213], by(AmountE, unary(WordLow, half(WorkA), full(HostE))));
    parts[6] |= at(rows_q[214], words(WordSub, half(WorkB), half(WorkA), full(One)));
    parts[7] |= at(rows_q[215], unary(WordLow, half(WorkT), half(WorkA)));
    parts[8] |= at(rows_q[216], words(WordSelect, half(WorkA), half(WorkB), half(WorkA)));
    parts[9] |= at(rows_q[217], words(WordSelect, half(WorkB), full(HostX), full(One)));
    parts[10] |= at(rows_q[218], copy(half(WorkY), half(WorkB)));
    parts[11] |= at(rows_q[219], compare(half(WorkA), full(Zero)));
    parts[12] |= at(rows_q[220], call(SegPublicPower, TimesNonzero));

    // WorkY = x^e or x^(e-1) times the factor, outside the domain.
    parts[13] |= at(rows_q[221], unary(WordLoadPublic, half(WorkX), half(WorkA)));
    // public power
    parts[14] |= at(rows_q[222], by(AmountE, go(GoPublic, half(WorkX), half(WorkX))));
    parts[15] |= at(rows_q[223], go(GoKeep, half(WorkX), half(WorkB)));  // 1 turn
    parts[0] |= at(rows_q[224], put(half(WorkY)));

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
