// SPDX-License-Identifier: Apache-2.0
//
// The word unit's job in a phase of a step, and the places of its operands in memory.
//
// Contract: word_o and amount_o follow the step, its phase and its bank by one cycle, the places by
//           three. They have inverted copies, and places in values too, which are compared.

module mf_engine_job
  import mf_engine_pkg::*;
#(
  parameter engine_t Engine,

  localparam int unsigned AddrW = Engine.addr_w,
  localparam int unsigned SlotW = (Engine.keys > 1) ? $clog2(Engine.keys) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  step_e            step_i,
  input  word_e            word_i,
  input  operand_t         z_i,
  input  operand_t         x_i,
  input  operand_t         y_i,
  input  logic [15:0]      amount_i,
  input  logic [3:0]       phase_i,
  /// Operands are the values of q.
  input  logic             bank_i,
  /// Variables are of full width; the exponentiator is; the command is on the host's modulus.
  input  logic             full_i,
  input  logic             full_unit_i,
  input  logic             one_modulus_i,
  input  logic             self_test_i,
  input  logic [SlotW-1:0] slot_i,
  /// Bits of n, and of the modulus of the step.
  input  logic [15:0]      n_bits_i,
  input  logic [15:0]      length_i,
  /// The phase in which StepReduce begins, and the step's last one.
  output logic [3:0]       first_sub_o,
  output logic [3:0]       phase_last_o,

  output word_e            word_o,
  output logic [15:0]      amount_o,
  output logic [AddrW-1:0] z_base_o,
  output logic [AddrW-1:0] z_len_o,
  output logic [AddrW-1:0] x_base_o,
  output logic [AddrW-1:0] x_len_o,
  output logic [1:0]       x_kind_o,
  output logic [AddrW-1:0] y_base_o,
  output logic [AddrW-1:0] y_len_o,
  output logic [1:0]       y_kind_o,
  output logic             copies_ok_o
);

  localparam int unsigned Words     = Engine.words;
  localparam int unsigned SlotVars  = Engine.slot_variables;
  localparam int unsigned WorkFirst = Engine.slots * SlotVars;  // the number of a variable
  localparam int unsigned ShortLen  = 64 / Engine.word_w;
  localparam variables_t  Names     = Engine.variables;

  typedef struct packed {
    logic [AddrW-1:0] base;
    logic [AddrW-1:0] len;
    logic [1:0]       kind;
  } place_t;

  typedef struct packed {
    word_e       word;
    operand_t    z;
    operand_t    x;
    operand_t    y;
    logic [15:0] amount;
    logic [14:0] slot_first;  // the number of the slot's first variable
  } picked_t;

  typedef struct packed {
    place_t z;
    place_t x;
    place_t y;
  } placed_t;

  // A place in values: that of the first one, or the number that an operand is.
  typedef struct packed {
    logic [15:0]      unit;
    logic [AddrW-1:0] len;
    logic [1:0]       kind;
  } counted_t;

  typedef struct packed {
    counted_t z;
    counted_t x;
    counted_t y;
  } counts_t;

  // ---------------------------------------------------------------- phases of a step

  // Put: the result is stored; of a signed multiplier, n is added if it is negative; then n is
  // subtracted if the result is not below n, as often as corrections says. Reduce: one subtraction.
  // Of results v below 2^(Scale + 1) n, n of l bits, the first phases make v - q n in [0, 2 n) for
  // q = floor(floor(v / 2^(l - 2)) floor(2^(l + Scale + 2) / n) / 2^(Scale + 4)): with v / n =
  // a b / 2^(Scale + 4), a = v / 2^(l - 2) and b = 2^(l + Scale + 2) / n, both below 2^(Scale + 3),
  // rounding a and b down takes less than 1 away, and the last floor less than 1.
  localparam logic [3:0] PutAdd      = 4'd1;  // of signed results
  localparam logic [3:0] PutSign     = 4'd2;
  localparam logic [3:0] PutTop      = 4'd1;  // of results beyond 2 n: a
  localparam logic [3:0] PutEstimate = 4'd2;  // a b
  localparam logic [3:0] PutQuotient = 4'd3;  // q
  localparam logic [3:0] PutMultiple = 4'd4;  // q n
  localparam logic [3:0] PutRest     = 4'd5;  // v - q n
  localparam logic [3:0] PutSub      = 4'd1;  // the first subtraction, if none of these is there

  word_e       word;
  operand_t    z, x, y, n, rest, quotient;
  logic        has_sign, scaled, estimates;
  logic [3:0]  first_sub, corrections;
  logic        corrects, select_phase, sub_phase, add_phase, top_phase, quotient_phase;
  logic [15:0] scale, amount;

  assign scale          = full_unit_i ? 16'(Engine.full.scale) : 16'(Engine.half.scale);
  assign has_sign       = full_unit_i ? Engine.full.has_sign : Engine.half.has_sign;
  assign corrections    = full_unit_i ? 4'(Engine.full.corrections) : 4'(Engine.half.corrections);
  assign scaled         = scale != '0;
  assign first_sub      = has_sign ? PutSign + 4'd1 : scaled ? PutRest + 4'd1 : PutSub;
  assign first_sub_o    = first_sub;
  assign corrects       = step_i inside {StepPut, StepReduce} && phase_i >= first_sub;
  assign sub_phase      = corrects && phase_i[0] == first_sub[0];
  assign select_phase   = corrects && phase_i[0] != first_sub[0];
  assign estimates      = scaled && step_i == StepPut && !corrects;
  assign top_phase      = estimates && phase_i == PutTop;
  assign quotient_phase = estimates && phase_i == PutQuotient;
  assign add_phase      = has_sign && step_i == StepPut && phase_i == PutAdd;
  // p q in a step of full width on a key.
  assign n              = '{
    name: (full_unit_i && !full_i) ? Names.full_modulus : Names.modulus, form: z_i.form
  };
  assign rest           = '{name: Names.rest, form: z_i.form};
  assign quotient       = '{name: Names.quotient, form: FormShort};

  always_comb begin
    amount = amount_i;
    if (top_phase) amount = (full_unit_i ? n_bits_i : length_i) - 16'd2;
    if (quotient_phase) amount = scale + 16'd4;
  end

  always_comb begin
    word       = word_i;
    z          = z_i;
    x          = x_i;
    y          = y_i;
    phase_last_o = '0;
    if (step_i == StepPut) phase_last_o = first_sub + (corrections << 1) - 4'd1;
    if (step_i == StepReduce) phase_last_o = first_sub + 4'd1;
    if (sub_phase) begin
      word = WordSub;
      z    = rest;
      x    = z_i;
      y    = n;
    end else if (select_phase) begin
      word = WordSelect;  // the flag is the borrow
      z    = z_i;
      x    = z_i;
      y    = rest;
    end else if (add_phase) begin
      word = WordAdd;
      z    = rest;
      x    = z_i;
      y    = n;
    end else if (has_sign && step_i == StepPut && phase_i == PutSign) begin
      word = WordSelect;  // the flag is the sign
      z    = z_i;
      x    = rest;
      y    = z_i;
    end else if (estimates) begin
      unique case (phase_i)
        PutTop: begin
          word = WordShift;
          z    = quotient;
          x    = z_i;
        end
        PutEstimate: begin
          word = WordMul;
          z    = rest;
          x    = quotient;
          y    = '{
            name: (full_unit_i && !full_i) ? Names.full_estimate : Names.estimate, form: FormShort
          };
        end
        PutQuotient: begin
          word = WordShift;
          z    = quotient;
          x    = rest;
        end
        PutMultiple: begin
          word = WordMul;
          z    = rest;
          x    = quotient;
          y    = n;
        end
        PutRest: begin
          word = WordSub;
          x    = z_i;
          y    = rest;
        end
        default: ;
      endcase
    end
  end

  // ---------------------------------------------------------------- places

  picked_t picked, picked_q, picked_copy_q;  // the copy is inverted
  counts_t counts, counts_q, counts_copy_q;  // the copy is inverted
  placed_t placed, placed_q, placed_copy_q;  // the copy is inverted
  assign picked = '{
    word: word, z: z, x: x, y: y, amount: amount,
    slot_first: 15'(full_i ? 5'(Engine.keys) : 5'(slot_i)) * 15'(SlotVars)
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      picked_q      <= '0;
      picked_copy_q <= '1;
      counts_q      <= '0;
      counts_copy_q <= '1;
      placed_q      <= '0;
      placed_copy_q <= '1;
    end else begin
      picked_q      <= picked;
      picked_copy_q <= ~picked;
      counts_q      <= counts;
      counts_copy_q <= ~counts;
      placed_q      <= placed;
      placed_copy_q <= ~placed;
    end
  end

  assign copies_ok_o = picked_copy_q == ~picked_q && counts_copy_q == ~counts_q &&
                       placed_copy_q == ~placed_q;

  function automatic counted_t count(input operand_t given, input logic one, input logic of_q,
                                     input logic [14:0] slot_first, input logic self_test);
    counted_t    found;
    logic [14:0] region;      // the place of the region, in variables
    logic        half, next;  // the second value; of wide forms that of the next variable
    logic [15:0] pairs;
    logic [4:0]  number;
    variable_t   name;
    operand_t    operand;
    operand = given;
    if (one && given.form == FormHalf) operand.form = FormFull;
    name   = (self_test && operand.name == Names.message) ? Names.test_message : operand.name;
    number = name[4:0];
    half   = 1'b0;
    next   = 1'b0;
    unique case (operand.form)
      FormFull: found.len = AddrW'(2 * Words);
      FormWide: begin
        next      = of_q;
        found.len = AddrW'(2 * Words);
      end
      FormQ: begin
        half      = 1'b1;
        found.len = AddrW'(Words);
      end
      FormP:     found.len = AddrW'(Words);
      FormShort: begin
        half      = of_q;
        found.len = AddrW'(ShortLen);
      end
      default: begin
        half      = of_q;
        found.len = AddrW'(Words);
      end
    endcase
    unique case (name[6:5])
      2'd0:    region = slot_first;
      2'd1:    region = 15'(WorkFirst);
      default: region = '0;
    endcase
    pairs = {10'd0, number, 1'b1} + {region, next};  // one adder: the lowest bit carries next
    found.kind = (name[6:5] == 2'd3) ? 2'd2 : (name[6:5] == 2'd2) ? 2'd1 : 2'd0;
    found.unit = (name[6:5] == 2'd3) ? 16'(number) : {15'(pairs >> 1), half};
    return found;
  endfunction

  function automatic place_t place(input counted_t given);
    place_t found;
    found.base = '0;
    for (int unsigned i = 0; i < 16; i++) begin  // times Words; not in a DSP block
      if (Words[i]) found.base = found.base + AddrW'(32'(given.unit) << i);
    end
    if (given.kind == 2'd2) found.base = AddrW'(given.unit);
    found.len  = given.len;
    found.kind = given.kind;
    return found;
  endfunction

  always_comb begin
    counts.z = count(picked_q.z, full_i, bank_i, picked_q.slot_first, self_test_i);
    counts.x = count(picked_q.x, full_i, bank_i, picked_q.slot_first, self_test_i);
    counts.y = count(picked_q.y, full_i, bank_i, picked_q.slot_first, self_test_i);
    if (picked_q.word inside {WordLoadE, WordLoadPublic}) begin
      counts.z.len = AddrW'(one_modulus_i ? 2 * Words : Engine.e_words);
    end
    placed = '{z: place(counts_q.z), x: place(counts_q.x), y: place(counts_q.y)};
  end

  logic unused_kind;
  assign unused_kind = ^placed_q.z.kind;  // results are in the main memory

  assign word_o   = picked_q.word;
  assign amount_o = picked_q.amount;
  assign z_base_o = placed_q.z.base;
  assign z_len_o  = placed_q.z.len;
  assign x_base_o = placed_q.x.base;
  assign x_len_o  = placed_q.x.len;
  assign x_kind_o = placed_q.x.kind;
  assign y_base_o = placed_q.y.base;
  assign y_len_o  = placed_q.y.len;
  assign y_kind_o = placed_q.y.kind;

endmodule
