#include "big_number.h"

#include <bit>

namespace host_protocol {

BigNumber::BigNumber(std::uint64_t value) {
    push(static_cast<std::uint32_t>(value));
    push(static_cast<std::uint32_t>(value >> 32));
    while (size_ > 0 && words_[size_ - 1] == 0) --size_;
}

// Only the words in use: they are few, and the writer compares a sum for every digit.
BigNumber::BigNumber(const BigNumber& other) : size_(other.size_) {
    for (std::uint32_t i = 0; i < size_; ++i) words_[i] = other.words_[i];
}

void BigNumber::push(std::uint32_t word) {
    if (size_ < kWords) words_[size_++] = word;
}

void BigNumber::multiply_add(std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (std::uint32_t i = 0; i < size_; ++i) {
        carry += std::uint64_t{words_[i]} * factor;
        words_[i] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
    }
    if (carry != 0) push(static_cast<std::uint32_t>(carry));
}

void BigNumber::multiply_power_of_ten(std::uint32_t exponent) {
    for (; exponent >= 9; exponent -= 9) multiply_add(1'000'000'000, 0);
    std::uint32_t rest = 1;
    for (; exponent > 0; --exponent) rest *= 10;
    if (rest != 1) multiply_add(rest, 0);
}

void BigNumber::shift_left(std::uint32_t bits) {
    const std::uint32_t whole = bits / 32;
    const std::uint32_t part = bits % 32;
    if (size_ == 0 || bits == 0) return;
    if (part != 0) multiply_add(std::uint32_t{1} << part, 0);
    if (whole == 0) return;
    const std::uint32_t old = size_;
    for (std::uint32_t i = 0; i < whole; ++i) push(0);
    for (std::uint32_t i = old; i-- > 0;) {
        if (i + whole < kWords) words_[i + whole] = words_[i];
    }
    for (std::uint32_t i = 0; i < whole && i < kWords; ++i) words_[i] = 0;
}

void BigNumber::add(const BigNumber& other) {
    std::uint64_t carry = 0;
    for (std::uint32_t i = 0; i < size_ || i < other.size_; ++i) {
        if (i < other.size_) carry += other.words_[i];
        if (i < size_) {
            carry += words_[i];
            words_[i] = static_cast<std::uint32_t>(carry);
        } else {
            push(static_cast<std::uint32_t>(carry));
        }
        carry >>= 32;
    }
    if (carry != 0) push(static_cast<std::uint32_t>(carry));
}

void BigNumber::subtract(const BigNumber& other) {
    std::uint64_t borrow = 0;
    for (std::uint32_t i = 0; i < size_; ++i) {
        const std::uint64_t take = borrow + (i < other.size_ ? other.words_[i] : 0);
        borrow = words_[i] < take ? 1 : 0;
        words_[i] = static_cast<std::uint32_t>(words_[i] + (borrow << 32) - take);
    }
    while (size_ > 0 && words_[size_ - 1] == 0) --size_;
}

int BigNumber::compare(const BigNumber& other) const {
    if (size_ != other.size_) return size_ < other.size_ ? -1 : 1;
    for (std::uint32_t i = size_; i-- > 0;) {
        if (words_[i] != other.words_[i]) return words_[i] < other.words_[i] ? -1 : 1;
    }
    return 0;
}

std::uint32_t BigNumber::bit_length() const {
    if (size_ == 0) return 0;
    return size_ * 32 - static_cast<std::uint32_t>(std::countl_zero(words_[size_ - 1]));
}

}  // namespace host_protocol
