// SPDX-License-Identifier: Apache-2.0
//
// Follows an operation of an engine with a flip of each register bit at each of its cycles.
//
// flips NETLIST < SCRIPT, in numbers of 32 bits and in text, both written by flips.py. The gates
// are simulated for kLanes operations side by side, each with a flip of its own. Registers with an
// asynchronous reset have its value as soon as it is active.
//
// The operation without a fault is run first; its registers are kept, a row a cycle. A flip is
// decided if, in some later cycle,
//   - all registers are those of the operation without a fault: it ends as that one does;
//   - one register bit alone differs: it ends as the flip of that bit at that cycle does;
//   - all registers are those of another flip that was followed, by a hash of 128 bits: both end in
//     the same way;
//   - no program runs and no result is kept: nothing is released (a lemma that flips.py proves);
//   - the operation has ended, and the host has read the result's window;
//   - LIMIT cycles have passed: it has no end.
// So most flips take a cycle (`once`), and the others are followed side by side (`sweep`), those
// that last longer than the operation without a fault at the end (`rest`).
//
// Its script, in decimal numbers: the seed of the random words, then commands of a line each:
//
// reset | wait               (until busy_o is low)
// write ADDR VALUE
// start OP NBITS             of slot 0
// follow ADDR WORDS LIMIT FIRST END
//                            of the operation that has begun, whose result is in WORDS words at
//                            ADDR, the flips from cycle FIRST on, before cycle END
//
// The host waits until busy_o is low, looks at error_o, reads the words of the result, and looks at
// busy_o and error_o again. The next random word comes in the cycle after one was taken.
//
// Answers, a line each: golden CYCLES Y of the operation without a flip; left COUNT, of flips; at
// last wrong BIT CYCLE Y, of the first wrong result, or ends RIGHT BLOCKED HANG LONGEST.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

// Cycles between two comparisons of flips that are followed: with the operation without a flip, and
// with the other flips.
constexpr unsigned kApart = 4, kFar = 16;
constexpr unsigned kWords = 8, kLanes = 64 * kWords;
typedef uint64_t Lanes __attribute__((vector_size(8 * kWords)));

constexpr Lanes kNone = {};
constexpr Lanes kAll = ~kNone;

bool any(const Lanes& lanes) {
  uint64_t found = 0;
  for (unsigned i = 0; i < kWords; ++i) found |= lanes[i];
  return found;
}

bool has(const Lanes& lanes, unsigned lane) { return lanes[lane / 64] >> lane % 64 & 1; }

Lanes only(unsigned lane) {
  Lanes found = kNone;
  found[lane / 64] = uint64_t{1} << lane % 64;
  return found;
}

template <typename Use>
void for_each(const Lanes& lanes, Use use) {
  for (unsigned i = 0; i < kWords; ++i)
    for (uint64_t left = lanes[i]; left; left &= left - 1) use(64 * i + __builtin_ctzll(left));
}

enum Kind { kNot, kAnd, kOr, kXor, kXnor, kMux };

struct Group {
  int kind, first;
  std::vector<int> a, b, s;
};

// Registers with the same reset: active if the value of its row is.
struct Reset {
  int row, active;
  std::vector<int> registers, values;
};

using Rows = std::vector<int>;

struct Netlist {
  int rows, first;  // of registers
  std::vector<Group> groups;
  Rows following;
  std::vector<Reset> resets;
  Rows reset, start, op, n_bits, win_valid, win_write, win_addr, win_wdata, random_valid,
      random, busy, error, win_rvalid, win_rdata, win_error, random_ready, open;

  explicit Netlist(const char* path) {
    file_ = std::fopen(path, "rb");
    if (!file_) std::exit(2);
    rows = next(), first = next();
    groups.resize(next());
    for (Group& group : groups) {
      group.kind = next(), group.first = next();
      group.a = list();
      if (group.kind != kNot) group.b = list();
      if (group.kind == kMux) group.s = list();
    }
    following = list();
    resets.resize(next());
    for (Reset& each : resets) {
      each.row = next(), each.active = next();
      each.registers = list(), each.values = list();
    }
    for (Rows* port : {&reset, &start, &op, &n_bits, &win_valid, &win_write, &win_addr,
                       &win_wdata, &random_valid, &random, &busy, &error, &win_rvalid, &win_rdata,
                       &win_error, &random_ready, &open})
      *port = list();
    std::fclose(file_);
  }

 private:
  std::FILE* file_;

  int next() {
    int32_t value;
    if (std::fread(&value, sizeof value, 1, file_) != 1) std::exit(2);
    return value;
  }

  Rows list() {
    Rows found(next());
    for (int& each : found) each = next();
    return found;
  }
};

// Words of the random source, as engine_bench.cpp makes them.
struct Source {
  uint64_t seed = 0;
  uint32_t word(uint64_t number) const {
    uint64_t z = seed * 0x9e3779b97f4a7c15 + 0x1234567 + (number + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<uint32_t>(z >> 32);
  }
};

// The host of a lane. reads: 0 the operation runs; 1 to words, this word is asked for; then done.
struct Host {
  unsigned reads = 0;
  uint64_t taken = 0;  // random words
  unsigned error = 0, refused = 0;
  uint64_t y = 0;
};

struct Flip {
  unsigned cycle, bit;
};

class Simulation {
 public:
  Simulation(const Netlist& net, Source source)
      : net_(net), source_(source), values_(net.rows, kNone), next_(net.following.size()) {
    values_[1] = kAll;
    set(net_.random_valid, kAll, 1);
    set(net_.reset, kAll, 1);
  }

  const Netlist& net() const { return net_; }
  Lanes& at(unsigned bit) { return values_[net_.first + bit]; }
  unsigned bits() const { return net_.following.size(); }

  void set(const Rows& port, const Lanes& lanes, uint64_t value) {
    for (size_t i = 0; i < port.size(); ++i)
      values_[port[i]] = (values_[port[i]] & ~lanes) | (value >> i & 1 ? lanes : kNone);
  }

  uint64_t get(const Rows& port, unsigned lane) const {
    uint64_t value = 0;
    for (size_t i = 0; i < port.size(); ++i)
      value |= uint64_t{has(values_[port[i]], lane)} << i;
    return value;
  }

  Lanes get(const Rows& port) const { return values_[port[0]]; }
  const Lanes& row(int row) const { return values_[row]; }

  // The next random word of a lane is on its port.
  void give(unsigned lane, uint64_t number) { set(net_.random, only(lane), source_.word(number)); }
  void give(const Lanes& lanes, uint64_t number) { set(net_.random, lanes, source_.word(number)); }

  void hold_resets() {
    for (const Reset& each : net_.resets) {
      const Lanes active = each.active ? values_[each.row] : ~values_[each.row];
      if (!any(active)) continue;
      for (size_t i = 0; i < each.registers.size(); ++i) {
        Lanes& value = values_[net_.first + each.registers[i]];
        value = each.values[i] ? value | active : value & ~active;
      }
    }
  }

  void settle() {
    Lanes* const v = values_.data();
    for (const Group& group : net_.groups) {
      Lanes* out = v + group.first;
      const int *a = group.a.data(), *b = group.b.data(), *s = group.s.data();
      const size_t count = group.a.size();
      switch (group.kind) {
        case kNot: for (size_t i = 0; i < count; ++i) out[i] = ~v[a[i]]; break;
        case kAnd: for (size_t i = 0; i < count; ++i) out[i] = v[a[i]] & v[b[i]]; break;
        case kOr: for (size_t i = 0; i < count; ++i) out[i] = v[a[i]] | v[b[i]]; break;
        case kXor: for (size_t i = 0; i < count; ++i) out[i] = v[a[i]] ^ v[b[i]]; break;
        case kXnor: for (size_t i = 0; i < count; ++i) out[i] = ~(v[a[i]] ^ v[b[i]]); break;
        default:
          for (size_t i = 0; i < count; ++i)
            out[i] = v[a[i]] ^ ((v[a[i]] ^ v[b[i]]) & v[s[i]]);
      }
    }
  }

  // The registers of 64 lanes: a row of words for each lane.
  void transposed(unsigned block, std::vector<std::array<uint64_t, 64>>& words) const {
    words.resize((net_.following.size() + 63) / 64);
    for (size_t i = 0; i < words.size(); ++i) {
      std::array<uint64_t, 64>& rows = words[i];
      for (unsigned j = 0; j < 64; ++j) {
        const size_t bit = 64 * i + j;
        rows[j] = bit < net_.following.size() ? values_[net_.first + bit][block] : 0;
      }
      uint64_t mask = 0xffffffff;
      for (unsigned size = 32; size; size /= 2, mask ^= mask << size)
        for (unsigned j = 0; j < 64; j = (j + size + 1) & ~size) {
          const uint64_t swapped = (rows[j] >> size ^ rows[j + size]) & mask;
          rows[j] ^= swapped << size;
          rows[j + size] ^= swapped;
        }
    }
  }

  void clock() {
    for (size_t i = 0; i < next_.size(); ++i) next_[i] = values_[net_.following[i]];
    for (const Reset& each : net_.resets) {
      const Lanes active = each.active ? values_[each.row] : ~values_[each.row];
      if (!any(active)) continue;
      for (size_t i = 0; i < each.registers.size(); ++i) {
        Lanes& value = next_[each.registers[i]];
        value = each.values[i] ? value | active : value & ~active;
      }
    }
    std::copy(next_.begin(), next_.end(), values_.begin() + net_.first);
    hold_resets();
  }

 private:
  const Netlist& net_;
  Source source_;
  std::vector<Lanes> values_, next_;
};

class Faults {
 public:
  Faults(const Netlist& net, Source source) : sim_(net, source), hosts_(kLanes) {}

  // The script before the operation; false at its end.
  void command(const std::string& name) {
    const Netlist& net = sim_.net();
    const auto next = [] { uint64_t value = 0; std::cin >> value; return value; };
    if (name == "reset") {
      sim_.give(kAll, taken_);
      sim_.set(net.reset, kAll, 0);
      step();
      sim_.set(net.reset, kAll, 1);
      step();
      wait();
    } else if (name == "write") {
      sim_.set(net.win_valid, kAll, 1);
      sim_.set(net.win_write, kAll, 1);
      sim_.set(net.win_addr, kAll, next());
      sim_.set(net.win_wdata, kAll, next());
      step();
      sim_.set(net.win_valid, kAll, 0);
      sim_.set(net.win_write, kAll, 0);
    } else if (name == "start") {
      sim_.set(net.op, kAll, next());
      sim_.set(net.n_bits, kAll, next());
      sim_.set(net.start, kAll, 1);
      step();
      sim_.set(net.start, kAll, 0);
    } else if (name == "wait") {
      wait();
    } else if (name == "follow") {
      address_ = next(), words_ = next(), limit_ = next(), first_ = next(), end_ = next();
      follow();
    } else {
      std::exit(2);
    }
  }

 private:
  static constexpr uint32_t kOpen = 0xffffffff;
  enum : uint32_t { kRight = 0xfffffff0, kBlocked, kHang };

  Simulation sim_;
  uint64_t taken_ = 0;
  unsigned address_ = 0, words_ = 1, limit_ = 0;
  unsigned first_ = 0, end_ = 0;  // cycles of the flips
  std::vector<std::vector<uint8_t>> golden_;  // registers, at each cycle
  std::vector<Host> golden_hosts_;
  uint64_t y_ = 0;
  std::vector<uint32_t> fate_;  // of each flip: an end, or the number of a later one
  std::vector<std::vector<uint32_t>> open_;  // bits of flips to follow, at each cycle
  std::vector<Host> hosts_;
  unsigned longest_ = 0;

  void step() {
    sim_.settle();
    const bool taken = has(sim_.get(sim_.net().random_ready), 0);
    sim_.clock();
    if (taken) sim_.give(kAll, ++taken_);
  }

  void wait() {
    for (unsigned i = 0; i < 1u << 24; ++i) {
      sim_.settle();
      if (!has(sim_.get(sim_.net().busy), 0)) return;
      step();
    }
    std::exit(3);
  }

  unsigned last() const { return golden_.size() - 1; }
  uint32_t number(Flip flip) const { return flip.cycle * sim_.bits() + flip.bit; }

  // The lanes that run no program and keep no result: they release nothing (lemma of flips.py).
  Lanes shut() const {
    Lanes open = reading_;
    for (const int row : sim_.net().open) open |= sim_.row(row);
    return ~open;
  }

  // A cycle of the lanes `live` from settled gates on; returns those whose host is done in it.
  Lanes act(const Lanes& live) {
    const Netlist& net = sim_.net();
    Lanes done = kNone;
    const Lanes idle = live & ~sim_.get(net.busy);
    Lanes visit = (idle & ~reading_) | (reading_ & live);
    for_each(visit, [&](unsigned lane) {
      Host& host = hosts_[lane];
      const Lanes self = only(lane);
      if (host.reads == 0) {
        host.error = sim_.get(net.error, lane);
        reading_ |= self;
      } else if (host.reads > 1) {
        if (host.reads == words_ + 1) {
          host.error |= sim_.get(net.error, lane);
          host.refused |= has(sim_.get(net.busy), lane);
        }
        host.refused |= sim_.get(net.win_error, lane) || !sim_.get(net.win_rvalid, lane);
        host.y |= sim_.get(net.win_rdata, lane) << 32 * (host.reads - 2);
      }
      if (host.reads == words_ + 1) {
        done |= self;
        reading_ &= ~self;
        sim_.set(net.win_valid, self, 0);
        return;
      }
      // From the next cycle on.
      asks_.push_back(lane);
      ++host.reads;
    });
    const Lanes taken = live & sim_.get(net.random_ready) & ~done;
    sim_.clock();
    for_each(taken, [&](unsigned lane) { sim_.give(lane, ++hosts_[lane].taken); });
    for (const unsigned lane : asks_) {
      const bool asks = hosts_[lane].reads <= words_;
      sim_.set(net.win_valid, only(lane), asks);
      if (asks) sim_.set(net.win_addr, only(lane), address_ + 4 * (hosts_[lane].reads - 1));
    }
    asks_.clear();
    return done;
  }

  Lanes reading_ = kNone;
  std::vector<unsigned> asks_;

  // Puts the operation without a fault at this cycle in `lanes`.
  void begin(const Lanes& lanes, unsigned cycle) {
    const std::vector<uint8_t>& from = golden_[cycle];
    for (unsigned bit = 0; bit < sim_.bits(); ++bit) {
      Lanes& value = sim_.at(bit);
      value = from[bit] ? value | lanes : value & ~lanes;
    }
    const Host& host = golden_hosts_[cycle];
    for_each(lanes, [&](unsigned lane) { place(lane, host); });
  }

  void place(unsigned lane, const Host& host) {
    const Netlist& net = sim_.net();
    const Lanes self = only(lane);
    hosts_[lane] = host;
    const bool asks = host.reads > 0 && host.reads <= words_;
    sim_.set(net.win_valid, self, asks);
    sim_.set(net.win_addr, self, address_ + 4 * (host.reads - asks));
    sim_.give(lane, host.taken);
    reading_ = host.reads ? reading_ | self : reading_ & ~self;
  }

  void golden() {
    sim_.set(sim_.net().win_addr, kAll, address_);
    hosts_[0].taken = taken_;
    for (Lanes done = kNone; !any(done);) {
      std::vector<uint8_t> row(sim_.bits());
      for (unsigned bit = 0; bit < row.size(); ++bit) row[bit] = has(sim_.at(bit), 0);
      golden_.push_back(row);
      golden_hosts_.push_back(hosts_[0]);
      sim_.settle();
      done = act(only(0));
      if (golden_.size() > 1u << 22) std::exit(3);
    }
    y_ = hosts_[0].y;
    end_ = std::min<unsigned>(end_, golden_.size());
    first_ = std::min(first_, end_);
    std::cout << "golden " << golden_.size() << ' ' << y_ << std::endl;
    if (hosts_[0].error || hosts_[0].refused) std::exit(3);
  }

  // The end of the flip to which this one leads.
  uint32_t last_of(uint32_t flip) const {
    uint32_t fate = fate_[flip];
    while (fate < kRight) fate = fate_[fate];
    return fate;
  }

  void decide(Flip flip, uint32_t fate) { fate_[number(flip)] = fate; }

  // Decides those of `live` that are shut.
  void block(Lanes& live, const std::vector<Flip>& flips) {
    const Lanes found = live & shut();
    for_each(found, [&](unsigned lane) { decide(flips[lane], kBlocked); });
    live &= ~found;
  }

  void ended(Flip flip, const Host& host, unsigned cycle) {
    const bool good = !host.error && !host.refused;
    longest_ = std::max(longest_, cycle);
    if (good ? host.y == y_ : host.refused || host.y == 0 || host.y == y_)
      return decide(flip, good ? kRight : kBlocked);
    std::cout << "wrong " << flip.bit << ' ' << flip.cycle << ' ' << host.y << std::endl;
    std::exit(0);
  }

  // Decides lanes `live` that run, by their registers at `cycle`; returns those that are decided.
  Lanes compare(const Lanes& live, const std::vector<Flip>& flips, unsigned cycle) {
    Lanes one = kNone, more = kNone;
    const std::vector<uint8_t>& from = golden_[cycle];
    for (unsigned bit = 0; bit < sim_.bits(); ++bit) {
      const Lanes differs = from[bit] ? ~sim_.at(bit) : sim_.at(bit);
      more |= one & differs;
      one |= differs;
    }
    const Lanes same = live & ~one, single = live & one & ~more & ~reading_;
    Lanes decided = kNone;
    const Host& host = golden_hosts_[cycle];
    const auto in_step = [&](unsigned lane) {
      return !host.reads && !hosts_[lane].reads && hosts_[lane].taken == host.taken;
    };
    for_each(same, [&](unsigned lane) {
      if (!in_step(lane)) return;
      decide(flips[lane], kRight);
      decided |= only(lane);
    });
    if (cycle >= end_ || !any(single)) return decided;
    for (unsigned bit = 0; bit < sim_.bits(); ++bit) {
      const Lanes differs = (from[bit] ? ~sim_.at(bit) : sim_.at(bit)) & single;
      if (!any(differs)) continue;
      for_each(differs, [&](unsigned lane) {
        if (!in_step(lane)) return;
        decide(flips[lane], number({cycle, bit}));
        decided |= only(lane);
      });
    }
    return decided;
  }

  using Hash = std::pair<uint64_t, uint64_t>;
  struct Low {
    size_t operator()(const Hash& hash) const { return hash.first; }
  };
  std::unordered_map<Hash, uint32_t, Low> seen_;  // of registers and cycle, the flip

  // Decides those of `live` whose registers another flip had at this cycle.
  Lanes meet(const Lanes& live, const std::vector<Flip>& flips, unsigned cycle) {
    Lanes decided = kNone;
    std::vector<std::array<uint64_t, 64>> words;
    for (unsigned block = 0; block < kWords; ++block) {
      if (!live[block]) continue;
      sim_.transposed(block, words);
      for (uint64_t left = live[block]; left; left &= left - 1) {
        const unsigned place = __builtin_ctzll(left), lane = 64 * block + place;
        Hash hash{cycle, hosts_[lane].taken};
        for (const std::array<uint64_t, 64>& rows : words) {
          hash.first = mixed(hash.first ^ rows[place], 0xff51afd7ed558ccd);
          hash.second = mixed(hash.second + rows[place], 0xc4ceb9fe1a85ec53);
        }
        const uint32_t self = number(flips[lane]);
        const uint32_t other = seen_.emplace(hash, self).first->second;
        if (other == self) continue;
        decide(flips[lane], other);
        decided |= only(lane);
      }
    }
    return decided;
  }

  static uint64_t mixed(uint64_t value, uint64_t factor) {
    value *= factor;
    value ^= value >> 32;
    value *= 0x9e3779b97f4a7c15;
    return value ^ value >> 29;
  }

  // Flips all bits at all cycles, and follows them for a cycle.
  void once() {
    std::vector<Flip> flips(kLanes);
    for (unsigned cycle = first_; cycle < end_; ++cycle) {
      if (cycle % 64 == 0) std::cout << "left " << (end_ - cycle) * sim_.bits() << std::endl;
      if (cycle == last()) {
        for (unsigned bit = 0; bit < sim_.bits(); ++bit) open_[cycle].push_back(bit);
        continue;
      }
      for (unsigned first = 0; first < sim_.bits(); first += kLanes) {
        const unsigned count = std::min(kLanes, sim_.bits() - first);
        Lanes live = kNone;
        reading_ = kNone;
        for (unsigned lane = 0; lane < count; ++lane) live |= only(lane);
        begin(live, cycle);
        for (unsigned lane = 0; lane < count; ++lane) {
          flips[lane] = {cycle, first + lane};
          sim_.at(first + lane) ^= only(lane);
        }
        sim_.hold_resets();
        sim_.settle();
        block(live, flips);
        const Lanes done = act(live);
        const Lanes decided = compare(live & ~done, flips, cycle + 1);
        for_each(live & ~decided, [&](unsigned lane) {
          open_[cycle].push_back(flips[lane].bit);
        });
      }
    }
  }

  struct Late {
    Flip flip;
    unsigned cycle;
    Host host;
    std::vector<uint64_t> registers;
  };
  std::vector<Late> late_;

  // Follows flips in the order of their cycles, as many side by side as there are lanes.
  void sweep(unsigned cycle) {
    std::vector<Flip> flips(kLanes);
    Lanes live = kNone;
    reading_ = kNone;
    const unsigned tail = 4 * words_ + 64;
    for (; cycle < golden_.size() + tail; ++cycle) {
      if (cycle <= last() && !open_[cycle].empty() && any(~live)) {
        Lanes fresh = kNone;
        std::vector<uint32_t>& open = open_[cycle];
        for_each(~live, [&](unsigned lane) {
          if (open.empty()) return;
          fresh |= only(lane);
          flips[lane] = {cycle, open.back()};
          open.pop_back();
        });
        begin(fresh, cycle);
        for_each(fresh, [&](unsigned lane) { sim_.at(flips[lane].bit) ^= only(lane); });
        sim_.hold_resets();
        live |= fresh;
      }
      if (!any(live)) continue;
      sim_.settle();
      block(live, flips);
      const Lanes done = act(live);
      for_each(done, [&](unsigned lane) { ended(flips[lane], hosts_[lane], cycle); });
      live &= ~done;
      const unsigned next = cycle + 1;
      if (next % kApart == 0 && next <= last()) live &= ~compare(live, flips, next);
      if (next % kFar == 0) live &= ~meet(live & ~reading_, flips, next);
    }
    for_each(live, [&](unsigned lane) {
      Late late{flips[lane], cycle, hosts_[lane], std::vector<uint64_t>((sim_.bits() + 63) / 64)};
      for (unsigned bit = 0; bit < sim_.bits(); ++bit)
        late.registers[bit / 64] |= uint64_t{has(sim_.at(bit), lane)} << bit % 64;
      late_.push_back(std::move(late));
    });
  }

  // Follows those that last longer.
  void rest() {
    std::vector<Flip> flips(kLanes);
    std::vector<unsigned> cycles(kLanes);
    Lanes live = kNone;
    reading_ = kNone;
    for (uint64_t ran = 0; any(live) || !late_.empty(); ++ran) {
      if (ran % 1024 == 0) std::cout << "left " << late_.size() << std::endl;
      if (!late_.empty() && any(~live)) {
        for_each(~live, [&](unsigned lane) {
          if (late_.empty()) return;
          const Late& late = late_.back();
          flips[lane] = late.flip, cycles[lane] = late.cycle;
          for (unsigned bit = 0; bit < sim_.bits(); ++bit) {
            const bool value = late.registers[bit / 64] >> bit % 64 & 1;
            sim_.at(bit) = value ? sim_.at(bit) | only(lane) : sim_.at(bit) & ~only(lane);
          }
          place(lane, late.host);
          live |= only(lane);
          late_.pop_back();
        });
      }
      sim_.settle();
      block(live, flips);
      const Lanes done = act(live);
      for_each(live, [&](unsigned lane) {
        if (has(done, lane)) {
          ended(flips[lane], hosts_[lane], cycles[lane]);
        } else if (++cycles[lane] > limit_) {
          decide(flips[lane], kHang);
          live &= ~only(lane);
        }
      });
      live &= ~done;
    }
  }

  void follow() {
    golden();
    fate_.assign(golden_.size() * sim_.bits(), kOpen);
    open_.resize(golden_.size());
    once();
    for (unsigned first = first_;;) {
      uint64_t left = late_.size();
      for (const auto& each : open_) left += each.size();
      std::cout << "left " << left << std::endl;
      while (first < end_ && open_[first].empty()) ++first;
      if (first == end_) break;
      sweep(first);
    }
    rest();
    std::array<uint64_t, 3> ends{};
    for (size_t i = number({end_, 0}); i-- > number({first_, 0});) {
      const uint32_t end = last_of(i);
      if (end == kOpen) std::exit(4);
      fate_[i] = end;
      ++ends[end - kRight];
    }
    std::cout << "ends";
    for (const uint64_t count : ends) std::cout << ' ' << count;
    std::cout << ' ' << longest_ << std::endl;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const Netlist net(argv[1]);
  Source source;
  std::cin >> source.seed;
  Faults faults(net, source);
  for (std::string name; std::cin >> name;) faults.command(name);
  return 0;
}
