// SPDX-License-Identifier: Apache-2.0
//
// 32-bit accesses of the drivers to a device: volatile loads and stores. With MF_BUS_FUNCTIONS
// defined, mf_bus_read and mf_bus_write, which the host has, are called.

#ifndef MF_BUS_H
#define MF_BUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef MF_BUS_FUNCTIONS
#ifdef __cplusplus
extern "C" {
#endif
uint32_t mf_bus_read(uintptr_t address);
void mf_bus_write(uintptr_t address, uint32_t value);
#ifdef __cplusplus
}
#endif
#else
static inline uint32_t mf_bus_read(uintptr_t address) {
  return *(volatile const uint32_t *)address;
}

static inline void mf_bus_write(uintptr_t address, uint32_t value) {
  *(volatile uint32_t *)address = value;
}
#endif

static inline uint32_t mf_get(uintptr_t base, size_t offset) { return mf_bus_read(base + offset); }

static inline void mf_put(uintptr_t base, size_t offset, uint32_t value) {
  mf_bus_write(base + offset, value);
}

#endif  // MF_BUS_H
