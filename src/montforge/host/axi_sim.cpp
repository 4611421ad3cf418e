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
// SEED is that of registers and of the words at a random port.
//
// device SEED [SOCKET]

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "axi_device.h"

namespace {

using namespace mf;

FILE* in = stdin;
FILE* out = stdout;

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
  Start(argc > 1 ? std::stoul(argv[1]) : 1);
  std::signal(SIGPIPE, SIG_IGN);
  if (argc > 2) return Listen(argv[2]);
  while (Serve()) {
  }
  dut->final();
  // Verilated models can take long to take apart.
  std::fflush(nullptr);
  _exit(0);
}
