#include "crossing.h"

#include <malloc.h>

#include "host_protocol/json_text.h"

namespace viewcap::boundary {
namespace {

constexpr std::size_t kLargeText = std::size_t{1} << 20;

}  // namespace

Crossing& crossing() {
    static Crossing instance;
    return instance;
}

double area() { return static_cast<double>(reinterpret_cast<std::uintptr_t>(&crossing().area)); }

double stage(double bytes) {
    return guarded(0.0, [&] {
        // A rare giant must not keep its buffer for the life of the page.
        Crossing& state = crossing();
        if (state.staged.capacity() > kLargeText && bytes <= kLargeText) std::string().swap(state.staged);
        state.staged.resize(static_cast<std::size_t>(bytes));
        state.has_staged = true;
        return static_cast<double>(reinterpret_cast<std::uintptr_t>(state.staged.data()));
    });
}

int fault() { return leave_text(crossing().fault); }

double memory() {
    drop_long_answer();
    return static_cast<double>(mallinfo().uordblks);
}

std::string_view take_text() {
    drop_long_answer();
    Crossing& state = crossing();
    if (state.has_staged) {
        state.has_staged = false;
        return state.staged;
    }
    const std::size_t bytes = state.area.text_bytes;
    state.area.text_bytes = 0;
    return {state.area.text, bytes <= Area::kTextBytes ? bytes : 0};
}

std::string error_text(const host_protocol::Error& error) {
    std::string out = "{\"error\":{\"code\":";
    host_protocol::append_json_string(out, error.code);
    out += ",\"message\":";
    host_protocol::append_json_string(out, error.message);
    if (!error.path.empty()) {
        out += ",\"path\":";
        host_protocol::append_json_string(out, error.path);
    }
    return out + "}}";
}

int fail(const host_protocol::Error& error) {
    crossing().fault = error_text(error);
    return -1;
}

void drop_long_answer() {
    constexpr std::size_t kLong = 4096;
    std::string& answer = crossing().answer;
    if (answer.capacity() > kLong) std::string().swap(answer);
}

int leave_text(std::string text) {
    Crossing& state = crossing();
    state.answer = std::move(text);
    state.area.numbers[kTextAddress] = static_cast<double>(reinterpret_cast<std::uintptr_t>(state.answer.data()));
    return static_cast<int>(state.answer.size());
}

int leave_counted(std::string text) {
    const int bytes = leave_text(std::move(text));
    crossing().area.numbers[kTextBytes] = bytes;
    return bytes;
}

}  // namespace viewcap::boundary
