// Result<T>: a value or an Error. The one way an expected failure travels (design: failure is a value).
//
//     Result<JsonDocument> document = read_json(text, limits);
//     if (!document) return document.error();
//     use(document->root());
#pragma once

#include <utility>
#include <variant>

#include "host_protocol/error.h"

namespace host_protocol {

template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }

    /// The value. Only after a check that there is one.
    T& value() { return *std::get_if<0>(&state_); }
    const T& value() const { return *std::get_if<0>(&state_); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }

    /// The error. Only after a check that there is no value.
    Error& error() { return *std::get_if<1>(&state_); }
    const Error& error() const { return *std::get_if<1>(&state_); }

  private:
    std::variant<T, Error> state_;
};

struct Unit {};
using Status = Result<Unit>;
inline Status ok() { return Unit{}; }

}  // namespace host_protocol
