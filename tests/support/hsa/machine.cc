// SPDX-License-Identifier: MIT
#include "tests/support/hsa/machine.h"

#include <sys/mman.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>

namespace rpl::hsa_double {
namespace {

constexpr std::uint64_t kDeviceBytes = std::uint64_t{8} << 30;
constexpr std::uint64_t kPage = 4096;

struct Process {
  std::mutex mutex;
  std::optional<Options> options;
  std::shared_ptr<Machine> machine;
  std::uint64_t users = 0;
};

Process& process() {
  static Process* const one = new Process;
  return *one;
}

isa::Arch arch_named(const std::string& name) {
  return isa::find_architecture(name).value_or(isa::kUsualArch);
}

/// As AMD's runtime does it: whoever asked for events hears of it, and nobody else survives.
void tell_fault(Machine& machine, std::uint64_t address) {
  if (machine.on_event == nullptr) {
    std::fprintf(stderr,
                 "Memory access fault by GPU node-1 on address 0x%llx. Reason: Page not present.\n",
                 static_cast<unsigned long long>(address));
    std::abort();
  }
  const hsa::FaultEvent event{
      .type = 0, .reserved = 0, .agent = kGpu, .address = address, .reasons = 1};
  machine.on_event(&event, machine.on_event_data);
}

}  // namespace

Machine::Machine(const Options& given)
    : options(given), map(kDeviceBytes), kernels(arch_named(given.arch)) {
  device = {.map = &map,
            .kernels = &kernels,
            .clock = [this] { return ticks(); },
            .executed =
                [this](std::uint64_t instructions) {
                  stepped_ += instructions * options.clock_instruction;
                },
            .interrupt = {},
            .memory_fault = [this](std::uint64_t address) { tell_fault(*this, address); },
            .say = [](const std::string& text) { journal().write("device: " + text); }};
}

Machine::~Machine() {
  queues.clear();
  for (const auto& [base, reservation] : reservations)
    ::munmap(pointer_to(base), reservation.bytes);
}

std::uint64_t Machine::ticks() const {
  if (options.clock_step != 0) return stepped_ += options.clock_step;
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  constexpr double kNsPerS = 1e9;
  return static_cast<std::uint64_t>(
      (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / kNsPerS) *
      static_cast<double>(options.frequency));
}

std::uint64_t Machine::make_signal(std::int64_t value) {
  if (free_signals_.empty()) {
    const std::uint64_t page = map.allocate(kPage, hsakmt::AddressMap::kHostNode, 0);
    if (page == 0) return 0;
    map.map(page, kPage);
    for (std::uint64_t at = page; at < page + kPage; at += hsakmt::kSignalBytes)
      free_signals_.push_back(at);
  }
  const std::uint64_t at = free_signals_.back();
  free_signals_.pop_back();
  auto* block = static_cast<hsa::SignalBlock*>(pointer_to(at));
  block->kind = 1;
  block->value = value;
  block->event_mailbox = 0;
  block->start_ticks = block->end_ticks = 0;
  signals.insert(at);
  return at;
}

std::vector<std::string> Machine::left() const {
  std::vector<std::string> out;
  const auto add = [&](const char* what, std::uint64_t address, std::uint64_t bytes) {
    out.push_back(fmt::format("{} 0x{:x} {}", what, address, bytes));
  };
  for (const auto& [base, reservation] : reservations) add("reservation", base, reservation.bytes);
  for (const auto& [base, mapping] : mappings) add("mapping", base, mapping.bytes);
  for (const auto& [handle, memory] : physical) add("memory handle", handle, memory.bytes);
  for (const auto& [base, bytes] : allocations) add("allocation", base, bytes);
  for (const auto& [base, bytes] : locked) add("locked memory", base, bytes);
  for (const auto& [handle, bytes] : readers) add("code object reader", handle, bytes.size());
  for (const auto& [handle, program] : programs) add("executable", handle, program.images.size());
  for (const auto& [address, ring] : queues) add("queue", address, ring->queue->size);
  if (!signals.empty()) out.push_back(fmt::format("{} signals", signals.size()));
  return out;
}

std::shared_ptr<Machine> machine() {
  const std::lock_guard lock(process().mutex);
  return process().machine;
}

void configure(const Options& options) {
  const std::lock_guard lock(process().mutex);
  process().options = options;
  journal().start(options);
}

Status start_machine() {
  Process& all = process();
  const std::lock_guard lock(all.mutex);
  ++all.users;
  if (!all.options) all.options = options_of_environment();
  if (!all.machine) all.machine = std::make_shared<Machine>(*all.options);
  return Status::success;
}

Status end_machine() {
  std::shared_ptr<Machine> gone;
  Process& all = process();
  const std::lock_guard lock(all.mutex);
  if (all.users == 0) return Status::not_initialized;
  if (--all.users > 0) return Status::success;
  gone = std::move(all.machine);
  all.machine.reset();
  for (const std::string& line : gone->left()) journal().write("left: " + line);
  return Status::success;
}

}  // namespace rpl::hsa_double
