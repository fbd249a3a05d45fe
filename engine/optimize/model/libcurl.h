// SPDX-License-Identifier: MIT
#pragma once

#include <curl/curl.h>

#include "engine/base/result.h"

namespace rpl::llm {

/// The functions of libcurl that are used, under their names without `curl_`.
struct LibCurl {
  decltype(&::curl_global_init) global_init = nullptr;
  decltype(&::curl_free) free = nullptr;
  decltype(&::curl_getdate) getdate = nullptr;
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_reset) easy_reset = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_easy_setopt) easy_setopt = nullptr;
  decltype(&::curl_easy_perform) easy_perform = nullptr;
  decltype(&::curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&::curl_easy_strerror) easy_strerror = nullptr;
  decltype(&::curl_slist_append) slist_append = nullptr;
  decltype(&::curl_slist_free_all) slist_free_all = nullptr;
  decltype(&::curl_url) url = nullptr;
  decltype(&::curl_url_set) url_set = nullptr;
  decltype(&::curl_url_get) url_get = nullptr;
  decltype(&::curl_url_cleanup) url_cleanup = nullptr;
};

/// The installed library, opened and started when it is first asked for and kept to the end of the program: with the thirty libraries that it
/// needs, linking it would be half of the time that a program waits for before it starts. Fails with missing_capability, each time again.
Result<const LibCurl*> libcurl();

}  // namespace rpl::llm
