// SPDX-License-Identifier: Apache-2.0
//
// Operand selection of mf_rmm: the plan's digits enter the operand registers of the multipliers.
//
// A line is a digit of a context's operand in a phase. Each multiplier has a multiplexer of the
// lines that the plan assigns to it, selected by one-hot registers, and a register behind it:
//   step s - 1  the select registers load the plan's row of step s,
//   step s      the selected digits enter x_o and y_o.

module mf_rmm_operands #(
  /// Digits; 2 to 16.
  parameter int unsigned K         = 2,
  /// Digit multipliers; 1 to K*K.
  parameter int unsigned M         = 1,
  /// Interleaved operations; 1 or 2.
  parameter int unsigned Contexts  = 1,
  /// Bits of a digit.
  parameter int unsigned DigitBits = 3,
  /// Steps of the plan.
  parameter int unsigned Steps     = 1,
  /// Steps after which it repeats; at least Steps.
  parameter int unsigned Period    = 2,
  /// Products by step and multiplier.
  parameter logic [Steps-1:0][M-1:0][mf_rmm_pkg::IssueW-1:0] Plan = '0,

  localparam int unsigned StepW = $clog2(Period)
) (
  input  logic                                           clk_i,
  input  logic                                           rst_ni,

  /// The next cycle's step, and whether the context's products are issued in it.
  input  logic [StepW-1:0]                               next_step_i,
  input  logic [Contexts-1:0]                            next_issuing_i,
  /// First operands of the phases T, Q, U by digits: A, T, Q.
  input  logic [Contexts-1:0][2:0][K-1:0][DigitBits-1:0] x_digits_i,
  /// Second operands: B, M', N.
  input  logic [Contexts-1:0][2:0][K-1:0][DigitBits-1:0] y_digits_i,

  output logic [M-1:0][DigitBits-1:0]                    x_o,
  output logic [M-1:0][DigitBits-1:0]                    y_o
);

  import mf_rmm_pkg::*;

  localparam int unsigned Lines = Contexts * 3 * K;

  // Plan of a multiplier, by steps, and for each bit of issue_t the steps in which the bit is 1.
  typedef logic [Steps-1:0][IssueW-1:0] issues_t;
  typedef logic [IssueW-1:0][Period-1:0] bits_t;

  function automatic issues_t issues_of(int unsigned slot);
    logic [Steps-1:0][M-1:0][IssueW-1:0] plan;
    issues_t                             issues;
    plan = Plan;  // once: a constant function of Verilator copies a parameter bit by bit
    for (int unsigned t = 0; t < Steps; t++) issues[t] = plan[t][slot];
    return issues;
  endfunction

  function automatic bits_t bits_of(issues_t issues);
    bits_t             bits;
    logic [Period-1:0] steps;
    for (int unsigned b = 0; b < IssueW; b++) begin
      steps = '0;
      for (int unsigned t = 0; t < Steps; t++) steps[t] = issues[t][b];
      bits[b] = steps;
    end
    return bits;
  endfunction

  // The lines that a multiplier's first (second) operand comes from, lowest first, and above them
  // their number.
  function automatic logic [Lines:0][7:0] lines_of(issues_t issues, bit second);
    logic [Lines:0][7:0] lines;
    logic [Lines-1:0]    left;
    issue_t              issue;
    left  = '0;
    lines = '0;
    for (int unsigned t = 0; t < Steps; t++) begin
      issue = issue_t'(issues[t]);
      if (issue.phase != PhaseNone) begin
        left[(32'(issue.owner) * 3 + 32'(issue.phase) - 1) * K +
             (second ? 32'(issue.j) : 32'(issue.i))] = 1'b1;
      end
    end
    while (left != '0) begin
      lines[32'(lines[Lines])] = 8'($clog2(left & (~left + Lines'(1))));  // the lowest
      lines[Lines]             = lines[Lines] + 8'd1;
      left                     = left & (left - Lines'(1));
    end
    return lines;
  endfunction

  // The steps in which an operand comes from a line.
  function automatic logic [Period-1:0] steps_of(bits_t bits, bit second, int unsigned line);
    logic [2:0][Period-1:0] phase;
    logic [3:0][Period-1:0] digit;
    phase = bits[IssueW-1 -: 3];
    digit = second ? bits[3:0] : bits[7:4];
    return same(phase[2], 1'(line / (3 * K))) & same(phase[1], line / K % 3 != 0) &
           same(phase[0], line / K % 3 != 1) & same(digit[3], 1'(line % K >> 3)) &
           same(digit[2], 1'(line % K >> 2)) & same(digit[1], 1'(line % K >> 1)) &
           same(digit[0], 1'(line % K));
  endfunction

  function automatic logic [Period-1:0] same(logic [Period-1:0] bits, logic wanted);
    return wanted ? bits : ~bits;
  endfunction

  logic [1:0][Lines-1:0][DigitBits-1:0] digits;
  assign digits = {y_digits_i, x_digits_i};

  logic [1:0][M-1:0][DigitBits-1:0] operand_q;
  assign {y_o, x_o} = operand_q;

  for (genvar s = 0; s < M; s++) begin : gen_multiplier
    localparam issues_t Issues = issues_of(s);
    localparam bits_t   Bits   = bits_of(Issues);

    for (genvar o = 0; o < 2; o++) begin : gen_operand
      localparam logic [Lines:0][7:0] Used   = lines_of(Issues, o == 1);
      localparam int unsigned         Inputs = 32'(Used[Lines]);

      if (Inputs == 0) begin : gen_idle
        assign operand_q[o][s] = '0;
      end else begin : gen_select
        logic [Inputs-1:0]                next_select;
        logic [Inputs-1:0][DigitBits-1:0] inputs;
        logic [DigitBits-1:0]             selected;

        for (genvar n = 0; n < Inputs; n++) begin : gen_input
          localparam int unsigned       Line     = 32'(Used[n]);
          localparam logic [Period-1:0] ItsSteps = steps_of(Bits, o == 1, Line);
          localparam int unsigned       Owner    = Line / (3 * K);
          assign next_select[n] = ItsSteps[next_step_i] & next_issuing_i[Owner];
          assign inputs[n]      = digits[o][Line];
        end

        mf_registered_select #(.Width(DigitBits), .Inputs(Inputs)) u_operand (
          .clk_i        (clk_i),
          .rst_ni       (rst_ni),
          .next_select_i(next_select),
          .data_i       (inputs),
          .data_o       (selected)
        );
        always_ff @(posedge clk_i) operand_q[o][s] <= selected;
      end
    end
  end

  // Digits that no product reads.
  logic unused_digits;
  assign unused_digits = ^digits;

endmodule
