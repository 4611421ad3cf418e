// SPDX-License-Identifier: Apache-2.0
//
// Wipes of an engine: ranges of memory to overwrite, keys to zeroize once the command under way has
// ended, and whether the result is kept.
//
// Ranges:   in the order of mf_engine_pkg::clear_t: a slot with random words, a slot, work (without
//           its first variable, the result, if the result is kept), the host's key windows, all of
//           the main memory, all of the host's memory.

module mf_engine_wipe
  import mf_engine_pkg::*;
#(
  parameter engine_t Engine,

  localparam int unsigned AddrW = Engine.addr_w,
  localparam int unsigned SlotW = (Engine.keys > 1) ? $clog2(Engine.keys) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  /// A list is taken; the present range has been overwritten.
  input  logic             set_i,
  input  clear_t           list_i,
  input  logic             next_i,
  /// The slot to overwrite.
  input  logic [SlotW-1:0] slot_i,
  output logic             any_o,
  output logic [AddrW-1:0] base_o,
  output logic [AddrW-1:0] len_o,
  output logic             host_o,
  output logic             random_o,

  /// The program ends; its result is good; a result is no longer kept.
  input  logic             end_i,
  input  logic             good_i,
  input  logic             drop_i,
  output logic             keep_o,

  /// Zeroizing that is asked for while a command is under way: of all, or of slot asked_i. One wipe
  /// begins; all are forgotten.
  input  logic             ask_all_i,
  input  logic             ask_slot_i,
  input  logic [SlotW-1:0] asked_i,
  input  logic             begin_i,
  input  logic             forget_i,
  output logic             due_o,
  output logic             due_all_o,
  output logic [SlotW-1:0] due_slot_o
);

  localparam int unsigned SlotLen  = Engine.slot_variables * Units * Engine.words;
  localparam int unsigned WorkBase = Engine.slots * SlotLen;
  localparam int unsigned WorkLen  = Engine.work_variables * Units * Engine.words;
  localparam int unsigned Result   = Units * Engine.words;
  localparam int unsigned HostBase = Engine.host_kept * Units * Engine.words;

  clear_t                 clear_q;
  logic                   keep_result_q, keep_result_copy_q;
  logic                   wipe_all_q;
  logic [Engine.keys-1:0] wipe_slots_q;

  always_comb begin
    host_o   = 1'b0;
    random_o = 1'b0;
    if (clear_q.slot_random || clear_q.slot_zero) begin
      base_o   = AddrW'(32'(slot_i) * SlotLen);
      len_o    = AddrW'(SlotLen);
      random_o = clear_q.slot_random;
    end else if (clear_q.work) begin
      base_o = keep_result_q ? AddrW'(WorkBase + Result) : AddrW'(WorkBase);
      len_o  = keep_result_q ? AddrW'(WorkLen - Result) : AddrW'(WorkLen);
    end else if (clear_q.host) begin
      base_o = AddrW'(HostBase);
      len_o  = AddrW'(Engine.host_depth - HostBase);
      host_o = 1'b1;
    end else if (clear_q.all_main) begin
      base_o = '0;
      len_o  = AddrW'(Engine.main_depth);
    end else begin
      base_o = '0;
      len_o  = AddrW'(Engine.host_depth);
      host_o = 1'b1;
    end
  end

  assign any_o     = clear_q != '0;
  assign keep_o    = keep_result_q && keep_result_copy_q;
  assign due_all_o = wipe_all_q;
  assign due_o     = wipe_all_q || wipe_slots_q != '0;

  always_comb begin
    due_slot_o = '0;
    for (int unsigned s = 0; s < Engine.keys; s++) begin
      if (wipe_slots_q[s]) due_slot_o = SlotW'(s);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q            <= '0;
      keep_result_q      <= 1'b0;
      keep_result_copy_q <= 1'b0;
      wipe_all_q         <= 1'b0;
      wipe_slots_q       <= '0;
    end else begin
      if (set_i) begin
        clear_q <= list_i;
      end else if (next_i) begin
        if (clear_q.slot_random) clear_q.slot_random <= 1'b0;
        else if (clear_q.slot_zero) clear_q.slot_zero <= 1'b0;
        else if (clear_q.work) clear_q.work <= 1'b0;
        else if (clear_q.host) clear_q.host <= 1'b0;
        else if (clear_q.all_main) clear_q.all_main <= 1'b0;
        else clear_q.all_host <= 1'b0;
      end
      if (end_i || drop_i) begin
        keep_result_q      <= end_i && good_i;
        keep_result_copy_q <= end_i && good_i;
      end
      if (begin_i) begin
        if (wipe_all_q) begin
          wipe_all_q   <= 1'b0;
          wipe_slots_q <= '0;
        end else begin
          wipe_slots_q[due_slot_o] <= 1'b0;
        end
      end
      if (ask_all_i) wipe_all_q <= 1'b1;
      if (ask_slot_i) wipe_slots_q[asked_i] <= 1'b1;
      if (forget_i) begin
        wipe_all_q   <= 1'b0;
        wipe_slots_q <= '0;
      end
    end
  end

endmodule
