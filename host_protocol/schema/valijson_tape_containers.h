// The containers of valijson's view of a JsonValue. For valijson_fence.cpp only, which includes valijson before this.
#pragma once

#include <iterator>
#include <string>
#include <utility>

#include "host_protocol/json_text.h"

namespace host_protocol::schema_detail {

class TapeAdapter;
using TapeMember = std::pair<std::string, TapeAdapter>;

/// Steps over elements (stride 1) or members (stride: key, then value) of one container.
template <class Item>
class TapeIterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using pointer = Item*;
    using reference = Item;

    TapeIterator(const JsonTape* tape, std::uint32_t index) : tape_(tape), index_(index) {}
    Item operator*() const;
    valijson::adapters::DerefProxy<Item> operator->() const { return valijson::adapters::DerefProxy<Item>(**this); }
    bool operator==(const TapeIterator& other) const { return index_ == other.index_; }
    bool operator!=(const TapeIterator& other) const { return index_ != other.index_; }
    TapeIterator& operator++();
    TapeIterator operator++(int) {
        TapeIterator before = *this;
        ++*this;
        return before;
    }
    void advance(std::ptrdiff_t count) {
        for (; count > 0; --count) ++*this;
    }

  private:
    const JsonTape* tape_;
    std::uint32_t index_;
};

template <class Item>
class TapeContainer {
  public:
    using const_iterator = TapeIterator<Item>;
    using iterator = TapeIterator<Item>;
    TapeContainer() = default;
    explicit TapeContainer(JsonValue value) : value_(value) {}
    iterator begin() const { return value_ ? iterator(&value_.tape(), value_.index() + 1) : iterator(nullptr, 0); }
    iterator end() const { return value_ ? iterator(&value_.tape(), value_.node().next) : iterator(nullptr, 0); }
    std::size_t size() const { return value_ ? value_.size() : 0; }
    iterator find(const std::string& key) const {
        const JsonValue found = value_ ? value_.find(key) : JsonValue{};
        return found ? iterator(&value_.tape(), found.index() - 1) : end();
    }

  private:
    JsonValue value_;
};

}  // namespace host_protocol::schema_detail
