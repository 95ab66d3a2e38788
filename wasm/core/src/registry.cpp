// The facade: brings the parts together and owns no rule of its own beyond their order.
#include "registry_impl.h"

namespace viewcap {

using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;

Registry::Registry(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Registry::~Registry() = default;

Result<std::unique_ptr<Registry>> Registry::create(JsonValue options, host_protocol::PatternMatch match) {
    auto read = read_options(options, match);
    if (!read) return read.error();
    return std::unique_ptr<Registry>(new Registry(std::make_unique<Impl>(std::move(*read))));
}

void Registry::listen(unsigned mask) { impl_->log.listen(mask); }
std::uint64_t Registry::version() const { return impl_->surface.version(); }
Outbox& Registry::outbox() { return impl_->outbox; }

Answer Registry::begin(std::string_view envelope, double now) {
    return impl_->pipeline.begin(envelope, impl_->at(now));
}

Answer Registry::advance(InvocationHandle invocation, AdvanceStep step, std::string_view text, double now) {
    return impl_->pipeline.advance(invocation, step, text, impl_->at(now));
}

Answer Registry::settle(InvocationHandle invocation, SettleOutcome outcome, std::string_view text, double now) {
    return impl_->pipeline.settle(invocation, outcome, text, impl_->at(now));
}

double Registry::expire(double now) { return impl_->pipeline.expire(impl_->at(now)); }

bool Registry::resolve_confirmation(std::string_view text, double now) {
    auto decision = impl_->reader.read(text, kDocument);
    if (!decision) return false;
    const JsonValue id = decision->find("id");
    return id.is(JsonType::string) &&
           impl_->pipeline.confirmations().resolve(id.string(), is_true(decision->find("approved")), impl_->at(now));
}

std::string Registry::confirmations(double now) { return impl_->pipeline.confirmations().pending(impl_->at(now)); }

}  // namespace viewcap
