// SPDX-License-Identifier: Apache-2.0
//
// Operand selection of mf_rmm: the plan's digits enter the operand registers of the multipliers.
//
// A line is a digit of a context's operand in a phase. Each multiplier has a multiplexer of the
// lines that the plan gives it, selected by one-hot registers, and a register behind it:
//   step s - 1  the select registers take what the plan says of step s,
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

  // Steps in which a multiplier's first (second) operand comes from each line.
  function automatic logic [Lines-1:0][Period-1:0] steps_of(int unsigned slot, bit second);
    logic [Lines-1:0][Period-1:0] steps;
    issue_t                       issue;
    int unsigned                  line;
    for (int unsigned l = 0; l < Lines; l++) steps[l] = '0;
    for (int unsigned t = 0; t < Steps; t++) begin
      issue = issue_t'(Plan[t][slot]);
      line  = (32'(issue.owner) * 3 + 32'(issue.phase) - 1) * K +
              (second ? 32'(issue.j) : 32'(issue.i));
      if (issue.phase != PhaseNone) steps[line][t] = 1'b1;
    end
    return steps;
  endfunction

  // The lines that a multiplier has, lowest first, and above them their number.
  function automatic logic [Lines:0][7:0] lines_of(logic [Lines-1:0][Period-1:0] steps);
    logic [Lines:0][7:0] lines;
    lines = '0;
    for (int unsigned line = 0; line < Lines; line++) begin
      if (steps[line] != '0) begin
        lines[32'(lines[Lines])] = 8'(line);
        lines[Lines]             = lines[Lines] + 8'd1;
      end
    end
    return lines;
  endfunction

  logic [1:0][Lines-1:0][DigitBits-1:0] digits;
  assign digits = {y_digits_i, x_digits_i};

  logic [1:0][M-1:0][DigitBits-1:0] operand_q;
  assign {y_o, x_o} = operand_q;

  for (genvar s = 0; s < M; s++) begin : gen_multiplier
    for (genvar o = 0; o < 2; o++) begin : gen_operand
      localparam logic [Lines-1:0][Period-1:0] LineSteps = steps_of(s, o == 1);
      localparam logic [Lines:0][7:0]          Used      = lines_of(LineSteps);
      localparam int unsigned                  Inputs    = 32'(Used[Lines]);

      if (Inputs == 0) begin : gen_idle
        assign operand_q[o][s] = '0;
      end else begin : gen_select
        logic [Inputs-1:0]                select_q;
        logic [Inputs-1:0][DigitBits-1:0] inputs;
        logic [DigitBits-1:0]             selected;

        for (genvar n = 0; n < Inputs; n++) begin : gen_input
          localparam int unsigned       Line      = 32'(Used[n]);
          localparam logic [Period-1:0] ItsSteps  = LineSteps[Line];
          localparam int unsigned       Owner     = Line / (3 * K);
          always_ff @(posedge clk_i or negedge rst_ni) begin
            if (!rst_ni) select_q[n] <= 1'b0;
            else select_q[n] <= ItsSteps[next_step_i] & next_issuing_i[Owner];
          end
          assign inputs[n] = digits[o][Line];
        end

        mf_one_hot_mux #(.Width(DigitBits), .Inputs(Inputs)) u_mux (
          .select_i(select_q),
          .data_i  (inputs),
          .data_o  (selected)
        );
        always_ff @(posedge clk_i) operand_q[o][s] <= selected;
      end
    end
  end

  // Digits that no product reads.
  logic unused_digits;
  assign unused_digits = ^digits;

endmodule
