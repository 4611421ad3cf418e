// SPDX-License-Identifier: Apache-2.0
//
// Processing element of the FFT multiplier: FFT operator of two butterflies, multiplier-adder,
// adder, subtractor and their memories; mf_fft_control drives them in each cycle.
//
// Source:   Dai 2018, Fig. 3. The adder counts up the paper's B_u; four banks in each memory
//           (mf_fft_memory) are this library's.
// Memories: ping-pong of the stages; S0: X, then a product with N' or A, m's spectrum, and their
//           sum; S1: Y, m's spectrum in the fast variant; S2: the spectrum for h of x or y, then
//           its product; Time: results of inverse transforms; digits X, Y (mf_fft_operands) and M
//           (a, m, g).
// Contexts: with two of them all memories but the ping-pong one have two halves, and each context
//           has its own Y.
// Forward:  the second factor of a product, for this element and for its partner.
// Timing:   mf_fft_control and the units.

module mf_fft_element #(
  /// Digits s; a power of two, 16 to 512.
  parameter int unsigned Digits   = 64,
  /// Bits of a digit.
  parameter int unsigned DigitW   = 17,
  /// Bits of the ring, c s.
  parameter int unsigned Bits     = 64,
  /// Digits of a segment: 2 or 4.
  parameter int unsigned Segment  = 4,
  /// Bits of the adder's carry, with its sign.
  parameter int unsigned CarryW   = 48,
  /// Karatsuba levels of the ring multiplier.
  parameter int unsigned Levels   = 2,
  /// Operand x has its own memory.
  parameter bit          OperandX = 1'b1,
  /// Coefficients above q / 2 are negative, in place of the published threshold.
  parameter bit          Single   = 1'b0,
  /// m may exceed r.
  parameter bit          Relaxed  = 1'b0,
  /// r = 2^l + 1, h = 2^l - 1.
  parameter bit          Swapped  = 1'b0,
  /// Butterflies of fewer cycles.
  parameter bit          Fast     = 1'b0,
  /// Four butterflies, two stages of a transform at once.
  parameter bit          Fused    = 1'b0,
  /// Balanced digits of x and y, mf_fft_balancer.
  parameter bit          Balanced = 1'b0,
  /// A redundant digit of y: the last one of a result's first segment, mf_fft_direct.
  parameter bit          Redundant = 1'b0,
  /// 1, or 2 for pairs.
  parameter int unsigned Contexts = 1,

  localparam int unsigned Rows = Digits / 4,
  localparam int unsigned RowW = $clog2(Rows)
) (
  input  logic                           clk_i,
  /// Reset of the assertions alone.
  input  logic                           rst_ni,
  input  mf_fft_pkg::control_t           control_i,

  /// Four digits of x (if it has a memory) and of each context's y; with Balanced in order.
  input  logic                                  load_x_i,
  input  logic [Contexts-1:0]                   load_y_i,
  input  logic [RowW-1:0]                       load_row_i,
  input  logic [3:0][DigitW-1:0]                x_i,
  input  logic [Contexts-1:0][3:0][DigitW-1:0]  y_i,
  /// With row 0 of y, if Redundant: b more for digit 3; y is 0.
  input  logic [Contexts-1:0]                   load_over_i,
  input  logic [Contexts-1:0]                   load_zero_i,

  /// Word of the constants, a cycle after product_read asks for it.
  input  logic [Bits:0]                  constant_i,
  /// The word that the partner forwards; whether products take it.
  input  logic [Bits:0]                  partner_i,
  input  logic                           from_partner_i,
  output logic [Bits:0]                  forward_o,

  /// A segment of the result, in cycles of pass_write. largest_o: m is r - 1 (canonical).
  output logic [Segment-1:0][DigitW-1:0] result_o,
  output logic                           over_o,
  output logic                           zero_o,
  output logic                           largest_o
);

  import mf_fft_pkg::*;

  localparam int unsigned Stages     = $clog2(Digits);
  localparam int unsigned ShiftW     = $clog2(Bits);
  localparam bit          Sqrt2      = 2 * Bits / Digits % 2 == 1;

  localparam int unsigned AddressW   = $clog2(Contexts * Rows);

  typedef logic [3:0][RowW-1:0]   rows_t;
  typedef logic [3:0][AddressW-1:0] addresses_t;
  typedef logic [3:0][Bits:0]     words_t;
  localparam int unsigned OperandW   = DigitW + 32'(Balanced || Redundant);

  typedef logic [3:0][OperandW-1:0] operands_t;
  typedef logic [3:0][DigitW:0]   wide_digits_t;

  // ---------------------------------------------------------------- rows of the banks

  // Of words 4 row to 4 row + 3: see four_swap.
  function automatic rows_t four_rows(index_t row);
    rows_t rows;
    for (int unsigned b = 0; b < 4; b++) begin
      rows[b] = RowW'({row, 2'(b) ^ four_swap(row, Stages)});
    end
    return rows;
  endfunction

  // Of the words that a row of a stage writes: bank b has output {half, odd} = b ^ {row[0], top
  // bit}.
  function automatic rows_t stage_rows(index_t row);
    rows_t rows;
    for (int unsigned b = 0; b < 4; b++) begin
      rows[b] = RowW'({row, b[0] ^ row[Stages-3]});
    end
    return rows;
  endfunction

  // Of a context's rows in a memory that the contexts share.
  function automatic addresses_t of_owner(logic owner, rows_t rows);
    addresses_t addresses;
    for (int unsigned b = 0; b < 4; b++) addresses[b] = AddressW'({owner, rows[b]});
    return addresses;
  endfunction

  function automatic logic [RowW-1:0] reversed(index_t row);
    logic [RowW-1:0] backwards;
    for (int unsigned k = 0; k < RowW; k++) backwards[k] = row[RowW-1-k];
    return backwards;
  endfunction

  // ---------------------------------------------------------------- FFT operator: reads

  fft_read_t       fft_read;
  fft_write_t      fft_write;
  rows_t           first_rows, next_rows;
  logic [1:0]      read_swap;
  logic [RowW-1:0] p;

  assign fft_read   = control_i.fft_read;
  assign fft_write  = control_i.fft_write;
  assign p          = reversed(fft_read.row);
  assign first_rows = {4{p}};
  assign next_rows  = four_rows(fft_read.row);
  assign read_swap  = fft_read.first ? p[1:0] : four_swap(fft_read.row, Stages);

  // A negative balanced digit with q added: 2^Bits - b plus its field, which is b for -1 alone.
  function automatic logic [Bits:0] ring_word(logic [OperandW-1:0] operand);
    logic is_b;
    if (Redundant) return (Bits + 1)'(operand);
    is_b = Balanced && operand[OperandW-1] && !operand[DigitW-1];
    return {is_b, {(Bits - DigitW){Balanced && operand[OperandW-1] && !is_b}},
            operand[DigitW-1:0]};
  endfunction

  logic       first_q;
  source_e    source_q;
  logic [1:0] read_swap_q;

  always_ff @(posedge clk_i) begin
    first_q     <= fft_read.first;
    source_q    <= fft_read.source;
    read_swap_q <= read_swap;
  end

  words_t       stage_words, s0_words, s1_words, s2_words, time_words, operator_words;
  operands_t    x_digits, y_digits;
  wide_digits_t m_digits;
  words_t       lanes_q;

  always_comb begin
    for (int unsigned b = 0; b < 4; b++) begin
      if (!first_q) begin
        operator_words[b] = stage_words[b];
      end else begin
        unique case (source_q)
          FromX:   operator_words[b] = ring_word(x_digits[b]);
          FromY:   operator_words[b] = ring_word(y_digits[b]);
          FromM:   operator_words[b] = (Bits + 1)'(m_digits[b]);
          default: operator_words[b] = s0_words[b];
        endcase
      end
    end
  end

  // Bit-reversed input: lane {j1, j0} is word p + (j0 ? s/2 : 0) + (j1 ? s/4 : 0).
  always_ff @(posedge clk_i) begin
    for (int unsigned j = 0; j < 4; j++) begin
      lanes_q[j] <= operator_words[read_swap_q ^ (first_q ? {j[0], j[1]} : {j[1], j[0]})];
    end
  end

  // ---------------------------------------------------------------- FFT operator: butterflies

  logic [1:0][Bits:0] sums, differences;
  words_t             outputs, stage_results;  // outputs in the order of their words
  logic [1:0]         write_swap;
  rows_t              write_rows;

  for (genvar k = 0; k < 2; k++) begin : gen_butterflies
    mf_fft_butterfly #(
      .Bits(Bits), .Sqrt2(Sqrt2 && !Fused), .Short(Fast)
    ) u_butterfly (
      .clk_i       (clk_i),
      .a_i         (lanes_q[2*k]),
      .w_i         (lanes_q[2*k+1]),
      .shift_i     (control_i.twiddle.shift[k][ShiftW-1:0]),
      .negative_i  (control_i.twiddle.negative[k]),
      .sqrt2_i     (control_i.twiddle.sqrt2),
      .sum_o       (sums[k]),
      .difference_o(differences[k])
    );
  end

  // Fused: words 4 row to 4 row + 3 of a stage become, two stages later, word row and those 1/4,
  // 2/4, 3/4 of the length further on. All four are in the same row of their banks.
  if (Fused) begin : gen_second
    logic [1:0][Bits:0] second_sums, second_differences;

    for (genvar k = 0; k < 2; k++) begin : gen_pair
      mf_fft_butterfly #(.Bits(Bits), .Sqrt2(Sqrt2), .Short(Fast)) u_butterfly (
        .clk_i       (clk_i),
        .a_i         (k == 0 ? sums[0] : differences[0]),
        .w_i         (k == 0 ? sums[1] : differences[1]),
        .shift_i     (control_i.second_twiddle.shift[k][ShiftW-1:0]),
        .negative_i  (control_i.second_twiddle.negative[k]),
        .sqrt2_i     (control_i.second_twiddle.sqrt2),
        .sum_o       (second_sums[k]),
        .difference_o(second_differences[k])
      );
    end

    assign outputs    = {second_differences, second_sums};
    assign write_rows = {4{RowW'(fft_write.row)}};
    assign write_swap = fft_write.row[1:0];
  end else begin : gen_one_stage
    assign outputs    = {differences, sums};
    assign write_rows = stage_rows(fft_write.row);
    assign write_swap = {fft_write.row[0], fft_write.row[Stages-3]};
    logic unused_second;
    assign unused_second = ^control_i.second_twiddle;
  end

  always_comb begin
    for (int unsigned b = 0; b < 4; b++) stage_results[b] = outputs[2'(b) ^ write_swap];
  end

  // Rows with the bit of their half of the ping-pong memory.
  logic [3:0][RowW:0] stage_read_rows, stage_write_rows;
  always_comb begin
    for (int unsigned b = 0; b < 4; b++) begin
      stage_read_rows[b]  = {fft_read.parity, next_rows[b]};
      stage_write_rows[b] = {fft_write.parity, write_rows[b]};
    end
  end

  mf_fft_memory #(.Width(Bits + 1), .Rows(2 * Rows)) u_stages (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .write_i    ({4{fft_write.valid && !fft_write.last}}),
    .write_row_i(stage_write_rows),
    .word_i     (stage_results),
    .read_i     ({4{fft_read.valid && !fft_read.first}}),
    .read_row_i (stage_read_rows),
    .word_o     (stage_words)
  );

  // ---------------------------------------------------------------- multiplier

  product_read_t  product_read;
  product_write_t product_write;
  addend_read_t   addend_read;
  logic [1:0]     product_bank_q, addend_bank_q, product_bank;
  spectrum_e      a_q, forward_q;
  factor_e        factor_q;
  logic [Bits:0]  s0_word, s1_word, s2_word, a_word, factor_word, product, addend_q;
  logic           adding_q;

  assign product_read  = control_i.product_read;
  assign product_write = control_i.product_write;
  assign addend_read   = control_i.addend_read;
  assign product_bank  = bank_of(product_write.index, Stages);

  always_ff @(posedge clk_i) begin
    product_bank_q <= bank_of(product_read.index, Stages);
    addend_bank_q  <= bank_of(addend_read.index, Stages);
    a_q            <= product_read.a;
    forward_q      <= product_read.forward;
    factor_q       <= product_read.factor;
    adding_q       <= addend_read.valid;
    addend_q       <= adding_q ? s2_words[addend_bank_q] : '0;
  end

  assign s0_word = s0_words[product_bank_q];
  assign s1_word = s1_words[product_bank_q];
  assign s2_word = s2_words[product_bank_q];

  function automatic logic [Bits:0] chosen(spectrum_e which, logic [Bits:0] s0, logic [Bits:0] s1,
                                           logic [Bits:0] s2);
    unique case (which)
      OfS0:    return s0;
      OfS1:    return s1;
      default: return s2;
    endcase
  endfunction

  assign a_word    = chosen(a_q, s0_word, s1_word, s2_word);
  assign forward_o = chosen(forward_q, s0_word, s1_word, s2_word);

  always_comb begin
    unique case (factor_q)
      Forwarded: factor_word = from_partner_i ? partner_i : forward_o;
      Constant:  factor_word = constant_i;
      default:   factor_word = (Bits + 1)'(1);
    endcase
  end

  mf_ring_multiplier #(.Bits(Bits), .Levels(Levels)) u_multiplier (
    .clk_i(clk_i),
    .x_i  (a_word),
    .y_i  (factor_word),
    .z_i  (addend_q),
    .y_o  (product)
  );

  // ---------------------------------------------------------------- spectra

  logic       s0_from_fft, s0_from_product, s2_from_fft, s2_from_product;
  logic [3:0] product_banks, factor_banks, addend_banks;
  addresses_t fft_write_addresses, product_write_addresses, addend_addresses;
  addresses_t [2:0] product_addresses;  // of S0, S1, S2

  assign s0_from_fft     = fft_write.valid && fft_write.last && fft_write.target == ToS0;
  assign s2_from_fft     = fft_write.valid && fft_write.last && fft_write.target == ToS2;
  assign s0_from_product = product_write.valid && product_write.target == ToS0;
  assign s2_from_product = product_write.valid && product_write.target == ToS2;

  always_comb begin
    for (int unsigned b = 0; b < 4; b++) begin
      product_banks[b] = product_bank == 2'(b);
      factor_banks[b]  = bank_of(product_read.index, Stages) == 2'(b);
      addend_banks[b]  = bank_of(addend_read.index, Stages) == 2'(b);
    end
  end
  assign fft_write_addresses     = of_owner(fft_write.owner, write_rows);
  assign product_write_addresses = of_owner(product_write.owner, {4{RowW'(product_write.index)}});
  assign addend_addresses        = of_owner(addend_read.owner, {4{RowW'(addend_read.index)}});

  // Factors from one memory are the same word.
  always_comb begin
    for (int unsigned k = 0; k < 3; k++) begin
      product_addresses[k] = of_owner(
          product_read.a == spectrum_e'(k) ? product_read.owner : product_read.forward_owner,
          {4{RowW'(product_read.index)}});
    end
  end

  logic s0_to_fft;
  assign s0_to_fft = fft_read.valid && fft_read.first && fft_read.source == FromS0;

  // Whether the product reads S0, S1, S2.
  logic [2:0] product_reads;
  always_comb begin
    product_reads = 3'b001 << product_read.a;
    if (product_read.factor == Forwarded) product_reads |= 3'b001 << product_read.forward;
    if (!product_read.valid) product_reads = '0;
  end

  mf_fft_memory #(.Width(Bits + 1), .Rows(Contexts * Rows)) u_s0 (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .write_i    (s0_from_fft ? 4'b1111 : product_banks & {4{s0_from_product}}),
    .write_row_i(s0_from_fft ? fft_write_addresses : product_write_addresses),
    .word_i     (s0_from_fft ? stage_results : {4{product}}),
    .read_i     ({4{s0_to_fft}} | (factor_banks & {4{product_reads[0]}})),
    .read_row_i (s0_to_fft ? of_owner(fft_read.owner, first_rows) : product_addresses[0]),
    .word_o     (s0_words)
  );

  mf_fft_memory #(.Width(Bits + 1), .Rows(Contexts * Rows)) u_s1 (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .write_i    ({4{fft_write.valid && fft_write.last && fft_write.target == ToS1}}),
    .write_row_i(fft_write_addresses),
    .word_i     (stage_results),
    .read_i     (factor_banks & {4{product_reads[1]}}),
    .read_row_i (product_addresses[1]),
    .word_o     (s1_words)
  );

  mf_fft_memory #(.Width(Bits + 1), .Rows(Contexts * Rows)) u_s2 (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .write_i    (s2_from_fft ? 4'b1111 : product_banks & {4{s2_from_product}}),
    .write_row_i(s2_from_fft ? fft_write_addresses : product_write_addresses),
    .word_i     (s2_from_fft ? stage_results : {4{product}}),
    .read_i     (addend_read.valid ? addend_banks : factor_banks & {4{product_reads[2]}}),
    .read_row_i (addend_read.valid ? addend_addresses : product_addresses[2]),
    .word_o     (s2_words)
  );

  // ---------------------------------------------------------------- adder and subtractor

  pass_read_t                     pass_read, lanes_pass;
  pass_write_t                    pass_write;
  index_t                         four;  // the row of four digits that the segment is in
  addresses_t                     pass_addresses;
  logic [1:0]                     pass_swap, pass_swap_q;
  logic                           upper_q;
  logic [Segment-1:0][Bits:0]     time_lanes_q;
  logic [Segment-1:0][DigitW-1:0] digit_lanes_q;
  logic [Segment-1:0][DigitW:0]   adder_digits;
  logic signed [CarryW-1:0]       carry;
  logic [Segment*DigitW-1:0]      result;
  logic                           time_reads;
  logic [3:0]                     pass_banks;  // those with the segment's words

  assign pass_read  = control_i.pass_read;
  assign pass_write = control_i.pass_write;
  assign time_reads = pass_read.valid && (pass_read.kind == Accumulate ||
                                          (Redundant && pass_read.kind == Direct));
  assign four       = Segment == 4 ? pass_read.row : pass_read.row >> 1;
  assign pass_addresses = of_owner(pass_read.owner, four_rows(four));
  assign pass_swap  = four_swap(four, Stages);

  always_comb begin
    for (int unsigned b = 0; b < 4; b++) begin
      pass_banks[b] = Segment == 4 || (b[1] ^ pass_swap[1]) == pass_read.row[0];
    end
  end

  always_ff @(posedge clk_i) begin
    pass_swap_q <= pass_swap;
    upper_q     <= Segment == 2 && pass_read.row[0];
    for (int unsigned j = 0; j < Segment; j++) begin
      time_lanes_q[j]  <= time_words[pass_swap_q ^ {upper_q || j[1], j[0]}];
      digit_lanes_q[j] <= m_digits[pass_swap_q ^ {upper_q || j[1], j[0]}][DigitW-1:0];
    end
  end

  mf_delay_line #(.Width($bits(pass_read_t)), .Depth(2)) u_pass (
    .clk_i(clk_i),
    .d_i  (pass_read),
    .q_o  (lanes_pass)
  );

  mf_fft_memory #(.Width(Bits + 1), .Rows(Contexts * Rows)) u_time (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .write_i    ({4{fft_write.valid && fft_write.last && fft_write.target == ToTime}}),
    .write_row_i(fft_write_addresses),
    .word_i     (stage_results),
    .read_i     (pass_banks & {4{time_reads}}),
    .read_row_i (pass_addresses),
    .word_o     (time_words)
  );

  // An accumulation, for the adder.
  pass_read_t adder_pass;
  always_comb begin
    adder_pass = lanes_pass;
    if (Redundant && lanes_pass.kind == Direct) adder_pass.kind = Accumulate;
  end

  mf_fft_adder #(
    .Digits(Digits), .DigitW(DigitW), .Bits(Bits), .Segment(Segment), .CarryW(CarryW),
    .Single(Single), .Relaxed(Relaxed), .Swapped(Swapped), .Balanced(Balanced)
  ) u_adder (
    .clk_i    (clk_i),
    .pass_i   (adder_pass),
    .words_i  (time_lanes_q),
    .digits_i (digit_lanes_q),
    .digits_o (adder_digits),
    .carry_o  (carry),
    .largest_o(largest_o)
  );

  // The carry of g is short, u + v + 2 bits (E8); CarryW is that of three factors at once.
  localparam int unsigned ResultCarryW = CarryW < Segment * DigitW ? CarryW : Segment * DigitW;

  mf_fft_subtractor #(
    .SegmentW(Segment * DigitW),
    .CarryW  (ResultCarryW),
    .Swapped (Swapped)
  ) u_subtractor (
    .clk_i   (clk_i),
    .first_i (lanes_pass.first),
    .last_i  (lanes_pass.last),
    .digits_i(digit_lanes_q),
    .carry_i (carry[ResultCarryW-1:0]),
    .result_o(result)
  );

  if (Redundant) begin : gen_direct
    logic [Segment-1:0][DigitW-1:0] segment;
    logic [Segment*DigitW-1:0]      direct_result;

    always_comb begin
      for (int unsigned k = 0; k < Segment; k++) segment[k] = adder_digits[k][DigitW-1:0];
    end

    mf_fft_direct #(.SegmentW(Segment * DigitW), .CarryW(ResultCarryW)) u_direct (
      .clk_i   (clk_i),
      .valid_i (control_i.direct.valid),
      .first_i (control_i.direct.first),
      .digits_i(segment),
      .again_i (control_i.direct.again),
      .carry_i (carry[ResultCarryW-1:0]),
      .result_o(direct_result),
      .over_o  (over_o),
      .zero_o  (zero_o)
    );

    assign result_o = pass_write.kind == Direct ? direct_result : result;
  end else begin : gen_no_direct
    logic unused_direct;
    assign result_o      = result;
    assign over_o        = 1'b0;
    assign zero_o        = 1'b0;
    assign unused_direct = ^control_i.direct;
  end

  // ---------------------------------------------------------------- digits of m and of operands

  index_t       write_four;
  rows_t        m_rows;
  logic [1:0]   m_swap;
  logic [3:0]   m_writes;
  wide_digits_t m_in;
  logic         m_to_fft, m_to_pass;

  assign write_four = Segment == 4 ? pass_write.row : pass_write.row >> 1;
  assign m_rows     = four_rows(write_four);
  assign m_swap     = four_swap(write_four, Stages);
  assign m_to_fft   = fft_read.valid && fft_read.first && fft_read.source == FromM;
  assign m_to_pass  = pass_read.valid && pass_read.kind != Accumulate &&
                      !(Redundant && pass_read.kind == Direct);

  always_comb begin
    for (int unsigned b = 0; b < 4; b++) begin
      logic [1:0] lane;
      lane        = 2'(b) ^ m_swap;
      m_writes[b] = pass_write.valid && pass_write.kind != Result &&
                    !(Redundant && pass_write.kind == Direct) &&
                    (Segment == 4 || lane[1] == pass_write.row[0]);
      m_in[b]     = adder_digits[Segment == 4 ? lane : {1'b0, lane[0]}];
    end
  end

  mf_fft_memory #(.Width(DigitW + 1), .Rows(Contexts * Rows)) u_m (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .write_i    (m_writes),
    .write_row_i(of_owner(pass_write.owner, m_rows)),
    .word_i     (m_in),
    .read_i     ({4{m_to_fft || m_to_pass}}),
    .read_row_i (m_to_fft ? of_owner(fft_read.owner, first_rows) : pass_addresses),
    .word_o     (m_digits)
  );

  mf_fft_operands #(
    .Digits(Digits), .DigitW(DigitW), .OperandX(OperandX),
    .Balanced(Balanced), .Redundant(Redundant), .Contexts(Contexts)
  ) u_operands (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .load_x_i   (load_x_i),
    .load_y_i   (load_y_i),
    .load_row_i (load_row_i),
    .x_i        (x_i),
    .y_i        (y_i),
    .load_over_i(load_over_i),
    .load_zero_i(load_zero_i),
    .read_x_i   (fft_read.valid && fft_read.first && fft_read.source == FromX),
    .read_y_i   (fft_read.valid && fft_read.first && fft_read.source == FromY),
    .read_row_i (p),
    .owner_i    (fft_read.owner),
    .x_o        (x_digits),
    .y_o        (y_digits)
  );

  // ---------------------------------------------------------------- one access a port

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      s0_is_read_by_one : assert (!(s0_to_fft && product_reads[0]));
      s0_is_written_by_one : assert (!(s0_from_fft && s0_from_product));
      s2_is_read_by_one : assert (!(addend_read.valid && product_reads[2]));
      s2_is_written_by_one : assert (!(s2_from_fft && s2_from_product));
      m_is_read_by_one : assert (!(m_to_fft && m_to_pass));
    end
  end
`endif

  // The constant is chosen where the constants are.
  logic unused_constant;
  assign unused_constant = ^product_read.constant;

endmodule
