// SPDX-License-Identifier: Apache-2.0
// The C driver's bus, given by the test as two functions.

#include "mf_bus.h"

uint32_t (*test_read)(uintptr_t);
void (*test_write)(uintptr_t, uint32_t);

uint32_t mf_bus_read(uintptr_t address) { return test_read(address); }
void mf_bus_write(uintptr_t address, uint32_t value) { test_write(address, value); }
