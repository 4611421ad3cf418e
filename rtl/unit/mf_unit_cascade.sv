// SPDX-License-Identifier: Apache-2.0
//
// Element of mf_unit_dsp_cascade: multiplier and adder of one word, which fit into one DSP48E2. The
// cascades of the blocks pass the words of the bus and the sums from each element to the next.
//
// Source:   montforge; AMD UG579.
// Computes: sum_o = x * y + floor(sum_i / 2^WordW) + above; x is bus_i of three cycles before, y a
//           word of b, or of n-bar with quotient_i of three cycles before; sum_i is that of the
//           cycle before; above is above_i of the cycle before with keep_i of two cycles before,
//           else 0.
// Bound:    with sum_i, x, y and above of whole words or products of them, sum_o is below
//           2^(2 WordW): (2^w - 1)^2 + 2 (2^w - 1) = 2^(2 w) - 1.

module mf_unit_cascade #(
  /// Bits of a word; at least 1, 17 with Block = 1.
  parameter int unsigned WordW = 17,
  /// 0: behavioural, 1: DSP48E2.
  parameter int unsigned Block = 0,
  /// The lowest element: bus_i comes from logic, b is taken a cycle earlier, sum_i is not used.
  parameter bit          First = 1'b0,

  localparam int unsigned BusW = Block == 1 ? 18 : WordW,
  localparam int unsigned SumW = Block == 1 ? 48 : 2 * WordW
) (
  input  logic             clk_i,
  /// Takes b_i, for the products from the next cycle on; unless First, from move_i on.
  input  logic             load_i,
  input  logic             move_i,
  input  logic [WordW-1:0] b_i,
  /// Takes n_i.
  input  logic             take_n_i,
  input  logic [WordW-1:0] n_i,

  input  logic             quotient_i,
  input  logic             keep_i,
  input  logic [WordW-1:0] above_i,
  input  logic [BusW-1:0]  bus_i,
  output logic [BusW-1:0]  bus_o,
  input  logic [SumW-1:0]  sum_i,
  output logic [SumW-1:0]  sum_o,
  /// The lower word of sum_o, and the one above it.
  output logic [WordW-1:0] word_o,
  output logic [WordW-1:0] high_o
);

  if (WordW < 1) begin : gen_illegal_width
    $fatal(1, "mf_unit_cascade: WordW must be at least 1");
  end else if (Block > 1) begin : gen_illegal_block
    $fatal(1, "mf_unit_cascade: Block must be 0 (generic) or 1 (DSP48E2)");
  end else if (Block == 1 && WordW != 17) begin : gen_illegal_dsp48e2
    $fatal(1, "mf_unit_cascade: WordW must be 17 with DSP48E2");
  end

  logic [2*WordW-1:0] sum;

  if (Block == 1) begin : gen_dsp48e2
    logic [47:0] p;

    mf_dsp48e2_cascade #(.First(First)) u_dsp (
      .clk_i     (clk_i),
      .load_a_i  (load_i),
      .move_a_i  (First ? load_i : move_i),
      .a_i       (17'(b_i)),
      .load_d_i  (take_n_i),
      .d_i       (17'(n_i)),
      .select_d_i(quotient_i),
      .add_c_i   (keep_i),
      .c_i       (17'(above_i)),
      .b_i       (First ? bus_i[16:0] : '0),
      .bcin_i    (First ? '0 : bus_i),
      .bcout_o   (bus_o),
      .pcin_i    (First ? '0 : sum_i),
      .pcout_o   (sum_o),
      .p_o       (p)
    );

    assign sum = p[2*WordW-1:0];

    logic unused_high;
    assign unused_high = ^p[47:2*WordW];
  end else begin : gen_generic
    logic [WordW-1:0]   b_q, b, n_q, bus_q, other_q;
    logic [2*WordW-1:0] product_q, sum_q;
    logic               keep_q;

    if (First) begin : gen_first
      assign b = b_q;
      logic unused_inputs;
      assign unused_inputs = ^{move_i, sum_i};
    end else begin : gen_next
      logic [WordW-1:0] moved_q;
      always_ff @(posedge clk_i) if (move_i) moved_q <= b_q;
      assign b = moved_q;
      logic unused_low;
      assign unused_low = ^sum_i;
    end

    always_ff @(posedge clk_i) begin
      if (load_i) b_q <= b_i;
      if (take_n_i) n_q <= n_i;
      bus_q     <= bus_i;
      other_q   <= quotient_i ? n_q : b;
      product_q <= (2 * WordW)'(bus_q) * (2 * WordW)'(other_q);
      keep_q    <= keep_i;
      sum_q     <= product_q + (First ? '0 : (2 * WordW)'(sum_i >> WordW)) +
                   (keep_q ? (2 * WordW)'(above_i) : '0);
    end

    assign bus_o = bus_q;
    assign sum_o = sum_q;
    assign sum   = sum_q;
  end

  assign {high_o, word_o} = sum;

endmodule
