// SPDX-License-Identifier: Apache-2.0
//
// Carry-save Montgomery multiplier of radix 4, 8, 16 or 64: in each iteration one compressor tree
// adds the multiples of b and n by a digit of a and a quotient digit, both Booth-recoded.
//
// Source:   Sassaw, Jimenez, Valencia, ICM 2010, Section III, Fig. 1 to 3. Not in the paper:
//           radix 16, the ones that complete negative multiples, the pending carry, the fold, the
//           number of digits, the conversion. Pipelined: after Orup, ARITH-12, 1995.
// Computes: p = a * b * R^-1 mod n, R = 2^(w m), w = log2(Radix),
//           m = ceil((Width + 2) / w), Pipelined: ceil((Width + 3) / w).
// Takes:    Pipelined: n-bar = (n n' + 1) / 2^(2w) beside n; n' = -n^-1 mod 2^(2w) in
//           [-2^(2w-1), 2^(2w-1)), so that |n-bar| < n / 2.
// Contract: n odd, 3 <= n < 2^Width; |a|, |b|, |p| < n (closed). Radix 64: binary, two's
//           complement. Else: pairs of a signed sum vector and an unsigned carry vector.
// Latency:  m + f cycles for all operands, Pipelined: m + 7 + f; f = 1, or for radix 64
//           ceil((Width + 1) / ConverterW), + 1 if Nonnegative. Interval: 2 more.
// Constant time: yes.
//
// Phase   cycles       s_q, c_q (after the phase's edges)              a_q
// Idle    -            not used                                        a without its lowest digit
// Loop    m            2^w S of the iteration, S < 2n                  remaining digits
// Tail    7, Pipelined 2^w p                                           -
// Finish  f            Radix 64: remaining words of p                  p (words enter at the top)
// Done    until taken  not used                                        p
//
// Iteration: S <- (S + d b + q n) / 2^w. The division is the shift at the start of the next
// cycle. |2^w S| <= 2^(2w) n / (2^w - 1) < 2^(StateW-2), and |p| < n / 4 + n 2^(w-1) / (2^w - 1).
// Pipelined: Y <- Y / 2^w + 2^w (d b + q n-bar), q being the lowest digit of the cycle before, so
// that Y = 2^w a b + n n' Q without a product for the quotient; |Y| < 2^(StateW-2). Y / 2^(w(m-1))
// is below 3/8 2^(2w) n; the tail divides it by 2^(2w) with two quotient digits for n itself:
//           hold, hold, add q n, shift, hold, hold, add q n
// (in the cycles of hold the digit is multiplied by -n^-1 and recoded), which leaves |p| < n.

module mf_booth_csa_core
  import mf_booth_pkg::*;
#(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width       = 256,
  /// 4, 8, 16 (operands and result are pairs) or 64 (they are binary).
  parameter int unsigned Radix       = 4,
  /// Quotient digits take effect one cycle after they were found.
  parameter bit          Pipelined   = 1'b0,
  /// Pairs: p + n is returned, 0 < p + n < 2n. Binary: n is added to a negative result.
  parameter bit          Nonnegative = 1'b0,
  /// Radix 64: bits of a word of the conversion to binary; 1 to 256.
  parameter int unsigned ConverterW  = 32,

  localparam int unsigned Vectors  = (Radix == 64) ? 1 : 2,
  localparam int unsigned OperandW = (Radix == 64) ? Width + 1 : Width + 3
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,

  input  logic                             req_valid_i,
  output logic                             req_ready_o,
  /// Pairs: 0 the sum vector, two's complement, 1 the carry vector, less than 2^(Width+1).
  input  logic [Vectors-1:0][OperandW-1:0] a_i,
  input  logic [Vectors-1:0][OperandW-1:0] b_i,
  input  logic [Width-1:0]                 n_i,
  /// n-bar, two's complement; 0 if not Pipelined.
  input  logic [Width-1:0]                 n_scaled_i,

  output logic                             rsp_valid_o,
  input  logic                             rsp_ready_i,
  output logic [Vectors-1:0][OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_booth_csa_core: Width must be 3 to 8192");
  end else if (Radix != 4 && Radix != 8 && Radix != 16 && Radix != 64) begin : gen_illegal_radix
    $fatal(1, "mf_booth_csa_core: Radix must be 4, 8, 16 or 64");
  end else if (ConverterW < 1 || ConverterW > 256) begin : gen_illegal_converter
    $fatal(1, "mf_booth_csa_core: ConverterW must be 1 to 256");
  end

  localparam bit          Binary     = Radix == 64;
  localparam int unsigned DigitW     = (Radix < 4 || Radix > 64) ? 2 : $clog2(Radix);
  localparam int unsigned Terms      = (DigitW + 1) / 2;
  localparam int unsigned Iterations = (Width + (Pipelined ? 3 : 2) + DigitW - 1) / DigitW;
  localparam int unsigned StateW     = Pipelined ? Width + 2 * DigitW + 2 : Width + DigitW + 3;
  localparam int unsigned ModulusW   = Pipelined ? Width + DigitW : Width + 1;
  localparam int unsigned Lateness   = Pipelined ? 0 : 5;  // of a quotient digit, in XOR gates

  localparam int unsigned WordW       = (ConverterW > Width + 1) ? Width + 1 : ConverterW;
  localparam int unsigned Words       = (Width + WordW) / WordW;
  localparam int unsigned ResultW     = Binary ? Words * WordW : OperandW;
  localparam int unsigned TailCycles  = 7;
  localparam int unsigned FinishCycles = Binary ? Words + 32'(Nonnegative) : 1;
  localparam int unsigned CountW      = $clog2(Iterations + TailCycles + FinishCycles);

  typedef enum logic [2:0] {StIdle, StLoop, StTail, StFinish, StDone} phase_e;

  // ---------------------------------------------------------------- registers

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] left_d, left_q;  // cycles of the phase after the present one
  logic              loading, iterates;
  logic              shift_q, hold_q, word_q, scaled_q, exact_q;

  logic [Vectors-1:0][ResultW-1:0] a_q, a_finish, b_q, b_finish;
  logic [Width-1:0]                n_q, n_finish;
  logic [StateW-1:0]               s_q, c_q;

  assign loading  = phase_q == StIdle;
  assign iterates = phase_d == StLoop;

  always_ff @(posedge clk_i) begin
    unique case (phase_q)
      StIdle: begin
        for (int unsigned v = 0; v < Vectors; v++) begin
          a_q[v] <= ResultW'((OperandW + DigitW)'(signed'(a_i[v])) >>> DigitW);
          b_q[v] <= ResultW'(b_i[v]);
        end
        n_q <= n_i;
      end
      StLoop: begin
        for (int unsigned v = 0; v < Vectors; v++) begin
          a_q[v] <= ResultW'((OperandW + DigitW)'(signed'(a_q[v][OperandW-1:0])) >>> DigitW);
        end
      end
      StFinish: begin
        a_q <= a_finish;
        b_q <= b_finish;
        n_q <= n_finish;
      end
      default: ;
    endcase
  end

  // ---------------------------------------------------------------- digits of a

  // The digit of the next iteration; the first one comes from the port.
  logic [DigitW-1:0] digit;
  logic              carry, carry_q, transfer_q;
  term_t [Terms-1:0] d, d_q;

  always_comb begin
    {carry, digit} = (DigitW + 1)'(carry_q);
    for (int unsigned v = 0; v < Vectors; v++) begin
      {carry, digit} += {1'b0, loading ? DigitW'(signed'(a_i[v])) : DigitW'(signed'(a_q[v]))};
    end
  end

  mf_booth_recoder #(.DigitW(DigitW)) u_recoder (
    .digit_i(digit), .transfer_i(transfer_q), .terms_o(d)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      carry_q    <= 1'b0;
      transfer_q <= 1'b0;
    end else begin
      carry_q    <= carry & iterates;
      transfer_q <= digit[DigitW-1] & iterates;
    end
  end

  always_ff @(posedge clk_i) d_q <= d & {$bits(d){iterates}};

  // ---------------------------------------------------------------- digits of the quotient

  logic                pending, one;
  term_t [Terms-1:0]   q;
  logic [ModulusW-1:0] modulus;

  if (Pipelined) begin : gen_late_quotient
    logic [ModulusW-1:0] modulus_q;

    mf_booth_late_quotient #(.DigitW(DigitW)) u_quotient (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .load_i    (loading),
      .shift_i   (shift_q),
      .scaled_i  (scaled_q),
      .exact_i   (exact_q),
      .n_i       (DigitW'(n_i)),
      .s_i       (s_q[2*DigitW-1:0]),
      .c_i       (c_q[2*DigitW-1:0]),
      .pending_o (pending),
      .one_o     (one),
      .terms_o   (q)
    );

    always_ff @(posedge clk_i) begin
      if (loading) begin
        modulus_q <= {n_scaled_i, {DigitW{1'b0}}};
      end else if (phase_q == StTail) begin
        modulus_q <= ModulusW'(n_q);
      end
    end

    assign modulus = modulus_q;
  end else begin : gen_quotient
    logic [DigitW-1:0] b_low;

    always_comb begin
      b_low = '0;
      for (int unsigned v = 0; v < Vectors; v++) b_low += DigitW'(signed'(b_i[v]));
    end

    mf_booth_quotient #(.DigitW(DigitW)) u_quotient (
      .clk_i     (clk_i),
      .load_i    (loading),
      .iterates_i(iterates),
      .n_i       (DigitW'(n_i)),
      .b_i       (b_low),
      .d_i       (digit + DigitW'(transfer_q)),
      .s_i       (s_q[2*DigitW-1:0]),
      .c_i       (c_q[2*DigitW-1:0]),
      .pending_o (pending),
      .terms_o   (q)
    );

    assign one     = 1'b0;
    assign modulus = {1'b0, n_q};

    logic unused_late;
    assign unused_late = ^{scaled_q, exact_q, n_scaled_i};
  end

  // ---------------------------------------------------------------- iteration

  logic [Vectors-1:0][OperandW-1:0] b;
  logic                             pending_next;

  for (genvar v = 0; v < Vectors; v++) begin : gen_b
    assign b[v] = b_q[v][OperandW-1:0];
  end

  mf_booth_accumulator #(
    .Width   (StateW),
    .DigitW  (DigitW),
    .Vectors (Vectors),
    .OperandW(OperandW),
    .ModulusW(ModulusW),
    .Offset  (Pipelined ? DigitW : 0),
    .Lateness(Lateness),
    .WordW   (Binary ? WordW : 0)
  ) u_accumulator (
    .clk_i         (clk_i),
    .clear_i       (loading),
    .shift_i       (shift_q),
    .hold_i        (hold_q),
    .word_i        (word_q),
    .b_i           (b),
    .d_i           (d_q),
    .modulus_i     (modulus),
    .q_i           (q),
    .one_i         (one),
    .s_o           (s_q),
    .c_o           (c_q),
    .pending_next_o(pending_next)
  );

  // The accumulator needs bits above the result.
  logic unused_pair;
  assign unused_pair = ^{s_q, c_q};

  // ---------------------------------------------------------------- result

  if (Binary) begin : gen_convert
    logic [WordW-1:0] word;
    logic             unused_carry;

    mf_word_serial_adder #(.Width(WordW)) u_convert (
      .clk_i        (clk_i),
      .start_i      (phase_q != StFinish),
      .start_carry_i(pending_next),
      .x_i          (s_q[DigitW+:WordW]),
      .y_i          (c_q[DigitW+:WordW]),
      .word_o       (word),
      .carry_o      (unused_carry)
    );

    if (Nonnegative) begin : gen_correct
      logic [WordW-1:0]   corrected_word;
      logic [ResultW-1:0] corrected;
      logic               first, unused_correction_carry;

      // One word behind the conversion.
      assign first     = left_q == CountW'(FinishCycles - 1);
      assign corrected = ResultW'({corrected_word, b_q[0]} >> WordW);

      mf_word_serial_adder #(.Width(WordW)) u_correct (
        .clk_i        (clk_i),
        .start_i      (first),
        .start_carry_i(1'b0),
        .x_i          (a_q[0][ResultW-1-:WordW]),
        .y_i          (WordW'(n_q)),
        .word_o       (corrected_word),
        .carry_o      (unused_correction_carry)
      );

      always_comb begin
        a_finish[0] = ResultW'({word, a_q[0]} >> WordW);
        if (left_q == '0) a_finish[0] = a_q[0][Width] ? corrected : a_q[0];
      end

      assign b_finish[0] = corrected;
      assign n_finish    = first ? n_q : Width'((Width + WordW)'(n_q) >> WordW);
    end else begin : gen_signed
      assign a_finish[0] = ResultW'({word, a_q[0]} >> WordW);
      assign b_finish    = b_q;
      assign n_finish    = n_q;
    end

    // The carry into the conversion is found one cycle ahead.
    logic unused_pending;
    assign unused_pending = pending;
  end else begin : gen_flush
    logic [OperandW-1:0] sum, row_carry;
    logic [1:0]          fold;

    mf_full_adder_row #(.Width(OperandW)) u_flush (
      .s_i    (s_q[DigitW+:OperandW]),
      .c_i    (c_q[DigitW+:OperandW]),
      .x_i    (Nonnegative ? OperandW'(n_q) : '0),
      .sum_o  (sum),
      .carry_o(row_carry)
    );

    assign fold        = sum[OperandW-1:OperandW-2] + row_carry[OperandW-1:OperandW-2];
    assign a_finish[0] = {fold, sum[OperandW-3:0]};
    assign a_finish[1] = {2'b00, row_carry[OperandW-3:1], pending};
    assign b_finish    = b_q;
    assign n_finish    = n_q;

    logic unused_bits;
    assign unused_bits = row_carry[0] ^ pending_next;
  end

  for (genvar v = 0; v < Vectors; v++) begin : gen_result
    assign p_o[v] = a_q[v][OperandW-1:0];
  end

  // ---------------------------------------------------------------- control

  always_comb begin
    phase_d = phase_q;
    left_d  = left_q - CountW'(1);
    unique case (phase_q)
      StIdle: begin
        left_d = CountW'(Iterations - 1);
        if (req_valid_i) phase_d = StLoop;
      end
      StLoop: begin
        if (left_q == '0) begin
          phase_d = Pipelined ? StTail : StFinish;
          left_d  = CountW'((Pipelined ? TailCycles : FinishCycles) - 1);
        end
      end
      StTail: begin
        if (left_q == '0) begin
          phase_d = StFinish;
          left_d  = CountW'(FinishCycles - 1);
        end
      end
      StFinish: if (left_q == '0) phase_d = StDone;
      StDone:   if (rsp_ready_i) phase_d = StIdle;
      default:  phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q  <= StIdle;
      left_q   <= '0;
      scaled_q <= 1'b0;
      exact_q  <= 1'b0;
    end else begin
      phase_q  <= phase_d;
      left_q   <= left_d;
      scaled_q <= Pipelined && iterates && !loading && left_d != '0;
      exact_q  <= phase_d == StTail && (left_d == CountW'(5) || left_d == CountW'(1));
    end
  end

  // Without reset, since each drives the whole width: a pair before the first iteration is not
  // used.
  always_ff @(posedge clk_i) begin
    shift_q <= (iterates && !loading) || (phase_d == StTail && left_d == CountW'(3));
    hold_q  <= phase_d == StTail && left_d != CountW'(3);
    word_q  <= Binary && phase_d == StFinish;
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;

endmodule
