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
// random SEED | random_constant VALUE | random_off   -> 0
// lock VALUE                 -> 0
// registers                  -> number of registers, then a line "name bits words" for each
// flip REGISTER WORD BIT     -> 0; turns the bit round after the clock edge before
// peek REGISTER WORD         -> value
// campaign COUNT SEED BITS C Y LIMIT KIND FORCE
//                            -> COUNT lines "register word bit cycle outcome y": private operations
//                               of c on key 0, whose result is y, from one state, each with a fault
//                               at a random cycle of a random bit of all registers and memories.
//                               KIND: 0 a bit, 1 two bits, 2 a word becomes 0. FORCE: the checks
//                               are taken as good. Outcomes: 0 y, 1 error, 2 wrong, 3 no end in
//                               LIMIT cycles.
//
// Numbers are hexadecimal. FLOPS(X) expands to X(member, bits, words) for each register.

#include "Vdut.h"
#include "Vdut___024root.h"
#include "flops.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
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
  uint32_t code_end_ = 0;

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

  const Flop& named(const std::string& end) {
    for (const Flop& f : flops_) {
      const std::string name = f.name;
      if (name.size() > end.size() && name.substr(name.size() - end.size()) == end) return f;
    }
    std::abort();
  }

  // A step; the outcome of the checks is what it is without a fault.
  void forced_step(bool force) {
    step();
    if (!force) return;
    static uint8_t* const first = named("code_first_q").data;
    static uint8_t* const second = named("code_second_q").data;
    static uint8_t* const error = named("u_sequencer__DOT__error_q").data;
    std::memcpy(first, &code_end_, 4);
    std::memcpy(second, &code_end_, 4);
    if (*error == 14) *error = 0;
    dut_->eval();
  }

  void flip(const Flop& f, unsigned word, unsigned bit) {
    f.data[word * f.stride + bit / 8] ^= 1u << (bit % 8);
  }

  void campaign(unsigned count, uint64_t seed, unsigned words, uint64_t c, uint64_t y,
                unsigned limit, unsigned kind, bool force) {
    for (unsigned i = 0; i < words; ++i) window(true, 0x1000 + 4 * i, c >> (32 * i));
    // An operation without a fault: its cycles, and the codes at its end.
    const unsigned cycles = std::stoul(in_child([&] {
      start_private();
      unsigned ran = 0;
      while (dut_->busy_o && ran < limit) step(), ++ran;
      uint32_t code;
      std::memcpy(&code, named("code_first_q").data, 4);
      return std::to_string(ran) + " " + std::to_string(code);
    }, &code_end_));
    uint64_t state = seed;
    auto draw = [&state](uint64_t below) {
      state += 0x9e3779b97f4a7c15;
      uint64_t z = state;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      return static_cast<unsigned>((z >> 16) % below);
    };
    uint64_t all = 0;
    for (const Flop& f : flops_) all += uint64_t{f.bits} * f.words;
    std::cout << std::hex << cycles;
    for (unsigned trial = 0; trial < count; ++trial) {
      unsigned number = 0, place = draw(all);
      while (place >= flops_[number].bits * flops_[number].words) {
        place -= flops_[number].bits * flops_[number].words;
        ++number;
      }
      const Flop& f = flops_[number];
      const unsigned word = place / f.bits, bit = place % f.bits, other = draw(f.bits);
      const unsigned at = draw(cycles + 8);
      next_random();
      const std::string outcome = in_child([&] {
        start_private();
        unsigned ran = 0;
        for (; ran < at; ++ran) forced_step(force);
        if (kind == 2) std::memset(f.data + word * f.stride, 0, f.stride);
        else flip(f, word, bit);
        if (kind == 1 && other != bit) flip(f, word, other);
        dut_->eval();
        while (dut_->busy_o && ran < limit) forced_step(force), ++ran;
        if (dut_->busy_o) return std::string("3 0");
        const unsigned error = dut_->error_o;
        uint64_t found = 0;
        bool refused = false;
        for (unsigned i = 0; i < words; ++i) {
          window(false, 0x1400 + 4 * i, 0);
          refused = refused || dut_->win_error_o || !dut_->win_rvalid_o;
          found |= uint64_t{dut_->win_rdata_o} << (32 * i);
        }
        const bool good = found == y && !refused;
        const unsigned kind_of_end = !error && good                  ? 0
                                     : (error || refused) && (!found || refused || good) ? 1
                                                                     : 2;
        std::ostringstream text;
        text << kind_of_end << ' ' << std::hex << found;
        return text.str();
      });
      std::cout << '\n' << number << ' ' << word << ' ' << bit << ' ' << at << ' ' << outcome;
    }
  }

  void start_private() {
    dut_->op_i = 2;
    dut_->slot_i = 0;
    dut_->n_bits_i = 0;
    dut_->start_i = 1;
    step();
    quiet();
    dut_->eval();
  }

  // Runs a function on a copy of the simulation, and returns its text (a second number apart).
  template <typename Run>
  std::string in_child(Run run, uint32_t* second = nullptr) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    const pid_t child = fork();
    if (child < 0) std::abort();
    if (child == 0) {
      const std::string text = run();
      if (::write(ends[1], text.data(), text.size()) < 0) std::abort();
      _exit(0);
    }
    close(ends[1]);
    std::string text;
    char buffer[128];
    for (ssize_t got; (got = ::read(ends[0], buffer, sizeof(buffer))) > 0;) text.append(buffer, got);
    close(ends[0]);
    waitpid(child, nullptr, 0);
    if (second != nullptr) *second = std::stoul(text.substr(text.find(' ') + 1));
    return text;
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
        unsigned e_bits = 0;
        in >> e_bits;
        dut_->e_bits_i = e_bits;
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
      flip(f, b, c);
      dut_->eval();
      std::cout << 0;
    } else if (name == "peek") {
      in >> a >> b;
      const Flop& f = flops_.at(a);
      for (unsigned i = f.stride; i-- > 0;) {
        std::printf("%02x", f.data[b * f.stride + i]);
      }
      std::fflush(stdout);
    } else if (name == "campaign") {
      uint64_t c_in = 0, y = 0;
      unsigned bits = 0, limit = 0, kind = 0, force = 0;
      in >> a >> b >> bits >> c_in >> y >> limit >> kind >> force;
      campaign(a, b, (bits + 31) / 32, c_in, y, limit, kind, force);
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
