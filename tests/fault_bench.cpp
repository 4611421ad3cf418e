// SPDX-License-Identifier: Apache-2.0
//
// The bench of an engine (engine_bench.cpp) whose registers can be read, and have faults. It knows
// further commands:
//
// registers                  -> number of registers, then a line "name bits words" for each
// flip REGISTER WORD BIT     -> 0; turns the bit round after the clock edge before
// peek REGISTER WORD         -> value
// golden SEED BITS C FORCE   -> cycles, error, y: a private operation of c on key 0 with random
//                               words of SEED and no fault. FORCE: here and below the checks are
//                               taken as good.
// fault LIMIT (REGISTER WORD BIT CYCLE HOW)...
//                            -> busy, error, refused, cycles, y, seen: that operation again, LIMIT
//                               cycles of it at most, with faults after these cycles. HOW: 0 the
//                               bit is turned round, 1 the word becomes 0, 2 and 3 the bit is
//                               stuck at 0 and 1. It ends early, with the end of the golden one,
//                               as soon as all signals are those of the golden one again.
//
// FLOPS(X) expands to X(member, bits, words) for each register.

#define BENCH_IS_EXTENDED
#include "engine_bench.cpp"

#include "Vdut___024root.h"
#include "flops.h"

#include <algorithm>
#include <cstring>
#include <iomanip>

namespace {

struct Flop {
  const char* name;
  uint8_t* data;
  unsigned bits, words, stride;
};

enum How : unsigned { kFlip, kZero, kStuckAt0, kStuckAt1 };

struct Fault {
  const Flop* flop;
  unsigned word, bit, cycle, how;
};

// All signals of the simulation, and the source of random words.
struct State {
  std::vector<uint8_t> signals;
  uint64_t random;
  uint32_t random_value;
};

// How an operation ended.
struct End {
  unsigned busy, error, refused, cycles;
  uint64_t y;
  unsigned seen;  // by the guards, in the first cycle in which one of them saw a fault
};

constexpr unsigned kStride = 32;  // cycles between two states that are kept
constexpr unsigned kTail = 8;     // cycles after the end in which a fault can come
constexpr unsigned kLongest = 1u << 20;

class FaultBench : public Bench {
 public:
  explicit FaultBench(uint64_t seed) : Bench(seed) { list(); }

 private:
  std::vector<Flop> flops_;
  std::vector<Fault> stuck_;
  State start_;                // before the golden operation, and again after each other
  std::vector<State> golden_;  // one in kStride cycles
  End golden_end_{};
  unsigned words_ = 1;         // of a result
  bool force_ = false;
  unsigned seen_ = 0;
  uint32_t code_end_ = 0;

  // Keeps stuck bits at their values.
  void hold() {
    if (stuck_.empty()) return;
    bool changed = false;
    for (const Fault& f : stuck_) {
      uint8_t& place = f.flop->data[f.word * f.flop->stride + f.bit / 8];
      const uint8_t before = place, mask = 1u << (f.bit % 8);
      place = (f.how == kStuckAt1) ? place | mask : place & ~mask;
      changed = changed || place != before;
    }
    if (changed) dut_->eval();
  }

  template <typename Member>
  void flop(const char* name, Member& member, unsigned bits, unsigned words) {
    flops_.push_back({name, reinterpret_cast<uint8_t*>(&member), bits, words,
                      static_cast<unsigned>(sizeof(member) / words)});
  }

  void list() {
    auto& root = *dut_->rootp;
#define ADD_FLOP(member, bits, words) flop(#member, root.member, bits, words);
    FLOPS(ADD_FLOP)
#undef ADD_FLOP
    (void)root;
  }

  State save() {
    const auto* const first = reinterpret_cast<const uint8_t*>(dut_->rootp);
    return {{first, first + sizeof(*dut_->rootp)}, random_, random_value_};
  }

  void restore(const State& state) {
    std::memcpy(static_cast<void*>(dut_->rootp), state.signals.data(), state.signals.size());
    random_ = state.random;
    random_value_ = state.random_value;
  }

  bool is(const State& state) {
    return random_ == state.random && random_value_ == state.random_value &&
           std::memcmp(dut_->rootp, state.signals.data(), state.signals.size()) == 0;
  }

  const Flop& named(const std::string& end) {
    for (const Flop& f : flops_) {
      const std::string name = f.name;
      if (name.size() > end.size() && name.rfind(end) == name.size() - end.size()) return f;
    }
    std::abort();
  }

  // A step; if forced, the checks have the outcome that they have without a fault.
  void forced_step() {
    if (!seen_) seen_ = SEEN(dut_->rootp);
    step();
    if (!force_) return;
    static uint8_t* const first = named("code_first_q").data;
    static uint8_t* const second = named("code_second_q").data;
    static uint8_t* const error = named("u_control__DOT__error_q").data;
    std::memcpy(first, &code_end_, 4);
    std::memcpy(second, &code_end_, 4);
    if (*error == 14) *error = 0;
    dut_->eval();
  }

  void flip(const Flop& f, unsigned word, unsigned bit) {
    f.data[word * f.stride + bit / 8] ^= 1u << (bit % 8);
  }

  // An operation without a fault; if the checks are forced, their codes are those of its end.
  End golden(uint64_t seed, unsigned words, uint64_t c, bool force) {
    seed_random(seed);
    words_ = words;
    for (unsigned i = 0; i < words; ++i) window(true, 0x1000 + 4 * i, c >> (32 * i));
    start_ = save();
    for (const bool forced : {false, true}) {
      if (forced && !force) break;
      restore(start_);
      force_ = forced;
      golden_.clear();
      start_private();
      unsigned ran = 0, cycles = 0;
      for (; dut_->busy_o ? ran < kLongest : ran < cycles + kTail; ++ran) {
        if (ran % kStride == 0) golden_.push_back(save());
        if (dut_->busy_o) cycles = ran + 1;
        forced_step();
      }
      if (!forced) std::memcpy(&code_end_, named("code_first_q").data, 4);
      golden_end_ = end(cycles);
    }
    restore(start_);
    return golden_end_;
  }

  End faulty(unsigned limit, const std::vector<Fault>& faults) {
    unsigned first = ~0u, last = 0;
    for (const Fault& f : faults) first = std::min(first, f.cycle), last = std::max(last, f.cycle);
    const size_t index = std::min<size_t>(first / kStride, golden_.size() - 1);
    restore(golden_[index]);
    seen_ = 0;
    for (unsigned ran = index * kStride;; ++ran) {
      bool changed = false;
      for (const Fault& f : faults) {
        if (f.cycle != ran) continue;
        changed = true;
        const Flop& flop = *f.flop;
        if (f.how == kFlip) flip(flop, f.word, f.bit);
        else if (f.how == kZero) std::memset(flop.data + f.word * flop.stride, 0, flop.stride);
        else stuck_.push_back(f);
      }
      if (changed) dut_->eval(), hold();
      if (ran >= limit || (ran >= last && !dut_->busy_o)) {
        const End found = end(ran);
        stuck_.clear();
        restore(start_);
        return found;
      }
      if (ran > last && stuck_.empty() && ran % kStride == 0 && ran / kStride < golden_.size() &&
          is(golden_[ran / kStride])) {
        restore(start_);
        return golden_end_;
      }
      forced_step();
    }
  }

  // Reads the end of an operation as the host does.
  End end(unsigned cycles) {
    End found{dut_->busy_o, dut_->error_o, 0, cycles, 0, seen_};
    for (unsigned i = 0; i < words_ && !found.busy; ++i) {
      window(false, 0x1400 + 4 * i, 0);
      found.refused |= dut_->win_error_o || !dut_->win_rvalid_o;
      found.y |= uint64_t{dut_->win_rdata_o} << (32 * i);
    }
    return found;
  }

  void start_private() {
    dut_->op_i = 2;
    dut_->slot_i = 0;
    dut_->n_bits_i = 0;
    dut_->start_i = 1;
    pulse();
  }

  void after_edge() override { hold(); }

  void command(const std::string& name, std::istream& in) override {
    const auto next = [&in] { return number(in); };
    if (name == "registers") {
      answer(flops_.size());
      for (const Flop& f : flops_) std::cout << '\n' << f.name << ' ' << f.bits << ' ' << f.words;
      return;
    } else if (name == "flip") {
      const Flop& f = flops_.at(next());
      const unsigned word = next();
      flip(f, word, next());
      dut_->eval();
    } else if (name == "peek") {
      const Flop& f = flops_.at(next());
      const uint8_t* const word = f.data + next() * f.stride;
      for (unsigned i = f.stride; i-- > 0;)
        std::cout << std::setw(2) << std::setfill('0') << +word[i];
      return;
    } else if (name == "golden") {
      const uint64_t seed = next();
      const unsigned bits = next();
      const uint64_t c = next();
      const End found = golden(seed, (bits + 31) / 32, c, next());
      return answer(found.cycles, found.error, found.y);
    } else if (name == "fault") {
      const unsigned limit = next();
      std::vector<Fault> faults;
      unsigned at, word, bit, cycle, how;
      while (in >> at >> word >> bit >> cycle >> how)
        faults.push_back({&flops_.at(at), word, bit, cycle, how});
      const End found = faulty(limit, faults);
      return answer(found.busy, found.error, found.refused, found.cycles, found.y, found.seen);
    } else {
      return Bench::command(name, in);
    }
    answer(0);
  }
};

}  // namespace

int main(int argc, char** argv) {
  FaultBench bench(argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1);
  bench.serve();
  return 0;
}
