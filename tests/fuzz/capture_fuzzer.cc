// SPDX-License-Identifier: MIT
// The JSON files of a capture, with zero bytes between them: dispatch.json, memory_regions.json, capture.json, capture.partial.json, and kerncap's
// module_variables.json and metadata.json; self_check.json; following.json. The input is also the header of a packed capture.
#include "engine/capture/arguments.h"
#include "engine/capture/capture_json.h"
#include "engine/capture/find_captures.h"
#include "engine/capture/kerncap.h"
#include "engine/capture/marks.h"
#include "engine/capture/pack.h"

namespace {

void look_at_header(const std::uint8_t* data, std::size_t size) {
  rpl::TarHeader header{};
  std::copy_n(reinterpret_cast<const std::byte*>(data), std::min(size, header.size()),
              header.begin());
  const auto entry = rpl::read_tar_header(header);
  if (entry && *entry && rpl::is_capture_file((*entry)->name) && (*entry)->name.find("..") == 0)
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::array<std::string_view, 8> texts;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  for (std::string_view& text : texts) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  look_at_header(data, size);
  if (const auto partial = rpl::read_partial(texts[3]);
      partial && !rpl::read_partial(rpl::partial_json(*partial)))
    std::abort();
  static_cast<void>(rpl::read_kerncap_code_hash(texts[5]));
  const std::string head(64, '0');
  if (const auto mark = rpl::read_check(texts[6], head);
      mark && !rpl::read_check(rpl::check_json(*mark, head), head))
    std::abort();
  const auto variables = rpl::read_kerncap_variables(texts[4]);
  for (const auto& variable : variables ? *variables : std::vector<rpl::KerncapVariable>{}) {
    if (!variable.file.starts_with("module_variables/") || variable.file.substr(17) == ".." ||
        variable.file.find('/', 17) != std::string::npos)
      std::abort();
  }
  auto documents = rpl::read_documents(texts[2], texts[0], texts[1]);
  if (!documents) return 0;
  if (documents->has_following && !rpl::read_following(texts[7], *documents)) return 0;
  if (documents->capture.then.size() >= rpl::kMostCapturedDispatches) std::abort();
  // What was read without complaint is a capture without bytes: checking it must not trip either.
  static_cast<void>(rpl::check_capture(documents->capture));
  static_cast<void>(rpl::parameter_types(documents->capture.kernel));
  for (const auto& region : documents->capture.regions) {
    if (rpl::before_file(region).find("..") != std::string::npos) std::abort();
  }
  return 0;
}
