// SPDX-License-Identifier: Apache-2.0
//
// Semi-carry-save Montgomery multiplier ("MSCS-MM") whose one-level carry-save adder also does
// D = B + N and the format conversion.
//
// Source:   Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 7(a) (algorithm), Fig. 7(b) (datapath).
// Computes: p = a * b * R^-1 mod n, R = 2^(Width+2).
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2n (closed).
// Latency:  data dependent: max(1, L1) + Width + 2 + L2 cycles, L1 and L2 the half-adder rows that
//           b + n and the final pair need (up to Width + 2 and Width + 1); rsp_valid_o one later.
// Constant time: no; L1 depends on b and n, L2 on the result.
//
// Phase    cycles           ss_q, sc_q (after the phase's edges)   b_q, n_q, d_q   a_q
// Idle     -                last result, 0                         b, n loaded     a loaded
// Add      1                B + N as a carry-save pair             b, n            a
// Resolve  until SC = 0     D = B + N, 0; last cycle is i = 0      d_q: SS         a
// Loop     Width + 1        S[i+1] < 3n as a carry-save pair       b, n, D         a >> i
// Convert  until SC = 0     the result, 0                          -               -
// Done     until taken      the result, 0                          -               -
//
// Changed: iteration 0 shares the cycle that detects SC = 0, so that steps 4 and 5 take no cycle
// and the zero detector is not in series with the multiplexers. S[1] is 0, B / 2 or D / 2, which M1
// and M2 select in the next cycle from b_q and from ss_q, where D still is. The adder's output is
// always halved; in phases without a division M1 and M2 feed twice the operands. A_i and q_i are
// found one cycle ahead, as the paper's section III-A says.
// Widths: D < 3n has Width+2 bits, twice D Width+3. In the loop the pair has bits Width:0, and one
// row with D, the only vector with bit Width+1, produces no carry out of that bit.

module mf_mscs_mm #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,

  localparam int unsigned OperandW = Width + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [Width-1:0]    n_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_mscs_mm: Width must be 3 to 8192");
  end

  localparam int unsigned StateW = Width + 2;
  localparam int unsigned AdderW = Width + 3;
  localparam int unsigned Loops  = Width + 1;  // iterations 1 to Width+1
  localparam int unsigned CountW = $clog2(Loops);

  typedef enum logic [2:0] {StIdle, StAdd, StResolve, StLoop, StConvert, StDone} phase_e;

  phase_e              phase_d, phase_q;
  logic                last_cycle;  // of StLoop
  logic                enters_loop, stays_in_loop;

  // Selections of M1, M2 and M3 in this cycle: registered, since each drives the whole width.
  logic                select_operand_q, select_twice_q, select_pair_q;
  logic                select_half_d_q, select_half_b_q;
  logic                multiplier_bit_d, multiplier_bit_q;
  logic                quotient_digit_d, quotient_digit_q;

  logic [OperandW-1:0] a_q, b_q;
  logic [Width-1:0]    n_q;
  logic [StateW-1:0]   d_q, ss_q, sc_q;

  // ---------------------------------------------------------------- datapath (Fig. 7(b))

  logic [AdderW-1:0] s, c, x, sum, carry;
  logic              carry_is_zero;

  mf_one_hot_mux #(.Width(AdderW), .Inputs(4)) u_m1 (
    .select_i({select_operand_q, select_twice_q, select_pair_q, select_half_b_q}),
    .data_i  ({AdderW'({n_q, 1'b0}), {sc_q, 1'b0}, {1'b0, sc_q}, AdderW'(b_q >> 1)}),
    .data_o  (c)
  );

  mf_one_hot_mux #(.Width(AdderW), .Inputs(4)) u_m2 (
    .select_i({select_operand_q, select_twice_q, select_pair_q, select_half_d_q}),
    .data_i  ({AdderW'({b_q, 1'b0}), {ss_q, 1'b0}, {1'b0, ss_q}, AdderW'(ss_q >> 1)}),
    .data_o  (s)
  );

  mf_sm3 #(.Width(AdderW)) u_m3 (
    .a_i(multiplier_bit_q),
    .q_i(quotient_digit_q),
    .n_i(AdderW'(n_q)),
    .b_i(AdderW'(b_q)),
    .d_i(AdderW'(d_q)),
    .x_o(x)
  );

  mf_full_adder_row #(.Width(AdderW)) u_csa (
    .s_i    (s),
    .c_i    (c),
    .x_i    (x),
    .sum_o  (sum),
    .carry_o(carry)
  );

  mf_zero_detector #(.Width(StateW)) u_zero_d (
    .vector_i(sc_q), .zero_o(carry_is_zero)
  );

  always_ff @(posedge clk_i) begin
    ss_q <= sum[AdderW-1:1];
    sc_q <= carry[AdderW-1:1];
    if (phase_q == StResolve) d_q <= ss_q;
    if (phase_q == StIdle) begin
      a_q <= a_i;
      b_q <= b_i;
      n_q <= n_i;
    end else if (phase_q == StLoop) begin
      a_q <= a_q >> 1;
    end
  end

  // ---------------------------------------------------------------- quotient (Q_L)

  // In the cycle of iteration i: A_(i+1), and q_(i+1) from the lowest bit of S[i+1].
  logic s_next_lsb;
  always_comb begin
    if (phase_q == StLoop) begin
      multiplier_bit_d = a_q[2];
      s_next_lsb       = sum[1] ^ carry[1];
    end else begin
      multiplier_bit_d = a_q[1];
      s_next_lsb       = a_q[0] & (b_q[0] ? ss_q[1] : b_q[1]);
    end
    quotient_digit_d = s_next_lsb ^ (multiplier_bit_d & b_q[0]);
  end

  // ---------------------------------------------------------------- control

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:    if (req_valid_i) phase_d = StAdd;
      StAdd:     phase_d = StResolve;
      StResolve: if (carry_is_zero) phase_d = StLoop;
      StLoop:    if (last_cycle) phase_d = StConvert;
      StConvert: if (carry_is_zero) phase_d = StDone;
      StDone:    if (rsp_ready_i) phase_d = StIdle;
      default:   phase_d = StIdle;
    endcase
  end

  assign enters_loop   = (phase_q == StResolve) && (phase_d == StLoop);
  assign stays_in_loop = (phase_q == StLoop) && (phase_d == StLoop);

  mf_countdown #(.CountW(CountW)) u_countdown (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .load_i (phase_q != StLoop),
    .after_i(CountW'(Loops - 1)),
    .last_o (last_cycle)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q          <= StIdle;
      select_operand_q <= 1'b0;
      select_twice_q   <= 1'b1;
      select_pair_q    <= 1'b0;
      select_half_d_q  <= 1'b0;
      select_half_b_q  <= 1'b0;
      multiplier_bit_q <= 1'b0;
      quotient_digit_q <= 1'b0;
    end else begin
      phase_q          <= phase_d;
      select_operand_q <= phase_d == StAdd;
      select_twice_q   <= (phase_d != StAdd) && (phase_d != StLoop);
      select_pair_q    <= stays_in_loop;
      select_half_d_q  <= enters_loop && a_q[0] && b_q[0];
      select_half_b_q  <= enters_loop && a_q[0] && !b_q[0];
      multiplier_bit_q <= (phase_d == StLoop) && multiplier_bit_d;
      quotient_digit_q <= (phase_d == StLoop) && quotient_digit_d;
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = ss_q[OperandW-1:0];

  // Dropped: 0 by the choice of the quotient digit, or because the operands are even.
  logic unused_lsbs;
  assign unused_lsbs = ^{sum[0], carry[0]};

endmodule
