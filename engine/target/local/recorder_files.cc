// SPDX-License-Identifier: MIT
#include "engine/target/local/recorder_files.h"

#include <algorithm>
#include <tuple>

#include "engine/store/foreign.h"

namespace rpl::profile {
namespace {

namespace fs = std::filesystem;

/// A run of thousands of wave files is one thread trace; what is deeper than this is none of ours.
constexpr int kDeepest = 6;

Result<RecordedDatabase> read_state(const std::string& path) {
  RecordedDatabase out{.path = path};
  const auto file = TRY(ForeignDatabase::open(path));
  Database& database = file->database();
  {
    Statement process = TRY(database.prepare(
        "SELECT pid, coalesce(init, start, 0) FROM rocpd_info_process ORDER BY id LIMIT 1"));
    if (!TRY(process.step())) {
      out.state = RecordedDatabase::State::cut_short;
      return out;
    }
    out.pid = process.int64(0);
    out.start_ns = process.int64(1);
  }
  // `end` is a keyword, and double quotes are needed in every version of SQLite.
  Statement dispatches = TRY(database.prepare(
      "SELECT count(*), coalesce(sum(\"end\" - start), 0) FROM rocpd_kernel_dispatch"));
  TRY(dispatches.step());
  out.dispatches = static_cast<std::uint64_t>(dispatches.int64(0));
  out.kernel_ns = dispatches.real(1);
  out.state =
      out.dispatches == 0 ? RecordedDatabase::State::no_kernels : RecordedDatabase::State::complete;
  return out;
}

}  // namespace

RecordedFiles RecordedFiles::in(const std::string& folder) {
  RecordedFiles out;
  std::error_code ignored;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         ignored),
      end;
  for (; !ignored && entry != end; entry.increment(ignored)) {
    std::error_code gone;
    const fs::path& path = entry->path();
    const std::string name = path.filename().string();
    if (entry.depth() >= kDeepest) entry.disable_recursion_pending();
    if (entry->is_directory(gone)) {
      const fs::path listing = path / "code.json", manifest = path / "filenames.json";
      if (!fs::exists(listing, gone) && !fs::exists(manifest, gone)) continue;
      out.thread_traces_[path.string()] = {fs::last_write_time(path, gone), 0};
      entry.disable_recursion_pending();
      continue;
    }
    Stamps* kind = name.ends_with("results.db")     ? &out.databases_
                   : name.ends_with("results.json") ? &out.samples_json_
                                                    : nullptr;
    if (kind == nullptr && name.ends_with(".csv") &&
        name.find("_pc_sampling_") != std::string::npos)
      kind = &out.samples_csv_;
    if (kind != nullptr)
      (*kind)[path.string()] = {fs::last_write_time(path, gone), fs::file_size(path, gone)};
  }
  return out;
}

std::vector<std::string> RecordedFiles::since(const Stamps& now, const Stamps& before) {
  std::vector<std::string> out;
  for (const auto& [path, stamp] : now) {
    const auto known = before.find(path);
    if (known == before.end() || known->second != stamp) out.push_back(path);
  }
  return out;
}

std::vector<std::string> RecordedFiles::databases_since(const RecordedFiles& before) const {
  return since(databases_, before.databases_);
}

std::vector<std::string> RecordedFiles::thread_traces_since(const RecordedFiles& before) const {
  return since(thread_traces_, before.thread_traces_);
}

std::vector<std::string> RecordedFiles::samples_since(const RecordedFiles& before) const {
  std::vector<std::string> out = since(samples_json_, before.samples_json_);
  const auto csv = since(samples_csv_, before.samples_csv_);
  out.insert(out.end(), csv.begin(), csv.end());
  return out;
}

RecordedDatabase look_at(const std::string& path) {
  auto state = read_state(path);
  if (state) return std::move(*state);
  return {.path = path, .state = RecordedDatabase::State::cut_short};
}

std::vector<RecordedDatabase> look_at_all(const std::vector<std::string>& paths) {
  std::vector<RecordedDatabase> out;
  for (const std::string& path : paths) out.push_back(look_at(path));
  std::ranges::sort(out, {}, [](const RecordedDatabase& one) {
    return std::tuple(one.state == RecordedDatabase::State::cut_short, one.start_ns, one.pid,
                      one.path);
  });
  return out;
}

}  // namespace rpl::profile
