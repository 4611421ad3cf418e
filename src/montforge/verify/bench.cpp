// SPDX-License-Identifier: Apache-2.0
//
// The bench around the Verilated model of any design: drives requests, records responses. It is
// compiled once for all designs, and linked with a model.cpp that is compiled for each.
//
// Usage: bench QUIET SEED STOP [WAVES FIRST] < requests > responses
//   QUIET  cycles without any progress, or without the response to the oldest operation, after
//          which the design counts as hung
//   SEED   of the registers' initial values and of the operand ports while no request is made
//   STOP   1: end with the first response that has an error; 0: go on
//   WAVES  FST file (traced builds), written from the request before operation FIRST on
//
// Requests, as little-endian 32-bit words, one record an operation: idle, stall, reset_at and feed,
// as in the Request of bench.py, and the bit patterns of the operand ports, each padded to whole
// words. A reset aborts all outstanding operations, which are then requested again.
// Responses, one record an operation, in order: errors (bits of enum Error), latency, gap, stalled
// and load (one more, or 0 for None), as in the Response of bench.py, and the bit patterns of the
// result ports, padded too. After the last record: edges and resets, as 64-bit words.
//
// Where the contract has a load phase, the loaded ports are presented in it when they differ from
// the last load, with no operation outstanding; requests carry random bits there.
//
// A cycle is: drive the inputs with the clock low, settle, sample the outputs, rising edge. Any
// number of operations may be outstanding. While no request is made the operand ports carry
// random bits, and in half of the idle cycles req_valid_i is high: such a request is withdrawn, in
// the same cycle if the design could accept it. Half of the resets, the first one too if the seed
// says so, are pulses without a clock edge. Control inputs (an abort) have the values without
// effect, but for one in four cycles in which the only operation's response waits, and must stay.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <unistd.h>
#ifdef __linux__
#include <csignal>
#include <sys/prctl.h>
#endif

#include "model.h"

namespace {

using Word = std::uint32_t;

enum Error : Word {
    kDropped = 1,   // rsp_valid_o fell before the response was taken
    kChanged = 2,   // the result changed while it waited to be taken
    kSpurious = 4,  // a response without a request, seen after this one
    kHung = 8,      // no acceptance or no response within the limit
    kProperty = 16, // an assertion of the RTL failed (the first one of the run)
};

constexpr std::size_t words(unsigned bits) { return (bits + 31) / 32; }
constexpr Word low_bits(unsigned count) { return (Word{1} << count) - 1; }

constexpr std::size_t kHeader = 4;

// Bytes of a port that its words have; a netlist's ports are longer than their words.
std::size_t bytes(const Port& port) { return std::min(port.bytes, words(port.bits) * sizeof(Word)); }

void put(const Port& port, const Word* from) { std::memcpy(port.data, from, bytes(port)); }

void get(const Port& port, Word* to) {
    to[words(port.bits) - 1] = 0;
    std::memcpy(to, port.data, bytes(port));
}

// Gives each port its place among the words of all; returns the number of these.
std::size_t arrange(Ports& ports) {
    std::size_t sum = 0;
    for (Port& port : ports) {
        port.at = sum;
        sum += words(port.bits);
    }
    return sum;
}

// Copies a vector into one of another width, sign- or zero-extended or cut off.
void resize(const Word* from, unsigned from_bits, bool is_signed, Word* to, unsigned to_bits) {
    const std::size_t from_words = words(from_bits), to_words = words(to_bits);
    const bool negative = is_signed && (from[(from_bits - 1) / 32] >> ((from_bits - 1) % 32) & 1);
    std::fill(to, to + to_words, negative ? ~Word{0} : Word{0});
    std::copy(from, from + std::min(from_words, to_words), to);
    if (negative && from_words <= to_words && from_bits % 32)
        to[from_words - 1] |= ~low_bits(from_bits % 32);
    if (to_bits % 32) to[to_words - 1] &= low_bits(to_bits % 32);
}

struct Request {
    Word idle, stall;
    std::int32_t reset_at;
    Word feed;
    Word* operands;
};

using Result = std::vector<Word>;

struct Response {
    Word errors, latency, gap, stalled, load;
    Result result;
};

class Bench {
public:
    // INPUT has the requests, and must outlive the bench.
    Bench(std::vector<Word>& input, std::uint64_t quiet, std::uint64_t seed, bool stop,
          const char* waves, std::size_t first_traced)
        : limit_(quiet),
          random_(seed * 0x9e3779b97f4a7c15 | 1),
          stop_(stop),
          traced_(waves != nullptr),
          first_traced_(first_traced) {
        context_.randReset(2);
        context_.randSeed(static_cast<int>(seed % 0x7fffffff) + 1);
        context_.traceEverOn(traced_);
        context_.fatalOnError(false);
        dut_ = make_model(&context_);
        if (traced_) dut_->open_waves(waves);
        noise_.resize(arrange(dut_->operands));
        result_.resize(arrange(dut_->results));
        for (std::size_t i = 0; i < input.size(); i += kHeader + noise_.size()) {
            Word* record = &input[i];
            requests_.push_back({record[0], record[1], static_cast<std::int32_t>(record[2]),
                                 record[3], record + kHeader});
        }
        accepted_.resize(requests_.size());
        gaps_.resize(requests_.size());
        loads_.resize(requests_.size());
        responses_.reserve(requests_.size());
    }

    void run() {
        *dut_->rst_n = 1;
        *dut_->rsp_ready = 1;
        reset();
        while (head() < requests_.size() && !(stop_ && failed())) cycle();
        for (int i = 0; i < 8; ++i) cycle();  // a response too many would come now
        dut_->end();
    }

    const std::vector<Response>& responses() const { return responses_; }
    std::uint64_t edges() const { return edge_; }
    std::uint64_t resets() const { return resets_; }

private:
    // The oldest operation without a response; those from there to next_ are outstanding.
    std::size_t head() const { return responses_.size(); }

    bool failed() const { return !responses_.empty() && responses_.back().errors; }

    void cycle() {
        if (reset_edge_ && edge_ >= reset_edge_) {
            requests_[reset_owner_].reset_at = 0;
            ++resets_;
            reset();
        }
        const bool waiting = head() < next_;
        const bool due = next_ < requests_.size() && !idle_;
        const bool loading = due && !waiting && !is_loaded(next_);
        const bool requesting =
            due && is_loaded(next_) && (!requests_[next_].feed || !waiting);
        if (const std::size_t wanted = requesting || loading ? next_ : kNoise;
            wanted != driven_ || loading != loading_)
            drive(wanted, loading);
        const bool offering = idle_ && !requesting && random_bit();
        if (!requesting) *dut_->req_valid = offering;
        *dut_->rsp_ready = !waiting || !stall_;
        // Of no effect on a response that waits; others would be aborted.
        if (dut_->has_controls)
            dut_->set_controls(seen_ && head() + 1 == next_ && random_word() % 4 == 0);

        settle();
        const bool accepts = *dut_->req_ready;
        if (offering && accepts) withdraw();
        const bool valid = *dut_->rsp_valid;
        bool in_step = true;
        if (loading && *dut_->load_ready) {
            loaded_ = next_;
            load_edge_ = progress_ = edge_;
            gapless_ = false;
        }
        if (requesting && accepts) {
            accept();
        } else if (!requesting && idle_ && (accepts || !waiting)) {
            --idle_;
            progress_ = edge_;
        }
        if (valid || seen_) in_step = respond(valid, waiting);
        if (edge_ - progress_ > limit_ || late()) {
            answer(kHung, 0);
            in_step = false;
        }
        rise();
        if (!in_step) reset();
    }

    // Whether head() was accepted and is not answered in time, though others may be accepted.
    bool late() const {
        if (head() == next_) return false;
        return edge_ - std::max({accepted_[head()], answered_, last_stall_}) > limit_;
    }

    void accept() {
        const Request& request = requests_[next_];
        accepted_[next_] = edge_;
        gaps_[next_] = gapless_ ? static_cast<Word>(edge_ - accepted_[next_ - 1]) : 0;
        if (load_edge_) loads_[next_] = static_cast<Word>(edge_ - load_edge_);
        load_edge_ = 0;
        if (request.reset_at > 0) schedule_reset(next_, request.reset_at);
        if (head() == next_) stall_ = request.stall;
        ++next_;
        progress_ = edge_;
        idle_ = idle_before(next_);
        gapless_ = next_ < requests_.size() && !idle_ && !requests_[next_].feed;
    }

    void schedule_reset(std::size_t owner, std::int32_t cycles) {
        if (reset_edge_) return;
        reset_edge_ = edge_ + cycles;
        reset_owner_ = owner;
    }

    // Handles a cycle with a response, or after one; returns whether the design is in step.
    bool respond(bool valid, bool waiting) {
        if (!waiting) {
            (responses_.empty() ? early_ : responses_.back().errors) |= kSpurious;
            if (spurious_++ && head() < requests_.size()) answer(kHung, 0);
            return false;
        }
        if (!seen_) {
            seen_ = true;
            latency_ = static_cast<Word>(edge_ - 1 - accepted_[head()]);
            // A response that had to wait delays the one that comes directly behind it.
            stalled_ = last_stall_ > accepted_[head()] || (stalled_ && answered_ + 1 == edge_);
            result_ = result();
            if (requests_[head()].reset_at < 0)
                schedule_reset(head(), -requests_[head()].reset_at);
        } else if (!valid) {
            answer(kDropped, latency_);
            return false;
        } else if (result() != result_) {
            answer(kChanged, latency_);
            return false;
        }
        if (stall_) {
            --stall_;
            gapless_ = false;
            last_stall_ = progress_ = edge_;
        } else {
            answer(0, latency_);
        }
        return true;
    }

    // Records the response of head().
    void answer(Word errors, Word latency) {
        const std::size_t i = head();
        if (!seen_) std::fill(result_.begin(), result_.end(), 0);
        responses_.push_back({errors | early_, latency, gaps_[i], stalled_, loads_[i], result_});
        early_ = spurious_ = 0;
        seen_ = false;
        progress_ = answered_ = edge_;
        if (reset_owner_ == i) reset_edge_ = 0;
        stall_ = head() < next_ ? requests_[head()].stall : 0;
        if (head() >= next_ && head() < requests_.size()) feed(requests_[head()]);
    }

    // Writes the last result into the operands that are fed back.
    void feed(const Request& request) {
        for (unsigned i = 0; i < dut_->chained * dut_->operand_vectors; ++i) {
            if (!(request.feed >> i / dut_->operand_vectors & 1)) continue;
            const unsigned vector = i % dut_->operand_vectors;
            const Port& to = dut_->operands[i];
            const Port from = vector < dut_->results.size() ? dut_->results[vector] : Port{};
            resize(&result_[from.at], from.bits, dut_->result_signed && vector == 0,
                   request.operands + to.at, to.bits);
        }
    }

    void withdraw() {
        *dut_->req_valid = 0;
        settle();
    }

    // A clean start; outstanding operations are requested again.
    void reset() {
        next_ = head();
        idle_ = idle_before(next_);
        reset_edge_ = 0;
        stall_ = 0;
        seen_ = gapless_ = false;
        loaded_ = kNoise;
        load_edge_ = 0;
        drive(kNoise, false);
        settle();
        *dut_->rst_n = 0;
        settle();
        if (dut_->reset_needs_clock || random_bit()) rise();
        *dut_->rst_n = 1;
        progress_ = edge_;
    }

    Word idle_before(std::size_t i) const { return i < requests_.size() ? requests_[i].idle : 0; }

    // Whether the last load has the values that operation i needs.
    bool is_loaded(std::size_t i) const {
        if (!dut_->load_valid || i == loaded_) return true;
        if (loaded_ == kNoise) return false;
        return std::all_of(dut_->operands.begin(), dut_->operands.end(), [&](const Port& port) {
            const Word* wanted = requests_[i].operands + port.at;
            const Word* given = requests_[loaded_].operands + port.at;
            return !port.loaded || std::equal(wanted, wanted + words(port.bits), given);
        });
    }

    // Puts the request of operation i, or its load, or neither, on the ports; those that do not
    // belong to it are random.
    void drive(std::size_t i, bool loading) {
        driven_ = i;
        loading_ = loading;
        *dut_->req_valid = i != kNoise && !loading;
        if (dut_->load_valid) *dut_->load_valid = loading;
        if (dut_->load_valid || i == kNoise) scramble();
        for (const Port& port : dut_->operands) {
            const bool random = i == kNoise || port.loaded != loading;
            put(port, (random ? noise_.data() : requests_[i].operands) + port.at);
        }
    }

    void scramble() {
        for (Word& word : noise_) word = random_word();
        for (const Port& port : dut_->operands)
            if (port.bits % 32) noise_[port.at + port.bits / 32] &= low_bits(port.bits % 32);
    }

    Word random_word() {
        random_ ^= random_ << 13;
        random_ ^= random_ >> 7;
        random_ ^= random_ << 17;
        return static_cast<Word>(random_ >> 16);
    }

    bool random_bit() { return random_word() & 1; }

    Result result() const {
        Result value(result_.size());
        for (const Port& port : dut_->results) get(port, &value[port.at]);
        return value;
    }

    void settle() {
        *dut_->clk = 0;
        eval();
    }

    void rise() {
        *dut_->clk = 1;
        eval();
        ++edge_;
        if (context_.gotError()) property_failed();
    }

    void eval() {
        dut_->eval();
        if (traced_) dut_->dump(next_ >= first_traced_);
    }

    // The model has printed which assertion it was; no others are looked at.
    void property_failed() {
        context_.gotError(false);
        context_.gotFinish(false);
        context_.assertOn(false);
        (head() < requests_.size() ? early_ : responses_.back().errors) |= kProperty;
    }

    static constexpr std::size_t kNoise = ~std::size_t{0};

    VerilatedContext context_;
    std::unique_ptr<Model> dut_;
    std::vector<Request> requests_;
    std::vector<Response> responses_;
    std::vector<std::uint64_t> accepted_;  // edge of acceptance, by operation
    std::vector<Word> gaps_;               // see "gap" above, by operation
    std::vector<Word> loads_;              // see "load" above, by operation
    std::uint64_t limit_;
    std::uint64_t random_;
    bool stop_;
    bool traced_;
    std::size_t first_traced_;

    std::uint64_t edge_ = 1;      // number of the coming rising edge
    std::uint64_t progress_ = 0;  // edge of the last step forward
    std::uint64_t answered_ = 0;  // edge of the last response
    std::uint64_t last_stall_ = 0;
    std::uint64_t resets_ = 0;
    std::uint64_t reset_edge_ = 0;  // when the reset that reset_owner_ asks for is due, or 0
    std::size_t reset_owner_ = 0;
    std::size_t next_ = 0;         // the operation to be requested next
    std::size_t driven_ = kNoise;  // the operation whose request, or load, is on the ports
    std::size_t loaded_ = kNoise;  // the operation for which the last load was made
    std::uint64_t load_edge_ = 0;  // of that load, until a request is accepted
    bool loading_ = false;         // a load is on the ports
    Word idle_ = 0;                // idle cycles left before request next_
    Word stall_ = 0;               // stalled cycles left for the response of head()
    Word latency_ = 0;             // of head(), once seen_
    Word early_ = 0;               // errors before the first response
    Word spurious_ = 0;            // responses that nobody waited for since the last answer
    bool seen_ = false;            // rsp_valid_o has risen for head()
    bool stalled_ = false;         // a stall fell between its acceptance and that
    bool gapless_ = false;         // request next_ waits since the last acceptance, no stalls
    Result result_;                // of head() once seen_, before that of the operation before
    std::vector<Word> noise_;      // of the operand ports between requests
};

std::vector<Word> read_words(std::FILE* from) {
    std::vector<Word> data, block(1 << 16);
    while (const auto got = std::fread(block.data(), sizeof(Word), block.size(), from))
        data.insert(data.end(), block.begin(), block.begin() + got);
    return data;
}

template <class T>
void write_all(const T* data, std::size_t count, std::FILE* to) {
    if (std::fwrite(data, sizeof(T), count, to) != count) std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // never outlive the process that reads the responses
#endif
    if (argc != 4 && argc != 6) {
        std::fprintf(stderr, "usage: bench QUIET SEED STOP [WAVES FIRST]\n");
        return 2;
    }
    // The model's own output goes to the standard error, beside the responses.
    std::FILE* const output = fdopen(dup(STDOUT_FILENO), "wb");
    dup2(STDERR_FILENO, STDOUT_FILENO);

    std::vector<Word> input = read_words(stdin);
    const auto number = [&](int i) { return i < argc ? std::strtoull(argv[i], nullptr, 10) : 0; };
    Bench bench(input, number(1), number(2), number(3), argc == 6 ? argv[4] : nullptr, number(5));
    bench.run();
    for (const Response& response : bench.responses()) {
        const Word header[] = {response.errors, response.latency, response.gap, response.stalled,
                               response.load};
        write_all(header, std::size(header), output);
        write_all(response.result.data(), response.result.size(), output);
    }
    const std::uint64_t trailer[] = {bench.edges(), bench.resets()};
    write_all(trailer, std::size(trailer), output);
    return std::fclose(output) == 0 ? 0 : 1;
}
