// SPDX-License-Identifier: MIT
// The three JSON files of a capture, with zero bytes between them: dispatch.json, memory_regions.json, capture.json.
#include "engine/capture/capture_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::array<std::string_view, 3> texts;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  for (std::string_view& text : texts) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const auto documents = rpl::read_documents(texts[2], texts[0], texts[1]);
  if (!documents) return 0;
  // What was read without complaint is a capture without bytes: checking it must not trip either.
  static_cast<void>(rpl::check_capture(documents->capture));
  for (const auto& region : documents->capture.regions) {
    if (rpl::before_file(region).find("..") != std::string::npos) std::abort();
  }
  return 0;
}
