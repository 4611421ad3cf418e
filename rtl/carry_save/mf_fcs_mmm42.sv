// SPDX-License-Identifier: Apache-2.0
//
// Full-carry-save Montgomery multiplier ("FCS-MMM42"): operands and result are carry-save pairs, a
// four-to-two carry-save adder does an iteration, and iterations that add nothing are skipped.
//
// Source:   Kuang et al., IEEE TVLSI 21(11), 2013, reconstructed from Kuang, Wu, Lu, IEEE TVLSI
//           24(2), 2016.
// Computes: p = a * b * R^-1 mod n; a = a_s_i + a_c_i, and so for b and p.
// Takes:    n_hat_i = n + 1 if n mod 4 = 3, else 3n + 1 (its two lowest bits are 0), instead of n.
// Contract: Closed = 1: R = 2^(Width+4), 0 <= a, b, p < 4n, closed for every odd n.
//           Closed = 0: R = 2^(Width+2), 0 <= a, b < 2n; p < 2n if n mod 4 = 3, but p < 4n if
//           n mod 4 = 1, which can't be fed back. a, b, p are the sums of their pairs.
// Latency:  data dependent, 0.8 Width + 5 cycles on average.
// Constant time: no. The number of skipped additions depends on a, b and n.
//
// Phase   cycles        ss_q, sc_q (after the phase's edges)   bs_q, bc_q, n_hat_q   ds_q, dc_q
// Idle    -             -                                      operands are loaded   -
// Add     1             -                                      B-hat = 8b, N-hat     B-hat + N-hat
// Loop    i = -1..last  S[i+1] before its shift                B-hat, N-hat          D-hat
// Done    until taken   the result before its shift            -                     -
//
// Bits 3:1 of the adder's carry vector are 0, since the two lowest bits of both added vectors and
// bit 2 of the second are 0. So the two lowest bits of the carry vector are 0 after any shift, and
// q is the lowest bit of the sum vector. M1 and M2 shift the result and drive the outputs. The last
// skip is masked (mf_skip_detector).
// Widths: OperandW = bits of a, b. The pair after the shift, B-hat, N-hat and D-hat have OperandW+3
// bits (DS, DC: as BS + BC < 2^OperandW); of the two rows only the first one's carry reaches
// another bit, so none leaves it.

module mf_fcs_mmm42 #(
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
  input  logic [OperandW-1:0] a_s_i,
  input  logic [OperandW-1:0] a_c_i,
  input  logic [OperandW-1:0] b_s_i,
  input  logic [OperandW-1:0] b_c_i,
  input  logic [NHatW-1:0]    n_hat_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [ResultW-1:0]  p_s_o,
  output logic [ResultW-1:0]  p_c_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_fcs_mmm42: Width must be 3 to 8192");
  end

  localparam int unsigned HatW          = OperandW + 3;
  localparam int unsigned StateW        = OperandW + 4;
  localparam int unsigned LastIteration = Closed ? Width + 6 : Width + 4;
  localparam int unsigned CountW        = $clog2(LastIteration + 2);

  typedef enum logic [1:0] {StIdle, StAdd, StLoop, StDone} phase_e;

  phase_e              phase_d, phase_q;
  logic                stays_in_loop;
  logic [CountW-1:0]   left_d, left_q;  // iterations after the present one
  logic                last_iteration_d, last_iteration_q;
  logic                last_but_one_d, last_but_one_q;

  // Selections of the multiplexers in this cycle: registered, since each drives the whole width.
  logic                select_operand_q, select_shift1_q, select_shift2_q;
  logic [1:0]          select_q;  // of the next state: the present one, the sum
  logic                skip_d;
  logic                quotient_digit_d, quotient_digit_q;
  logic                multiplier_bit_d, multiplier_bit_q;

  logic [OperandW-1:0] bs_q, bc_q;
  logic [NHatW-1:2]    n_hat_q;     // bits 1:0 are 0
  logic [HatW-1:2]     ds_q, dc_q;  // bits 1:0 are 0
  logic [StateW-1:0]   ss_q, sc_q;

  // ---------------------------------------------------------------- datapath

  logic [StateW-1:0] bs_hat, bc_hat, n_hat, s, c, x1, x2, sum1, carry1, sum2, carry2;

  assign bs_hat = {1'b0, bs_q, 3'b000};
  assign bc_hat = {1'b0, bc_q, 3'b000};
  assign n_hat  = StateW'({n_hat_q, 2'b00});

  mf_operand_mux #(.Width(StateW)) u_m1_m2 (
    .select_i ({select_shift2_q, select_shift1_q, 1'b0, select_operand_q}),
    .operand_i({bc_hat, bs_hat}),
    .state_i  ({sc_q, ss_q}),
    .state_o  ({c, s})
  );

  mf_sm3 #(.Width(StateW)) u_mux_s (
    .a_i(multiplier_bit_q),
    .q_i(quotient_digit_q),
    .n_i(n_hat),
    .b_i(bs_hat),
    .d_i({1'b0, ds_q, 2'b00}),
    .x_o(x1)
  );

  mf_sm3 #(.Width(StateW)) u_mux_c (
    .a_i(multiplier_bit_q),
    .q_i(quotient_digit_q),
    .n_i('0),
    .b_i(bc_hat),
    .d_i({1'b0, dc_q, 2'b00}),
    .x_o(x2)
  );

  mf_full_adder_row #(.Width(StateW)) u_row1 (
    .s_i    (s),
    .c_i    (c),
    .x_i    (x1),
    .sum_o  (sum1),
    .carry_o(carry1)
  );

  mf_full_adder_row #(.Width(StateW)) u_row2 (
    .s_i    (sum1),
    .c_i    (carry1),
    .x_i    (x2),
    .sum_o  (sum2),
    .carry_o(carry2)
  );

  logic [StateW-1:0] ss_d, sc_d;

  mf_one_hot_mux #(.Width(2 * StateW), .Inputs(2)) u_state (
    .select_i(select_q), .data_i({{ss_q, sc_q}, {sum2, carry2}}), .data_o({ss_d, sc_d})
  );

  // In StAdd A = 0 and q = 1: the first row adds B-hat, from M1 and M2, and N-hat.
  always_ff @(posedge clk_i) begin
    ss_q <= ss_d;
    sc_q <= sc_d;
    if (phase_q == StIdle) begin
      bs_q    <= b_s_i;
      bc_q    <= b_c_i;
      n_hat_q <= n_hat_i[NHatW-1:2];
    end
    if (phase_q == StAdd) begin
      ds_q <= sum1[HatW-1:2];
      dc_q <= carry1[HatW-1:2];
    end
  end

  // ---------------------------------------------------------------- multiplier bits and skipping

  logic a_next, a_after_next;

  mf_barrel_register_full_adder2 #(.Width(OperandW)) u_brfa (
    .clk_i       (clk_i),
    .load_i      (phase_q == StIdle),
    .s_i         (a_s_i),
    .c_i         (a_c_i),
    .step1_i     ((phase_q == StLoop) && !skip_d),
    .step2_i     ((phase_q == StAdd) || ((phase_q == StLoop) && skip_d)),
    .next_o      (a_next),
    .after_next_o(a_after_next)
  );

  // Lowest bits of the adder's inputs, without the wide multiplexers' load. They are 0 in
  // iteration -1, where nothing is selected; of the carry vector only bit 4 can be 1.
  logic [2:0] s_low;
  logic       c_bit2;
  assign s_low  = ({3{select_shift1_q}} & ss_q[3:1]) | ({3{select_shift2_q}} & ss_q[4:2]);
  assign c_bit2 = select_shift2_q & sc_q[4];

  mf_skip_detector u_skip_d (
    .s_i             (s_low),
    .c_i             ({c_bit2, 2'b00}),
    .n2_i            (n_hat_q[2]),
    .q_i             (quotient_digit_q),
    .a_next_i        (a_next),
    .a_after_next_i  (a_after_next),
    .last_iteration_i(last_iteration_q),
    .skip_o          (skip_d),
    .q_o             (quotient_digit_d),
    .a_o             (multiplier_bit_d)
  );

  // ---------------------------------------------------------------- control

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:  if (req_valid_i) phase_d = StAdd;
      StAdd:   phase_d = StLoop;
      StLoop:  if (last_iteration_q || (last_but_one_q && skip_d)) phase_d = StDone;
      StDone:  if (rsp_ready_i) phase_d = StIdle;
      default: phase_d = StIdle;
    endcase
  end

  assign stays_in_loop = (phase_q == StLoop) && (phase_d == StLoop);

  assign left_d           = skip_d ? left_q - CountW'(2) : left_q - CountW'(1);
  assign last_iteration_d = skip_d ? left_q == CountW'(2) : left_q == CountW'(1);
  assign last_but_one_d   = skip_d ? left_q == CountW'(3) : left_q == CountW'(2);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q          <= StIdle;
      left_q           <= '0;
      last_iteration_q <= 1'b0;
      last_but_one_q   <= 1'b0;
      select_operand_q <= 1'b0;
      select_shift1_q  <= 1'b0;
      select_shift2_q  <= 1'b0;
      select_q         <= '0;
      quotient_digit_q <= 1'b0;
      multiplier_bit_q <= 1'b0;
    end else begin
      phase_q          <= phase_d;
      left_q           <= (phase_q == StLoop) ? left_d : CountW'(LastIteration + 1);
      last_iteration_q <= stays_in_loop && last_iteration_d;
      last_but_one_q   <= stays_in_loop && last_but_one_d;
      select_operand_q <= phase_d == StAdd;
      if (phase_q != StDone) begin
        select_shift1_q <= (phase_q == StLoop) && !skip_d;
        select_shift2_q <= (phase_q == StLoop) && skip_d;
      end
      select_q         <= {phase_d == StDone, phase_d == StLoop};
      quotient_digit_q <= (phase_d == StAdd) || (stays_in_loop && quotient_digit_d);
      multiplier_bit_q <= stays_in_loop && multiplier_bit_d;
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_s_o       = s[ResultW-1:0];
  assign p_c_o       = c[ResultW-1:0];

  // N-hat is a multiple of 4.
  logic unused_n_hat_low;
  assign unused_n_hat_low = ^n_hat_i[1:0];

endmodule
