// SPDX-License-Identifier: Apache-2.0
//
// Driver of the RSA engine (mf_rsa_axi). Freestanding C11: no heap, no library, no state but the
// caller's mf_rsa_t. Padding is not its business: it takes and gives numbers.
//
// A number of some bits is an array of MF_WORDS(bits) 32-bit words, the lowest first. mf_os2ip and
// mf_i2osp convert from and to bytes, the highest first, as PKCS #1 has them.
//
// Functions return MF_OK, or a code of the engine, or one of the driver's own from MF_DEVICE on.
// mf_start_* begin an operation and return; mf_poll tells whether it has ended; mf_wait waits for
// it; mf_result reads y. mf_load_key, mf_private, mf_public and mf_modexp do all of that.
//
// Memory mapped devices are accessed by volatile 32-bit loads and stores. With
// MF_RSA_BUS_FUNCTIONS defined, the two functions mf_bus_read and mf_bus_write are called instead.

#ifndef MF_RSA_H
#define MF_RSA_H

#include <stddef.h>
#include <stdint.h>

#include "mf_bus.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MF_OK = 0,
  MF_MODULUS_EVEN = 1,     // n, p or q is even
  MF_LENGTH = 2,           // n must have n_bits bits, from the engine's min_bits (2 without a
                           // key) to its bits; p and q ceil(n_bits / 2) bits each; e_bits at
                           // most the engine's bits, and no bit of e at or above e_bits
  MF_MESSAGE = 3,          // x is not below n
  MF_PRIMES_EQUAL = 4,
  MF_PRODUCT = 5,          // p q is not n
  MF_EXPONENT = 6,         // dP or dQ is even, too large, or not of e; or p or q is not prime
  MF_PUBLIC_EXPONENT = 7,  // e must be odd, 3 <= e < 2^32, below p - 1 and q - 1
  MF_QINV = 8,             // q qInv is not 1 modulo p: if qInv is of p modulo q, swap
                           // p and q, and dP and dQ
  MF_RANGE = 9,            // qInv is not below p; or a number does not fit (mf_os2ip, mf_i2osp)
  MF_BUSY = 10,
  MF_SLOT_EMPTY = 11,
  MF_USE = 12,             // no such slot, or a fault overwrote its key
  MF_RANDOM = 13,          // the source of random words failed
  MF_FAULT = 14,           // the result failed its check, and is gone
  MF_ABORTED = 15,
  MF_OPERATION = 16,       // the device has no such operation
  MF_DEVICE = 128,         // no RSA engine at the address
  MF_RUNNING = 129,        // mf_poll: not ended yet
  MF_TIMEOUT = 130         // it did not end within the device's limit: it hangs, or its bus
};

enum {
  MF_CLASS_FULL = 4,   // time depends on lengths alone
  MF_CLASS_PUBLIC = 5  // faster; time depends on the exponent
};

enum { MF_IRQ_DONE = 1, MF_IRQ_ERROR = 2, MF_IRQ_ALERT = 4 };

enum { MF_MAX_SLOTS = 16, MF_ALL_SLOTS = -1 };

#define MF_WORDS(bits) (((bits) + 31u) / 32u)

typedef struct mf_rsa mf_rsa_t;

// Called again and again while mf_wait waits: to sleep until the interrupt, to feed the device's
// RANDOM register. A value other than 0 aborts the operation.
typedef int (*mf_hook_t)(mf_rsa_t *device, void *context);

struct mf_rsa {
  uintptr_t base;
  uint32_t features;
  uint16_t bits;  // of the widest modulus
  uint8_t slots;
  uint16_t slot_bits[MF_MAX_SLOTS];  // of the keys that this driver has loaded
  uint16_t result_bits;              // of the operation that was begun last
  int8_t loading;                    // slot of a load under way; -1
  mf_hook_t hook;  // of mf_wait in the functions that wait by themselves; may be NULL
  void *context;
  uint64_t limit;  // polls of one wait at most; mf_open sets it to cycles that no operation takes,
                   // of which a poll takes some
};

// Numbers of a key: n of n_bits bits; p, q, dp, dq, qinv of (n_bits + 1) / 2.
typedef struct {
  uint16_t n_bits;
  uint32_t e;
  const uint32_t *n, *p, *q, *dp, *dq, *qinv;
} mf_key_t;

// Finds the device at an address, and waits until it has wiped its memories after reset
// (MF_TIMEOUT: it does not end).
int mf_open(mf_rsa_t *device, uintptr_t base);

int mf_load_key(mf_rsa_t *device, unsigned slot, const mf_key_t *key);
// y = x^d mod n with the key of a slot; x and y have the words of its modulus.
int mf_private(mf_rsa_t *device, unsigned slot, const uint32_t *x, uint32_t *y);
// y = x^e mod n, e public and below 2^e_bits, as in mf_modexp.
int mf_public(mf_rsa_t *device, const uint32_t *n, unsigned n_bits, const uint32_t *e,
              unsigned e_bits, const uint32_t *x, uint32_t *y);
// y = x^e mod n; leakage is MF_CLASS_FULL or MF_CLASS_PUBLIC, and e_bits is public in both.
int mf_modexp(mf_rsa_t *device, const uint32_t *n, unsigned n_bits, const uint32_t *e,
              unsigned e_bits, const uint32_t *x, uint32_t *y, int leakage);

int mf_start_load(mf_rsa_t *device, unsigned slot, const mf_key_t *key);
int mf_start_private(mf_rsa_t *device, unsigned slot, const uint32_t *x);
int mf_start_public(mf_rsa_t *device, const uint32_t *n, unsigned n_bits, const uint32_t *e,
                    unsigned e_bits, const uint32_t *x);
int mf_start_modexp(mf_rsa_t *device, const uint32_t *n, unsigned n_bits, const uint32_t *e,
                    unsigned e_bits, const uint32_t *x, int leakage);
// MF_RUNNING, or the code of the operation that ended.
int mf_poll(mf_rsa_t *device);
// The code of the operation, which has ended, or MF_TIMEOUT; hook may be NULL.
int mf_wait(mf_rsa_t *device, mf_hook_t hook, void *context);
// Reads y, of the operation that was begun last; zeros if it ended with an error.
void mf_result(mf_rsa_t *device, uint32_t *y);

// Ends the operation under way. Its code is MF_ABORTED, unless it had ended before; or MF_TIMEOUT.
int mf_abort(mf_rsa_t *device);
// Overwrites a slot, or with MF_ALL_SLOTS all slots and memories, and waits for it (or MF_TIMEOUT).
int mf_zeroize(mf_rsa_t *device, int slot);
// Closes the key window until reset.
void mf_lock(mf_rsa_t *device);

// Cycles of the last operation.
uint32_t mf_cycles(mf_rsa_t *device);
// Enables the interrupt for a set of MF_IRQ_*, and no others.
void mf_irq_enable(mf_rsa_t *device, unsigned events);
// Returns the events that are pending, and clears them.
unsigned mf_irq_take(mf_rsa_t *device);
// Words that register RANDOM has room for; 0 where the device has a random port.
unsigned mf_random_space(mf_rsa_t *device);
// Gives a fresh random word, which must be uniform and unknown to others.
void mf_random_put(mf_rsa_t *device, uint32_t word);

// Octet string to number and back (RFC 8017, section 4). MF_RANGE: it does not fit.
int mf_os2ip(uint32_t *words, size_t count, const uint8_t *bytes, size_t length);
int mf_i2osp(uint8_t *bytes, size_t length, const uint32_t *words, size_t count);

#ifdef __cplusplus
}
#endif

#endif  // MF_RSA_H
