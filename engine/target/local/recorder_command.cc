// SPDX-License-Identifier: MIT
#include "engine/target/local/recorder_command.h"

#include <fmt/format.h>

#include <bit>
#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::profile {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kLastTargetCu = 15;  // rocprofv3 takes four bits
constexpr std::uint64_t kLeastBuffer = 1ULL << 20U, kMostBuffer = 1ULL << 31U;
constexpr std::uint64_t kLeastCycles = 256, kUsualCycles = 1ULL << 20U, kUsualMicroseconds = 100;

Status check_thread_trace(const ThreadTraceRequest& trace) {
  if (trace.target_cu > kLastTargetCu)
    return fail(Errc::usage, fmt::format("there is no compute unit {} to trace", trace.target_cu),
                fmt::format("0 to {}", kLastTargetCu));
  if (trace.shader_engine_mask == 0)
    return fail(Errc::usage, "a mask without a shader engine traces nothing", "0x1 is the first");
  const bool fits = trace.buffer_bytes == 0 ||
                    (trace.buffer_bytes >= kLeastBuffer && trace.buffer_bytes <= kMostBuffer);
  if (!fits)
    return fail(Errc::usage,
                fmt::format("a buffer of {} bytes cannot take a thread trace", trace.buffer_bytes),
                "1 MiB to 2 GiB");
  return {};
}

Status check_sampling(const RecorderRequest& request) {
  if (request.pc_sampling != PcSampling::stochastic || request.pc_interval == 0) return {};
  if (std::has_single_bit(request.pc_interval) && request.pc_interval >= kLeastCycles) return {};
  return fail(
      Errc::usage,
      fmt::format("stochastic sampling cannot be done every {} cycles", request.pc_interval),
      "a power of two, 256 or more: 1048576");
}

Status check(const RecorderRequest& request, std::optional<RocmVersion> version) {
  if (request.argv.empty()) return fail(Errc::usage, "no program to run", "profile -- ./app ARGS");
  if (version && version->major < 7) {
    return fail(Errc::unsupported,
                fmt::format("rocprofv3 of ROCm {} writes no rocpd databases", version->text()),
                "upgrade to ROCm 7, or: rocprofv3 --sys-trace -f csv -d out -- ./app; rpl out");
  }
  for (const auto& pass : request.counter_passes) {
    if (pass.empty()) return fail(Errc::usage, "a pass without counters", "counters plan roofline");
  }
  TRY(check_thread_trace(request.thread_trace));
  return check_sampling(request);
}

/// The part that all runs have: where files go, as what, and behind it the program.
RecorderRun run_of(const RecorderRequest& request, RunKind kind, const std::string& below,
                   std::vector<std::string> options) {
  RecorderRun out{
      .kind = kind,
      .folder = below.empty() ? request.folder : (fs::path(request.folder) / below).string(),
      .argv = {request.recorder}};
  const auto add = [&](std::vector<std::string> words) {
    out.argv.insert(out.argv.end(), std::move_iterator(words.begin()),
                    std::move_iterator(words.end()));
  };
  add(std::move(options));
  // Samples are in no database.
  if (kind == RunKind::pc_samples) {
    add({"--output-format", "json", "csv"});
  } else {
    add({"--output-format", "rocpd"});
  }
  // Absolute: the program may change its folder before the files are written.
  add({"--output-directory", fs::absolute(out.folder).lexically_normal().string(), "--"});
  add(request.argv);
  return out;
}

std::vector<std::string> trace_options(const RecorderRequest& request) {
  std::vector<std::string> out;
  const auto when = [&](bool wanted, const char* option) {
    if (wanted) out.emplace_back(option);
  };
  when(request.kernels, "--kernel-trace");
  when(request.copies, "--memory-copy-trace");
  when(request.allocations, "--memory-allocation-trace");
  when(request.hip, "--hip-trace");
  when(request.hsa, "--hsa-trace");
  when(request.markers, "--marker-trace");
  return out;
}

std::vector<std::string> thread_trace_options(const ThreadTraceRequest& trace) {
  // In one word: an expression may begin with a dash.
  std::vector<std::string> out{"--att",
                               "--kernel-include-regex=" + as_regex(trace.kernel),
                               "--att-target-cu",
                               fmt::format("{}", trace.target_cu),
                               "--att-shader-engine-mask",
                               fmt::format("{:#x}", trace.shader_engine_mask)};
  if (trace.buffer_bytes != 0)
    out.insert(out.end(), {"--att-buffer-size", fmt::format("{}", trace.buffer_bytes)});
  if (!trace.decoder_folder.empty())
    out.insert(out.end(), {"--att-library-path", trace.decoder_folder});
  return out;
}

std::vector<std::string> sampling_options(const RecorderRequest& request) {
  const bool stochastic = request.pc_sampling == PcSampling::stochastic;
  const std::uint64_t usual = stochastic ? kUsualCycles : kUsualMicroseconds;
  return {"--pc-sampling-beta-enabled",
          "--pc-sampling-method",
          stochastic ? "stochastic" : "host_trap",
          "--pc-sampling-unit",
          stochastic ? "cycles" : "time",
          "--pc-sampling-interval",
          fmt::format("{}", request.pc_interval == 0 ? usual : request.pc_interval)};
}

/// Nothing but counters: their dispatches come with them, and times of a run that counts are none.
RecorderRun counter_run(const RecorderRequest& request, std::size_t index) {
  std::vector<std::string> options{"--pmc"};
  const auto& counters = request.counter_passes[index];
  const std::size_t pass = request.first_pass + index;
  options.insert(options.end(), counters.begin(), counters.end());
  RecorderRun out =
      run_of(request, RunKind::counters, fmt::format("counters/pass_{}", pass), std::move(options));
  out.pass = pass;
  out.counters = counters;
  return out;
}

}  // namespace

std::optional<RocmVersion> RocmVersion::parse(std::string_view text) {
  RocmVersion out;
  int* const parts[] = {&out.major, &out.minor, &out.patch};
  for (std::size_t i = 0; i < std::size(parts); ++i) {
    const auto number = take_number<int>(text);
    if (!number) return i == 0 ? std::nullopt : std::optional(out);
    *parts[i] = *number;
    if (!text.starts_with('.')) return out;
    text.remove_prefix(1);
  }
  return out;
}

std::string RocmVersion::text() const { return fmt::format("{}.{}.{}", major, minor, patch); }

Result<PcSampling> pc_sampling_of(std::string_view text) {
  if (text.empty()) return PcSampling::none;
  if (text == "host_trap") return PcSampling::host_trap;
  if (text == "stochastic") return PcSampling::stochastic;
  return fail(Errc::usage, fmt::format("'{}' is not a way of sampling", text),
              fmt::format("host_trap ({} and later) or stochastic ({} and later)",
                          isa::first_with(&isa::Traits::has_host_trap_sampling),
                          isa::first_with(&isa::Traits::has_stochastic_sampling)));
}

std::string_view to_string(RunKind kind) {
  switch (kind) {
    case RunKind::trace:
      return "trace";
    case RunKind::counters:
      return "counters";
    case RunKind::thread_trace:
      return "thread trace";
    case RunKind::pc_samples:
      return "PC samples";
  }
  return "";
}

std::string as_regex(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view(R"(\^$.|?*+()[]{})").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

Result<std::vector<RecorderRun>> recorder_runs(const RecorderRequest& request,
                                               std::optional<RocmVersion> version) {
  TRY(check(request, version));
  std::vector<RecorderRun> out;
  if (auto options = trace_options(request); !options.empty())
    out.push_back(run_of(request, RunKind::trace, {}, std::move(options)));
  for (std::size_t i = 0; i < request.counter_passes.size(); ++i)
    out.push_back(counter_run(request, i));
  if (!request.thread_trace.kernel.empty())
    out.push_back(
        run_of(request, RunKind::thread_trace, "att", thread_trace_options(request.thread_trace)));
  if (request.pc_sampling != PcSampling::none)
    out.push_back(run_of(request, RunKind::pc_samples, "pc_sampling", sampling_options(request)));
  if (out.empty())
    return fail(Errc::usage, "nothing to record",
                "ask for a trace, counters, a thread trace or samples");
  return out;
}

}  // namespace rpl::profile
