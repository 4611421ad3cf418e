// SPDX-License-Identifier: Apache-2.0
//
// Drives mf_rsa over its window port. Reads commands, a line each, and answers each with a line:
//
// reset                      -> cycles of the wipe
// write ADDR VALUE           -> 0, or 1 for an error
// read ADDR                  -> value, and 0 or 1 for an error
// start OP SLOT NBITS EBITS  -> 0 (EBITS may be left out)
// zeroize SLOT | zeroall     -> 0
// abort                      -> 0
// run MAX                    -> cycles run (at most MAX, until idle), busy, done, error, slots,
//                               cycles of the operation, events (1 done, 2 error, 4 alert)
// random SEED | random_constant VALUE   -> 0
// random_off [VALUE]         -> 0; no words, with data that is VALUE or stays
// random_words VALUE...      -> 0; the next words of the source
// lock VALUE                 -> 0
//
// Numbers are hexadecimal.

// HALF_CLOCK is the number of cycles of half_clk_i in one of clk_i.

#include "Vdut.h"
#include "clocks.h"

#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

class Bench {
 public:
  virtual ~Bench() = default;

  explicit Bench(uint64_t seed) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed % 0x7fffffff) + 1);
    dut_ = std::make_unique<Vdut>(&context_);
    seed_random(seed);
    dut_->rst_ni = 1;
    dut_->lock_i = 0;
    dut_->e_bits_i = 0;
    quiet();
    dut_->eval();
  }

  void serve() {
    std::cout << std::hex;
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream in(line);
      in >> std::hex;
      std::string name;
      in >> name;
      command(name, in);
      std::cout << std::endl;
    }
  }

 protected:
  VerilatedContext context_;
  std::unique_ptr<Vdut> dut_;
  uint64_t random_ = 1;
  uint32_t random_value_ = 0;
  std::deque<uint32_t> given_;  // words that come before the source's
  enum { kOff, kConstant, kRandom } source_ = kRandom;
  unsigned events_ = 0;

  void seed_random(uint64_t seed) {
    random_ = seed * 0x9e3779b97f4a7c15 + 0x1234567;
    next_random();
  }

  void next_random() {
    random_ += 0x9e3779b97f4a7c15;
    uint64_t z = random_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    random_value_ = static_cast<uint32_t>(z >> 32);
  }

  // Comes after each rising edge.
  virtual void after_edge() {}

  void quiet() {
    dut_->start_i = dut_->abort_i = dut_->zeroize_slot_i = dut_->zeroize_all_i = 0;
    dut_->win_valid_i = 0;
  }

  void step() {
    dut_->clk_i = dut_->half_clk_i = 0;
    dut_->random_valid_i = source_ != kOff;
    if (source_ == kRandom) dut_->random_i = given_.empty() ? random_value_ : given_.front();
    dut_->eval();
    events_ |= dut_->done_event_o | dut_->error_event_o << 1 | dut_->alert_event_o << 2;
    const bool taken = dut_->random_ready_o && dut_->random_valid_i && source_ == kRandom;
    dut_->clk_i = dut_->half_clk_i = 1;
    dut_->eval();
    if (taken && given_.empty()) next_random();
    else if (taken) given_.pop_front();
    after_edge();
    for (unsigned i = 1; i < HALF_CLOCK; ++i) {
      dut_->half_clk_i = 0;
      dut_->eval();
      dut_->half_clk_i = 1;
      dut_->eval();
      after_edge();
    }
#ifdef MODEL_IS_NETLIST
    // Its outputs follow an edge when the clock is low.
    dut_->clk_i = dut_->half_clk_i = 0;
    dut_->eval();
#endif
  }

  // A clock edge with the pulses that are set, which end with it.
  void pulse() {
    step();
    quiet();
    dut_->eval();
  }

  void window(bool write, unsigned addr, unsigned value) {
    dut_->win_valid_i = 1;
    dut_->win_write_i = write;
    dut_->win_addr_i = addr;
    dut_->win_wdata_i = value;
    pulse();
  }

  // Clocks the engine until it is idle, at most so often; returns the number of cycles.
  unsigned run(unsigned most) {
    unsigned cycles = 0;
    for (; cycles < most && dut_->busy_o; ++cycles) step();
    return cycles;
  }

  template <typename Input>
  void begin(Input& input) {
    events_ = 0;
    input = 1;
    pulse();
  }

  // The next number of a line, 0 at its end.
  static uint64_t number(std::istream& in) {
    uint64_t value = 0;
    in >> value;
    return value;
  }

  template <typename... Values>
  static void answer(Values... values) {
    const char* gap = "";
    ((std::cout << gap << static_cast<uint64_t>(values), gap = " "), ...);
  }

  virtual void command(const std::string& name, std::istream& in) {
    const auto next = [&in] { return number(in); };
    if (name == "reset") {
      quiet();
      dut_->rst_ni = 0;
      step();
      dut_->rst_ni = 1;
      step();
      return answer(1 + run((1u << 20) - 1));
    } else if (name == "write") {
      const unsigned address = next();
      window(true, address, next());
      return answer(dut_->win_error_o);
    } else if (name == "read") {
      window(false, next(), 0);
      return answer(dut_->win_rdata_o, dut_->win_error_o);
    } else if (name == "start") {
      dut_->op_i = next();
      dut_->slot_i = next();
      dut_->n_bits_i = next();
      dut_->e_bits_i = next();
      begin(dut_->start_i);
    } else if (name == "zeroize") {
      dut_->slot_i = next();
      begin(dut_->zeroize_slot_i);
    } else if (name == "zeroall") {
      begin(dut_->zeroize_all_i);
    } else if (name == "abort") {
      dut_->abort_i = 1;
      pulse();
    } else if (name == "run") {
      dut_->eval();
      const unsigned cycles = run(next());
      return answer(cycles, dut_->busy_o, dut_->done_o, dut_->error_o, dut_->slots_valid_o,
                    dut_->cycles_o, events_);
    } else if (name == "random") {
      source_ = kRandom;
      seed_random(next());
    } else if (name == "random_constant") {
      source_ = kConstant;
      dut_->random_i = next();
    } else if (name == "random_words") {
      for (unsigned word; in >> word;) given_.push_back(word);
    } else if (name == "random_off") {
      source_ = kOff;
      if (unsigned word; in >> word) dut_->random_i = word;
    } else if (name == "lock") {
      dut_->lock_i = next();
    } else {
      std::cout << "unknown";
      return;
    }
    answer(0);
  }
};

}  // namespace

#ifndef BENCH_IS_EXTENDED
int main(int argc, char** argv) {
  Bench bench(argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1);
  bench.serve();
  return 0;
}
#endif
