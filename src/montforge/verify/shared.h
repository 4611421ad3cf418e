// SPDX-License-Identifier: Apache-2.0
//
// Verilator's header, precompiled, as all models begin. At the end of each unit g++ instantiates
// again the templates that inline functions of precompiled headers use, which took half of the
// time of a small model. So the special functions of C++17 are left out, and processes and
// queues, which no hardware without timing has, are made of containers without a definition: a
// model that used them would not link.

#include <cstddef>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS

#if !VM_TIMING

#include <algorithm>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

namespace std {

template <class Value>
struct undefined_set {
    Value* begin() const;
    Value* end() const;
    void insert(Value);
    void erase(Value);
};

template <class Value>
struct undefined_deque {
    using reference = Value&;
    using const_reference = const Value&;
    using const_iterator = const Value*;
    std::size_t size() const;
    bool empty() const;
    void clear();
    void resize(std::size_t, const Value&);
    Value& operator[](std::size_t);
    const Value& operator[](std::size_t) const;
    const Value* begin() const;
    const Value* end() const;
};

}  // namespace std

#define set undefined_set
#define deque undefined_deque
#include "verilated.h"
#undef set
#undef deque

#else
#include "verilated.h"
#include "verilated_timing.h"
#endif

#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif
