// The table of viewcap.domain.wasm: what JavaScript can call, one line each. README.md in this folder says what the
// texts hold.
#include <emscripten/bind.h>

#include "crossing.h"
#include "domain_table.h"
#include "schema_table.h"

EMSCRIPTEN_BINDINGS(viewcap_domain) {
    namespace boundary = viewcap::boundary;
    namespace schemas = viewcap::table;
    namespace table = viewcap::domain_table;
    using emscripten::function;
    function("area", &boundary::area);
    function("stage", &boundary::stage);
    function("fault", &boundary::fault);
    function("memory", &boundary::memory);
    function("compileSchema", &schemas::compile_schema);
    function("validate", &schemas::validate);
    function("freeSchema", &schemas::free_schema);
    function("startRegistry", &table::start_registry);
    function("finishRegistry", &table::finish_registry);
    function("filterRegistry", &table::filter_registry);
    function("keepRegistry", &table::keep_registry);
    function("inspectRegistry", &table::inspect_registry);
    function("freeRegistry", &table::free_registry);
    function("createRuntime", &table::create_runtime);
    function("batch", &table::batch);
    function("begin", &table::begin);
    function("resume", &table::resume);
    function("tell", &table::tell);
    function("describe", &table::describe);
    function("nextCandidate", &table::next_candidate);
    function("reported", &table::reported);
    function("takeEvents", &table::take_events);
    function("approvalDecided", &table::approval_decided);
    function("freeRuntime", &table::free_runtime);
    function("checkDecision", &table::check_decision);
    function("approvalStatus", &table::approval_status);
    function("outwardError", &table::outward_error);
    function("wireName", &table::wire_name);
}
