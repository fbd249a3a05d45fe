// SPDX-License-Identifier: MIT
#include "engine/device/hip/api/call.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>

#include "engine/base/numbers.h"

namespace rpl::emu::hip {
namespace {

std::string environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

[[noreturn]] void give_up(const std::string& message) {
  std::fputs(("rpl: emulated device: " + message + "\n").c_str(), stderr);
  constexpr int kMissingCapability = 6;
  ::_exit(kMissingCapability);
}

/// 0 for what is not a number.
std::uint64_t number(const std::string& text) {
  return whole_number<std::uint64_t>(text).value_or(0);
}

RuntimeSettings settings_from_environment() {
  auto kind = device_kind(environment("RPL_EMU_GPU", usual_product(isa::kUsualArch).c_str()));
  if (!kind) give_up("RPL_EMU_GPU: " + kind.error().message);
  RuntimeSettings settings{.kind = std::move(*kind)};
  // As the HSA runtime takes it.
  if (number(environment("HSA_XNACK", "0")) != 0)
    settings.kind = with_xnack(std::move(settings.kind));
  constexpr std::uint32_t kMost = 8;
  settings.devices = whole_number<std::uint32_t>(environment("RPL_EMU_DEVICES", "1")).value_or(0);
  if (settings.devices < 1 || settings.devices > kMost) give_up("RPL_EMU_DEVICES must be 1 to 8");
  const std::string names = environment("RPL_EMU_COUNTERS", "");
  for (std::string_view rest = names; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    settings.counters.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  settings.trace_kernel = environment("RPL_EMU_ATT", "");
  // Each process has a folder of its own.
  settings.trace_folder =
      fmt::format("{}{}_att", environment("RPL_EMU_ATT_FOLDER", ""), ::getpid());
  CaptureWish& wish = settings.capture;
  wish.kernel = environment("RPL_EMU_CAPTURE", "");
  wish.slice = parse_dispatch_range(environment("RPL_EMU_CAPTURE_SLICE", ""));
  wish.folder = environment("RPL_EMU_CAPTURE_FOLDER", "");
  wish.all_memory = environment("RPL_EMU_CAPTURE_SCOPE", "") == "all";
  wish.grid = parse_grid(environment("RPL_EMU_CAPTURE_GRID", ""));
  wish.longer_us = number(environment("RPL_EMU_CAPTURE_LONGER_US", "0"));
  wish.dispatch = number(environment("RPL_EMU_CAPTURE_DISPATCH", "1"));
  wish.most_bytes = number(environment("RPL_EMU_CAPTURE_LIMIT", "0"));
  settings.records_folder = environment("RPL_EMU_LAUNCH_RECORDS", "");
  if (environment("RPL_EMU_BOUNDS", "") == "page") settings.bounds = AddressSpace::Bounds::page;
  settings.untimed = environment("RPL_EMU_TIMES", "") == "none";
  const std::string recording = environment("RPL_EMU_RECORDING", "");
  if (settings.untimed &&
      !(recording + wish.kernel + wish.folder + settings.trace_kernel + settings.records_folder)
           .empty())
    give_up("RPL_EMU_TIMES=none: what is recorded, captured or traced has times; unset it");
  const std::string file = environment("RPL_EMU_ARCH_FILE", "");
  if (!file.empty()) {
    const auto catalogue = arch::Catalogue::with_user_files("", file);
    if (!catalogue) give_up("RPL_EMU_ARCH_FILE: " + catalogue.error().message);
    auto parameters = cycle::parameters_named(*catalogue, settings.kind.product);
    if (!parameters) give_up("RPL_EMU_ARCH_FILE: " + parameters.error().message);
    settings.parameters = std::make_shared<const cycle::Parameters>(std::move(*parameters));
  }
  return settings;
}

std::optional<RecordingWriter> recording_from_environment() {
  const std::string path = environment("RPL_EMU_RECORDING", "");
  if (path.empty()) return std::nullopt;
  // Each process that the program starts has a file of its own.
  auto writer = RecordingWriter::create(fmt::format("{}.{}", path, ::getpid()));
  if (!writer) give_up(writer.error().message);
  return std::move(*writer);
}

bool g_made = false;

/// What the runtime does not have, at the end of the run.
void tell_refused(const Runtime& runtime) {
  if (runtime.refused().empty()) return;
  std::string text = "rpl: emulated device: not supported, and asked for:\n";
  for (const auto& [name, calls] : runtime.refused())
    text += fmt::format("rpl:   {} ({} time{})\n", name, calls, calls == 1 ? "" : "s");
  std::fputs(text.c_str(), stderr);
}

// Runs after the destructors of the program, which still call HIP.
__attribute__((destructor)) void at_end() {
  if (!g_made) return;
  std::fflush(stdout);
  process().runtime.finish();
  tell_refused(process().runtime);
}

/// Each launch takes and gives back the megabytes of the cycle model's caches. By its defaults glibc would hand them to the operating system each time,
/// which costs more than an empty launch.
void keep_freed_memory() {
  constexpr int kMapped = 4 << 20, kKept = 64 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kMapped);
  ::mallopt(M_TRIM_THRESHOLD, kKept);
}

void in_forked_child() {
  if (g_made) process().runtime.stop_recording();
}

}  // namespace

Process& process() {
  static Process* const made = [] {
    keep_freed_memory();
    auto* process =
        new Process{.mutex = {},
                    .runtime = Runtime(settings_from_environment(), recording_from_environment()),
                    .binaries = {},
                    .kernels = {},
                    .variables = {},
                    .managed = {},
                    .graphs = {},
                    .executables = {},
                    .objects = {}};
    ::pthread_atfork(nullptr, nullptr, in_forked_child);
    g_made = true;
    return process;
  }();
  return *made;
}

ThreadState& this_thread() {
  thread_local ThreadState state{.id = ::gettid()};
  return state;
}

int interface_version() {
  static const int version = [] {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<void*>(&process), &info) == 0 || info.dli_fname == nullptr)
      return 6;
    const char* found = std::strstr(info.dli_fname, "libamdhip64.so.");
    const int number = found == nullptr ? 0 : std::atoi(found + std::strlen("libamdhip64.so."));
    return number >= 5 && number <= 7 ? number : 6;
  }();
  return version;
}

Call::Call(const char* name, std::int64_t cost_ns, std::initializer_list<Shown> arguments)
    : process_(hip::process()),
      lock_(process_.mutex),
      thread_(this_thread()),
      name_(name),
      records_(runtime().recording() != nullptr),
      start_ns_(runtime().now()),
      correlation_before_(thread_.correlation),
      again_before_(std::exchange(thread_.again, std::nullopt)) {
  thread_.correlation = runtime().next_correlation();
  runtime().begin_call(name);
  runtime().spend(cost_ns);
  if (!records_) return;
  site_ = process_.sites.number(*runtime().recording());
  arguments_.reserve(arguments.size());
  for (const Shown& argument : arguments) {
    if (argument.kind == Shown::Kind::out_pointer) late_.emplace_back(arguments_.size(), argument);
    arguments_.push_back({argument.type, argument.name, text_of(argument)});
  }
}

void Call::show(Argument argument) {
  if (records_) arguments_.push_back(std::move(argument));
}

void Call::loads(std::string_view what) {
  if (records_) thread_.again = !process_.loaded.insert(std::hash<std::string_view>{}(what)).second;
}

int Call::end(Code code) {
  code_ = code;
  if (code != Code::success && code != Code::not_ready) thread_.last = code;
  return static_cast<int>(code);
}

Call::~Call() {
  if (records_ && runtime().recording() != nullptr) {
    for (auto& [at, argument] : late_) {
      std::uint64_t value = 0;
      if (code_ == Code::success && argument.bits != 0)
        std::memcpy(&value, reinterpret_cast<void*>(argument.bits), sizeof(value));
      arguments_[at].value = text_of({Shown::Kind::pointer, "", "", value});
    }
    runtime().recording()->add(
        CallRecord{.correlation = thread_.correlation,
                   .thread = thread_.id,
                   .start_ns = start_ns_,
                   .end_ns = runtime().now(),
                   .name = name_,
                   .arguments = std::move(arguments_),
                   .result = static_cast<std::int32_t>(code_),
                   .site = site_,
                   .again = static_cast<std::int8_t>(thread_.again ? int{*thread_.again} : -1)});
  }
  thread_.correlation = correlation_before_;
  thread_.again = again_before_;
}

std::string Call::text_of(const Shown& argument) const {
  switch (argument.kind) {
    case Shown::Kind::number:
      return fmt::format("{}", static_cast<std::int64_t>(argument.bits));
    case Shown::Kind::pointer:
      if (argument.bits == 0) return "nullptr";
      // An address of the host differs between equal runs.
      return runtime().space().find(argument.bits) == nullptr
                 ? "host"
                 : fmt::format("0x{:x}", argument.bits);
    case Shown::Kind::out_pointer:
      return {};
    case Shown::Kind::stream: {
      const Stream* stream = this->stream(reinterpret_cast<void*>(argument.bits));
      return stream == nullptr ? "invalid" : fmt::format("{}", stream->id);
    }
    case Shown::Kind::event: {
      const auto* event = reinterpret_cast<const Event*>(argument.bits);
      return runtime().is_event(event) ? fmt::format("{}", event->id) : "nullptr";
    }
    case Shown::Kind::text:
      return argument.bits == 0 ? "nullptr" : reinterpret_cast<const char*>(argument.bits);
  }
  return {};
}

}  // namespace rpl::emu::hip
