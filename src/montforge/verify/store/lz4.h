// SPDX-License-Identifier: Apache-2.0
//
// The two LZ4 functions that Verilator's FST writer calls, without compression: the block is one
// run of literals. With it, wave files need no library beside the compiler.

#pragma once

#include <cstring>

inline int LZ4_compressBound(int size) { return size + size / 255 + 16; }

inline int LZ4_compress_default(const char* from, char* to, int size, int /*capacity*/) {
    char* const start = to;
    *to++ = static_cast<char>((size < 15 ? size : 15) << 4);
    if (size >= 15) {
        int rest = size - 15;
        for (; rest >= 255; rest -= 255) *to++ = static_cast<char>(255);
        *to++ = static_cast<char>(rest);
    }
    std::memcpy(to, from, static_cast<std::size_t>(size));
    return static_cast<int>(to - start) + size;
}
