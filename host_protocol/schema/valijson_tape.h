// Valijson's view of a JsonValue: no second document is built, and a constraint of ours gets its value back.
// For valijson_fence.cpp only, which includes valijson before this.
#pragma once

#include <cmath>
#include <string>

#include "schema/equality.h"
#include "schema/valijson_tape_containers.h"

namespace host_protocol::schema_detail {

using TapeArray = TapeContainer<TapeAdapter>;
using TapeObject = TapeContainer<TapeMember>;

class TapeValue {
  public:
    TapeValue() = default;
    explicit TapeValue(JsonValue value) : value_(value) {}
    JsonValue json() const { return value_; }

    valijson::adapters::FrozenValue* freeze() const;
    ::opt::optional<TapeArray> getArrayOptional() const {
        return isArray() ? ::opt::make_optional(TapeArray(value_)) : ::opt::optional<TapeArray>();
    }
    ::opt::optional<TapeObject> getObjectOptional() const {
        return isObject() ? ::opt::make_optional(TapeObject(value_)) : ::opt::optional<TapeObject>();
    }
    bool getArraySize(std::size_t& size) const { return isArray() && (size = value_.size(), true); }
    bool getObjectSize(std::size_t& size) const { return isObject() && (size = value_.size(), true); }
    bool getBool(bool& out) const { return isBool() && (out = value_.boolean(), true); }
    bool getDouble(double& out) const { return isDouble() && (out = value_.number(), true); }
    bool getInteger(std::int64_t& out) const {
        return isInteger() && (out = static_cast<std::int64_t>(value_.number()), true);
    }
    bool getString(std::string& out) const { return isString() && (out = value_.string(), true); }
    static bool hasStrictTypes() { return true; }
    bool isArray() const { return value_.is(JsonType::array); }
    bool isBool() const { return value_.is(JsonType::boolean); }
    bool isDouble() const { return isNumber() && !isInteger(); }
    /// 1.0 is an integer; beyond 2^53 a double is no longer one in particular.
    bool isInteger() const {
        return isNumber() && std::trunc(value_.number()) == value_.number() &&
               std::fabs(value_.number()) <= 9007199254740992.0;
    }
    bool isNull() const { return !value_ || value_.is(JsonType::null); }
    bool isNumber() const { return value_.is(JsonType::number); }
    bool isObject() const { return value_.is(JsonType::object); }
    bool isString() const { return value_.is(JsonType::string); }

  private:
    JsonValue value_;
};

using TapeBasics = valijson::adapters::BasicAdapter<TapeAdapter, TapeArray, TapeMember, TapeObject, TapeValue>;

}  // namespace host_protocol::schema_detail

// A string is never a number here; valijson's casts would read one through a stream, and link the locales for it.
template <>
inline bool host_protocol::schema_detail::TapeBasics::asInteger(std::int64_t& out) const {
    return m_value.getInteger(out);
}
template <>
inline bool host_protocol::schema_detail::TapeBasics::maybeInteger() const {
    return m_value.isInteger();
}

namespace host_protocol::schema_detail {

class TapeAdapter : public TapeBasics {
  public:
    explicit TapeAdapter(JsonValue value) : BasicAdapter(TapeValue(value)), json_(value) {}
    TapeAdapter(const TapeAdapter&) = default;
    JsonValue json() const { return json_; }

  private:
    JsonValue json_;
};

template <>
inline TapeAdapter TapeIterator<TapeAdapter>::operator*() const {
    return TapeAdapter(JsonValue(tape_, index_));
}
template <>
inline TapeIterator<TapeAdapter>& TapeIterator<TapeAdapter>::operator++() {
    index_ = tape_->nodes[index_].next;
    return *this;
}
template <>
inline TapeMember TapeIterator<TapeMember>::operator*() const {
    return {std::string(JsonValue(tape_, index_).string()), TapeAdapter(JsonValue(tape_, index_ + 1))};
}
template <>
inline TapeIterator<TapeMember>& TapeIterator<TapeMember>::operator++() {
    index_ = tape_->nodes[index_ + 1].next;
    return *this;
}

class FrozenTapeValue : public valijson::adapters::FrozenValue {
  public:
    explicit FrozenTapeValue(JsonValue value) : value_(value) {}
    FrozenValue* clone() const override { return new FrozenTapeValue(value_); }
    bool equalTo(const valijson::adapters::Adapter& other, bool strict) const override {
        return TapeAdapter(value_).equalTo(other, strict);
    }

  private:
    JsonValue value_;
};

inline valijson::adapters::FrozenValue* TapeValue::freeze() const { return new FrozenTapeValue(value_); }

}  // namespace host_protocol::schema_detail

template <>
struct valijson::adapters::AdapterTraits<host_protocol::schema_detail::TapeAdapter> {
    using DocumentType = host_protocol::JsonValue;
    static std::string adapterName() { return "TapeAdapter"; }
};
