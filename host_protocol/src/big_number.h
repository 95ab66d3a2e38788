// An unsigned integer of bounded size, with only what exact decimal conversion needs.
//
// Both directions stay below 3,900 bits: reading divides 800 digits by 10^1130 at most, writing handles 2^1077 at most.
#pragma once

#include <array>
#include <cstdint>

namespace host_protocol {

class BigNumber {
  public:
    BigNumber() = default;
    explicit BigNumber(std::uint64_t value);
    BigNumber(const BigNumber& other);
    BigNumber& operator=(const BigNumber&) = delete;

    void multiply_add(std::uint32_t factor, std::uint32_t addend);
    void multiply_power_of_ten(std::uint32_t exponent);
    void shift_left(std::uint32_t bits);
    void add(const BigNumber& other);
    /// Only when `*this >= other`.
    void subtract(const BigNumber& other);
    /// Negative, zero or positive, as *this is less than, equal to or greater than `other`.
    int compare(const BigNumber& other) const;
    std::uint32_t bit_length() const;
    bool is_zero() const { return size_ == 0; }

  private:
    static constexpr std::uint32_t kWords = 128;
    void push(std::uint32_t word);

    std::uint32_t size_ = 0;  // words in use; the highest of them is not zero
    std::array<std::uint32_t, kWords> words_;
};

}  // namespace host_protocol
