// SPDX-License-Identifier: Apache-2.0
//
// Micro-program of the FFT multiplier: starts the steps of the three units in time, and tells the
// elements in each cycle the words to read and to write.
//
// Source:   Dai 2018, Section 6.2, Fig. 4, 8, 9; the steps are in mf_fft_pkg.
// How:      each unit does its steps in order. A step starts when its unit is free and the numbers
//           of complete steps of the units reach the step's three counts. Elements run in lockstep
//           under one control, which sees no data.
// Fast:     products and passes begin while the last stage of the transform that they read is
//           being written, as soon as each of their reads comes after its write; inverse transforms
//           begin while the product that they read is being written, in the order of their reads.
//           Stages take their rows in rotated order if a stage in order would wait for its data.
// Latency:  the first step starts 2 cycles after start_i, the others as the scheduler
//           montforge.programs.fft says. done_o is high as the last result is written.
//
// Unit            busy for                written after a read
// FFT operator    mf_fft_sequencer        d - 1 cycles, d = ButterflyLatency
// multiplier      s                       MultiplierLatency - 1 cycles
// adder           until done              AccumulateLatency - 1 or 3 cycles

module mf_fft_control #(
  /// Digits s; a power of two, 16 to 512.
  parameter int unsigned Digits            = 64,
  /// Bits of the ring, c s.
  parameter int unsigned Bits              = 64,
  /// Digits of a segment: 2 or 4.
  parameter int unsigned Segment           = 4,
  /// Segments of a short addition.
  parameter int unsigned ShortRows         = 1,
  /// Cycles from the read of a row of a transform to the read of its result.
  parameter int unsigned ButterflyLatency  = 11,
  /// Cycles from the read of two ring words to the read of their product.
  parameter int unsigned MultiplierLatency = 7,
  /// Cycles from the read of a segment of ring words to the read of its digits, with done flag.
  parameter int unsigned AccumulateLatency = 8,
  /// r = 2^l + 1, h = 2^l - 1.
  parameter bit          Swapped           = 1'b0,
  /// Steps begin before their data are complete.
  parameter bit          Fast              = 1'b0,
  /// Two stages of a transform at once.
  parameter bit          Fused             = 1'b0,
  /// The program has passes of kind Direct.
  parameter bit          Redundant         = 1'b0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  /// Starts a program; only while none runs.
  input  logic                 start_i,
  /// Constant while it runs.
  input  mf_fft_pkg::program_t program_i,
  /// The program's first context is number 1.
  input  logic                 exchanged_i,
  output logic                 done_o,
  output mf_fft_pkg::control_t control_o
);

  import mf_fft_pkg::*;

  if (MultiplierLatency < 5 || MultiplierLatency > Digits) begin : gen_illegal_multiplier
    $fatal(1, "mf_fft_control: MultiplierLatency must be 5 to Digits");
  end

  // An illegal number of digits: loops over more would take minutes to elaborate.
  localparam int unsigned Words      = Digits > 512 ? 512 : Digits;
  localparam int unsigned Rows       = Digits / Segment;
  localparam int unsigned Stages     = $clog2(Digits);
  localparam int unsigned AddLatency = 4;

  // ---------------------------------------------------------------- orders of rows and words

  localparam int unsigned RowW     = Stages - 2;
  localparam int unsigned Wait     = Fused ? 3 * Digits / 16 : Digits / 8;
  // Rows are rotated if passes in order would wait for their data, mf_fft_sequencer.
  localparam bit          Rotated  = Fast && Wait + ButterflyLatency > Digits / 4;
  // Bits by which rows are rotated in the last pass.
  localparam int unsigned LastTurn = Rotated ? (Fused ? Stages - 2 : Stages - 1) % RowW : 0;

  // Index number k of a product in bit-reversed order, in which an inverse transform reads.
  function automatic index_t reversed(index_t k);
    index_t index;
    index = '0;
    for (int unsigned l = 0; l < Stages; l++) index[l] = k[Stages-1-l];
    return index;
  endfunction

  // Place in a transform's last pass at which a word is written.
  function automatic int unsigned place_of(int unsigned word);
    index_t row, place;
    row   = index_t'(Fused ? word % (Digits / 4) : word % (Digits / 2) / 2);
    place = '0;
    for (int unsigned k = 0; k < RowW; k++) place[(k+LastTurn)%RowW] = row[k];
    return 32'(place);
  endfunction

  // The place in the last pass after whose write a product in bit-reversed order can begin to read,
  // a word a cycle.
  function automatic int unsigned reversed_place();
    int unsigned place;
    place = 0;
    for (int unsigned k = 0; k < Words; k++) begin
      int unsigned needed;
      needed = place_of(32'(reversed(index_t'(k))));
      if (needed > place + k + 1) place = needed - k - 1;
    end
    return place;
  endfunction

  // The place after whose write segments can be read, one a cycle.
  function automatic int unsigned segment_place();
    int unsigned place;
    place = 0;
    for (int unsigned k = 0; k < Words; k++) begin
      if (place_of(k) > place + k / Segment + 1) place = place_of(k) - k / Segment - 1;
    end
    return place;
  endfunction

  // The most words by which a product in bit-reversed order is ahead of one in order.
  function automatic int unsigned reversed_lead();
    int unsigned lead;
    lead = 0;
    for (int unsigned k = 0; k < Words; k++) begin
      if (32'(reversed(index_t'(k))) > lead + k) lead = 32'(reversed(index_t'(k))) - k;
    end
    return lead;
  endfunction

  localparam int unsigned ReversedPlace = reversed_place();
  localparam int unsigned SegmentPlace  = segment_place();
  // Cycles between a product's last read and the first read of a reversed one after it.
  localparam int unsigned Needed        = reversed_lead() + MultiplierLatency + 1;
  localparam int unsigned Gap           = Needed > Digits ? Needed - Digits : 0;
  localparam int unsigned GapW          = $clog2(Gap + 2);

  // ---------------------------------------------------------------- steps

  logic            running_q;
  count_t          transform_q, product_q, pass_q;                 // next step of each unit
  count_t          transforms_done_q, products_done_q, passes_done_q;
  // Transforms, and for inverse transforms products, that the fast variant can read.
  count_t          words_done_q, reversed_done_q, segments_done_q, ready_q;
  logic            transform_done, product_done, pass_done, words_done, reversed_done;
  logic            segments_done, ready;
  count_t          product_after;
  transform_step_t transform;
  product_step_t   product;
  pass_step_t      pass;
  logic            transform_go, product_go, pass_go, transform_ready, product_ready;

  function automatic logic reached(count_t done, count_t wanted);
    return done >= wanted;
  endfunction

  count_t passes;  // of the program
  if (Redundant) begin : gen_redundant_passes
    assign pass   = redundant_pass_step(program_i, pass_q);
    assign passes = redundant_pass_steps(program_i);
  end else begin : gen_passes
    assign pass   = pass_step(program_i, pass_q);
    assign passes = pass_steps(program_i);
  end

  assign transform = transform_step(program_i, transform_q);
  assign product   = product_step(program_i, product_q);

  assign transform_go = running_q && transform_q != transform_steps(program_i) &&
                        reached(transforms_done_q, transform.after_transforms) &&
                        reached(Fast && transform.inverse ? ready_q : products_done_q,
                                transform.after_products) &&
                        reached(passes_done_q, transform.after_passes);
  always_comb begin
    product_after = transforms_done_q;
    if (Fast && product.streamed) product_after = product.reversed ? reversed_done_q : words_done_q;
  end

  assign product_go   = running_q && product_q != product_steps(program_i) &&
                        reached(product_after, product.after_transforms) &&
                        reached(products_done_q, product.after_products) &&
                        reached(passes_done_q, product.after_passes);
  assign pass_go      = running_q && pass_q != passes &&
                        reached(Fast && (pass.kind == Accumulate ||
                                         (Redundant && pass.kind == Direct)) ? segments_done_q
                                                                : transforms_done_q,
                                pass.after_transforms) &&
                        reached(products_done_q, pass.after_products) &&
                        reached(passes_done_q, pass.after_passes);
  assign done_o       = pass_done && passes_done_q + count_t'(1) == passes;

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
      reversed_done_q   <= '0;
      segments_done_q   <= '0;
      ready_q           <= '0;
    end else if (start_i || done_o) begin
      running_q         <= start_i;
      transform_q       <= '0;
      product_q         <= '0;
      pass_q            <= '0;
      transforms_done_q <= '0;
      products_done_q   <= '0;
      passes_done_q     <= '0;
      words_done_q      <= '0;
      reversed_done_q   <= '0;
      segments_done_q   <= '0;
      ready_q           <= '0;
    end else begin
      if (transform_go && transform_ready) transform_q <= transform_q + count_t'(1);
      if (product_go && product_ready) product_q <= product_q + count_t'(1);
      if (pass_go) pass_q <= pass_q + count_t'(1);
      if (transform_done) transforms_done_q <= transforms_done_q + count_t'(1);
      if (words_done) words_done_q <= words_done_q + count_t'(1);
      if (reversed_done) reversed_done_q <= reversed_done_q + count_t'(1);
      if (segments_done) segments_done_q <= segments_done_q + count_t'(1);
      if (ready) ready_q <= ready_q + count_t'(1);
      if (product_done) products_done_q <= products_done_q + count_t'(1);
      if (pass_done) passes_done_q <= passes_done_q + count_t'(1);
    end
  end

  // ---------------------------------------------------------------- FFT operator

  fft_read_t  fft_read;
  twiddle_t   twiddle, second_twiddle;
  fft_write_t fft_write;

  mf_fft_sequencer #(
    .Digits       (Digits),
    .Bits         (Bits),
    .Latency      (ButterflyLatency),
    .ReversedPlace(ReversedPlace),
    .SegmentPlace (SegmentPlace),
    .Fast         (Fast),
    .Rotated      (Rotated),
    .Fused        (Fused)
  ) u_sequencer (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .step_valid_i(transform_go),
    .step_ready_o(transform_ready),
    .source_i    (transform.source),
    .target_i    (transform.target),
    .owner_i     (transform.other ^ exchanged_i),
    .nega_i      (transform.second ^ Swapped),
    .inverse_i   (transform.inverse),
    .read_o      (fft_read),
    .twiddle_o   (twiddle),
    .second_twiddle_o(second_twiddle),
    .write_o     (fft_write),
    .words_o     (words_done),
    .reversed_o  (reversed_done),
    .segments_o  (segments_done),
    .done_o      (transform_done)
  );

  // ---------------------------------------------------------------- multiplier

  product_read_t   product_read_q;
  product_write_t  product_write;
  addend_read_t    addend_read;
  index_t          product_count_q, next_count;  // words of the product that were read
  target_e         product_target_q;
  logic            product_add_q, product_reversed_q, last_product, product_free;
  logic [GapW-1:0] gap_q;

  // Cycles after which the multiplier's fold takes the addend.
  localparam int unsigned AddendDelay = MultiplierLatency - 4;

  assign next_count    = product_count_q + index_t'(1);
  assign last_product  = product_read_q.valid && product_count_q == index_t'(Digits - 1);
  assign product_free  = !product_read_q.valid || last_product;
  assign product_ready = product_free && (!(Fast && product.reversed) || gap_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      product_read_q  <= '0;
      product_count_q <= '0;
      gap_q           <= '0;
    end else begin
      if (product_go && product_ready) begin
        product_read_q  <= '{valid: 1'b1, a: product.a, forward: product.forward,
                             factor: product.factor, constant: product.constant,
                             owner: product.other ^ exchanged_i, forward_owner: exchanged_i,
                             index: '0};
        product_count_q <= '0;
      end else if (product_free) begin
        product_read_q.valid <= 1'b0;
      end else begin
        product_count_q      <= next_count;
        product_read_q.index <= product_reversed_q ? reversed(next_count) : next_count;
      end
      if (product_read_q.valid) gap_q <= GapW'(Gap);
      if (product_free && gap_q != '0) gap_q <= gap_q - GapW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (product_go && product_ready) begin
      product_target_q   <= product.target;
      product_add_q      <= product.add;
      product_reversed_q <= Fast && product.reversed;
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
                          product_write_t'{valid: product_read_q.valid, target: product_target_q,
                                           owner: product_read_q.owner,
                                           index: product_read_q.index}};
      product_done_q  <= {product_done_q[MultiplierLatency-2:1], last_product};
      addend_q[1]     <= product_read_q.valid && product_add_q;
      for (int unsigned k = 2; k <= AddendDelay; k++) addend_q[k] <= addend_q[k-1];
    end
  end

  // An inverse transform, which reads four words a cycle, can follow when three quarters of the
  // words have been written; after a product that reads its target, when all words are read.
  localparam bit ReadFirst = MultiplierLatency < Digits / 4 - 1;

  logic [MultiplierLatency-1:1] ready_line_q;
  logic                         reads_target, written;

  assign reads_target = product_target_q == ToS0 &&
                        (product_read_q.a == OfS0 ||
                         (product_read_q.factor == Forwarded && product_read_q.forward == OfS0));
  assign written      = product_read_q.valid && product_count_q == index_t'(Digits - Digits / 4) &&
                        !(ReadFirst && reads_target);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ready_line_q <= '0;
    else ready_line_q <= {ready_line_q[MultiplierLatency-2:1], written};
  end

  assign ready = ready_line_q[MultiplierLatency-1] ||
                 (product_read_q.valid && product_count_q == index_t'(Digits - 2) && ReadFirst &&
                  reads_target);

  assign product_write = product_write_q[MultiplierLatency-1];
  assign product_done  = product_done_q[MultiplierLatency-1];
  assign addend_read   = '{valid: addend_q[AddendDelay], owner: product_write_q[AddendDelay].owner,
                           index: product_write_q[AddendDelay].index};

  // ---------------------------------------------------------------- adder

  pass_read_t  pass_read_q;
  pass_write_t pass_write;
  index_t      last_row_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pass_read_q <= '0;
      last_row_q  <= '0;
    end else if (pass_go) begin
      pass_read_q <= '{valid: 1'b1, first: 1'b1, last: 1'b0, kind: pass.kind, second: pass.second,
                       owner: pass.other ^ exchanged_i, row: '0};
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

  // The segments under way; the accumulation takes longer than the other kinds.
  localparam int unsigned Depth = AccumulateLatency - (Redundant ? 0 : 1);

  logic   [Depth:1] valid_q, last_q, owner_q;
  kind_e  [Depth:1] kind_q;
  index_t [Depth:1] row_q;
  logic             late, early;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      last_q  <= '0;
      kind_q  <= '0;
      owner_q <= '0;
      row_q   <= '0;
    end else begin
      valid_q <= {valid_q[Depth-1:1], pass_read_q.valid};
      last_q  <= {last_q[Depth-1:1], pass_read_q.last};
      kind_q  <= {kind_q[Depth-1:1], pass_read_q.kind};
      owner_q <= {owner_q[Depth-1:1], pass_read_q.owner};
      row_q   <= {row_q[Depth-1:1], pass_read_q.row};
    end
  end

  assign late  = valid_q[AccumulateLatency-1] && kind_q[AccumulateLatency-1] == Accumulate;
  assign early = valid_q[AddLatency-1] && kind_q[AddLatency-1] != Accumulate &&
                 !(Redundant && kind_q[AddLatency-1] == Direct);

  pass_write_t other_write;
  logic        other_done;
  direct_t     direct;

  assign other_write = late ? '{valid: 1'b1, kind: kind_q[AccumulateLatency-1],
                                owner: owner_q[AccumulateLatency-1],
                                row: row_q[AccumulateLatency-1]}
                            : '{valid: early, kind: kind_q[AddLatency-1],
                                owner: owner_q[AddLatency-1], row: row_q[AddLatency-1]};
  assign other_done  = (late && last_q[AccumulateLatency-1]) || (early && last_q[AddLatency-1]);

  // Direct: a segment's result comes a cycle later, and the first one again after the last.
  if (Redundant) begin : gen_direct
    logic direct_late, again_q, again_owner_q;

    assign direct_late = valid_q[Depth] && kind_q[Depth] == Direct;
    assign direct      = '{valid: valid_q[Depth-1] && kind_q[Depth-1] == Direct,
                           first: row_q[Depth-1] == '0, again: direct_late && last_q[Depth]};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) again_q <= 1'b0;
      else again_q <= direct.again;
    end
    always_ff @(posedge clk_i) again_owner_q <= owner_q[Depth];

    always_comb begin
      pass_write = other_write;
      if (direct_late) begin
        pass_write = '{valid: 1'b1, kind: Direct, owner: owner_q[Depth], row: row_q[Depth]};
      end
      if (again_q) pass_write = '{valid: 1'b1, kind: Direct, owner: again_owner_q, row: '0};
    end
    assign pass_done = other_done || again_q;
  end else begin : gen_no_direct
    assign direct     = '0;
    assign pass_write = other_write;
    assign pass_done  = other_done;
  end

  assign control_o = '{fft_read: fft_read, twiddle: twiddle, second_twiddle: second_twiddle,
                       fft_write: fft_write, product_read: product_read_q,
                       addend_read: addend_read, product_write: product_write,
                       pass_read: pass_read_q, direct: direct, pass_write: pass_write};

endmodule
