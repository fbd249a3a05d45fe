// SPDX-License-Identifier: MIT
#pragma once

#include <microhttpd.h>

#include "engine/base/result.h"

namespace rpl::web {

/// The functions of libmicrohttpd that are used, under their names without `MHD_`.
struct HttpLibrary {
  decltype(&::MHD_start_daemon) start_daemon = nullptr;
  decltype(&::MHD_stop_daemon) stop_daemon = nullptr;
  decltype(&::MHD_lookup_connection_value) lookup_connection_value = nullptr;
  decltype(&::MHD_get_connection_values) get_connection_values = nullptr;
  decltype(&::MHD_get_connection_info) get_connection_info = nullptr;
  decltype(&::MHD_suspend_connection) suspend_connection = nullptr;
  decltype(&::MHD_resume_connection) resume_connection = nullptr;
  decltype(&::MHD_create_response_from_buffer) create_response_from_buffer = nullptr;
  decltype(&::MHD_add_response_header) add_response_header = nullptr;
  decltype(&::MHD_queue_response) queue_response = nullptr;
  decltype(&::MHD_destroy_response) destroy_response = nullptr;
};

/// The installed library, opened when it is first asked for and kept to the end of the program: with what it needs (GnuTLS, though nothing is encrypted here) it
/// would be a good part of the time that a program waits for before it starts. Fails with missing_capability, each time again.
Result<const HttpLibrary*> http_library();

}  // namespace rpl::web
