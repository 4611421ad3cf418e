// SPDX-License-Identifier: Apache-2.0
//
// Driver of the RSA engine (mf_rsa_axi), over the common part mf_engine.h: its codes, mf_poll,
// mf_wait, mf_abort, mf_zeroize, the interrupt, random words, numbers and bytes. Padding is not its
// business: it takes and gives numbers.
//
// Functions return MF_OK, or a code of the engine, or one of the driver's own from MF_DEVICE on.
// mf_start_* begin an operation and return; mf_poll tells whether it has ended; mf_wait waits for
// it; mf_result reads y. mf_load_key, mf_private, mf_public and mf_modexp do all of that.

#ifndef MF_RSA_H
#define MF_RSA_H

#include <stddef.h>
#include <stdint.h>

#include "mf_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

// Codes beside those of mf_engine.h. MF_RANGE: qInv is not below p.
enum {
  MF_MODULUS_EVEN = 1,     // n, p or q is even
  MF_LENGTH = 2,           // n must have n_bits bits, from the engine's min_bits (2 without a
                           // key) to its bits; p and q ceil(n_bits / 2) bits each; e_bits at
                           // most the engine's bits, and no bit of e at or above e_bits
  MF_MESSAGE = 3,          // x is not below n
  MF_PRIMES_EQUAL = 4,
  MF_PRODUCT = 5,          // p q is not n
  MF_EXPONENT = 6,         // dP or dQ is even, too large, or not of e; or p or q is not prime
  MF_PUBLIC_EXPONENT = 7,  // e must be odd, 3 <= e < 2^32, below p - 1 and q - 1
  MF_QINV = 8              // q qInv is not 1 modulo p: if qInv is of p modulo q, swap
                           // p and q, and dP and dQ
};

enum {
  MF_CLASS_FULL = 4,   // time depends on lengths alone
  MF_CLASS_PUBLIC = 5  // faster; time depends on the exponent
};

typedef mf_engine_t mf_rsa_t;

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
// Reads y, of the operation that was begun last; zeros if it ended with an error, or if mf_poll
// tells one from now on, as after a fault since the end.
void mf_result(mf_rsa_t *device, uint32_t *y);

#ifdef __cplusplus
}
#endif

#endif  // MF_RSA_H
