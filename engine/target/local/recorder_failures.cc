// SPDX-License-Identifier: MIT
#include "engine/target/local/recorder_failures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <optional>

#include "engine/isa/traits/architecture.h"

namespace rpl::profile {
namespace {

using Failure = RecorderFailure;

/// A text of rocprofv3, and what it means.
struct Said {
  std::string_view text;
  Failure failure;
  bool fatal;
  std::string_view message, hint;
};

constexpr Said kSaid[] = {
    {"rocprof-trace-decoder library path not found", Failure::decoder_missing, true,
     "rocprofv3 found no librocprof-trace-decoder.so, and ran nothing",
     "put it in /opt/rocm/lib, or name its folder: ROCPROF_ATT_LIBRARY_PATH=DIR "
     "(github.com/ROCm/rocprof-trace-decoder)"},
    {"Error loading decoder", Failure::decoder_mismatch, true,
     "librocprof-trace-decoder.so and this rocprofv3 do not fit together",
     "install the decoder of the same ROCm; the raw .att files are kept"},
    {"Thread trace buffer full", Failure::trace_buffer_full, false,
     "the thread trace is cut short: its buffer was full",
     "a shorter kernel, or a larger --att-buffer-size of rocprofv3"},
    {"Thread trace context not present", Failure::nothing_traced, false,
     "rocprofv3 did not trace: it saw no kernel of that name on this GPU", "info kernels"},
    {"INVALID_SHADER_DATA", Failure::decoder_mismatch, false,
     "part of the thread trace could not be decoded: aqlprofile is older than the decoder",
     "install both of the same ROCm"},
    {"Agent not supported", Failure::decoder_mismatch, false,
     "the thread trace decoder does not know this GPU", "install the decoder of the newest ROCm"},
    {"lack of permissions", Failure::counter_permission, false,
     "the GPU could not be locked for counting: what was counted may be wrong",
     "sudo sysctl kernel.perf_event_paranoid=2   (or give rocprofv3 CAP_PERFMON)"},
    {"/dev/kfd", Failure::device_permission, true, "this user may not open /dev/kfd",
     "sudo usermod -aG render,video $USER   (then log in again)"},
    {"has a profiler attached to it", Failure::counters_busy, false,
     "another profiler uses this GPU's counters: what was counted may be wrong",
     "end it, and profile again"},
    {"exceeds the capabilities of the hardware", Failure::counters_exceed, true,
     "the counters do not fit one pass on this GPU", ""},
    {"Exceeds hardware limits", Failure::counters_exceed, true,
     "the counters do not fit one pass on this GPU", ""},
    {"ERROR_EXCEEDS_HW_LIMIT", Failure::counters_exceed, true,
     "the counters do not fit one pass on this GPU", ""},
    {"Unable to find all counters", Failure::counter_unknown, false,
     "this GPU does not have all of the counters", "rocprofv3-avail list --pmc"},
    {"PC sampling configuration is not supported", Failure::sampling_unsupported, true,
     "this GPU or its driver cannot sample that way", ""},
    {"unrecognized arguments", Failure::option_unknown, true,
     "this rocprofv3 is older than an option that is needed", "install ROCm 7 or later"},
};

bool contains_semicolon(const std::vector<std::string>& program) {
  return std::ranges::any_of(
      program, [](const std::string& word) { return word.find(';') != std::string::npos; });
}

std::string_view line_with(std::string_view printed, std::string_view text) {
  const std::size_t at = printed.find(text);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = printed.rfind('\n', at) + 1;  // npos + 1 is 0
  return printed.substr(begin, std::min(printed.find('\n', at), printed.size()) - begin);
}

/// "; it lacks A, B", of a line with "Missing: [A, B]".
std::string lacking(std::string_view line) {
  constexpr std::string_view kMissing = "Missing: [";
  const std::size_t at = line.find(kMissing);
  if (at == std::string_view::npos) return {};
  const std::string_view names = line.substr(at + kMissing.size());
  return fmt::format("; it lacks {}", names.substr(0, names.find(']')));
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

/// One after the other, the cause first.
class Explainer {
 public:
  explicit Explainer(const RecorderEvidence& evidence) : it_(evidence) {}

  std::vector<RecorderFinding> all() {
    // What follows from a cause that ended everything needs no sentence of its own.
    what_it_said();
    if (!ended()) how_it_ended();
    if (!ended()) what_it_left();
    return std::move(out_);
  }

 private:
  void add(Failure failure, bool fatal, std::string message, std::string hint) {
    if (std::ranges::any_of(out_,
                            [&](const RecorderFinding& known) { return known.failure == failure; }))
      return;
    out_.push_back({failure, std::move(message), std::move(hint), fatal});
  }

  [[nodiscard]] bool ended() const { return std::ranges::any_of(out_, &RecorderFinding::fatal); }
  [[nodiscard]] bool counting() const { return it_.run->kind == RunKind::counters; }

  [[nodiscard]] std::string fewer() const {
    return fmt::format("fewer counters at once: rocprofv3-avail pmc-check {}",
                       fmt::join(it_.run->counters, " "));
  }

  [[nodiscard]] static std::string what_samples() {
    return fmt::format(
        "rocprofv3-avail list --pc-sampling; host_trap needs {}, stochastic {} or later",
        isa::first_with(&isa::Traits::has_host_trap_sampling),
        isa::first_with(&isa::Traits::has_stochastic_sampling));
  }

  [[nodiscard]] std::string_view until_then() const {
    const bool any = std::ranges::any_of(
        it_.databases, [](const RecordedDatabase& one) { return one.dispatches > 0; });
    return any ? "; what was recorded until then is here"
               : ", and no kernel was recorded until then";
  }

  void what_it_said() {
    if (it_.printed.find("unrecognized token") != std::string_view::npos &&
        contains_semicolon(it_.program)) {
      add(Failure::semicolon, true,
          "rocprofv3 of ROCm 7.0 cannot record a program with ';' in its arguments, and ended it",
          "put the text with ';' into a file and run that, or upgrade to ROCm 7.1");
    }
    for (const Said& said : kSaid) {
      const std::string_view line = line_with(it_.printed, said.text);
      // The device file may be named for other reasons.
      if (line.empty() || (said.failure == Failure::device_permission &&
                           line.find("ermission") == std::string_view::npos))
        continue;
      // Where it goes on, the others are counted.
      const bool fatal =
          said.fatal || (said.failure == Failure::counter_unknown && it_.signal != 0);
      std::string message(said.message);
      if (said.failure == Failure::counter_unknown) message += lacking(line);
      add(said.failure, fatal, std::move(message),
          said.failure == Failure::counters_exceed        ? fewer()
          : said.failure == Failure::sampling_unsupported ? what_samples()
                                                          : std::string(said.hint));
    }
    // Its own errors: it ends with 1, and the program has not run.
    if (!out_.empty() || it_.code != 1) return;
    if (const auto line = line_with(it_.printed, "Fatal error:"); !line.empty()) {
      add(Failure::recorder_error, true,
          fmt::format("rocprofv3 refused: {}",
                      line.substr(line.find("Fatal error:") + std::strlen("Fatal error: "))),
          "--debug shows its command line and all that it printed");
    }
  }

  void how_it_ended() {
    if (it_.timed_out) {
      add(Failure::hanging, it_.databases.empty(),
          counting() ? fmt::format("the counting run hung and was stopped after {:.0f} s: the set "
                                   "is probably too large for one pass",
                                   it_.limit_s)
                     : fmt::format("stopped after {:.0f} s", it_.limit_s),
          counting() ? fewer() : "--timeout gives it longer; 0 is not a limit");
    } else if (counting() && it_.signal == SIGABRT && out_.empty()) {
      add(Failure::counters_exceed, true,
          it_.run->counters.size() == 1
              ? "the counting run aborted with this counter alone: it cannot be counted here"
              : "the counting run aborted: the set is probably too large for one pass",
          it_.run->counters.size() == 1 ? "rocprofv3-avail list --pmc" : fewer());
    } else if (it_.signal != 0) {
      add(Failure::crashed, false,
          fmt::format("the program was ended by {}{}", signal_name(it_.signal), until_then()),
          "run it without rocprofv3 first: profile --no-rocprof");
    } else if (it_.code != 0 && out_.empty()) {
      add(Failure::program_failed, false,
          fmt::format("the program ended with status {}{}", it_.code, until_then()), "");
    }
  }

  void what_it_left() {
    if (it_.run->kind == RunKind::thread_trace || it_.run->kind == RunKind::pc_samples)
      return nothing_decoded();
    std::uint64_t kernels = 0;
    for (const RecordedDatabase& database : it_.databases) {
      kernels += database.dispatches;
      if (database.state != RecordedDatabase::State::cut_short) continue;
      add(Failure::half_written, false,
          fmt::format("{} is half-written: rocprofv3 ended before it had finished it",
                      database.path),
          "run it again; --debug shows what rocprofv3 said");
    }
    const bool broken = !out_.empty();
    if (it_.databases.empty()) {
      add(Failure::no_database, true, "rocprofv3 left no database",
          broken ? ""
                 : "does this program use the GPU? --debug shows what rocprofv3 printed; any "
                   "program can be timed: profile --no-rocprof");
    } else if (kernels == 0) {
      add(Failure::no_kernels, true, "no kernel was recorded",
          broken ? ""
                 : "does this run of the program use the GPU? info capabilities says whether there "
                   "is one for it");
    }
  }

  void nothing_decoded() {
    if (it_.other_files > 0) return;
    const bool trace = it_.run->kind == RunKind::thread_trace;
    add(trace ? Failure::nothing_traced : Failure::no_database, true,
        trace ? "none came of it: no such kernel ran, or no wave of it on the compute unit that is "
                "traced"
              : "none came of it",
        !out_.empty() ? ""
        : trace       ? "info kernels lists the names; a larger grid reaches every compute unit"
                      : "a longer run, or a shorter interval");
  }

  const RecorderEvidence& it_;
  std::vector<RecorderFinding> out_;
};

}  // namespace

std::string_view to_string(RecorderFailure failure) {
  switch (failure) {
    case Failure::device_permission:
      return "device_permission";
    case Failure::counter_permission:
      return "counter_permission";
    case Failure::decoder_missing:
      return "decoder_missing";
    case Failure::decoder_mismatch:
      return "decoder_mismatch";
    case Failure::trace_buffer_full:
      return "trace_buffer_full";
    case Failure::nothing_traced:
      return "nothing_traced";
    case Failure::counters_busy:
      return "counters_busy";
    case Failure::counters_exceed:
      return "counters_exceed";
    case Failure::counter_unknown:
      return "counter_unknown";
    case Failure::sampling_unsupported:
      return "sampling_unsupported";
    case Failure::option_unknown:
      return "option_unknown";
    case Failure::semicolon:
      return "semicolon";
    case Failure::recorder_error:
      return "recorder_error";
    case Failure::hanging:
      return "hanging";
    case Failure::crashed:
      return "crashed";
    case Failure::program_failed:
      return "program_failed";
    case Failure::half_written:
      return "half_written";
    case Failure::no_database:
      return "no_database";
    case Failure::no_kernels:
      return "no_kernels";
  }
  return "";
}

Errc errc_of(RecorderFailure failure) {
  using Failure = RecorderFailure;
  switch (failure) {
    case Failure::hanging:
      return Errc::timeout;
    case Failure::device_permission:
    case Failure::counter_permission:
      return Errc::denied;
    case Failure::decoder_missing:
    case Failure::decoder_mismatch:
    case Failure::option_unknown:
    case Failure::sampling_unsupported:
      return Errc::missing_capability;
    case Failure::semicolon:
      return Errc::unsupported;
    case Failure::half_written:
      return Errc::corrupt;
    case Failure::no_database:
    case Failure::no_kernels:
      return Errc::verification_failed;
    default:
      return Errc::io;
  }
}

std::vector<RecorderFinding> explain_run(const RecorderEvidence& evidence) {
  return Explainer(evidence).all();
}

}  // namespace rpl::profile
