// SPDX-License-Identifier: MIT
#include "engine/trace/import/csv/csv_files.h"

#include <array>
#include <filesystem>
#include <system_error>

#include "engine/base/numbers.h"

namespace rpl {

namespace {

/// What the kinds of host API are called in file names, by release.
constexpr std::array kApiFiles{
    "hip_api_trace.csv",      "hip_runtime_trace.csv",      "hip_runtime_api_trace.csv",
    "hip_compiler_trace.csv", "hip_compiler_api_trace.csv", "hsa_api_trace.csv",
    "rccl_api_trace.csv",     "rocdecode_api_trace.csv",    "rocjpeg_api_trace.csv",
};
constexpr std::array kMarkerFiles{"marker_api_trace.csv", "marker_trace.csv"};

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

CsvSiblings find_csv_siblings(const std::string& path) {
  CsvSiblings siblings;
  std::string prefix;
  for (const std::string_view own : {"kernel_trace.csv", "counter_collection.csv"}) {
    if (path.ends_with(own)) prefix = path.substr(0, path.size() - own.size());
  }
  const std::size_t name = path.find_last_of('/') + 1;
  const bool known = path.ends_with("kernel_trace.csv") || path.ends_with("counter_collection.csv");
  // "my_kernel_trace.csv" has the prefix "my_"; "superkernel_trace.csv" was not named by the recorder.
  if (!known || (prefix.size() > name && prefix.back() != '_')) return siblings;

  const auto beside = [&](std::string_view file) {
    std::string candidate = prefix + std::string(file);
    return exists(candidate) ? candidate : std::string();
  };
  siblings.copies = beside("memory_copy_trace.csv");
  siblings.counters = beside("counter_collection.csv");
  siblings.agents = beside("agent_info.csv");
  for (const char* file : kMarkerFiles) {
    if (siblings.markers.empty()) siblings.markers = beside(file);
  }
  for (const char* file : kApiFiles) {
    if (std::string found = beside(file); !found.empty()) siblings.api.push_back(std::move(found));
  }
  return siblings;
}

std::int64_t pid_of_file_name(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  const std::size_t digits = name.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos || name[digits] != '_') return 0;
  return whole_number<std::int64_t>(name.substr(0, digits)).value_or(0);
}

}  // namespace rpl
