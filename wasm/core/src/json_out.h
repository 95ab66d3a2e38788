// The helpers for writing texts, by the names that the core uses.
#pragma once

#include "host_protocol/json_out.h"

namespace viewcap {

using host_protocol::append_bool_member;
using host_protocol::append_json_member;
using host_protocol::append_key;
using host_protocol::append_number_member;
using host_protocol::append_text_member;
using host_protocol::concat;
using host_protocol::handle_of;
using host_protocol::is_true;
using host_protocol::one_member;
using host_protocol::text_or;

}  // namespace viewcap
