// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include "engine/base/input_file.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

/// The name without what says that the file is packed.
fs::path unpacked_name(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".gz" || extension == ".zst" ? path.stem() : path.filename();
}

bool database_or_trace(const fs::path& path) {
  if (const fs::path plain = unpacked_name(path); plain != path.filename()) {
    const std::string inner = plain.extension().string();
    return inner == ".db" || inner == ".rpd" || inner == ".csv" || inner == ".json";
  }
  const std::string head = first_bytes(path, 16);
  const std::string_view bytes = head;
  const std::size_t text_at =
      std::min(bytes.find_first_not_of(" \t\r\n\xef\xbb\xbf"), bytes.size());
  if (bytes.starts_with(std::string_view("SQLite format 3\0", 16))) return true;
  // No recording, but whoever opens it is told so by name.
  if (bytes.size() > 12 && bytes.substr(8).starts_with("DUCK")) return true;
  const std::string extension = path.extension().string();
  return extension == ".db" || extension == ".rpd" || extension == ".csv" ||
         (extension == ".json" && bytes.substr(text_at).starts_with("{"));
}

}  // namespace

bool is_recording(std::string_view name) {
  std::error_code ignored;
  const fs::path path(name);
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_regular_file(status)) return database_or_trace(path);
  if (!fs::is_directory(status)) return false;
  if (fs::exists(path / ".rocpd_profile", ignored)) return true;
  for (const auto& entry : fs::directory_iterator(path, ignored)) {
    const std::string file = unpacked_name(entry.path()).string();
    const bool packed = file.size() < entry.path().filename().string().size();
    // PyTorch's profiler; packed JSON is hardly anything else.
    if (file.ends_with(".pt.trace.json") || (packed && file.ends_with(".json"))) return true;
    if (file.ends_with("_results.db") || file.ends_with("_results.json") ||
        file.ends_with("kernel_trace.csv") || file.ends_with("counter_collection.csv") ||
        file == "pmc_perf.csv") {
      return true;
    }
  }
  return false;
}

}  // namespace rpl
