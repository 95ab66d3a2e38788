// Reading an author's object: typed fields, unknown ones refused, every refusal naming component, capability and field.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "host_protocol/json_text.h"
#include "host_protocol/result.h"

namespace viewcap {

/// Reads fields of one object and keeps the first refusal.
class FieldReader {
  public:
    /// `owner` opens every message: "component 'invoices.pending', action 'setFilters'".
    FieldReader(host_protocol::JsonValue object, std::string owner) : object_(object), owner_(std::move(owner)) {}

    bool failed() const { return failed_; }
    const host_protocol::Error& error() const { return error_; }
    const std::string& owner() const { return owner_; }

    void allow(std::initializer_list<std::string_view> names);
    /// A required, non-empty text of at most `max_units` UTF-16 code units (LIMIT_EXCEEDED beyond).
    std::string required_text(std::string_view name, std::size_t max_units);
    std::string optional_text(std::string_view name, std::string_view fallback, std::size_t max_units);
    bool flag(std::string_view name, bool fallback);
    double number(std::string_view name, double fallback);
    /// A whole number ≥ 1, or `fallback` when absent.
    std::uint32_t count(std::string_view name, std::uint32_t fallback);
    /// Index into `allowed`, or `fallback` when absent.
    std::size_t choice(std::string_view name, std::initializer_list<std::string_view> allowed, std::size_t fallback);
    /// A JSON record, as text; empty when absent. At most `max_bytes` serialized.
    std::string record(std::string_view name, std::size_t max_bytes);
    /// A list of texts, as JSON text; empty when absent.
    std::string text_list(std::string_view name);

    /// Refuses when there is no such field.
    void required(std::string_view name);
    /// Takes over the refusal of whoever read one of the fields.
    void adopt(const host_protocol::Error& error);
    void refuse(std::string_view code, std::string_view field, std::string_view problem);

  private:
    host_protocol::JsonValue object_;
    std::string owner_;
    host_protocol::Error error_;
    bool failed_ = false;
};

/// "a string", "an array", … for messages.
std::string_view kind_of(host_protocol::JsonValue value);

}  // namespace viewcap
