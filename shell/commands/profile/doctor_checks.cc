// SPDX-License-Identifier: MIT
// What doctor looks at. The GPU, ROCm and what disturbs measurements are what `info capabilities` knows; here is what the other steps of the main job need.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "engine/base/numbers.h"
#include "engine/hsa/library.h"
#include "engine/isa/traits/architecture.h"
#include "engine/process/emulated_hip.h"
#include "engine/source/build/compiler.h"
#include "engine/target/capabilities.h"
#include "engine/target/emu/emulated_run.h"
#include "engine/target/local/local_target.h"
#include "engine/target/local/recorder_answer.h"
#include "engine/target/machine_files.h"
#include "shell/commands/profile/doctor.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/face.h"
#include "shell/core/session/session_log.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;
using profile::Capability;
using profile::CapabilityState;

constexpr std::string_view kCompilers =
    "sudo apt-get install clang-19 clang-tools-19 lld-19 llvm-19 rocm-device-libs   (Debian 13: "
    "rocm-device-libs-17; forky: of 21 each)";

/// What the rows of `info capabilities` are for, and their group here. Its others are looked at more closely by doctor itself, or are no question.
struct Meaning {
  std::string_view group, purpose;
};
const std::map<std::string_view, Meaning> kMeanings{
    {"emulated HIP runtime", {"the emulated device", "profile and capture without a GPU"}},
    {"AMD GPU", {"an AMD GPU", "times of silicon"}},
    {"/dev/kfd", {"an AMD GPU", "running anything on it"}},
    {"/dev/dri/", {"an AMD GPU", "running anything on it"}},
    {"ROCm", {"an AMD GPU", "its runtime and its tools"}},
    {"rocprofv3", {"an AMD GPU", "profile --target local"}},
    {"rocprofv3-avail", {"an AMD GPU", "asking whether counters fit one pass"}},
    {"thread trace decoder", {"an AMD GPU", "profile --att"}},
    {"counter permission", {"an AMD GPU", "roofline and counters"}},
    {"CPU governor", {"quality of measurements", "host times that repeat"}},
    {"GPU clocks", {"quality of measurements", "kernel times that repeat"}},
    {"other GPU processes", {"quality of measurements", "a GPU to itself"}},
};

const Meaning* meaning_of(const Capability& one) {
  const auto found =
      kMeanings.find(one.name.starts_with("/dev/dri/") ? "/dev/dri/" : std::string_view(one.name));
  return found == kMeanings.end() ? nullptr : &found->second;
}

CheckStatus status_of(CapabilityState state) {
  switch (state) {
    case CapabilityState::available:
      return CheckStatus::ok;
    case CapabilityState::missing:
      return CheckStatus::missing;
    case CapabilityState::disturbing:
      return CheckStatus::warning;
    case CapabilityState::unknown:
      return CheckStatus::unknown;
  }
  return CheckStatus::unknown;
}

/// The folder itself, or the nearest above it that is there.
fs::path nearest_there(const fs::path& folder) {
  std::error_code ignored;
  fs::path place = fs::absolute(folder, ignored);
  while (!fs::exists(place, ignored) && place.has_relative_path()) place = place.parent_path();
  return place;
}

/// Why no file can be made below `folder`; empty: one can.
std::string why_not_writable(const std::string& folder) {
  const fs::path place = nearest_there(folder);
  std::error_code ignored;
  if (!fs::is_directory(place, ignored)) return fmt::format("{} is not a folder", place.string());
  if (::access(place.c_str(), W_OK | X_OK) != 0)
    return fmt::format("{} may not be written", place.string());
  return {};
}

class Examination {
 public:
  Examination(const Settings& settings, const SessionLog& log, const Face& face)
      : settings_(settings),
        log_(log),
        face_(face),
        machine_(profile::this_machine()),
        files_(machine_) {}

  std::vector<Check> take(TargetKind& target) {
    const auto known = profile::capabilities(machine_, profile::emulated_library().value_or(""));
    const MachineHas machine = profile::machine_has(known);
    // Recordings and jobs of a cluster run nothing here: the main job takes what the machine has.
    const bool elsewhere = target == TargetKind::recorded || target == TargetKind::slurm;
    target_ = elsewhere && machine.amd_gpu && machine.recorder ? TargetKind::local
              : elsewhere                                      ? TargetKind::emu
                                                               : target;
    target = target_;
    has_gpu_ = machine.amd_gpu || is_local();
    for (const Capability& one : known) take_over(one);
    hsa();
    capture_tool();
    compiler();
    load();
    cluster();
    model();
    session();
    cache();
    scripts();
    terminal();
    // Those of one group stand together, in the order in which groups came up.
    std::vector<std::string> groups;
    for (const Check& one : out_) {
      if (std::ranges::find(groups, one.group) == groups.end()) groups.push_back(one.group);
    }
    std::ranges::stable_sort(out_, {}, [&](const Check& one) {
      return std::ranges::find(groups, one.group) - groups.begin();
    });
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_local() const { return target_ == TargetKind::local; }

  void add(Check check) {
    // Without a GPU nothing asks for what only a GPU needs.
    if (check.group == "an AMD GPU" && !has_gpu_ && check.status != CheckStatus::ok) {
      check.status = CheckStatus::not_needed;
      check.fix.clear();
    }
    out_.push_back(std::move(check));
  }

  void add_missing(std::string group, std::string name, bool needed, const Error& error,
                   std::string purpose, std::string fix) {
    add({std::move(group), std::move(name), CheckStatus::missing, needed, error.message,
         std::move(purpose), std::move(fix)});
  }

  void take_over(const Capability& one) {
    const Meaning* meaning = meaning_of(one);
    if (meaning == nullptr) return;
    const bool needed =
        is_local() ? one.name == "AMD GPU" || one.name == "/dev/kfd" || one.name == "rocprofv3"
                   : one.name == "emulated HIP runtime";
    Check check{std::string(meaning->group),   one.name, status_of(one.state), needed, one.detail,
                std::string(meaning->purpose), one.fix};
    if (one.name == "rocprofv3" && one.state == CapabilityState::available) ask(check);
    add(std::move(check));
  }

  /// A rocprofv3 that is there may still be broken.
  void ask(Check& check) const {
    const auto answer = profile::ask_recorder(files_.at(check.found));
    if (!answer) {
      check.status = has_gpu_ ? CheckStatus::missing : CheckStatus::warning;
      check.found += ": " + answer.error().message;
      check.fix = answer.error().hint;
    } else if (!answer->lacks.empty()) {
      check.status = CheckStatus::warning;
      check.found += fmt::format(": it knows no {}", fmt::join(answer->lacks, ", no "));
      check.fix = "sudo apt-get install rocprofiler-sdk   (of ROCm 7, from AMD's repository)";
    } else {
      check.found += fmt::format(": {}", fmt::join(answer->features, ", "));
    }
  }

  void hsa() {
    constexpr const char* kFor = "replay --target local";
    const auto library = hsa::open_library();
    if (!library)
      return add_missing("an AMD GPU", "HSA runtime", false, library.error(), kFor,
                         "sudo apt-get install hsa-rocr");
    const std::string version =
        library->rocm_version.empty() ? "" : ", ROCm " + library->rocm_version;
    add({"an AMD GPU", "HSA runtime", CheckStatus::ok, false, library->path + version, kFor, {}});
  }

  void capture_tool() {
    constexpr const char* kFor = "capture run --target local";
    const auto tool = profile::capture_tool();
    if (!tool)
      return add_missing("an AMD GPU", "capture tool", is_local(), tool.error(), kFor,
                         companion_command("rpl_capture_library"));
    add({"an AMD GPU", "capture tool", CheckStatus::ok, is_local(), *tool, kFor, {}});
  }

  void compiler() {
    constexpr const char *kGroup = "building kernels",
                         *kFor = "build, guards of proposals, candidates",
                         *kForBitcode = "what kernels call: exp, sqrt, printf";
    const auto headers = read_hip_headers(settings_.text("build headers"));
    const auto found =
        find_compiler(settings_.text("build compiler"), headers.value_or(HipHeaders::automatic));
    if (!found) {
      const bool are_headers = found.error().message.find("headers") != std::string::npos;
      const bool is_chosen = !settings_.text("build compiler").empty();
      return add_missing(kGroup, are_headers ? "HIP headers" : "kernel compiler", true,
                         found.error(), kFor,
                         are_headers ? "sudo apt-get install libamdhip64-dev"
                         : is_chosen ? "set build compiler clang-19"
                                     : std::string(kCompilers));
    }
    add({kGroup,
         "kernel compiler",
         CheckStatus::ok,
         true,
         fmt::format("{} ({}): {}", found->path, found->version, found->chosen),
         kFor,
         {}});
    const auto others = other_compilers(*found);
    if (!others.empty())
      add({kGroup,
           "other compilers",
           CheckStatus::ok,
           false,
           fmt::format("{}: taken for what the first does not know, or by set build compiler",
                       fmt::join(others, ", ")),
           kFor,
           {}});
    add({kGroup,
         "HIP headers",
         CheckStatus::ok,
         true,
         found->own_headers.empty() ? "installed" : found->own_headers + "/include",
         kFor,
         {}});
    if (found->kind == Compiler::Kind::clang) companions_of(*found);
    const auto libraries = device_libraries(*found, isa::usual_architecture(), cache_folder());
    if (!libraries)
      return add_missing(kGroup, "device libraries", true, libraries.error(), kForBitcode,
                         std::string(kCompilers));
    add({kGroup,
         "device libraries",
         CheckStatus::ok,
         true,
         libraries->empty() ? "hipcc knows its own" : *libraries,
         kForBitcode,
         {}});
  }

  /// What clang runs by itself for a program with kernels: they are in packages of their own.
  void companions_of(const Compiler& compiler) {
    constexpr const char *kGroup = "building kernels",
                         *kFor = "linking kernels, and programs with their kernels";
    std::error_code ignored;
    const fs::path folder = fs::canonical(compiler.path, ignored).parent_path();
    // Of the same machine as the compiler, which is this one whatever RPL_MACHINE_ROOT names.
    const profile::MachineView here{
        .root = {}, .path = machine_.path, .library_path = {}, .decoder_path = {}};
    std::vector<std::string> gone;
    for (const char* tool : {"ld.lld", "clang-offload-bundler"}) {
      if (!fs::exists(folder / tool, ignored) && !profile::MachineFiles(here).program(tool))
        gone.emplace_back(tool);
    }
    if (gone.empty())
      return add({kGroup, "linker and bundler", CheckStatus::ok, true, folder.string(), kFor, {}});
    const int version = std::max(major_version(compiler), 19);
    const std::string found =
        fmt::format("no {} beside the compiler, nor in PATH", fmt::join(gone, ", no "));
    add({kGroup, "linker and bundler", CheckStatus::missing, true, found, kFor,
         fmt::format("sudo apt-get install lld-{0} clang-tools-{0}", version)});
  }

  void load() {
    constexpr const char *kGroup = "quality of measurements", *kFor = "host times that repeat";
    const auto line = files_.line("/proc/loadavg");
    std::string_view rest = line ? std::string_view(*line) : std::string_view();
    const auto value = take_number<double>(rest);
    if (!value) {
      return add(
          {kGroup, "load", CheckStatus::unknown, false, "the system does not say", kFor, {}});
    }
    const auto processors = static_cast<double>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
    const bool busy = *value > processors;
    const std::string found = fmt::format("{:.2f} on {:.0f} processors", *value, processors);
    add({kGroup, "load", busy ? CheckStatus::warning : CheckStatus::ok, false, found, kFor,
         busy ? "top -o %CPU" : ""});
  }

  void cluster() {
    constexpr const char* kFor = "profile, tune and bench as jobs of a cluster";
    const auto program = files_.program("sbatch");
    if (program) return add({"a cluster", "Slurm", CheckStatus::ok, false, *program, kFor, {}});
    add({"a cluster", "Slurm", CheckStatus::not_needed, false, "no sbatch in PATH", kFor, {}});
  }

  void model() {
    constexpr const char* kFor = "propose llm, llm-optimize; rules need none";
    const std::string& endpoint = settings_.text("llm endpoint");
    if (!endpoint.empty())
      return add({"a language model",
                  "endpoint",
                  CheckStatus::ok,
                  false,
                  endpoint + ", not asked now",
                  kFor,
                  {}});
    add({"a language model",
         "endpoint",
         CheckStatus::not_needed,
         false,
         "none is set: recorded exchanges alone",
         kFor,
         {}});
  }

  void session() {
    const std::string folder = log_.session() != nullptr ? log_.session()->folder() : ".rpl";
    const std::string why = why_not_writable(folder);
    std::error_code ignored;
    const std::string found = fs::exists(folder, ignored) ? folder : folder + ", to be made";
    add({"files", "session", why.empty() ? CheckStatus::ok : CheckStatus::missing, true,
         why.empty() ? found : why, "keeping what was asked and answered",
         why.empty() ? "" : "rpl --session ~/rpl-session"});
  }

  void cache() {
    const std::string folder = cache_folder(), why = why_not_writable(folder);
    add({"files", "cache folder", why.empty() ? CheckStatus::ok : CheckStatus::missing, true,
         why.empty() ? folder : why, "built kernels",
         why.empty() ? "" : "export XDG_CACHE_HOME=/tmp/cache   (a folder that you may write)"});
    std::error_code failed;
    const fs::space_info space = fs::space(nearest_there(folder), failed);
    if (failed) return;
    constexpr double kGib = 1U << 30U;
    const double free = static_cast<double>(space.available) / kGib;
    const CheckStatus status = free < 1 ? CheckStatus::warning : CheckStatus::ok;
    add({"files", "disk space", status, false,
         fmt::format("{:.1f} GiB free beside the cache", free), "builds, captures, thread traces",
         free < 1 ? "rm -r " + folder : ""});
  }

  void scripts() {
    const auto folder = companion_folder("", "scripts", "triage.lua");
    const std::string found = folder.value_or("those that come with rpl are not beside it");
    add({"files", "scripts", folder ? CheckStatus::ok : CheckStatus::missing, false, found,
         "source NAME.lua", folder ? "" : companion_command("rpl")});
  }

  void terminal() {
    constexpr const char *kGroup = "the terminal", *kFor = "tables, plots, editing of lines";
    const Terminal& now = face_.terminal();
    if (!now.interactive)
      return add({kGroup,
                  "output",
                  CheckStatus::not_needed,
                  false,
                  "it is not a terminal: no colour, nothing cut",
                  kFor,
                  {}});
    constexpr std::size_t kNarrow = 80;
    const bool narrow = now.width < kNarrow, fine = !narrow && now.unicode;
    add({kGroup, "output", fine ? CheckStatus::ok : CheckStatus::warning, false,
         fmt::format("{} columns, {}, {}", now.width, now.color ? "colour" : "no colour",
                     now.unicode ? "UTF-8" : "ASCII: plots are coarse"),
         kFor,
         fine     ? ""
         : narrow ? "set width 100"
                  : "export LANG=C.UTF-8"});
  }

  const Settings& settings_;
  const SessionLog& log_;
  const Face& face_;
  profile::MachineView machine_;
  profile::MachineFiles files_;
  TargetKind target_ = TargetKind::emu;
  bool has_gpu_ = false;
  std::vector<Check> out_;
};

}  // namespace

std::string_view to_string(CheckStatus status) {
  switch (status) {
    case CheckStatus::ok:
      return "ok";
    case CheckStatus::missing:
      return "missing";
    case CheckStatus::warning:
      return "warning";
    case CheckStatus::not_needed:
      return "not needed";
    case CheckStatus::unknown:
      return "unknown";
  }
  return "";
}

std::vector<Check> examine(const Settings& settings, const SessionLog& log, const Face& face,
                           TargetKind& target) {
  return Examination(settings, log, face).take(target);
}

}  // namespace rpl
