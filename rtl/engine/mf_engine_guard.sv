// SPDX-License-Identifier: Apache-2.0
//
// Flow guard of an engine: conditions, outcome codes, watchdogs.
//
// Conditions: of mf_engine_pkg::condition_e, after an operation on words.
// Outcome:  two codes start from a seed with each command. A check that holds takes its code one
//           step on, one that fails sets it to 0; both must end as code_end_i.
// Tags:     seen has a bit for each guard, mf_engine_pkg::guard_e, that is violated in this cycle.
//   Integrity a word's check bits, or a copy in the word unit          ends the program
//   Copies    command, instruction, job, length of n                   ends the program
//   Step      2^WatchdogBits cycles in one step                        ends the program
//   Program   four times as many in all                                ends the program
//   Check     a condition whose error is FAULT                         is the program's error
//   Outcome   the codes, at the end                                    is the program's error
//             a word of the result is written after its first check    ends the program
//   Wipe      2^(WatchdogBits + 2) cycles of a wipe                    no key is valid
//   Deadline  2^(WatchdogBits + 4) cycles, whatever the state says     only a reset helps
// Cycles in which a random word is awaited are not counted.
// Latency:  fault_o is seen in its cycle, with Copies in the next one; faulty_o, which ends the
//           program, follows it by a cycle.

module mf_engine_guard
  import mf_engine_pkg::*;
#(
  parameter int unsigned WatchdogBits = 24
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  /// A program runs; it reads a row; it ends; the wipe after it, or its end; no command runs.
  input  logic        running_i,
  input  logic        fetch_i,
  input  logic        end_i,
  input  logic        after_i,
  input  logic        rest_i,
  input  logic        occupied_i,
  input  logic        random_waits_i,

  input  logic        integrity_i,
  input  logic        copies_ok_i,
  /// A word of the result was written, in the cycle before.
  input  logic        result_write_i,

  /// The condition of the operation on words that ends.
  input  condition_e  condition_i,
  input  logic        borrow_i,
  input  logic        nonzero_i,
  input  logic        odd_i,
  input  logic        length_ok_i,
  input  logic        turns_ok_i,
  output logic        holds_o,
  input  logic        words_end_i,
  input  error_e      condition_error_i,
  input  code_e       code_i,

  /// The codes return to the seed.
  input  logic        seed_i,
  input  logic [31:0] code_end_i,
  /// A program ends, so far without an error.
  input  logic        judged_i,
  /// A cycle behind the codes, for the end of a program; at once, for the release of a result.
  output logic        outcome_ok_o,
  output logic        outcome_now_o,

  output logic        fault_o,
  output logic        faulty_o,
  /// Copies differed in the cycle before.
  output logic        copies_bad_o,
  /// A wipe exceeds its cycles.
  output logic        late_o,
  /// A command exceeds its cycles: from the next cycle on; in its first cycle.
  output logic        lost_o,
  output logic        lost_event_o
);

  logic [WatchdogBits-1:0] watchdog_q;  // of the step
  logic [WatchdogBits+1:0] total_q;     // of the program, then of the wipe
  logic                    step_late_q, total_late_q;  // they were full in the cycle before
  logic [WatchdogBits+3:0] deadline_q;  // of the command with its wipes
  logic                    lost_q;
  logic [31:0]             code_first_q, code_second_q;
  logic                    fault_q, fault_copy_q;
  logic                    checked_q, rewrites;  // a check was made; the result changed after it
  logic                    copies_bad_q, outcome_ok_q;
  logic [7:0]              seen;        // by tags

  always_comb begin
    unique case (condition_i)
      IfLess:     holds_o = borrow_i;
      IfNotLess:  holds_o = !borrow_i;
      IfEqual:    holds_o = !nonzero_i;
      IfNotEqual: holds_o = nonzero_i;
      IfOdd:      holds_o = odd_i;
      IfLength:   holds_o = length_ok_i;
      IfTurns:    holds_o = turns_ok_i;
      default:    holds_o = 1'b1;
    endcase
  end

  always_comb begin
    seen                 = '0;
    seen[GuardIntegrity] = running_i && integrity_i;
    seen[GuardCopies]    = copies_bad_q;
    seen[GuardStep]      = running_i && step_late_q;
    seen[GuardProgram]   = running_i && total_late_q;
    seen[GuardCheck]     = words_end_i && !holds_o && condition_error_i == ErrFault;
    seen[GuardOutcome]   = (judged_i && !outcome_ok_o) || (running_i && rewrites);
    seen[GuardWipe]      = after_i && total_late_q;
    seen[GuardDeadline]  = (&deadline_q) && !lost_q;
  end

  assign rewrites      = result_write_i && checked_q;
  assign fault_o       = (running_i && (integrity_i || step_late_q || total_late_q || rewrites)) ||
                         copies_bad_q;
  assign faulty_o      = fault_q || !fault_copy_q;
  assign late_o        = seen[GuardWipe];
  assign lost_event_o  = seen[GuardDeadline];
  assign lost_o        = lost_q;
  assign outcome_ok_o  = outcome_ok_q;
  assign outcome_now_o = code_first_q == code_end_i && code_second_q == code_end_i;
  assign copies_bad_o  = copies_bad_q;

  // Read by the campaign of faults alone.
  logic unused_seen;
  assign unused_seen = ^seen;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      watchdog_q    <= '0;
      total_q       <= '0;
      step_late_q   <= 1'b0;
      total_late_q  <= 1'b0;
      deadline_q    <= '0;
      lost_q        <= 1'b0;
      fault_q       <= 1'b0;
      fault_copy_q  <= 1'b1;
      code_first_q  <= '0;
      code_second_q <= '0;
      checked_q     <= 1'b0;
      copies_bad_q  <= 1'b0;
      outcome_ok_q  <= 1'b0;
    end else begin
      copies_bad_q <= running_i && !copies_ok_i;
      // The last check ends cycles before the program.
      outcome_ok_q <= outcome_now_o;
      if (!running_i || fetch_i) watchdog_q <= '0;
      else if (!random_waits_i) watchdog_q <= watchdog_q + WatchdogBits'(1);
      step_late_q  <= running_i && !fetch_i && (&watchdog_q);
      total_late_q <= !rest_i && !end_i && (&total_q);
      if (rest_i || end_i) total_q <= '0;
      else if (!random_waits_i && !(&total_q)) total_q <= total_q + (WatchdogBits + 2)'(1);
      if (!occupied_i) deadline_q <= '0;
      else if (!random_waits_i) deadline_q <= deadline_q + (WatchdogBits + 4)'(1);
      if (lost_event_o) lost_q <= 1'b1;
      fault_q      <= fault_o;
      fault_copy_q <= !fault_o;
      if (seed_i) begin
        code_first_q  <= CodeSeed;
        code_second_q <= CodeSeed;
        checked_q     <= 1'b0;
      end else if (words_end_i) begin
        if (code_i == CodeFirst) checked_q <= 1'b1;
        if (code_i == CodeFirst) code_first_q <= holds_o ? code_step(code_first_q) : '0;
        if (code_i == CodeSecond) code_second_q <= holds_o ? code_step(code_second_q) : '0;
      end
    end
  end

endmodule
