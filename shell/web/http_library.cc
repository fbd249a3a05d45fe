// SPDX-License-Identifier: MIT
#include "shell/web/http_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "engine/base/library_function.h"

namespace rpl::web {
namespace {

bool find_all(void* library, HttpLibrary& out) {
  return find_function(library, "MHD_start_daemon", out.start_daemon) &&
         find_function(library, "MHD_stop_daemon", out.stop_daemon) &&
         find_function(library, "MHD_lookup_connection_value", out.lookup_connection_value) &&
         find_function(library, "MHD_get_connection_values", out.get_connection_values) &&
         find_function(library, "MHD_get_connection_info", out.get_connection_info) &&
         find_function(library, "MHD_suspend_connection", out.suspend_connection) &&
         find_function(library, "MHD_resume_connection", out.resume_connection) &&
         find_function(library, "MHD_create_response_from_buffer",
                       out.create_response_from_buffer) &&
         find_function(library, "MHD_add_response_header", out.add_response_header) &&
         find_function(library, "MHD_queue_response", out.queue_response) &&
         find_function(library, "MHD_destroy_response", out.destroy_response);
}

Result<HttpLibrary> open_library() {
  void* library = ::dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  HttpLibrary out;
  if (library != nullptr && find_all(library, out)) return out;
  const char* said = ::dlerror();
  return fail(Errc::missing_capability,
              fmt::format("libmicrohttpd, which serves pages, cannot be opened: {}",
                          said != nullptr ? said : "it lacks a function"),
              "apt-get install libmicrohttpd12; 'report html' writes the same into a file");
}

}  // namespace

Result<const HttpLibrary*> http_library() {
  // Never undone: its threads may be in it when the program ends.
  static const Result<HttpLibrary> opened = open_library();
  if (!opened) return Failure(opened.error());
  return &*opened;
}

}  // namespace rpl::web
