// SPDX-License-Identifier: Apache-2.0
//
// The drivers' common part: a core behind the registers of mf_bus_regs, an engine with slots of keys
// or a plain core. Freestanding C11: no heap, no library, no state but the caller's mf_engine_t.
// The driver of a core (mf_rsa.h, mf_core.h) opens the device and begins its operations.
//
// A number of some bits is an array of MF_WORDS(bits) 32-bit words, the lowest first. mf_os2ip and
// mf_i2osp convert from and to bytes, the highest first, as PKCS #1 has them.
//
// Memory mapped devices are accessed by volatile 32-bit loads and stores. With MF_BUS_FUNCTIONS
// defined, the two functions mf_bus_read and mf_bus_write are called instead.

#ifndef MF_ENGINE_H
#define MF_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MF_OK = 0,           // 1 to 9 are the core's own
  MF_RANGE = 9,        // of mf_os2ip, mf_i2osp: the number does not fit
  MF_BUSY = 10,
  MF_SLOT_EMPTY = 11,
  MF_USE = 12,         // no such slot, or a fault overwrote its key
  MF_RANDOM = 13,      // the source of random words failed
  MF_FAULT = 14,       // the result failed its check, and is gone
  MF_ABORTED = 15,
  MF_OPERATION = 16,   // the device has no such operation; a plain core: nothing is loaded
  MF_DEVICE = 128,     // no such core at the address
  MF_RUNNING = 129,    // mf_poll: not ended yet
  MF_TIMEOUT = 130     // it did not end within the device's limit: it hangs, or its bus
};

enum { MF_IRQ_DONE = 1, MF_IRQ_ERROR = 2, MF_IRQ_ALERT = 4 };

enum { MF_MAX_SLOTS = 16, MF_ALL_SLOTS = -1 };

#define MF_WORDS(bits) (((bits) + 31u) / 32u)

typedef struct mf_engine mf_engine_t;

// Called again and again while mf_wait waits: to sleep until the interrupt, to feed the device's
// RANDOM register. A value other than 0 aborts the operation.
typedef int (*mf_hook_t)(mf_engine_t *device, void *context);

struct mf_engine {
  uintptr_t base;
  uint32_t features;
  uint16_t bits;  // of the widest modulus
  uint8_t slots;
  uint16_t slot_bits[MF_MAX_SLOTS];  // of the keys that this driver has loaded
  uint16_t result_bits;              // of the operation that was begun last
  int8_t loading;                    // slot of a load under way; -1
  mf_hook_t hook;  // of mf_wait in the functions that wait by themselves; may be NULL
  void *context;
  uint64_t limit;  // polls of one wait at most; the driver sets it to cycles that no operation
                   // takes, of which a poll takes some
};

// MF_RUNNING, or the code of the operation that ended.
int mf_poll(mf_engine_t *device);
// The code of the operation, which has ended, or MF_TIMEOUT; hook may be NULL.
int mf_wait(mf_engine_t *device, mf_hook_t hook, void *context);
// Ends the operation under way. Its code is MF_ABORTED, unless it had ended before; or MF_TIMEOUT.
int mf_abort(mf_engine_t *device);
// Overwrites a slot, or with MF_ALL_SLOTS all slots and memories, and waits for it (or MF_TIMEOUT).
int mf_zeroize(mf_engine_t *device, int slot);
// Closes the key window until reset.
void mf_lock(mf_engine_t *device);

// Cycles of the last operation.
uint32_t mf_cycles(mf_engine_t *device);
// Enables the interrupt for a set of MF_IRQ_*, and no others.
void mf_irq_enable(mf_engine_t *device, unsigned events);
// Returns the events that are pending, and clears them.
unsigned mf_irq_take(mf_engine_t *device);
// Words that register RANDOM has room for; 0 where the device has a random port.
unsigned mf_random_space(mf_engine_t *device);
// Gives a fresh random word, which must be uniform and unknown to others.
void mf_random_put(mf_engine_t *device, uint32_t word);

// Octet string to number and back (RFC 8017, section 4). MF_RANGE: it does not fit.
int mf_os2ip(uint32_t *words, size_t count, const uint8_t *bytes, size_t length);
int mf_i2osp(uint8_t *bytes, size_t length, const uint32_t *words, size_t count);

// ---------------------------------------------------------------- for drivers

// Finds the device with an ID at an address, and waits until it has wiped its memories after reset
// (MF_TIMEOUT: it does not end).
int mf_engine_open(mf_engine_t *device, uintptr_t base, uint32_t id);
// Whether an operation runs; windows can't be written then.
int mf_engine_busy(const mf_engine_t *device);
// Begins an operation, and returns MF_OK. One that loads a slot has its number in device->loading.
int mf_engine_start(mf_engine_t *device, unsigned op, unsigned slot, unsigned n_bits,
                    unsigned e_bits);
// Writes a number to a window, and zeros above it, up to room words.
void mf_engine_put(const mf_engine_t *device, size_t window, const uint32_t *words, size_t count,
                   size_t room);
// Reads the lowest words of a window.
void mf_engine_get(const mf_engine_t *device, size_t window, uint32_t *words, size_t count);

#ifdef __cplusplus
}
#endif

#endif  // MF_ENGINE_H
