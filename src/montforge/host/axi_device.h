// SPDX-License-Identifier: Apache-2.0
//
// A Verilated device Vdut with AXI4-Lite: clock, reset, accesses.
//
// A random port, if the device has one, gets words of a generator, in three of four cycles; they are
// for simulation only. Changes of an output phase_o are kept.

#ifndef AXI_DEVICE_H
#define AXI_DEVICE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <type_traits>
#include <vector>

#include "Vdut.h"

namespace mf {

constexpr uint8_t kHang = 255;      // the response to an access that is not answered
constexpr unsigned kPatience = 64;  // cycles in which it must be

inline std::unique_ptr<VerilatedContext> context;
inline std::unique_ptr<Vdut> dut;
inline std::mt19937_64 generator;
constexpr size_t kChanges = 65536;  // that are kept
struct Change { uint8_t phase; uint32_t cycle; };
inline std::vector<Change> changes;

// Ports that not every device has.
template <typename Dut, typename = void>
constexpr bool kHasRandom = false;
template <typename Dut>
constexpr bool kHasRandom<Dut, std::void_t<decltype(Dut::random_i)>> = true;
template <typename Dut, typename = void>
constexpr bool kHasPhase = false;
template <typename Dut>
constexpr bool kHasPhase<Dut, std::void_t<decltype(Dut::phase_o)>> = true;

template <typename Dut>
void GiveRandom(Dut* device) {
  if constexpr (kHasRandom<Dut>) {
    device->random_valid_i = (generator() & 3) != 0;
    device->random_i = static_cast<uint32_t>(generator());
  }
}

template <typename Dut>
void FollowPhase(const Dut* device) {
  if constexpr (kHasPhase<Dut>) {
    if (!changes.empty() && changes.back().phase == device->phase_o) return;
    if (changes.size() == kChanges) changes.erase(changes.begin(), changes.begin() + kChanges / 2);
    changes.push_back({device->phase_o, static_cast<uint32_t>(context->time())});
  }
}

inline void Tick() {
  GiveRandom(dut.get());
  dut->clk_i = 0;
  dut->eval();
  dut->clk_i = 1;
  dut->eval();
  context->timeInc(1);
  FollowPhase(dut.get());
}

inline void Reset() {
  dut->s_axil_awvalid = dut->s_axil_wvalid = dut->s_axil_arvalid = 0;
  dut->rst_ni = 0;
  Tick();
  Tick();
  dut->rst_ni = 1;
  Tick();
}

// Holds the inputs over a rising edge and returns the answer of `sample` before it.
template <typename Sample>
auto Edge(Sample sample) {
  dut->clk_i = 0;
  dut->eval();
  auto seen = sample();
  Tick();
  return seen;
}

inline uint8_t Write(uint16_t address, uint32_t data, uint8_t strobes) {
  dut->s_axil_awvalid = dut->s_axil_wvalid = 1;
  dut->s_axil_awaddr = address;
  dut->s_axil_wdata = data;
  dut->s_axil_wstrb = strobes;
  dut->s_axil_bready = 1;
  for (unsigned i = 0; i < kPatience; ++i) {
    struct Seen { bool address, data, answer; uint8_t response; };
    const Seen seen = Edge([] {
      return Seen{static_cast<bool>(dut->s_axil_awready), static_cast<bool>(dut->s_axil_wready),
                  static_cast<bool>(dut->s_axil_bvalid), dut->s_axil_bresp};
    });
    if (seen.address) dut->s_axil_awvalid = 0;
    if (seen.data) dut->s_axil_wvalid = 0;
    if (seen.answer) {
      dut->s_axil_bready = 0;
      return seen.response;
    }
  }
  return kHang;
}

inline uint8_t Read(uint16_t address, uint32_t* data) {
  dut->s_axil_arvalid = 1;
  dut->s_axil_araddr = address;
  dut->s_axil_rready = 1;
  for (unsigned i = 0; i < kPatience; ++i) {
    struct Seen { bool address, answer; uint8_t response; uint32_t data; };
    const Seen seen = Edge([] {
      return Seen{static_cast<bool>(dut->s_axil_arready), static_cast<bool>(dut->s_axil_rvalid),
                  dut->s_axil_rresp, dut->s_axil_rdata};
    });
    if (seen.address) dut->s_axil_arvalid = 0;
    if (seen.answer) {
      dut->s_axil_rready = 0;
      *data = seen.data;
      return seen.response;
    }
  }
  return kHang;
}

// Makes the device and resets it; seed is that of registers and random words.
inline void Start(unsigned seed) {
  context = std::make_unique<VerilatedContext>();
  context->randReset(2);
  context->randSeed(static_cast<int>(seed % 0x7fffffff) + 1);
  generator.seed(seed);
  dut = std::make_unique<Vdut>(context.get());
  dut->s_axil_awprot = dut->s_axil_arprot = 0;
  dut->s_axil_bready = dut->s_axil_rready = 0;
  Reset();
}

}  // namespace mf

#endif  // AXI_DEVICE_H
