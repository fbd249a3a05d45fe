// SPDX-License-Identifier: MIT
// Any bytes as a JSON document: what is read is written as UTF-8 that reads back as the same; what is not names the reason.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/base/text.h"
#include "engine/document/json.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto value = rpl::parse_json({reinterpret_cast<const char*>(data), size});
  if (!value) {
    require(!value.error().message.empty() && value.error().code != rpl::Errc::internal);
    return 0;
  }
  const std::string text = rpl::to_json(*value);
  require(rpl::is_utf8(text) && text.find('\n') == std::string::npos);
  const auto again = rpl::parse_json(text);
  require(again.has_value() && *again == *value);
  return 0;
}
