// SPDX-License-Identifier: Apache-2.0
//
// The model of a design as bench.cpp, which is compiled once, drives it; model.cpp has it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "verilated.h"

// A data port: an integer of 1 to 8 bytes, or words of 32 bits, little-endian as the machine is.
struct Port {
    void* data;
    std::size_t bytes;
    unsigned bits;
    bool loaded;         // presented in the load phase
    std::size_t at = 0;  // of its words among those of all ports of its side
};

using Ports = std::vector<Port>;

class Model {
public:
    virtual ~Model() = default;

    virtual void eval() = 0;
    // Sets the control inputs: to the values without effect, or to the others.
    virtual void set_controls(bool active) = 0;
    virtual void end() = 0;
    // Waves of traced builds; dump() advances the time, and writes it if so told.
    virtual void open_waves(const char* path) = 0;
    virtual void dump(bool written) = 0;

    // Ports of one bit: the first byte of each.
    std::uint8_t *clk, *rst_n, *req_valid, *req_ready, *rsp_valid, *rsp_ready;
    std::uint8_t *load_valid = nullptr, *load_ready = nullptr;  // both, or neither

    Ports operands, results;
    // The first `chained` operands, each of `operand_vectors` ports, can be fed with the result.
    unsigned chained, operand_vectors;
    bool result_signed, reset_needs_clock, has_controls;
};

std::unique_ptr<Model> make_model(VerilatedContext* context);
