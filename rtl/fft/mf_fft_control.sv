// SPDX-License-Identifier: Apache-2.0
//
// Micro-program of the FFT multiplier: starts the steps of the three units in time, and tells the
// elements in each cycle what to read and to write.
//
// Source:   Dai 2018, Section 6.2, Fig. 4, 8, 9; the steps are in mf_fft_pkg.
// How:      each unit does its steps in order. A step starts when its unit is free and as many
//           steps of each unit are complete as it waits for. Several elements run in lockstep under
//           one control. None of it sees data.
// Latency:  the first step starts 2 cycles after start_i; the scheduler montforge.fft.program says
//           when the others do. done_o is high in the cycle in which the last result is written.
//
// Unit            busy for                         written after a read
// FFT operator    (v-1) max(s/4, s/8 + d) + s/4    d - 1 cycles, d = ButterflyLatency
// multiplier      s                                MultiplierLatency - 1 cycles
// adder           until done                       AccumulateLatency - 1 or 3 cycles

module mf_fft_control #(
  /// Digits s; a power of two, 16 to 512.
  parameter int unsigned Digits            = 64,
  /// Bits of the ring, c s.
  parameter int unsigned Bits              = 64,
  /// Digits of a segment: 2 or 4.
  parameter int unsigned Segment           = 4,
  /// Segments of a short addition.
  parameter int unsigned ShortRows         = 1,
  /// Cycles from the read of a row of a transform to the read of what it wrote.
  parameter int unsigned ButterflyLatency  = 11,
  /// Cycles from the read of two ring words to the read of their product.
  parameter int unsigned MultiplierLatency = 7,
  /// Cycles from the read of a segment of ring words to the read of its digits, with done flag.
  parameter int unsigned AccumulateLatency = 8,
  /// r = 2^l + 1, h = 2^l - 1.
  parameter bit          Swapped           = 1'b0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  /// Starts a program; only while none runs.
  input  logic                 start_i,
  /// Constant while it runs.
  input  mf_fft_pkg::program_t program_i,
  output logic                 done_o,
  output mf_fft_pkg::control_t control_o
);

  import mf_fft_pkg::*;

  if (MultiplierLatency < 5 || MultiplierLatency > Digits) begin : gen_illegal_multiplier
    $fatal(1, "mf_fft_control: MultiplierLatency must be 5 to Digits");
  end

  localparam int unsigned Rows       = Digits / Segment;
  localparam int unsigned AddLatency = 4;

  // ---------------------------------------------------------------- steps

  logic            running_q;
  count_t          transform_q, product_q, pass_q;                 // next step of each unit
  count_t          transforms_done_q, products_done_q, passes_done_q;
  count_t          words_done_q, segments_done_q;  // transforms that streamed steps can read
  logic            transform_done, product_done, pass_done, words_done, segments_done;
  transform_step_t transform;
  product_step_t   product;
  pass_step_t      pass;
  logic            transform_go, product_go, pass_go, transform_ready, product_ready;

  function automatic logic reached(count_t done, count_t wanted);
    return done >= wanted;
  endfunction

  assign transform = transform_step(program_i, transform_q);
  assign product   = product_step(program_i, product_q);
  assign pass      = pass_step(program_i, pass_q);

  assign transform_go = running_q && transform_q != transform_steps(program_i) &&
                        reached(transforms_done_q, transform.after_transforms) &&
                        reached(products_done_q, transform.after_products) &&
                        reached(passes_done_q, transform.after_passes);
  assign product_go   = running_q && product_q != product_steps(program_i) &&
                        reached(product.streamed ? words_done_q : transforms_done_q,
                                product.after_transforms) &&
                        reached(products_done_q, product.after_products) &&
                        reached(passes_done_q, product.after_passes);
  assign pass_go      = running_q && pass_q != pass_steps(program_i) &&
                        reached(pass.streamed ? segments_done_q : transforms_done_q,
                                pass.after_transforms) &&
                        reached(products_done_q, pass.after_products) &&
                        reached(passes_done_q, pass.after_passes);
  assign done_o       = pass_done && passes_done_q + count_t'(1) == pass_steps(program_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q         <= 1'b0;
      transform_q       <= '0;
      product_q         <= '0;
      pass_q            <= '0;
      transforms_done_q <= '0;
      products_done_q   <= '0;
      passes_done_q     <= '0;
      words_done_q      <= '0;
      segments_done_q   <= '0;
    end else if (start_i || done_o) begin
      running_q         <= start_i;
      transform_q       <= '0;
      product_q         <= '0;
      pass_q            <= '0;
      transforms_done_q <= '0;
      products_done_q   <= '0;
      passes_done_q     <= '0;
      words_done_q      <= '0;
      segments_done_q   <= '0;
    end else begin
      if (transform_go && transform_ready) transform_q <= transform_q + count_t'(1);
      if (product_go && product_ready) product_q <= product_q + count_t'(1);
      if (pass_go) pass_q <= pass_q + count_t'(1);
      if (transform_done) transforms_done_q <= transforms_done_q + count_t'(1);
      if (words_done) words_done_q <= words_done_q + count_t'(1);
      if (segments_done) segments_done_q <= segments_done_q + count_t'(1);
      if (product_done) products_done_q <= products_done_q + count_t'(1);
      if (pass_done) passes_done_q <= passes_done_q + count_t'(1);
    end
  end

  // ---------------------------------------------------------------- FFT operator

  fft_read_t  fft_read;
  twiddle_t   twiddle;
  fft_write_t fft_write;

  mf_fft_sequencer #(
    .Digits  (Digits),
    .Bits    (Bits),
    .Latency (ButterflyLatency),
    .ReadyRow(Segment == 4 ? Digits / 8 - 1 : 0)
  ) u_sequencer (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .step_valid_i(transform_go),
    .step_ready_o(transform_ready),
    .source_i    (transform.source),
    .target_i    (transform.target),
    .nega_i      (transform.second ^ Swapped),
    .inverse_i   (transform.inverse),
    .read_o      (fft_read),
    .twiddle_o   (twiddle),
    .write_o     (fft_write),
    .words_o     (words_done),
    .segments_o  (segments_done),
    .done_o      (transform_done)
  );

  // ---------------------------------------------------------------- multiplier

  product_read_t  product_read_q;
  product_write_t product_write;
  addend_read_t   addend_read;
  target_e        product_target_q;
  logic           product_add_q, last_product;

  // The addend must be there for the fold.
  localparam int unsigned AddendDelay = MultiplierLatency - 4;

  assign last_product  = product_read_q.index == index_t'(Digits - 1);
  assign product_ready = !product_read_q.valid || last_product;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      product_read_q <= '0;
    end else if (product_go && product_ready) begin
      product_read_q <= '{1'b1, product.a, product.forward, product.factor, product.constant, '0};
    end else if (last_product) begin
      product_read_q.valid <= 1'b0;
    end else begin
      product_read_q.index <= product_read_q.index + index_t'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (product_go && product_ready) begin
      product_target_q <= product.target;
      product_add_q    <= product.add;
    end
  end

  product_write_t [MultiplierLatency-1:1] product_write_q;
  logic           [MultiplierLatency-1:1] product_done_q;
  logic           [AddendDelay:1]         addend_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      product_write_q <= '0;
      product_done_q  <= '0;
      addend_q        <= '0;
    end else begin
      product_write_q <= {product_write_q[MultiplierLatency-2:1],
                          product_write_t'{product_read_q.valid, product_target_q,
                                           product_read_q.index}};
      product_done_q  <= {product_done_q[MultiplierLatency-2:1],
                          product_read_q.valid && last_product};
      addend_q[1]     <= product_read_q.valid && product_add_q;
      for (int unsigned k = 2; k <= AddendDelay; k++) addend_q[k] <= addend_q[k-1];
    end
  end

  assign product_write = product_write_q[MultiplierLatency-1];
  assign product_done  = product_done_q[MultiplierLatency-1];
  assign addend_read   = '{addend_q[AddendDelay], product_write_q[AddendDelay].index};

  // ---------------------------------------------------------------- adder

  pass_read_t  pass_read_q;
  pass_write_t pass_write;
  index_t      last_row_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pass_read_q <= '0;
      last_row_q  <= '0;
    end else if (pass_go) begin
      pass_read_q <= '{1'b1, 1'b1, 1'b0, pass.kind, pass.second, '0};
      last_row_q  <= index_t'((pass.kind == Short ? ShortRows : Rows) - 1);
      if (pass.kind == Short) pass_read_q.last <= ShortRows == 1;
    end else if (pass_read_q.last) begin
      pass_read_q.valid <= 1'b0;
      pass_read_q.last  <= 1'b0;
    end else begin
      pass_read_q.first <= 1'b0;
      pass_read_q.last  <= pass_read_q.valid && pass_read_q.row + index_t'(1) == last_row_q;
      pass_read_q.row   <= pass_read_q.row + index_t'(1);
    end
  end

  // Valid, last, kind and row of the segments under way; the accumulation takes longer.
  logic  [AccumulateLatency-1:1]       valid_q, last_q;
  kind_e [AccumulateLatency-1:1]       kind_q;
  index_t [AccumulateLatency-1:1]      row_q;
  logic                                late, early;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      last_q  <= '0;
      kind_q  <= '0;
      row_q   <= '0;
    end else begin
      valid_q <= {valid_q[AccumulateLatency-2:1], pass_read_q.valid};
      last_q  <= {last_q[AccumulateLatency-2:1], pass_read_q.last};
      kind_q  <= {kind_q[AccumulateLatency-2:1], pass_read_q.kind};
      row_q   <= {row_q[AccumulateLatency-2:1], pass_read_q.row};
    end
  end

  assign late  = valid_q[AccumulateLatency-1] && kind_q[AccumulateLatency-1] == Accumulate;
  assign early = valid_q[AddLatency-1] && kind_q[AddLatency-1] != Accumulate;

  assign pass_write = late ? '{1'b1, kind_q[AccumulateLatency-1], row_q[AccumulateLatency-1]}
                           : '{early, kind_q[AddLatency-1], row_q[AddLatency-1]};
  assign pass_done  = (late && last_q[AccumulateLatency-1]) || (early && last_q[AddLatency-1]);

  assign control_o = '{fft_read, twiddle, fft_write, product_read_q, addend_read, product_write,
                       pass_read_q, pass_write};

endmodule
