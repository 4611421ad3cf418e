// SPDX-License-Identifier: Apache-2.0
//
// Digit-serial Montgomery multiplier with parallel ports: mf_eberle with registers of the operands,
// which turn by a digit when it is taken. Lazy = 0: the register of a takes the result of a final
// subtraction.
//
// Computes, takes, parameters: mf_eberle.
// Contract: n odd, 3 <= n < 2^Width. Closed form both ways:
//           Lazy = 1: R >= 2^(Width+2), a, b, p < 2n. Lazy = 0: R >= 2^Width, a, b, p < n.
// Latency:  2 K^2 + K cycles (Lazy = 1), one more for the final subtraction (Lazy = 0).
// Constant time: yes. The subtraction is always executed.

module mf_eberle_par #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,
  /// Digits; 2 to 128.
  parameter int unsigned K     = 4,
  /// Operands and results below 2n, without a subtraction.
  parameter bit          Lazy  = 1'b1,

  localparam int unsigned Needed    = (Width + (Lazy ? 2 : 0) + K - 1) / (K == 0 ? 1 : K),
  localparam int unsigned DigitBits = Needed < 2 ? 2 : Needed,
  localparam int unsigned OperandW  = Lazy ? Width + 1 : Width
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 req_valid_i,
  output logic                 req_ready_o,
  input  logic [OperandW-1:0]  a_i,
  input  logic [OperandW-1:0]  b_i,
  input  logic [Width-1:0]     n_i,
  input  logic [DigitBits-1:0] n0_prime_i,

  output logic                 rsp_valid_o,
  input  logic                 rsp_ready_i,
  output logic [OperandW-1:0]  p_o
);

  localparam int unsigned RBits = K * DigitBits;

  typedef enum logic [1:0] {StIdle, StRun, StDone} phase_e;

  phase_e               phase_d, phase_q;
  logic                 core_ready, a_taken, b_taken, n_taken, p_valid;
  logic [DigitBits-1:0] n0_prime_q;
  logic [RBits:0]       p;
  logic [RBits-1:0]     a_q, b_q, n_q;

  mf_eberle #(.Width(Width), .K(K), .Lazy(Lazy)) u_core (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid_i && phase_q == StIdle),
    .req_ready_o(core_ready),
    .a_taken_o  (a_taken),
    .a_digit_i  (a_q[DigitBits-1:0]),
    .b_taken_o  (b_taken),
    .b_digit_i  (b_q[DigitBits-1:0]),
    .n_taken_o  (n_taken),
    .n_digit_i  (n_q[DigitBits-1:0]),
    .n0_prime_i (n0_prime_q),
    .p_valid_o  (p_valid),
    .p_next_i   (1'b0),
    .p_o        (p)
  );

  // ---------------------------------------------------------------- result

  logic             subtracted;
  logic [RBits-1:0] result;

  if (Lazy) begin : gen_lazy
    assign subtracted  = 1'b0;
    assign result      = p[RBits-1:0];
    assign rsp_valid_o = phase_q == StRun && p_valid;
    assign p_o         = p[OperandW-1:0];

    // The result is below 2n, and R >= 4n.
    logic unused_result;
    assign unused_result = ^p[RBits:OperandW];
  end else begin : gen_subtract
    logic [RBits+1:0] difference;
    assign difference  = {1'b0, p} - {2'b00, n_q};
    assign subtracted  = phase_q == StRun && p_valid;
    assign result      = difference[RBits+1] ? p[RBits-1:0] : difference[RBits-1:0];
    assign rsp_valid_o = phase_q == StDone;
    assign p_o         = a_q[OperandW-1:0];

    // A difference that is kept is below n.
    logic unused_difference;
    assign unused_difference = difference[RBits];
  end

  // ---------------------------------------------------------------- control

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:  if (req_valid_i) phase_d = StRun;
      StRun: begin
        if (subtracted) phase_d = StDone;
        else if (rsp_valid_o && rsp_ready_i) phase_d = StIdle;
      end
      StDone:  if (rsp_ready_i) phase_d = StIdle;
      default: phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) phase_q <= StIdle;
    else phase_q <= phase_d;
  end

  // ---------------------------------------------------------------- registers

  always_ff @(posedge clk_i) begin
    if (phase_q == StIdle) begin
      a_q        <= RBits'(a_i);
      b_q        <= RBits'(b_i);
      n_q        <= RBits'(n_i);
      n0_prime_q <= n0_prime_i;
    end else begin
      if (subtracted) a_q <= result;
      else if (a_taken) a_q <= {a_q[DigitBits-1:0], a_q[RBits-1:DigitBits]};
      if (b_taken) b_q <= b_q >> DigitBits;
      if (n_taken) n_q <= {n_q[DigitBits-1:0], n_q[RBits-1:DigitBits]};
    end
  end

  assign req_ready_o = phase_q == StIdle;

  // The core is ready in StIdle.
  logic unused_ready;
  assign unused_ready = core_ready;

endmodule
