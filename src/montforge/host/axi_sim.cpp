// SPDX-License-Identifier: Apache-2.0
//
// A Verilated device with AXI4-Lite, driven by commands from standard input, with answers to
// standard output; or by those of a Unix socket, one connection after the other, which all see the
// one device. Numbers are little-endian.
//
// W addr(2) data(4) strobes(1)   write; answers response(1), 255 for a hang
// R addr(2)                      read; answers response(1) data(4)
// B addr(2) count(2) data(4)...  writes from an address on; answers the worst response(1)
// T cycles(4)                    runs until irq_o, at most these cycles; answers irq(1) cycles(4)
// Z                              reset for two cycles; answers 0(1)
//
// P                              answers count(4), then phase(1) cycle(4) of the latest changes
//                                of phase_o, none for a device without that output
//
// A random port, if the device has one, gets words of a generator with the given seed, in three of
// four cycles; they are for simulation only.
//
// device SEED [SOCKET]

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <memory>
#include <random>
#include <type_traits>

#include "Vdut.h"

namespace {

constexpr unsigned kPatience = 64;  // cycles in which a bus access must be answered

std::unique_ptr<VerilatedContext> context;
std::unique_ptr<Vdut> dut;
std::mt19937_64 generator;
FILE* in = stdin;
FILE* out = stdout;

constexpr size_t kChanges = 65536;  // that are kept
struct Change { uint8_t phase; uint32_t cycle; };
std::vector<Change> changes;

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

void Tick() {
  GiveRandom(dut.get());
  dut->clk_i = 0;
  dut->eval();
  dut->clk_i = 1;
  dut->eval();
  context->timeInc(1);
  FollowPhase(dut.get());
}

void Reset() {
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

uint8_t Write(uint16_t address, uint32_t data, uint8_t strobes) {
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
  return 255;
}

uint8_t Read(uint16_t address, uint32_t* data) {
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
  return 255;
}

template <typename T>
bool Get(T* value) {
  return std::fread(value, sizeof(T), 1, in) == 1;
}

template <typename T>
void Put(T value) {
  std::fwrite(&value, sizeof(T), 1, out);
}

// Does one command; returns whether there was one.
bool Serve() {
  uint8_t kind, strobes;
  uint16_t address, count;
  uint32_t data = 0;
  if (!Get(&kind)) return false;
  switch (kind) {
    case 'W':
      if (!Get(&address) || !Get(&data) || !Get(&strobes)) return false;
      Put(Write(address, data, strobes));
      break;
    case 'R': {
      if (!Get(&address)) return false;
      const uint8_t response = Read(address, &data);
      Put(response);
      Put(data);
      break;
    }
    case 'B': {
      uint8_t worst = 0;
      if (!Get(&address) || !Get(&count)) return false;
      for (unsigned i = 0; i < count; ++i) {
        if (!Get(&data)) return false;
        worst = std::max(worst, Write(static_cast<uint16_t>(address + 4 * i), data, 15));
      }
      Put(worst);
      break;
    }
    case 'T': {
      uint32_t most, cycles = 0;
      if (!Get(&most)) return false;
      while (cycles < most && !dut->irq_o) {
        Tick();
        ++cycles;
      }
      Put(static_cast<uint8_t>(dut->irq_o));
      Put(cycles);
      break;
    }
    case 'Z':
      Reset();
      Put(static_cast<uint8_t>(0));
      break;
    case 'P':
      Put(static_cast<uint32_t>(changes.size()));
      for (const Change& change : changes) {
        Put(change.phase);
        Put(change.cycle);
      }
      break;
    default:
      return false;
  }
  std::fflush(out);
  return true;
}

// Serves connections to a socket; returns only if it can't be made.
int Listen(const char* path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (std::strlen(path) >= sizeof(address.sun_path)) {
    std::fprintf(stderr, "a socket's path has at most %zu characters\n",
                 sizeof(address.sun_path) - 1);
    return 1;
  }
  std::strcpy(address.sun_path, path);
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 ||
      listen(listener, 16) != 0) {
    std::perror(path);
    return 1;
  }
  std::puts("ready");
  std::fflush(stdout);
  for (;;) {
    const int connection = accept(listener, nullptr, nullptr);
    if (connection < 0) continue;
    in = fdopen(connection, "rb");
    out = fdopen(dup(connection), "wb");
    while (Serve()) {
    }
    std::fclose(in);
    std::fclose(out);
  }
}

}  // namespace

int main(int argc, char** argv) {
  context = std::make_unique<VerilatedContext>();
  context->commandArgs(argc, argv);
  const unsigned seed = argc > 1 ? std::stoul(argv[1]) : 1;
  context->randReset(2);
  context->randSeed(static_cast<int>(seed % 0x7fffffff) + 1);
  generator.seed(seed);
  dut = std::make_unique<Vdut>(context.get());
  dut->s_axil_awprot = dut->s_axil_arprot = 0;
  dut->s_axil_bready = dut->s_axil_rready = 0;
  Reset();
  std::signal(SIGPIPE, SIG_IGN);
  if (argc > 2) return Listen(argv[2]);
  while (Serve()) {
  }
  dut->final();
  // Verilated models can take long to take apart.
  std::fflush(nullptr);
  _exit(0);
}
