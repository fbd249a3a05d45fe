// SPDX-License-Identifier: MIT
#include "engine/trace/import/open.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

#include "engine/base/interrupt.h"
#include "engine/base/policy.h"
#include "engine/store/foreign.h"
#include "engine/trace/bytes/byte_source.h"
#include "engine/trace/core/reader.h"
#include "engine/trace/import/database.h"
#include "engine/trace/import/kineto/kineto_document.h"
#include "engine/trace/import/other_formats.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kProbeBytes = 4096;

bool has(const std::vector<std::string>& tables, std::string_view prefix) {
  return std::any_of(tables.begin(), tables.end(),
                     [&](const std::string& name) { return name.starts_with(prefix); });
}

Result<RawTrace> read_database(const ReadRequest& request) {
  const std::shared_ptr<ForeignDatabase> database =
      TRY(open_recorded_database(request.path, request.monitor));
  const std::vector<std::string> tables = TRY(database->tables());
  const auto finished = [&](Result<RawTrace> raw) -> Result<RawTrace> {
    if (raw && !database->note().empty()) raw->notes.insert(raw->notes.begin(), database->note());
    return raw;
  };
  if (has(tables, "rocpd_kernel_dispatch") || has(tables, "rocpd_info_")) {
    return finished(read_rocpd(database, request));
  }
  if (has(tables, "rocpd_op") && has(tables, "rocpd_api")) {
    return finished(read_rpd(database, request));
  }
  TRY(refuse_other_database(request.path, tables));
  return fail(
      Errc::unsupported,
      fmt::format("{} is a SQLite database but no recording ({} tables and views, none of rocpd)",
                  request.path, tables.size()),
      "record one with 'rocprofv3 --kernel-trace --output-format rocpd -- APP'");
}

/// The first bytes of the file, unpacked.
Result<std::string> probe(const std::string& path) {
  const ByteSource file = TRY(ByteSource::open_unpacked(path));
  std::string first(kProbeBytes, '\0');
  first.resize(TRY(file.read_at(0, first)));
  return first;
}

/// Without blanks and a byte order mark.
std::string trimmed(std::string first) {
  if (first.starts_with("\xef\xbb\xbf")) first.erase(0, 3);
  first.erase(0, std::min(first.find_first_not_of(" \t\r\n"), first.size()));
  return first;
}

bool looks_like_csv(std::string_view first) {
  const std::string_view line = first.substr(0, first.find('\n'));
  return line.find(',') != std::string_view::npos && line.find('\0') == std::string_view::npos &&
         (line.find("Start_Timestamp") != std::string_view::npos ||
          line.find("Dispatch_ID") != std::string_view::npos ||
          (line.find("KernelName") != std::string_view::npos &&
           line.find("gpu-id") != std::string_view::npos));
}

/// duckdb.org/docs/internals/storage: eight bytes of checksum, then the name.
bool is_duckdb(std::string_view first) {
  constexpr std::size_t kNameAt = 8;
  return first.size() > kNameAt && first.substr(kNameAt).starts_with("DUCK");
}

/// What begins as one, is called one, or is empty: the opener says what is the matter with it.
bool is_database(std::string_view path, std::string_view first) {
  for (const std::string_view packed : {".gz", ".zst"})
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  return first.empty() || first.starts_with("SQLite format 3") || path.ends_with(".db") ||
         path.ends_with(".rpd");
}

/// The beginning of a text, so that a person knows what was opened.
Failure unknown_format(const std::string& path, std::string_view first) {
  constexpr std::size_t kShown = 40;
  const std::string_view line = first.substr(0, first.find_first_of("\r\n"));
  const bool text = std::ranges::none_of(
      line, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; });
  std::string shown = text ? std::string(line.substr(0, kShown)) : "";
  if (shown.size() < line.size()) shown += "…";
  for (const std::string_view source : {".hip", ".cpp", ".cc", ".cu", ".cxx", ".py"}) {
    if (!path.ends_with(source)) continue;
    return fail(Errc::unsupported, path + " is source, and not a recording",
                source == ".py" ? "'profile -- python3 " + path + "' records it"
                                : "'build " + path +
                                      " --device-only' compiles its kernels, 'kernel run OBJECT' "
                                      "runs one; a program with main is built without the option");
  }
  return fail(
      Errc::unsupported,
      text ? fmt::format("{} is not a recording that rpl knows: it begins with '{}'", path, shown)
           : path + " is not a recording that rpl knows, and not a text",
      "rpl reads rocpd and RPD databases, CSV and JSON of rocprofv3, and JSON of PyTorch's "
      "profiler");
}

Result<RawTrace> read_file(const ReadRequest& request) {
  const std::string head = TRY(probe(request.path));
  const std::string first = trimmed(head);
  if (is_duckdb(first)) {
    return fail(Errc::unsupported, request.path + " is a DuckDB database, not a recording",
                "open the rocpd database or the pmc_perf.csv that it was made from");
  }
  TRY(refuse_other_format(request.path, first));
  // A Perfetto trace begins with what others trim.
  if (head.starts_with('\n')) TRY(refuse_other_format(request.path, head));
  const bool json = first.starts_with('{') || first.starts_with('[');
  // What cannot be looked through, the reader of the other JSON complains about.
  const bool kineto = first.starts_with('{') && is_chrome_trace(request.path).value_or(false);
  Result<RawTrace> raw = kineto                  ? read_kineto(request)
                         : json                  ? read_json(request)
                         : looks_like_csv(first) ? read_csv(request)
                         : is_database(request.path, head)
                             ? read_database(request)
                             : Result<RawTrace>(unknown_format(request.path, first));
  if (!raw) return raw;
  raw->file.path = request.path;
  std::error_code ignored;
  const auto bytes = fs::file_size(request.path, ignored);
  raw->file.bytes = ignored ? 0 : bytes;
  return raw;
}

/// Files of a folder by what they may be, each list sorted.
struct Candidates {
  std::vector<std::string> databases, json, kineto, csv;
};

/// Without what says that it is packed.
std::string_view unpacked_name(std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return name;
}

/// Leaves out "a.db.gz" where "a.db" is.
void drop_packed_twins(std::vector<std::string>& files) {
  const std::set<std::string, std::less<>> all(files.begin(), files.end());
  std::erase_if(files, [&](const std::string& file) {
    const std::string_view plain = unpacked_name(file);
    return plain.size() < file.size() && all.contains(plain);
  });
}

/// Whether a JSON file of any name is a Chrome trace; what cannot be read is none.
bool may_be_kineto(const std::string& path) {
  const auto first = probe(path);
  return first && trimmed(*first).starts_with('{') && is_chrome_trace(path).value_or(false);
}

/// rocprofv3 --pmc writes counters without a kernel trace beside them.
bool is_lone_counter_file(const fs::directory_entry& entry) {
  constexpr std::string_view kOwn = "counter_collection.csv";
  const std::string path = entry.path().string();
  std::error_code ignored;
  return path.ends_with(kOwn) &&
         !fs::exists(path.substr(0, path.size() - kOwn.size()) + "kernel_trace.csv", ignored);
}

Result<Candidates> candidates_in(const std::string& folder) {
  TRY(check_input(folder));
  Candidates found;
  std::error_code error;
  fs::recursive_directory_iterator walk(folder, fs::directory_options::skip_permission_denied,
                                        error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    TRY(interrupt::check());
    const std::string name = walk->path().filename().string();
    std::error_code ignored;
    if (name.starts_with('.')) {
      if (walk->is_directory(ignored)) walk.disable_recursion_pending();
      continue;
    }
    if (!walk->is_regular_file(ignored)) continue;
    const std::string_view plain = unpacked_name(name);
    if (plain.ends_with(".db") || plain.ends_with(".rpd")) found.databases.push_back(walk->path());
    if (plain.ends_with("_results.json"))
      found.json.push_back(walk->path());
    else if (plain.ends_with(".json"))
      found.kineto.push_back(walk->path());
    if (name.ends_with("kernel_trace.csv") || name == "pmc_perf.csv" || is_lone_counter_file(*walk))
      found.csv.push_back(walk->path());
  }
  if (error) return fail(Errc::io, fmt::format("{}: {}", folder, error.message()));
  for (auto* list : {&found.databases, &found.json, &found.kineto, &found.csv}) {
    std::sort(list->begin(), list->end());
    drop_packed_twins(*list);
  }
  // Looked into only where nothing better is there: folders hold many JSON files.
  if (found.databases.empty() && found.json.empty())
    std::erase_if(found.kineto, [](const std::string& path) { return !may_be_kineto(path); });
  return found;
}

/// Where in the folder of a profile the databases of its timed run lie: beside what its link .rocpd_profile leads to. Other runs in it counted, and their times
/// are none. Of any other folder: the folder.
std::string folder_of_recordings(const std::string& folder) {
  std::error_code none;
  const fs::path target = fs::read_symlink(fs::path(folder) / ".rocpd_profile", none);
  return none || target.empty() ? folder : (fs::path(folder) / target).parent_path().string();
}

/// Several files, each by one thread; their order stays. Only the calling thread tells where the work stands.
std::vector<Result<RawTrace>> read_files(const std::vector<std::string>& paths,
                                         const OpenOptions& options, const Monitor& monitor) {
  std::vector<Result<RawTrace>> out(paths.size());
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  const bool several = paths.size() > 1 && threads > 1;
  OpenOptions each = options;
  if (several) each.threads = 1;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&](const Monitor& to) {
    for (std::size_t i = next++; i < paths.size() && !failed; i = next++) {
      if (several) to.report("reading recordings", i, paths.size());
      out[i] = read_file({paths[i], each, several ? Monitor() : to});
      if (!out[i] && out[i].error().code != Errc::unsupported) failed = true;
    }
  };
  std::vector<std::jthread> helpers;
  constexpr unsigned kMostThreads = 16;
  for (unsigned i = 1; several && i < std::min<std::size_t>({threads, kMostThreads, paths.size()});
       ++i)
    helpers.emplace_back([&] { work(Monitor()); });
  work(monitor);
  return out;
}

/// The best kind of those that a folder holds.
std::vector<std::string> best_of(Candidates found) {
  for (auto* list : {&found.databases, &found.json, &found.kineto}) {
    if (!list->empty()) return std::move(*list);
  }
  return std::move(found.csv);
}

Failure holds_none(const std::string& folder) {
  return fail(Errc::not_found, folder + " holds no recording",
              "expected *.db, *.rpd, *_results.json, a PyTorch profiler's *.json, "
              "*_kernel_trace.csv, *_counter_collection.csv or pmc_perf.csv in it or below, the "
              "first four also with .gz or .zst");
}

/// Opens what a folder holds. What is not a recording at all is noted, what is a broken one fails.
Status read_folder(const ReadRequest& request, std::vector<RawTrace>& into) {
  const std::vector<std::string> files =
      best_of(TRY(candidates_in(folder_of_recordings(request.path))));
  std::vector<std::string> notes;
  const std::size_t before = into.size();
  for (Result<RawTrace>& raw : read_files(files, request.options, request.monitor)) {
    if (!raw && raw.error().code == Errc::unsupported) {
      notes.push_back(fmt::format("left out: {}", raw.error().message));
      continue;
    }
    if (!raw) return std::move(raw).failure();
    into.push_back(std::move(*raw));
  }
  if (into.size() == before) return holds_none(request.path);
  into.back().notes.insert(into.back().notes.end(), notes.begin(), notes.end());
  return {};
}

}  // namespace

Result<std::shared_ptr<const Trace>> open_trace(std::span<const std::string> paths,
                                                const OpenOptions& options,
                                                const Monitor& monitor) {
  if (paths.empty()) return fail(Errc::usage, "no recording was named", "try 'open PATH'");
  std::vector<RawTrace> files;
  std::error_code none;
  if (std::ranges::none_of(paths, [&](const auto& path) { return fs::is_directory(path, none); })) {
    for (Result<RawTrace>& raw : read_files({paths.begin(), paths.end()}, options, monitor))
      files.push_back(TRY(std::move(raw)));
    return finish_trace(std::move(files), monitor);
  }
  for (const std::string& path : paths) {
    TRY(interrupt::check());
    const ReadRequest request{path, options, monitor};
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
      TRY(read_folder(request, files));
    } else {
      files.push_back(TRY(read_file(request)));
    }
  }
  return finish_trace(std::move(files), monitor);
}

Result<std::vector<std::string>> recordings_in(const std::string& folder) {
  std::vector<std::string> files = best_of(TRY(candidates_in(folder_of_recordings(folder))));
  if (files.empty()) return holds_none(folder);
  return files;
}

}  // namespace rpl
