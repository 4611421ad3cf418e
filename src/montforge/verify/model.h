// SPDX-License-Identifier: Apache-2.0
//
// What bench.cpp, which is compiled once, needs of the model of a design; model.cpp has it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "verilated.h"

// A data port: an integer of 1 to 8 bytes, or words of 32 bits, little-endian as the machine is.
struct Port {
    void* data;
    std::size_t bytes;
    unsigned bits;
    bool loaded;  // presented in the load phase
};

class Ports {
public:
    Ports(const Port* first, std::size_t count) : first_(first), count_(count) {}
    const Port* begin() const { return first_; }
    const Port* end() const { return first_ + count_; }
    std::size_t size() const { return count_; }

private:
    const Port* first_;
    std::size_t count_;
};

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

    const Ports operands, results;
    // The first `chained` operands, each of `operand_vectors` ports, can be fed with the result.
    const unsigned chained, operand_vectors;
    const bool result_signed, reset_needs_clock, has_controls;

protected:
    Model(Ports operands, Ports results, unsigned chained, unsigned operand_vectors,
          bool result_signed, bool reset_needs_clock, bool has_controls)
        : operands(operands),
          results(results),
          chained(chained),
          operand_vectors(operand_vectors),
          result_signed(result_signed),
          reset_needs_clock(reset_needs_clock),
          has_controls(has_controls) {}
};

std::unique_ptr<Model> make_model(VerilatedContext* context);
