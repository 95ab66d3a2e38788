// How text and numbers cross between the module and JavaScript, whatever they mean; and the last catch.
//
// Every function of a table runs inside `guarded`: an exception that reaches it is reported as an internal fault
// without its text, never let out into JavaScript.
#pragma once

#include <string>
#include <string_view>

#include "host_protocol/result.h"

namespace viewcap::boundary {

/// The one upcall: JavaScript's own RegExp (pattern_host.cpp).
int match_pattern(std::string_view pattern, std::string_view text);

/// The text of most calls and the numbers of most answers cross here, at an address that never changes: a write and a
/// read, instead of a string that is measured, allocated and copied unit by unit.
struct Area {
    static constexpr std::size_t kTextBytes = 65536;
    double numbers[8];
    std::uint32_t text_bytes;  // set by the caller; 0 again once the text was taken
    char text[kTextBytes];
};

/// Where a text of the module's lies, and beside other numbers how long it is.
inline constexpr int kTextAddress = 7;
inline constexpr int kTextBytes = 6;

struct Crossing {
    Area area{};
    /// A text that is too long for the area.
    std::string staged;
    bool has_staged = false;
    /// The text of the last answer that has one; JavaScript reads it where it lies.
    std::string answer;
    std::string fault;
};

/// One per instance of the module.
Crossing& crossing();

double area();
double stage(double bytes);
/// The text of the last fault; its bytes.
int fault();
/// Bytes that the module's heap holds.
double memory();

/// The text that was written for this call, "" when there is none; it is taken once. Valid until the next call.
std::string_view take_text();

std::string error_text(const host_protocol::Error& error);
/// Keeps the error for `fault()`; gives -1.
int fail(const host_protocol::Error& error);
/// Keeps the text and leaves its address; gives its bytes.
int leave_text(std::string text);
/// The same beside other numbers: its count of bytes is left, too, where `left()` of the glue reads it.
int leave_counted(std::string text);

inline constexpr std::string_view kInternalFault =
    R"({"error":{"code":"INTERNAL","message":"The module failed internally."}})";

/// When another text is taken: that of the last answer was read, and a long one does not keep its memory.
[[gnu::noinline]] void drop_long_answer();

/// Runs `body`; on an exception gives `otherwise` and leaves an internal fault.
template <class Value, class Body>
Value guarded(Value otherwise, Body body) {
#if defined(__cpp_exceptions)
    try {
        return body();
    } catch (...) {
        crossing().fault = kInternalFault;
        return otherwise;
    }
#else
    // The lean module holds nothing that throws: memory that runs out is a trap, after which the instance is thrown
    // away.
    (void)otherwise;
    return body();
#endif
}

}  // namespace viewcap::boundary
