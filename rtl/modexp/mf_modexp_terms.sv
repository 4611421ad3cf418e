// SPDX-License-Identifier: Apache-2.0
//
// Terms that the registers t and acc of mf_modexp_chain load at the response of a turn, by step and
// algorithm (mf_modexp); no state.

module mf_modexp_terms
  import mf_modexp_pkg::*;
#(
  /// An algorithm of mf_modexp_pkg.
  parameter int unsigned Algorithm = Window,
  /// Bits of a digit; 1 to 6.
  parameter int unsigned DigitW    = 4
) (
  input  step_e  step_i,
  /// Squarings: this one is the digit's last.
  input  logic   last_square_i,
  /// The turn after this one is the last.
  input  logic   leave_i,

  /// The present digit: its product follows; its lowest bit; it is 0; another digit follows, whose
  /// lowest bit is 1.
  input  logic   product_i,
  input  logic   current_i,
  input  logic   zero_i,
  input  logic   more_i,
  input  logic   next_i,

  /// The entry of the table that the turn computes: that of the digit, 1, odd, the last one; and
  /// the word at the table's output is the last one.
  input  logic   match_i,
  input  logic   first_entry_i,
  input  logic   odd_entry_i,
  input  logic   last_entry_i,
  input  logic   read_last_i,

  output terms_t terms_o,
  /// The registers keep their values.
  output logic   t_keep_o,
  output logic   acc_keep_o
);

  localparam bit IsWindow  = Algorithm == Window;
  localparam bit IsSliding = Algorithm == Sliding;
  localparam bit IsLadder  = Algorithm == Ladder;
  localparam bit IsR2l     = Algorithm == R2l;
  localparam bit IsF4      = Algorithm == F4;
  localparam bit IsAlways  = Algorithm == SquareMultiplyAlways;

  // The ladder exchanges t and acc if this digit and the next one differ.
  logic exchange;
  assign exchange = current_i ^ next_i;

  always_comb begin
    terms_o    = '0;
    t_keep_o   = 1'b1;
    acc_keep_o = 1'b1;
    unique case (step_i)
      StEnter: begin
        t_keep_o   = 1'b0;
        acc_keep_o = 1'b0;
        if (IsWindow && DigitW == 1) begin
          terms_o.t_read    = zero_i;
          terms_o.t_product = match_i;
        end else if (IsWindow) begin
          terms_o.t_product   = 1'b1;
          terms_o.acc_read    = zero_i;
          terms_o.acc_product = match_i;
        end else if (IsSliding && DigitW == 1) begin
          terms_o.t_product = product_i;
          terms_o.t_read    = !product_i;
        end else if (IsSliding || IsF4) begin
          terms_o.t_product = 1'b1;
        end else if (IsLadder) begin
          terms_o.t_product   = current_i;
          terms_o.t_read      = !current_i;
          terms_o.acc_product = !current_i;
          terms_o.acc_read    = current_i;
        end else if (IsR2l) begin
          terms_o.t_product = 1'b1;
          terms_o.acc_read  = 1'b1;
        end else begin
          terms_o.t_read      = 1'b1;
          terms_o.acc_product = 1'b1;
        end
      end
      StTable: begin
        if (IsWindow) begin
          t_keep_o = 1'b0;
          if (last_entry_i) begin
            terms_o.t_acc     = 1'b1;
            terms_o.t_product = match_i;
            acc_keep_o        = 1'b0;
          end else begin
            terms_o.t_read      = odd_entry_i;
            terms_o.t_product   = !odd_entry_i;
            acc_keep_o          = !match_i;
            terms_o.acc_product = match_i;
          end
        end else if (first_entry_i) begin
          acc_keep_o          = 1'b0;
          terms_o.acc_product = 1'b1;
        end else begin
          t_keep_o          = 1'b0;
          terms_o.t_product = !last_entry_i || (product_i && read_last_i);
          terms_o.t_read    = !terms_o.t_product;
        end
      end
      StSquare: begin
        t_keep_o = 1'b0;
        if (IsLadder) begin
          terms_o.t_acc       = exchange;
          terms_o.t_product   = !exchange;
          acc_keep_o          = !exchange;
          terms_o.acc_product = exchange;
        end else if (IsR2l) begin
          terms_o.t_product = more_i;
          terms_o.t_acc     = !more_i;
        end else begin
          terms_o.t_product = 1'b1;
          if (last_square_i && (IsF4 || (IsSliding && product_i))) begin
            acc_keep_o       = 1'b0;
            terms_o.acc_read = 1'b1;
          end
        end
      end
      StProduct: begin
        if (IsLadder) begin
          acc_keep_o          = 1'b0;
          terms_o.acc_product = 1'b1;
        end else if (IsR2l) begin
          acc_keep_o          = !current_i;
          terms_o.acc_product = current_i;
        end else begin
          t_keep_o          = IsAlways && !current_i;
          terms_o.t_product = !IsAlways || current_i;
        end
      end
      StBoth: begin
        t_keep_o   = 1'b0;
        acc_keep_o = 1'b0;
        if (IsLadder) begin
          terms_o.t_square    = !exchange;
          terms_o.t_product   = exchange;
          terms_o.acc_square  = exchange;
          terms_o.acc_product = !exchange;
        end else begin
          terms_o.t_square    = more_i;
          terms_o.t_product   = !more_i && current_i;
          terms_o.t_acc       = !more_i && !current_i;
          acc_keep_o          = !current_i;
          terms_o.acc_product = current_i;
        end
      end
      default: begin
        t_keep_o          = 1'b0;
        terms_o.t_product = 1'b1;
      end
    endcase
    // The factor that leaves the domain replaces an operand that is no longer needed.
    if (leave_i) begin
      acc_keep_o          = 1'b0;
      terms_o.acc_square  = 1'b0;
      terms_o.acc_product = 1'b0;
      terms_o.acc_read    = 1'b0;
      terms_o.acc_leave   = 1'b1;
    end
  end

endmodule
