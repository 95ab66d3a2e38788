// The table: what JavaScript can call, one line each. README.md in this folder says what the texts hold.
#include <emscripten/bind.h>

#include "crossing.h"
#include "protocol_table.h"
#include "schema_table.h"
#include "table.h"

EMSCRIPTEN_BINDINGS(viewcap) {
    namespace table = viewcap::table;
    using emscripten::function;
    function("area", &viewcap::boundary::area);
    function("stage", &viewcap::boundary::stage);
    function("fault", &viewcap::boundary::fault);
    function("createRegistry", &table::create_registry);
    function("listen", &table::listen);
    function("internContract", &table::intern_contract);
    function("mount", &table::mount);
    function("unmount", &table::unmount);
    function("update", &table::update);
    function("gates", &table::gates);
    function("begin", &table::begin);
    function("advance", &table::advance);
    function("settle", &table::settle);
    function("timers", &table::timers);
    function("project", &table::project);
    function("wireNames", &table::wire_names);
    function("snapshot", &table::snapshot);
    function("version", &table::version);
    function("resolveConfirmation", &table::resolve_confirmation);
    function("confirmations", &table::confirmations);
    function("knownPaths", &table::known_paths);
    function("rebind", &table::rebind);
    function("takeOutbox", &table::take_outbox);
    function("dispose", &table::dispose);
    function("compileSchema", &table::compile_schema);
    function("validate", &table::validate);
    function("freeSchema", &table::free_schema);
    function("convert", &table::convert);
    function("openProtocol", &table::open_protocol);
    function("exchange", &table::exchange);
    function("closeProtocol", &table::close_protocol);
    function("memory", &viewcap::boundary::memory);
}
