// SPDX-License-Identifier: Apache-2.0
//
// Semi-carry-save Montgomery multiplier ("SCS-MM-New") with a one-level configurable carry-save
// adder (mf_ccsa), which skips iterations that add nothing.
//
// Source:   Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 10 (algorithm), Fig. 11 (datapath).
// Computes: p = a * b * R^-1 mod n.
// Takes:    n_hat_i = n + 1 if n mod 4 = 3, else 3n + 1 (its two lowest bits are 0), instead of n.
// Contract: Closed = 1: R = 2^(Width+4), 0 <= a, b, p < 4n, closed for every odd n.
//           Closed = 0: R = 2^(Width+2), 0 <= a, b < 2n; p < 2n if n mod 4 = 3, but p < 4n if
//           n mod 4 = 1, which can't be fed back (the paper's form diverges there).
// Latency:  data dependent, 0.81 Width + 14 cycles on average; rsp_valid_o one cycle later.
// Constant time: no. The number of skipped additions depends on a, b and n, and the two format
//           conversions last as long as their longest carry chain.
//
// Phase     cycles          ss_q, sc_q (after the phase's edges)   b_q, n_hat_q, d_q, a_q
// Idle      -               0 from the second cycle on, 0          operands are loaded
// Add       1               B-hat + N-hat as a carry-save pair     B-hat = 8b, N-hat
// Resolve   until SC = 0    D-hat = B-hat + N-hat, 0               d_q: SS; last cycle is i = -1
// Loop      i = 0..last     S[i+1] before its shift                a_q: bits from i on
// Convert   until SC = 0    the result, 0                          -
// Done      until taken     the result, 0                          -
//
// Changed: the iteration i = -1 of Fig. 10, which only saves D-hat and finds the first skip, is
// merged into the cycle that detects SC = 0, so that the zero detector never lies before the
// multiplexers. Closed = 1 has two more iterations. The last skip is masked (mf_skip_detector).
// Half-adder rows of zero carries keep a result that waits without an enable. In the idle phase
// nothing is selected, and the pair becomes 0.

module mf_scs_mm_new #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width  = 256,
  /// Two more iterations, so that results are legal operands for every odd modulus.
  parameter bit          Closed = 1'b1,

  localparam int unsigned OperandW = Closed ? Width + 2 : Width + 1,
  localparam int unsigned ResultW  = Width + 2,
  localparam int unsigned NHatW    = Width + 2
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [NHatW-1:0]    n_hat_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [ResultW-1:0]  p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_scs_mm_new: Width must be 3 to 8192");
  end

  // 8 * b + n_hat: the pair never needs more bits than this sum.
  localparam int unsigned StateW        = OperandW + 4;
  localparam int unsigned LastIteration = Closed ? Width + 6 : Width + 4;
  localparam int unsigned CountW        = $clog2(LastIteration + 2);

  typedef enum logic [2:0] {StIdle, StAdd, StResolve, StLoop, StConvert, StDone} phase_e;

  // ---------------------------------------------------------------- registers

  phase_e              phase_d, phase_q;
  logic                enters_loop;
  // Iterations that follow the present one; before the loop the present one is i = -1.
  logic [CountW-1:0]   left_d, left_q;
  logic                last_iteration_d, last_iteration_q;
  logic                last_but_one_d, last_but_one_q;
  logic                first_convert_q;

  // Outcome of the skip detector in the previous iteration.
  logic                skip_d;
  logic                quotient_bit_d, quotient_bit_q;
  logic                multiplier_bit_d, multiplier_bit_q;

  // Selections of the multiplexers in this cycle: registered, since each drives the whole width.
  logic                full_adder_q;
  logic                select_operand_q, select_hold_q, select_shift1_q, select_shift2_q;
  logic                shift1_multiplier_q, shift2_multiplier_q;

  logic [OperandW-1:0] a_q;      // bit 0 is A[i'+1], i' the previous iteration
  logic [OperandW-1:0] b_q;
  logic [NHatW-1:2]    n_hat_q;  // bits 1:0 are 0
  logic [StateW-1:3]   d_q;      // bits 2:0 are those of N-hat
  logic [StateW-1:0]   ss_q, sc_q;

  // ---------------------------------------------------------------- datapath (Fig. 11)

  logic [StateW-1:0] b_hat, n_hat, d_hat, s, c, x, sum, carry;
  logic              carry_is_zero;
  logic              unused_overflow;  // StateW bits are enough

  assign b_hat = {1'b0, b_q, 3'b000};
  assign n_hat = StateW'({n_hat_q, 2'b00});
  assign d_hat = {d_q, n_hat_q[2], 2'b00};

  mf_operand_mux #(.Width(StateW)) u_m1_m2 (
    .select_i ({select_shift2_q, select_shift1_q, select_hold_q, select_operand_q}),
    .operand_i({n_hat, b_hat}),
    .state_i  ({sc_q, ss_q}),
    .state_o  ({c, s})
  );

  mf_sm3 #(.Width(StateW)) u_sm3 (
    .a_i(multiplier_bit_q),
    .q_i(quotient_bit_q),
    .n_i(n_hat),
    .b_i(b_hat),
    .d_i(d_hat),
    .x_o(x)
  );

  mf_ccsa #(.Width(StateW)) u_ccsa (
    .full_adder_i(full_adder_q),
    .s_i         (s),
    .c_i         (c),
    .x_i         (x),
    .carry_i     (1'b0),
    .sum_o       (sum),
    .carry_o     (carry),
    .overflow_o  (unused_overflow)
  );

  mf_zero_detector #(.Width(StateW)) u_zero_d (
    .vector_i(sc_q), .zero_o(carry_is_zero)
  );

  always_ff @(posedge clk_i) begin
    ss_q <= sum;
    sc_q <= carry;
    if (phase_q == StResolve) d_q <= ss_q[StateW-1:3];
    if (phase_q == StIdle) begin
      a_q     <= a_i;
      b_q     <= b_i;
      n_hat_q <= n_hat_i[NHatW-1:2];
    end else if (shift1_multiplier_q) begin
      a_q <= a_q >> 1;
    end else if (shift2_multiplier_q) begin
      a_q <= a_q >> 2;
    end
  end

  // ---------------------------------------------------------------- skipping (M4, M5, Fig. 12)

  // Lowest bits of the adder's inputs, without the wide multiplexers' load. They are 0 in
  // iterations -1 and 0 or 1 after it, where nothing is shifted.
  logic [2:0] s_low, c_low;
  assign s_low = ({3{select_shift1_q}} & ss_q[3:1]) | ({3{select_shift2_q}} & ss_q[4:2]);
  assign c_low = ({3{select_shift1_q}} & sc_q[3:1]) | ({3{select_shift2_q}} & sc_q[4:2]);

  // The multiplier register is shifted by an iteration one cycle later, as the pair is.
  logic a_next, a_after_next;
  always_comb begin
    unique case ({shift2_multiplier_q, shift1_multiplier_q})
      2'b01:   {a_after_next, a_next} = a_q[2:1];
      2'b10:   {a_after_next, a_next} = a_q[3:2];
      default: {a_after_next, a_next} = a_q[1:0];
    endcase
  end

  mf_skip_detector u_skip_d (
    .s_i             (s_low),
    .c_i             (c_low),
    .n2_i            (n_hat_q[2]),
    .q_i             (quotient_bit_q),
    .a_next_i        (a_next),
    .a_after_next_i  (a_after_next),
    .last_iteration_i(last_iteration_q),
    .skip_o          (skip_d),
    .q_o             (quotient_bit_d),
    .a_o             (multiplier_bit_d)
  );

  // ---------------------------------------------------------------- control

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:    if (req_valid_i) phase_d = StAdd;
      StAdd:     phase_d = StResolve;
      StResolve: if (carry_is_zero) phase_d = StLoop;
      StLoop:    if (last_iteration_q || (last_but_one_q && skip_d)) phase_d = StConvert;
      // The first cycle does the loop's last shift; only then is the pair the result's.
      StConvert: if (carry_is_zero && !first_convert_q) phase_d = StDone;
      StDone:    if (rsp_ready_i) phase_d = StIdle;
      default:   phase_d = StIdle;
    endcase
  end

  assign enters_loop = phase_d == StLoop;

  assign left_d           = skip_d ? left_q - CountW'(2) : left_q - CountW'(1);
  assign last_iteration_d = skip_d ? left_q == CountW'(2) : left_q == CountW'(1);
  assign last_but_one_d   = skip_d ? left_q == CountW'(3) : left_q == CountW'(2);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q             <= StIdle;
      first_convert_q     <= 1'b0;
      left_q              <= '0;
      last_iteration_q    <= 1'b0;
      last_but_one_q      <= 1'b0;
      quotient_bit_q      <= 1'b0;
      multiplier_bit_q    <= 1'b0;
      full_adder_q        <= 1'b0;
      select_operand_q    <= 1'b0;
      select_hold_q       <= 1'b0;
      select_shift1_q     <= 1'b0;
      select_shift2_q     <= 1'b0;
      shift1_multiplier_q <= 1'b0;
      shift2_multiplier_q <= 1'b0;
    end else begin
      phase_q             <= phase_d;
      first_convert_q     <= (phase_q == StLoop);
      left_q              <= enters_loop ? left_d : CountW'(LastIteration + 1);
      last_iteration_q    <= enters_loop && last_iteration_d;
      last_but_one_q      <= enters_loop && last_but_one_d;
      quotient_bit_q      <= enters_loop && quotient_bit_d;
      multiplier_bit_q    <= enters_loop && multiplier_bit_d;
      full_adder_q        <= (phase_d == StAdd) || enters_loop;
      select_operand_q    <= phase_d == StAdd;
      select_hold_q       <= !(phase_d inside {StIdle, StAdd}) && !enters_loop &&
                             (phase_q != StLoop);
      select_shift1_q     <= (phase_q == StLoop) && !skip_d;
      select_shift2_q     <= (phase_q == StLoop) && skip_d;
      shift1_multiplier_q <= enters_loop && !skip_d;
      shift2_multiplier_q <= enters_loop && skip_d;
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = ss_q[ResultW-1:0];

  // N-hat is a multiple of 4.
  logic unused_n_hat_low;
  assign unused_n_hat_low = ^n_hat_i[1:0];

endmodule
