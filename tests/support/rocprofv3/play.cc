// SPDX-License-Identifier: MIT
#include "tests/support/rocprofv3/play.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "engine/base/interrupt.h"
#include "engine/device/execute/launch/hardware_counters.h"
#include "engine/store/database.h"
#include "engine/target/emu/emulated_run.h"
#include "tests/support/rocprofv3/counter_limits.h"
#include "tests/support/rocprofv3/recording.h"

namespace rpl::stand_in {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

void say(const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }

/// The text that a regular expression without operators stands for.
std::string plain(const std::string& regex) {
  std::string out;
  for (std::size_t i = 0; i < regex.size(); ++i) {
    if (regex[i] == '\\' && i + 1 < regex.size()) ++i;
    out += regex[i];
  }
  return out;
}

std::string kernel_with_most_time(const std::string& database) {
  auto opened = Database::open_copy(database);
  if (!opened) return {};
  auto row = opened->prepare(
      "SELECT s.kernel_name FROM rocpd_kernel_dispatch d JOIN rocpd_info_kernel_symbol s ON s.id = "
      "d.kernel_id GROUP BY s.id "
      "ORDER BY sum(d.\"end\" - d.start) DESC LIMIT 1");
  if (!row || !row->step().value_or(false)) return {};
  std::string name(row->text(0));
  return name.substr(0, name.rfind(".kd"));
}

class Player {
 public:
  explicit Player(const Options& options)
      : options_(options), failure_(environment("RPL_STAND_IN_FAILURE")) {
    folder_ = options.value("output-directory", ".");
    scratch_ = (fs::path(folder_) / (".stand-in-" + std::to_string(::getpid()))).string();
    counters_ = options.values("pmc");
  }

  Ending play() {
    if (const auto refused = refuses()) return *refused;
    const Ending ending = run();
    std::error_code ignored;
    fs::remove_all(scratch_, ignored);
    return ending;
  }

 private:
  [[nodiscard]] bool plays(std::string_view failure) const { return failure_ == failure; }

  /// What it fails of before the program runs, or at its first dispatch.
  std::optional<Ending> refuses() {
    const bool att = options_.on("att");
    if (plays("old")) {
      say("usage: rocprofv3 [-h] ...\nrocprofv3: error: unrecognized arguments: "
          "--memory-allocation-trace");
      return Ending{2};
    }
    if (att && plays("decoder")) {
      say("[rocprofv3] Fatal error: rocprof-trace-decoder library path not found in ['', "
          "'/opt/rocm/lib']");
      return Ending{1};
    }
    if (plays("kfd")) {
      say("Unable to open /dev/kfd read-write: Permission denied\nno ROCm-capable device is "
          "detected");
      return Ending{1};
    }
    if (plays("no-sampling") && options_.on("pc-sampling-beta-enabled")) {
      say("E20251122 10:00:00.000000 1 tool.cpp:1620] Given PC sampling configuration is not "
          "supported on any of the agents");
      return Ending{1};
    }
    return counters_.empty() ? std::nullopt : refuses_counters();
  }

  std::optional<Ending> refuses_counters() {
    if (plays("counter-lock"))
      say("W20251122 10:00:00.000000 1 profile.cpp:88] Device 1 could not be locked for profiling "
          "due to lack of permissions (capability SYS_PERFMON)");
    std::vector<std::string> which;
    const Fit fit = fit_of(counters_, which);
    if (fit == Fit::unknown) {
      // It goes on with those that there are.
      std::vector<std::string> found;
      std::ranges::copy_if(counters_, std::back_inserter(found), [&](const std::string& name) {
        return std::ranges::find(which, name) == which.end();
      });
      say(
          fmt::format("W20251122 10:00:00.000000 1 tool.cpp:1184] Unable to find all counters for "
                      "agent 1 (gpu-0, {}) in [{}]. Found: [{}]. Missing: [{}]",
                      environment("RPL_STAND_IN_GPU"), fmt::join(counters_, ", "),
                      fmt::join(found, ", "), fmt::join(which, ", ")));
      counters_ = std::move(found);
      return std::nullopt;
    }
    if (plays("too-many") || fit == Fit::too_many) {
      say("F20251122 10:00:00.000000 1 tool.cpp:1192]  :: Could not construct profile cfg failed "
          "with error code 38: Request exceeds the capabilities of the hardware to collect");
      return Ending{0, SIGABRT};
    }
    if (!plays("hang")) return std::nullopt;
    while (!interrupt::pending()) ::pause();
    return Ending{0, SIGKILL};
  }

  profile::EmulatedRequest request() {
    profile::EmulatedRequest out{
        .argv = options_.app, .gpu = environment("RPL_STAND_IN_GPU"), .folder = scratch_};
    out.on_line = [](OutputStream stream, std::string_view line) {
      std::FILE* to = stream == OutputStream::out ? stdout : stderr;
      std::fprintf(to, "%.*s\n", static_cast<int>(line.size()), line.data());
      std::fflush(to);
    };
    if (options_.on("att")) out.trace_kernel = plain(options_.value("kernel-include-regex"));
    const auto arch = profile::emulated_architecture(out);
    if (!arch) return out;
    // What the hardware has and the emulated device does not count stays away.
    for (const auto& known :
         emu::known_hardware_counters(isa::find_architecture(*arch).value_or(isa::kUsualArch))) {
      if (std::ranges::find(counters_, known.name) != counters_.end())
        out.counters.push_back(known.name);
    }
    return out;
  }

  Ending run() {
    auto outcome = profile::run_emulated(request());
    interrupt::clear();
    Ending ending;
    if (outcome) {
      ending = {outcome->exit.code, outcome->exit.signal};
    } else if (outcome.error().code == Errc::interrupted) {
      ending = {130, 0};
    } else if (outcome.error().code == Errc::missing_capability) {
      return run_without_gpu();
    } else if (outcome.error().code != Errc::verification_failed) {
      say("[rocprofv3] Fatal error: " + outcome.error().message);
      return {1, 0};
    }
    if (!plays("leave-nothing")) {
      if (const Status written = deliver(); !written) {
        say("stand-in: " + written.error().message);
        return {70, 0};
      }
    }
    if (plays("abort") && std::ranges::any_of(options_.app, [](const std::string& word) {
          return word.find(';') != std::string::npos;
        })) {
      say("F20251122 10:00:00.000000 1 sql.cpp:80] SQLite3 error 1: unrecognized token: \"'x\" at "
          "INSERT INTO rocpd_info_process");
      return {0, SIGABRT};
    }
    return ending;
  }

  /// A program that does not use HIP runs as ever, and leaves nothing.
  Ending run_without_gpu() {
    const auto ended = rpl::run({.argv = options_.app, .on_line = request().on_line});
    if (!ended) return {1, 0};
    return {ended->code, ended->signal};
  }

  /// From the scratch folder to where the options say.
  Status deliver() {
    std::vector<fs::path> databases;
    std::error_code none;
    for (const auto& host : fs::directory_iterator(scratch_, none)) {
      for (const auto& file : fs::directory_iterator(host.path())) {
        if (file.path().extension() == ".db") databases.push_back(file.path());
        if (file.is_directory()) TRY(deliver_thread_traces(file.path()));
      }
    }
    std::ranges::sort(databases);
    for (const fs::path& database : databases) TRY(deliver_database(database));
    return {};
  }

  Status deliver_thread_traces(const fs::path& from) {
    if (plays("decoder-broken")) {
      say("F20251122 10:00:00.000000 1 decoder.cpp:37] Error loading decoder: 37");
      return {};
    }
    for (const auto& entry : fs::directory_iterator(from)) {
      if (fs::exists(entry.path() / "filenames.json")) TRY(make_real_trace(entry.path().string()));
      fs::rename(entry.path(), fs::path(folder_) / entry.path().filename());
    }
    return {};
  }

  Status deliver_database(const fs::path& from) {
    if (options_.on("pc-sampling-beta-enabled")) TRY(sample(from));
    TRY(make_real(from.string(), options_));
    if (plays("no-kernels")) TRY(leave_no_kernels(from.string()));
    if (plays("abort")) TRY(leave_half(from.string()));
    const auto formats = options_.values("output-format");
    const auto wants = [&](const char* format) {
      return std::ranges::find(formats, format) != formats.end();
    };
    const fs::path to = fs::path(folder_) / from.parent_path().filename();
    fs::create_directories(to);
    if (wants("csv") && options_.traces("kernel")) {
      TRY(write_kernel_csv(from.string()));
      const std::string pid =
          from.filename().string().substr(0, from.filename().string().find('_'));
      fs::rename(from.parent_path() / (pid + "_kernel_trace.csv"),
                 to / (pid + "_kernel_trace.csv"));
    }
    if (!formats.empty() && !wants("rocpd")) return {};
    const std::string named = options_.value("output-file");
    const fs::path file =
        named.empty() ? to / from.filename() : fs::path(folder_) / (named + "_results.db");
    fs::rename(from, file);
    if (plays("half")) fs::resize_file(file, fs::file_size(file) / 2);
    say("Opened result file: " + file.string() + " (UUID=_)");
    return {};
  }

  /// Another run of the program, out of sight, in which its longest kernel is traced.
  Status sample(const fs::path& database) {
    const std::string kernel = kernel_with_most_time(database.string());
    if (kernel.empty()) return {};
    profile::EmulatedRequest again = request();
    again.on_line = {};
    again.folder = scratch_ + "/sampled";
    again.trace_kernel = kernel;
    const auto outcome = TRY(profile::run_emulated(again));
    const fs::path to = fs::path(folder_) / database.parent_path().filename();
    fs::create_directories(to);
    const std::string name = database.filename().string();
    for (const auto& process : outcome.processes) {
      for (const std::string& trace : process.thread_traces)
        TRY(write_samples(trace, to.string(), name.substr(0, name.find('_')), options_));
    }
    return {};
  }

  const Options& options_;
  std::string failure_, folder_, scratch_;
  std::vector<std::string> counters_;
};

}  // namespace

Ending play(const Options& options) { return Player(options).play(); }

}  // namespace rpl::stand_in
