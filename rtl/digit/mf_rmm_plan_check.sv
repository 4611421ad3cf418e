// SPDX-License-Identifier: Apache-2.0
//
// Stops elaboration if the plan of mf_rmm is not complete or not possible. No hardware.
//
// Complete: each product of each operation is issued in one step by one multiplier, and nothing
//           else is.
// Possible: operation 0 begins in step 0; T[e] (Q[e]) is an operand at the earliest OperandLatency
//           steps after the last product of T (of Q) of the columns up to e; no product of Q is
//           issued after a step with one of U, since U may be added on top of T; and with two
//           operations Turnaround steps lie between the last product of one and the first of the
//           next in its context.

module mf_rmm_plan_check #(
  /// Digits; 2 to 16.
  parameter int unsigned K              = 2,
  /// Digit multipliers; 1 to K*K.
  parameter int unsigned M              = 1,
  /// Interleaved operations; 1 or 2.
  parameter int unsigned Contexts       = 1,
  /// Lowest column of U that is computed.
  parameter int unsigned Kept           = 0,
  /// Steps from the issue of a product until its sum can be an operand.
  parameter int unsigned OperandLatency = 2,
  /// Steps that must lie between an operation's last issue and the next one's first.
  parameter int unsigned Turnaround     = 4,
  /// Steps of the plan.
  parameter int unsigned Steps          = 1,
  /// Products by step and multiplier.
  parameter logic [Steps-1:0][M-1:0][mf_rmm_pkg::IssueW-1:0] Plan = '0
) ();

  import mf_rmm_pkg::*;

  // Products of one operation.
  localparam int unsigned Products = 2 * K * K + K * (K + 1) / 2 - Kept * (Kept + 1) / 2;

  typedef enum int unsigned {
    Complete, ForeignProduct, SecondTime, OperandNotFinal, QAfterU, Missing, LateStart, NoTurnaround
  } verdict_e;

  // Phases are numbered from 0 here: T, Q, U.
  function automatic int unsigned verdict();
    logic [Contexts-1:0][2:0][15:0][15:0] seen;
    logic [Contexts-1:0][1:0][15:0][7:0]  missing;       // products a digit of T, Q waits for
    logic [Contexts-1:0][1:0][15:0][15:0] final_at;
    logic [Contexts-1:0][1:0][7:0]        final_digits;
    logic [Contexts-1:0]                  u_before, u_now;
    logic [Contexts-1:0][15:0]            issued, first, last;
    issue_t                               issue;
    int unsigned                          c, f, i, j, found;

    found        = Complete;
    seen         = '0;
    final_at     = '0;
    final_digits = '0;
    u_before     = '0;
    u_now        = '0;
    issued       = '0;
    first        = '0;
    last         = '0;
    missing      = '0;
    for (int unsigned d = 0; d < Contexts; d++) begin
      for (int unsigned e = 0; e < K; e++) begin
        missing[d][0][e] = 8'(e + 1);
        missing[d][1][e] = 8'(e + 1);
      end
    end

    for (int unsigned t = 0; t < Steps; t++) begin
      for (int unsigned s = 0; s < M; s++) begin
        issue = issue_t'(Plan[t][s]);
        if (found == Complete && issue.phase != PhaseNone) begin
          c = 32'(issue.owner);
          f = 32'(issue.phase) - 1;
          i = 32'(issue.i);
          j = 32'(issue.j);
          if (c >= Contexts || i >= K || j >= K || (f == 1 && i + j >= K) ||
              (f == 2 && int'(i + j) < int'(Kept))) begin
            found = ForeignProduct;
          end else if (seen[c][f][i][j]) begin
            found = SecondTime;
          end else if (f != 0 && (i >= 32'(final_digits[c][f-1]) ||
                                  32'(final_at[c][f-1][i]) + OperandLatency > t)) begin
            found = OperandNotFinal;
          end else if (f == 1 && u_before[c]) begin
            found = QAfterU;
          end else begin
            seen[c][f][i][j] = 1'b1;
            if (f != 2 && i + j < K) missing[c][f][i+j] = missing[c][f][i+j] - 8'd1;
            if (f == 2) u_now[c] = 1'b1;
            if (issued[c] == '0) first[c] = 16'(t);
            last[c]   = 16'(t);
            issued[c] = issued[c] + 16'd1;
          end
        end
      end
      u_before = u_now;
      for (int unsigned d = 0; d < Contexts; d++) begin
        for (int unsigned p = 0; p < 2; p++) begin
          for (int unsigned e = 0; e < K; e++) begin
            if (e == 32'(final_digits[d][p]) && missing[d][p][e] == '0) begin
              final_at[d][p][e]  = 16'(t);
              final_digits[d][p] = final_digits[d][p] + 8'd1;
            end
          end
        end
      end
    end

    for (int unsigned d = 0; d < Contexts; d++) begin
      if (found == Complete && 32'(issued[d]) != Products) found = Missing;
      if (found == Complete && Contexts == 2 &&
          32'(last[d]) + Turnaround >= Steps + 32'(first[d])) found = NoTurnaround;
    end
    if (found == Complete && first[0] != '0) found = LateStart;
    return found;
  endfunction

  localparam int unsigned Verdict = verdict();

  if (Verdict == ForeignProduct) begin : gen_foreign_product
    $fatal(1, "mf_rmm: Plan has a product that an operation does not have");
  end else if (Verdict == SecondTime) begin : gen_second_time
    $fatal(1, "mf_rmm: Plan has a product twice");
  end else if (Verdict == OperandNotFinal) begin : gen_operand_not_final
    $fatal(1, "mf_rmm: Plan reads a digit of T or Q before it is final");
  end else if (Verdict == QAfterU) begin : gen_q_after_u
    $fatal(1, "mf_rmm: Plan has a product of Q after one of U");
  end else if (Verdict == Missing) begin : gen_missing
    $fatal(1, "mf_rmm: Plan is not complete: it must have each product of each operation");
  end else if (Verdict == LateStart) begin : gen_late_start
    $fatal(1, "mf_rmm: Plan must begin with a product of operation 0");
  end else if (Verdict == NoTurnaround) begin : gen_no_turnaround
    $fatal(1, "mf_rmm: Plan leaves too few steps between two operations of a context");
  end

endmodule
