// SPDX-License-Identifier: Apache-2.0
//
// Control of one exponentiation: the order of the multiplications, and the loads of the registers
// of mf_modexp_chain at each response. The algorithms are in the header of mf_modexp; addresses of
// the table are in mf_modexp_entries, the terms that a response loads in mf_modexp_terms.
//
// Phase    cycles                  action
// Idle     -                       initial values are set; operands of a request are loaded
// Run      turns                   a turn: request (issue_q), then response; see step_q
// Reduce   Passes * (Words + 1)    word-serial subtraction, then its selection
// Done     until taken             the result stands
// Wipe     1, with a table Depth   after reset and abort: table and registers are overwritten
//
// A single product is a power that begins with its last turn.
//
// A turn lasts as long as the multiplier takes and one cycle more. Exceptions: the first turn waits
// for the check of x and the first digit (EnterCycles), and a product can wait for a scan. Two
// responses are at least three cycles apart: the loads of the second one are decided in the first
// two of these cycles, into registers, so that a response drives clock enables and the next step
// alone.
// Constant time: Ladder, R2l, SquareMultiplyAlways and Window with a multiplier of fixed latency
//           take a number of cycles that depends on e_len_i alone, and read and write the table at
//           addresses that do not depend on e or data; the digit drives the loaded value.

module mf_modexp_control
  import mf_modexp_pkg::*;
#(
  /// An algorithm of mf_modexp_pkg.
  parameter int unsigned Algorithm   = Window,
  /// Bits of a digit; 1 to 6.
  parameter int unsigned DigitW      = 4,
  /// Multipliers in lockstep: 1, or 2 for Ladder and R2l.
  parameter int unsigned Multipliers = 1,
  /// Words of a pass of the word-serial unit; at least 1.
  parameter int unsigned Words       = 9,
  /// Conditional subtractions after the last product.
  parameter int unsigned Passes      = 1,
  /// The result is v + n if v < 0, not v - n if v >= n.
  parameter bit          Signed      = 1'b0,
  /// Words of the table; at least 2.
  parameter int unsigned Depth       = 16,
  /// The table is read in two cycles.
  parameter bit          TableBlock  = 1'b0,
  /// The check of x and the first digit come before the first request, not beside it.
  parameter bit          CheckFirst  = 1'b0,

  localparam int unsigned CountW = $clog2(DigitW + 1),
  localparam int unsigned AddrW  = $clog2(Depth),
  localparam int unsigned PassW  = (Passes > 1) ? $clog2(Passes) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              req_valid_i,
  output logic              req_ready_o,
  output logic              rsp_valid_o,
  input  logic              rsp_ready_i,
  output logic [3:0]        error_o,
  input  logic              abort_i,
  /// The length of the exponent is legal; read with the request.
  input  logic              length_ok_i,
  /// One product in place of a power; read with the request.
  input  logic              product_i,

  input  logic              digit_valid_i,
  /// Another digit follows, which may not be valid yet.
  input  logic              digit_more_i,
  input  logic [CountW-1:0] digit_squarings_i,
  input  logic              digit_product_i,
  input  logic [DigitW-1:0] digit_i,
  output logic              digit_take_o,

  /// Squarings: of multiplier 0. Products: of the last multiplier.
  output logic              square_valid_o,
  output logic              product_valid_o,
  input  logic              mul_ready_i,
  input  logic              square_rsp_valid_i,
  input  logic              product_rsp_valid_i,
  output logic              square_rsp_ready_o,
  output logic              product_rsp_ready_o,

  /// Operands are loaded with a request.
  output logic              idle_o,
  /// Registers load the ports of a request; from a register.
  output logic              ports_o,
  /// Neither idle_o nor wipe_o; from a register.
  output logic              busy_o,
  /// Registers are overwritten with zeros.
  output logic              wipe_o,

  /// Registers t and acc load their terms, and with ports_o x and r2; t is cleared.
  output logic              t_load_o,
  output logic              acc_load_o,
  output logic              t_clear_o,
  output terms_t            terms_o,
  /// Second operand of the multiplication: acc, the word of the table, or else the first operand.
  output logic              b_acc_o,
  output logic              b_read_o,

  /// Writes entries above 0; entry 0 comes with the request.
  output logic              table_write_o,
  output logic [AddrW-1:0]  table_write_addr_o,
  output logic [AddrW-1:0]  table_read_addr_o,

  output pass_t             pass_o,
  /// Signs after a pass: of the value, and of the value with n subtracted or added.
  input  logic              pass_value_negative_i,
  input  logic              pass_other_negative_i,
  /// n is odd and at least 3; valid from the last word of the first pass on.
  input  logic              modulus_ok_i
);

  localparam bit IsWindow  = Algorithm == Window;
  localparam bit IsSliding = Algorithm == Sliding;
  localparam bit IsLadder  = Algorithm == Ladder;
  localparam bit IsR2l     = Algorithm == R2l;
  localparam bit IsF4      = Algorithm == F4;
  localparam bit IsAlways  = Algorithm == SquareMultiplyAlways;
  localparam bit Lockstep  = Multipliers > 1;
  localparam bit HasTable  = IsWindow || IsSliding;

  localparam int unsigned LastEntry   = IsWindow ? (1 << DigitW) - 1 : 1 << (DigitW - 1);
  localparam int unsigned F4Squarings = 16;
  // Cycles from the request to the first response at least: the check of x, the first digit.
  localparam int unsigned EnterCycles = (Words + 2 > DigitW + 6) ? Words + 2 : DigitW + 6;
  localparam int unsigned EnterW      = $clog2(EnterCycles + 1);
  localparam int unsigned WordCountW  = $clog2(Words + 1);
  localparam int unsigned LeftW       = IsF4 ? 5 : CountW;

  // The first step for a digit.
  localparam step_e FirstStep = !(IsLadder || IsR2l) ? StSquare : Lockstep ? StBoth : StProduct;

  // The phase, one-hot.
  logic                  idle_d, run_d, reduce_d, done_d, wipe_d;
  logic                  idle_q, run_q, reduce_q, done_q, wipe_q;
  logic                  ports_q;             // Idle, or Done, which loads nothing
  logic                  busy_q;              // neither Idle nor Wipe
  step_e                 step_d, step_q;
  logic                  issue_d, issue_q;    // the request of the turn is still to be made
  logic                  request_q;           // the request is made now, in the phase Run
  logic                  waiting_q;           // the response is taken when it comes
  logic                  aborted_d, aborted_q; // no further turn; after the response, Wipe
  logic                  reply_q;             // an abort that needs a response
  logic [3:0]            error_d, error_q;
  logic                  length_ok_q;
  logic                  legal_q;             // the length and the modulus are legal
  logic                  check_q;             // step_q is StEnter, from the turn's second cycle on
  logic [LeftW-1:0]      left_q;              // squarings after this one
  logic [EnterW-1:0]     enter_d, enter_q;    // cycles that the first response still waits
  logic                  enter_last_q;        // at most one of them is left
  logic                  pass_d, pass_q;      // a pass of the word-serial unit is under way
  logic                  select_q;            // the pass has ended: v or v - n (v + n) stays
  logic [WordCountW-1:0] words_q;             // words of the pass after this one
  logic [PassW-1:0]      shift_q;             // passes after this one
  logic                  reduced_q;           // shift_q was 0 in the cycle before
  logic                  wide_q, halve_q;     // see pass_t
  logic                  last_word_q;         // words_q is 0
  logic                  enters_q;            // the request of the first turn is made
  logic                  leaves_q;            // the last turn's response is waited for

  // The table: see mf_modexp_entries.
  logic [AddrW-1:0]      entry;
  logic                  last_entry, match, zero, found, reading, scan_busy, wiped;

  // The present digit.
  logic                  first_q;             // no digit has come yet
  logic                  product_q;
  logic [DigitW-1:0]     digit_q;

  logic                  accept, take, more, next_digit, last_square;
  logic                  error_enter, check_start, reduce_start, pass_on, pass_top, stop;
  logic                  request_d, waiting_d, load;

  // ---------------------------------------------------------------- turns

  logic both, square_only, arrived;

  assign both            = Lockstep && step_q == StBoth;
  assign square_only     = !Lockstep;
  assign product_valid_o = request_q && !abort_i;
  assign square_valid_o  = product_valid_o && (both || square_only);
  assign accept          = product_valid_o && mul_ready_i;
  assign arrived         = product_rsp_valid_i && (square_rsp_valid_i || !both);
  assign take            = waiting_q && arrived;

  assign product_rsp_ready_o = take;
  assign square_rsp_ready_o  = take && (both || square_only);

  assign more        = digit_more_i;
  assign last_square = left_q == '0;
  assign error_enter = check_q && !(legal_q && pass_other_negative_i);

  // The digit has ended: the next one follows, or the result leaves the domain.
  always_comb begin
    unique case (step_q)
      StEnter:   next_digit = HasTable && DigitW == 1;
      StTable:   next_digit = HasTable && last_entry;
      StSquare:  next_digit = last_square && !IsF4 && !IsAlways && !IsWindow &&
                              (IsLadder || IsR2l || !product_q);
      StProduct: next_digit = !IsLadder && !IsR2l;
      StBoth:    next_digit = 1'b1;
      default:   next_digit = 1'b0;
    endcase
  end

  always_comb begin
    step_d = step_q;
    unique case (step_q)
      StEnter:   step_d = (HasTable && DigitW > 1) ? StTable : FirstStep;
      StTable:   step_d = last_entry ? FirstStep : StTable;
      StSquare:  if (last_square) step_d = IsF4 ? StLeave : StProduct;
      StProduct: step_d = StSquare;
      default:   ;
    endcase
    if (next_digit) step_d = more ? FirstStep : StLeave;
  end

  // The action at the response of a turn is decided a cycle before it at the latest, into
  // registers: the next step in the first cycle of the turn, the second operand in the second
  // cycle.
  step_e after_q;         // the step after this turn
  logic  digit_done_q;    // next_digit, and the response is waited for
  logic  squared_q;       // no squaring of the digit is left
  logic  leave_next_q;    // the next turn is the last one
  logic  b_acc_d, b_read_d, b_acc_after_q, b_read_after_q;  // of the next turn
  logic  b_acc_q, b_read_q;                                 // of this turn

  always_ff @(posedge clk_i) begin
    check_q        <= step_q == StEnter;
    legal_q        <= length_ok_q && modulus_ok_i;
    after_q        <= step_d;
    digit_done_q   <= next_digit && waiting_d;
    squared_q      <= step_q != StSquare || last_square;
    leave_next_q   <= next_digit && !more;
    b_acc_after_q  <= b_acc_d;
    b_read_after_q <= b_read_d;
  end

  assign digit_take_o = digit_valid_i && !IsF4 &&
                        (first_q || (arrived && digit_done_q));

  always_ff @(posedge clk_i) begin
    if (wipe_o) begin
      product_q <= 1'b0;
      digit_q   <= '0;
    end else if (digit_take_o) begin
      product_q <= digit_product_i;
      digit_q   <= digit_i;
    end
    if (idle_q) left_q <= LeftW'(F4Squarings - 1);
    else if (take && !IsF4 && squared_q) begin
      left_q <= LeftW'(digit_squarings_i - CountW'(1));
    end else if (take && step_q == StSquare) left_q <= left_q - LeftW'(1);
    if (idle_q) length_ok_q <= length_ok_i;
  end

  // ---------------------------------------------------------------- table and scan

  mf_modexp_entries #(
    .Algorithm (Algorithm),
    .DigitW    (DigitW),
    .Depth     (Depth),
    .TableBlock(TableBlock)
  ) u_entries (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_valid_i (req_valid_i),
    .idle_i      (idle_q),
    .run_i       (run_q),
    .done_i      (done_q),
    .wipe_i      (wipe_q),
    .stop_i      (stop),
    .step_i      (step_q),
    .after_i     (after_q),
    .first_i     (check_q),
    .b_read_i    (b_read_q),
    .accept_i    (accept),
    .waiting_i   (waiting_d),
    .take_i      (take),
    .digit_i     (digit_q),
    .product_i   (product_q),
    .entry_o     (entry),
    .last_entry_o(last_entry),
    .match_o     (match),
    .zero_o      (zero),
    .found_o     (found),
    .reading_o   (reading),
    .scan_busy_o (scan_busy),
    .wiped_o     (wiped),
    .write_o     (table_write_o),
    .read_addr_o (table_read_addr_o)
  );

  assign table_write_addr_o = entry;

  // ---------------------------------------------------------------- word-serial passes

  // A pass that begins with a request that is aborted has no effect.
  assign check_start     = CheckFirst ? load && !product_i
                                      : enters_q && mul_ready_i;
  assign reduce_start    = (product_rsp_valid_i && leaves_q) || (select_q && !reduced_q);
  assign pass_on         = pass_q && !last_word_q;
  assign pass_top        = pass_q ? words_q == WordCountW'(1) : Words == 1;
  assign pass_o          = '{
    run: pass_q, next: pass_d, subtract: !Signed || step_q == StEnter || load, wide: wide_q,
    halve: halve_q, top: pass_top
  };

  always_comb begin
    enter_d = enter_q;
    if (idle_q) enter_d = product_i ? '0 : EnterW'(EnterCycles - 1);
    else if (enter_q != '0) enter_d = enter_q - EnterW'(1);
    pass_d = check_start || reduce_start || (pass_on && !wipe_q);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pass_q       <= 1'b0;
      words_q      <= '0;
      last_word_q  <= 1'b0;
      enters_q     <= 1'b0;
      leaves_q     <= 1'b0;
      shift_q      <= '0;
      wide_q       <= 1'b0;
      halve_q      <= 1'b0;
      enter_q      <= '0;
      enter_last_q <= 1'b0;
    end else begin
      pass_q       <= pass_d;
      enter_q      <= enter_d;
      enter_last_q <= idle_q ? product_i || EnterCycles <= 2 : enter_q <= EnterW'(2);
      words_q      <= pass_q ? words_q - WordCountW'(1) : WordCountW'(Words - 1);
      last_word_q  <= pass_top;
      enters_q     <= load ? !product_i
                           : run_q && !stop && issue_q && !accept && step_q == StEnter;
      leaves_q     <= waiting_d && step_q == StLeave && Passes > 0;
      // The subtrahend of a pass is decided before the first word.
      if (run_q) begin
        if (step_q == StLeave) begin
          shift_q <= PassW'((Passes > 0) ? Passes - 1 : 0);
          wide_q  <= Passes > 1;
          halve_q <= Passes > 1;
        end
      end else if (!reduce_q) begin
        shift_q <= '0;
        wide_q  <= 1'b0;
        halve_q <= 1'b0;
      end else if (pass_q && last_word_q) begin
        shift_q <= shift_q - PassW'(1);
        wide_q  <= 1'b0;
        halve_q <= shift_q != PassW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    reduced_q <= shift_q == '0;
  end

  // ---------------------------------------------------------------- loads of the registers

  terms_t turn;              // at the response of the turn
  logic   t_keep, acc_keep;

  mf_modexp_terms #(
    .Algorithm(Algorithm),
    .DigitW   (DigitW)
  ) u_terms (
    .step_i       (step_q),
    .last_square_i(last_square),
    .leave_i      (leave_next_q),
    .product_i    (product_q),
    .current_i    (digit_q[0]),
    .zero_i       (zero),
    .more_i       (more),
    .next_i       (more && digit_i[0]),
    .match_i      (match),
    .first_entry_i(entry == AddrW'(1)),
    .odd_entry_i  (entry[0]),
    .last_entry_i (last_entry),
    .read_last_i  (table_read_addr_o == AddrW'(LastEntry)),
    .terms_o      (turn),
    .t_keep_o     (t_keep),
    .acc_keep_o   (acc_keep)
  );

  // Terms drive gates of all operand bits, so they come from registers: while a response is waited
  // for the terms of its turn, which the turn before has decided; in other cycles only the terms of
  // the word-serial unit and of the scan. Whether t and acc load is decided in the cycle itself.
  terms_t terms_q;
  logic   t_takes_q, acc_takes_q;  // they load at the response that is waited for
  logic   t_moves_q, acc_moves_q;  // they load in any case
  logic   select_d, reducing_d;

  assign select_d   = reduce_q && pass_q && last_word_q && !abort_i;
  assign reducing_d = !stop && (reduce_start || (reduce_q && pass_on));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      terms_q     <= '0;
      t_takes_q   <= 1'b0;
      acc_takes_q <= 1'b0;
      t_moves_q   <= 1'b1;
      acc_moves_q <= 1'b1;
    end else begin
      terms_q           <= turn & {$bits(terms_t){waiting_d}};
      terms_q.t_acc     <= (turn.t_acc && waiting_d) || select_d;
      terms_q.acc_read  <= (turn.acc_read && waiting_d) || reading;
      terms_q.t_words   <= pass_d && !stop;
      terms_q.acc_words <= reducing_d;
      t_takes_q         <= waiting_d && !t_keep;
      acc_takes_q       <= waiting_d && !acc_keep;
      t_moves_q         <= pass_d || wipe_d;
      acc_moves_q       <= reducing_d || wipe_d;
    end
  end

  assign terms_o = terms_q;

  logic choose;  // v - n (v + n) stays, not v
  assign choose     = select_q && (Signed ? pass_value_negative_i : !pass_other_negative_i);
  assign t_load_o   = t_moves_q || choose || (arrived && t_takes_q);
  assign acc_load_o = acc_moves_q || found || (arrived && acc_takes_q);
  // t is 0 after a refused operation, whenever its response comes.
  assign t_clear_o  = error_enter && waiting_q;

  // Second operand: acc for products, entering and leaving; in turns of the table T[1].
  assign b_read_d = IsWindow && after_q == StTable && !entry[0];
  assign b_acc_d  = (after_q == StProduct) || (after_q == StLeave) || (after_q == StBoth) ||
                    (IsSliding && after_q == StTable && (step_q != StEnter));
  assign b_acc_o  = b_acc_q;
  assign b_read_o = b_read_q;

  // ---------------------------------------------------------------- phases

  assign stop      = abort_i || aborted_q;
  assign aborted_d = stop && ((run_q && !(issue_q || take)) || (done_q && !rsp_ready_i));

  logic refused, last, last_take;
  assign refused   = take && error_enter;
  assign last      = error_enter || step_q == StLeave;
  assign last_take = take && last;

  // The request of a turn is made after a load or the response before, until it is accepted. Then
  // the response is waited for, in the first turn not before the check of x and the first digit.
  assign request_d = (load && (!CheckFirst || product_i)) ||
                     (run_q && !stop && issue_q && !accept &&
                      !(step_q == StProduct && scan_busy) && (!CheckFirst || enter_last_q)) ||
                     (run_q && !stop && take && !last &&
                      !(after_q == StProduct && scan_busy));
  assign waiting_d = ((accept && (step_q != StEnter || CheckFirst)) ||
                      (run_q && !issue_q && !take)) && enter_last_q && !pass_on;

  // An abort ends the operation when no response of the multiplier is waited for; then Wipe, and
  // the operation's response after it. A response that stands stays until it is taken, Wipe then.
  assign idle_d   = (idle_q && !req_valid_i && !abort_i) || (done_q && rsp_ready_i && !stop) ||
                    (wipe_q && wiped && !reply_q);
  assign run_d    = load || (run_q && !last_take && !(stop && (issue_q || take)));
  assign reduce_d = (run_q && take && leaves_q && !stop) ||
                    (reduce_q && !abort_i && !(!pass_q && reduced_q));
  assign done_d   = (run_q && last_take && !leaves_q && !stop) ||
                    (reduce_q && !abort_i && !pass_q && reduced_q) ||
                    (done_q && !rsp_ready_i) ||
                    (wipe_q && wiped && reply_q);
  assign wipe_d   = (idle_q && abort_i) || (run_q && stop && (issue_q || take)) ||
                    (reduce_q && abort_i) || (done_q && stop && rsp_ready_i) ||
                    (wipe_q && !wiped);

  always_comb begin
    issue_d = issue_q;
    if (!run_q || take) issue_d = 1'b1;
    else if (accept) issue_d = 1'b0;

    error_d = error_q;
    if (idle_q) error_d = ErrorNone;
    else if (wipe_q) error_d = ErrorAborted;
    else if (run_q && refused) begin
      error_d = !modulus_ok_i ? ErrorModulus : !length_ok_q ? ErrorLength : ErrorMessage;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      idle_q    <= 1'b0;
      ports_q   <= 1'b0;
      busy_q    <= 1'b0;
      run_q     <= 1'b0;
      reduce_q  <= 1'b0;
      done_q    <= 1'b0;
      wipe_q    <= 1'b1;
      step_q    <= StEnter;
      issue_q   <= 1'b1;
      error_q   <= ErrorNone;
      aborted_q <= 1'b0;
      request_q <= 1'b0;
      waiting_q <= 1'b0;
      select_q  <= 1'b0;
      reply_q   <= 1'b0;
      first_q   <= 1'b0;
      b_acc_q   <= 1'b1;
      b_read_q  <= 1'b0;
    end else begin
      idle_q   <= idle_d;
      ports_q  <= idle_d || done_d;
      busy_q   <= !(idle_d || wipe_d);
      run_q    <= run_d;
      reduce_q <= reduce_d;
      done_q   <= done_d;
      wipe_q   <= wipe_d;
      issue_q <= issue_d;
      error_q <= error_d;
      if (idle_q || wipe_q) begin
        step_q   <= (idle_q && product_i) ? StLeave : StEnter;
        b_acc_q  <= 1'b1;
        b_read_q <= 1'b0;
      end else if (take) begin
        step_q   <= after_q;
        b_acc_q  <= b_acc_after_q;
        b_read_q <= b_read_after_q;
      end
      aborted_q <= aborted_d;
      request_q <= request_d;
      waiting_q <= waiting_d;
      select_q  <= select_d;
      if (!wipe_q) reply_q <= !idle_q && !(done_q && rsp_ready_i);
      if (idle_q) first_q <= 1'b1;
      else if (digit_take_o || wipe_q) first_q <= 1'b0;
    end
  end

  assign load        = idle_q && req_valid_i && !abort_i;
  assign idle_o      = idle_q;
  assign ports_o     = ports_q;
  assign busy_o      = busy_q;
  assign wipe_o      = wipe_q;
  assign req_ready_o = idle_q && !abort_i;
  assign rsp_valid_o = done_q;
  assign error_o     = error_q;

endmodule
