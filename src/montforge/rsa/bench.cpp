// SPDX-License-Identifier: Apache-2.0
//
// Drives mf_rsa over its window port. Reads commands, a line each, and answers each with a line:
//
// reset                      -> cycles of the wipe
// write ADDR VALUE           -> 0, or 1 for an error
// read ADDR                  -> value, and 0 or 1 for an error
// start OP SLOT NBITS        -> 0
// zeroize SLOT | zeroall     -> 0
// abort                      -> 0
// run MAX                    -> cycles run (at most MAX, until idle), busy, done, error, slots,
//                               cycles of the operation, events (1 done, 2 error, 4 alert)
// random SEED | random_constant VALUE | random_off   -> 0
// lock VALUE                 -> 0
// registers                  -> number of registers, then a line "name bits words" for each
// flip REGISTER WORD BIT     -> 0; turns the bit round after the clock edge before
// peek REGISTER WORD         -> value
//
// Numbers are hexadecimal. FLOPS(X) expands to X(member, bits, words) for each register.

#include "Vdut.h"
#include "Vdut___024root.h"
#include "flops.h"

#include <cinttypes>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

namespace {

struct Flop {
  const char* name;
  uint8_t* data;
  unsigned bits, words, stride;
};

class Bench {
 public:
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
    list();
  }

  void serve() {
    std::string line;
    while (std::getline(std::cin, line)) {
      std::istringstream in(line);
      in >> std::hex;
      std::string name;
      in >> name;
      command(name, in);
      std::cout << std::endl;
    }
  }

 private:
  VerilatedContext context_;
  std::unique_ptr<Vdut> dut_;
  std::vector<Flop> flops_;
  uint64_t random_ = 1;
  uint32_t random_value_ = 0;
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

  void quiet() {
    dut_->start_i = dut_->abort_i = dut_->zeroize_slot_i = dut_->zeroize_all_i = 0;
    dut_->win_valid_i = 0;
  }

  void step() {
    dut_->clk_i = 0;
    dut_->random_valid_i = source_ != kOff;
    if (source_ == kRandom) dut_->random_i = random_value_;
    dut_->eval();
    events_ |= dut_->done_event_o | dut_->error_event_o << 1 | dut_->alert_event_o << 2;
    const bool taken = dut_->random_ready_o && dut_->random_valid_i && source_ == kRandom;
    dut_->clk_i = 1;
    dut_->eval();
    if (taken) next_random();
  }

  void window(bool write, unsigned addr, unsigned value) {
    dut_->win_valid_i = 1;
    dut_->win_write_i = write;
    dut_->win_addr_i = addr;
    dut_->win_wdata_i = value;
    step();
    quiet();
    dut_->eval();
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

  void command(const std::string& name, std::istream& in) {
    unsigned a = 0, b = 0, c = 0;
    if (name == "reset") {
      quiet();
      dut_->rst_ni = 0;
      step();
      dut_->rst_ni = 1;
      unsigned cycles = 0;
      do step();
      while (++cycles < 1u << 20 && dut_->busy_o);
      std::cout << std::hex << cycles;
    } else if (name == "write") {
      in >> a >> b;
      window(true, a, b);
      std::cout << +dut_->win_error_o;
    } else if (name == "read") {
      in >> a;
      window(false, a, 0);
      std::cout << std::hex << dut_->win_rdata_o << ' ' << +dut_->win_error_o;
    } else if (name == "start" || name == "zeroize" || name == "zeroall") {
      events_ = 0;
      if (name == "start") {
        in >> a >> b >> c;
        dut_->op_i = a;
        dut_->slot_i = b;
        dut_->n_bits_i = c;
        dut_->start_i = 1;
      } else if (name == "zeroize") {
        in >> b;
        dut_->slot_i = b;
        dut_->zeroize_slot_i = 1;
      } else {
        dut_->zeroize_all_i = 1;
      }
      step();
      quiet();
      std::cout << 0;
    } else if (name == "abort") {
      dut_->abort_i = 1;
      step();
      quiet();
      std::cout << 0;
    } else if (name == "run") {
      in >> a;
      unsigned cycles = 0;
      dut_->eval();
      while (cycles < a && dut_->busy_o) {
        step();
        ++cycles;
      }
      std::cout << std::hex << cycles << ' ' << +dut_->busy_o << ' ' << +dut_->done_o << ' '
                << +dut_->error_o << ' ' << dut_->slots_valid_o << ' ' << dut_->cycles_o << ' '
                << events_;
    } else if (name == "random") {
      uint64_t seed = 0;
      in >> seed;
      source_ = kRandom;
      seed_random(seed);
      std::cout << 0;
    } else if (name == "random_constant") {
      in >> a;
      source_ = kConstant;
      dut_->random_i = a;
      std::cout << 0;
    } else if (name == "random_off") {
      source_ = kOff;
      std::cout << 0;
    } else if (name == "lock") {
      in >> a;
      dut_->lock_i = a;
      std::cout << 0;
    } else if (name == "registers") {
      std::cout << std::hex << flops_.size();
      for (const Flop& f : flops_) std::cout << '\n' << f.name << ' ' << f.bits << ' ' << f.words;
    } else if (name == "flip") {
      in >> a >> b >> c;
      const Flop& f = flops_.at(a);
      f.data[b * f.stride + c / 8] ^= 1u << (c % 8);
      dut_->eval();
      std::cout << 0;
    } else if (name == "peek") {
      in >> a >> b;
      const Flop& f = flops_.at(a);
      for (unsigned i = f.stride; i-- > 0;) {
        std::printf("%02x", f.data[b * f.stride + i]);
      }
      std::fflush(stdout);
    } else {
      std::cout << "unknown";
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  Bench bench(argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1);
  bench.serve();
  return 0;
}
