// SPDX-License-Identifier: Apache-2.0
//
// Addresses of the table of powers: entries that are computed, wiped, and read, and the scan that
// reads all entries of Window in one order.
//
// Entry     the number of the entry that a turn computes; in a wipe, of the one that becomes 0.
// Scan      begins as the first squaring of a digit is accepted and reads an entry a cycle, 1 to
//           Depth - 1; found_o marks the cycle in which that of the digit is at the output.
// Reads     for the squaring of an even entry j T[j / 2], for its product T[1]; Sliding reads the
//           entry of the digit.

module mf_modexp_entries
  import mf_modexp_pkg::*;
#(
  /// An algorithm of mf_modexp_pkg.
  parameter int unsigned Algorithm  = Window,
  /// Bits of a digit; 1 to 6.
  parameter int unsigned DigitW     = 4,
  /// Words of the table; at least 2.
  parameter int unsigned Depth      = 16,
  /// The table is read in two cycles.
  parameter bit          TableBlock = 1'b0,

  localparam int unsigned AddrW = $clog2(Depth)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  /// The phase; the operation ends by an abort.
  input  logic              req_valid_i,
  input  logic              idle_i,
  input  logic              run_i,
  input  logic              done_i,
  input  logic              wipe_i,
  input  logic              stop_i,

  /// The turn: its step and the one after it; it is the first, from its second cycle on; its second
  /// operand is the table's word; its request is accepted, its response awaited in the next cycle,
  /// its response taken.
  input  step_e             step_i,
  input  step_e             after_i,
  input  logic              first_i,
  input  logic              b_read_i,
  input  logic              accept_i,
  input  logic              waiting_i,
  input  logic              take_i,

  /// The present digit; its product follows.
  input  logic [DigitW-1:0] digit_i,
  input  logic              product_i,

  /// The entry; it is the last one, that of the digit; the digit is 0 (the last two a cycle late).
  output logic [AddrW-1:0]  entry_o,
  output logic              last_entry_o,
  output logic              match_o,
  output logic              zero_o,
  /// A scan has the digit's entry at the table's output; it has an entry there in the next cycle;
  /// it has not ended in the next cycle.
  output logic              found_o,
  output logic              reading_o,
  output logic              scan_busy_o,
  /// The last cycle of a wipe.
  output logic              wiped_o,

  /// The table; entry_o is written.
  output logic              write_o,
  output logic [AddrW-1:0]  read_addr_o
);

  localparam bit IsWindow  = Algorithm == Window;
  localparam bit IsSliding = Algorithm == Sliding;
  localparam bit HasTable  = IsWindow || IsSliding;

  localparam int unsigned LastEntry  = IsWindow ? (1 << DigitW) - 1 : 1 << (DigitW - 1);
  localparam int unsigned WipeCycles = HasTable ? Depth : 1;

  logic [AddrW-1:0] entry_q, read_addr_d, read_addr_q;
  logic             last_entry_q;

  // ---------------------------------------------------------------- reads

  if (IsWindow) begin : gen_scan
    logic scan_d, scan_q, scan_end_q, scan_last, scanned_d, scanned_q;
    logic match_q, zero_q;
    logic read_match_q;  // the entry at the table's output is that of the digit

    always_ff @(posedge clk_i) begin
      match_q      <= entry_q[DigitW-1:0] == digit_i;
      zero_q       <= digit_i == '0;
      read_match_q <= read_addr_q[DigitW-1:0] == digit_i;
      scan_end_q   <= read_addr_q == AddrW'(Depth - 1);
    end

    assign match_o = match_q;
    assign zero_o  = zero_q;

    // Half of the even entry after an odd one, from the turn before it on; 0 after the last one.
    localparam int unsigned HalfW = (DigitW > 1) ? DigitW - 1 : 1;
    logic [HalfW-1:0] half_q;

    always_ff @(posedge clk_i) begin
      if (!entry_q[0]) half_q <= HalfW'(32'(entry_q) / 2) + HalfW'(1);
    end

    // A scan begins at the acceptance of a digit's first squaring and reads an entry each cycle.
    logic scan_start, scan_on;
    logic starts_after_q, starts_q;  // the next turn is such a squaring; this turn is one
    logic table_q;                   // this turn computes an entry
    assign scan_start = accept_i && starts_q;
    assign scan_on    = scan_q && !scan_end_q;
    assign scan_d     = run_i && (scan_start || scan_on);

    always_ff @(posedge clk_i) begin
      starts_after_q <= after_i == StSquare && step_i != StSquare;
      if (idle_i || wipe_i) begin
        starts_q <= 1'b0;
        table_q  <= 1'b0;
      end else if (take_i) begin
        starts_q <= starts_after_q;
        table_q  <= after_i == StTable;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        scan_q    <= 1'b0;
        scanned_q <= 1'b0;
      end else begin
        scan_q    <= scan_d;
        scanned_q <= scanned_d;
      end
    end

    if (TableBlock) begin : gen_late
      logic late_scan_q, late_match_q;

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) late_scan_q <= 1'b0;
        else late_scan_q <= run_i && scan_q;
      end

      always_ff @(posedge clk_i) begin
        late_match_q <= read_match_q;
      end

      assign found_o   = late_scan_q && late_match_q;
      assign reading_o = run_i && scan_q;
      assign scan_last = late_scan_q && !scan_q;
    end else begin : gen_soon
      assign found_o   = scan_q && read_match_q;
      assign reading_o = scan_d;
      assign scan_last = scan_q && scan_end_q;
    end

    assign scanned_d   = run_i && !scan_start && (scanned_q || scan_last);
    assign scan_busy_o = !(scanned_q || scan_last);

    // In turns of the table: T[j / 2] for the squaring of an even j, read in the turn before, and
    // T[1] else. After them 0, unless a scan is under way.
    always_comb begin
      read_addr_d = ((read_addr_q + AddrW'(1)) & {AddrW{scan_on}}) |
                    (read_addr_q & {AddrW{table_q}});
      if (scan_start) read_addr_d = AddrW'(1);
      if (accept_i && b_read_i) read_addr_d = AddrW'(half_q);
      if (take_i && (first_i || b_read_i)) read_addr_d = AddrW'(!last_entry_q);
    end

    logic unused_product;
    assign unused_product = product_i;
  end else begin : gen_no_scan
    assign scan_busy_o = 1'b0;
    assign match_o     = 1'b0;
    assign zero_o      = 1'b0;
    assign found_o     = 1'b0;
    assign reading_o   = 1'b0;
    // Entry 0: r1 (or x); entry i: the power of 2i - 1.
    assign read_addr_d = (IsSliding && product_i) ? AddrW'((32'(digit_i) >> 1) + 1) : '0;

    logic unused_turn;
    assign unused_turn = ^{run_i, digit_i, accept_i, first_i, b_read_i, after_i};
  end

  always_ff @(posedge clk_i) begin
    read_addr_q <= read_addr_d;
  end

  assign read_addr_o = read_addr_q;

  // ---------------------------------------------------------------- writes

  // Entries that are computed are written, and zeros in a wipe.
  logic writes, writes_q;  // the turn's product is an entry, and its response is waited for
  assign writes = HasTable && (step_i == StEnter ||
                               (step_i == StTable && !(IsSliding && entry_q == AddrW'(1))));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) writes_q <= 1'b0;
    else writes_q <= writes && waiting_i;
  end
  assign write_o = wipe_i || (take_i && writes_q);

  // The last cycle of a wipe.
  if (WipeCycles > 1) begin : gen_wipe
    logic wiped_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) wiped_q <= 1'b0;
      else wiped_q <= wipe_i && entry_q == AddrW'(WipeCycles - 2);
    end

    assign wiped_o = wiped_q;
  end else begin : gen_one_cycle
    assign wiped_o = 1'b1;
  end

  // Window computes entries from 2 on; Sliding the square in a turn with entry_q = 1, then entries
  // from 2 on.
  logic entry_done;
  logic counts_q;  // entry_q counts the turn; from its second cycle on
  logic near_q;    // the entry before the last one; from the second cycle of a turn on
  assign entry_done = take_i && counts_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) entry_q <= '0;
    else if (wipe_i ? wiped_o : stop_i || done_i) entry_q <= '0;
    else if (idle_i) entry_q <= AddrW'(req_valid_i);
    else if (wipe_i || entry_done) entry_q <= entry_q + AddrW'(1);
  end

  always_ff @(posedge clk_i) begin
    counts_q <= (step_i == StEnter && !IsSliding) || step_i == StTable;
    near_q   <= entry_q == AddrW'(LastEntry - 1);
    if (idle_i) last_entry_q <= LastEntry == 1;
    else if (entry_done) last_entry_q <= near_q;
  end

  assign entry_o      = entry_q;
  assign last_entry_o = last_entry_q;

endmodule
