// Sorting where code size counts: n log n whatever the input, and a third of std::sort's code per use. Not stable.
#pragma once

#include <algorithm>
#include <functional>

namespace host_protocol {

template <class Iterator, class Less = std::less<>>
void heap_sort(Iterator first, Iterator last, Less less = {}) {
    std::make_heap(first, last, less);
    std::sort_heap(first, last, less);
}

}  // namespace host_protocol
