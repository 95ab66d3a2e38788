// Sets of Unicode code points, as sorted ranges that do not touch.
#pragma once

#include <cstdint>
#include <vector>

namespace host_protocol::schema_detail {

class CharSet {
  public:
    struct Range {
        std::uint32_t first, last;
    };

    static CharSet any();
    static CharSet digits();
    static CharSet word();
    static CharSet space();
    /// What `.` matches without the `s` flag.
    static CharSet dot();

    void add(std::uint32_t first, std::uint32_t last);
    void add(const CharSet& other);
    CharSet complement() const;
    bool overlaps(const CharSet& other) const;

  private:
    std::vector<Range> ranges_;
};

}  // namespace host_protocol::schema_detail
