#include "catalog/views.h"

namespace viewcap {
namespace {

constexpr std::size_t kMaxViews = 8;

}  // namespace

Projection& Views::of(std::vector<std::string> scope, std::string_view consumer, std::uint32_t& index) {
    for (std::size_t i = 0; i < views_.size(); ++i) {
        if (views_[i].scope() != scope || views_[i].consumer() != consumer) continue;
        index = static_cast<std::uint32_t>(i);
        return views_[i];
    }
    index = static_cast<std::uint32_t>(next_);
    if (views_.size() < kMaxViews)
        views_.emplace_back(std::move(scope), std::string(consumer));
    else
        views_[next_] = Projection(std::move(scope), std::string(consumer));
    next_ = (next_ + 1) % kMaxViews;
    return views_[index];
}

void Views::clear() {
    std::vector<Projection>().swap(views_);
    next_ = 0;
}

}  // namespace viewcap
