// SPDX-License-Identifier: MIT
#pragma once

#include <set>

#include "tests/support/hsa/journal.h"
#include "tests/support/hsakmt/aql.h"
#include "tests/support/hsakmt/queue.h"

namespace rpl::hsa_double {

using hsa::Status;

/// Handles that never change.
inline constexpr hsa::Agent kCpu{1}, kGpu{2};
inline constexpr hsa::Pool kHostKernarg{11}, kHostCoarse{12}, kDeviceCoarse{21};
inline constexpr hsa::Isa kIsa{31};

/// Addresses that were asked for and hold nothing.
struct Reservation {
  std::uint64_t bytes = 0;
};
/// Memory without addresses.
struct Physical {
  std::uint64_t bytes = 0;
  std::uint32_t node = 0;
  bool mapped = false;
};
/// Memory at addresses.
struct Mapping {
  std::uint64_t bytes = 0, handle = 0;
  std::uint32_t gpu_access = 0;
};
struct Image {  ///< of a code object in memory
  std::shared_ptr<const isa::CodeObject> object;
  std::uint64_t base = 0;
};
struct Program {  ///< hsa_executable_t
  bool frozen = false;
  std::vector<Image> images;
};
struct Named {  ///< hsa_executable_symbol_t
  std::uint64_t program = 0, base = 0;
  std::shared_ptr<const isa::CodeObject> object;
  const isa::Kernel* kernel = nullptr;  ///< null for a variable
  const isa::Symbol* symbol = nullptr;
};
struct Ring;  ///< a queue

/// Everything between hsa_init and the hsa_shut_down that ends it.
struct Machine {
  explicit Machine(const Options& given);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// What was not given back, a line each: "reservation 0x7f0000000000 8192".
  [[nodiscard]] std::vector<std::string> left() const;
  /// A new signal, which the device sees. Its address.
  std::uint64_t make_signal(std::int64_t value);
  [[nodiscard]] std::uint64_t ticks() const;

  const Options options;
  std::mutex mutex;
  hsakmt::AddressMap map;
  hsakmt::KernelCache kernels;
  hsakmt::Device device;
  std::uint64_t next_handle = 100, reservations_made = 0;
  std::map<std::uint64_t, Reservation> reservations;
  std::map<std::uint64_t, Physical> physical;
  std::map<std::uint64_t, Mapping> mappings;
  std::map<std::uint64_t, std::uint64_t> allocations, locked;  ///< base → bytes
  std::map<std::uint64_t, std::vector<std::byte>> readers;
  std::map<std::uint64_t, Program> programs;
  std::map<std::uint64_t, Named> symbols;
  std::set<std::uint64_t> signals;
  std::map<std::uint64_t, std::unique_ptr<Ring>> queues;  ///< by address of the hsa_queue_t
  Status (*on_event)(const hsa::FaultEvent*, void*) = nullptr;
  void* on_event_data = nullptr;

 private:
  std::vector<std::uint64_t> free_signals_;
  mutable std::atomic<std::uint64_t> stepped_ = 0;
};

/// One queue with the thread that reads it.
struct Ring {
  hsa::Queue* queue = nullptr;
  std::uint64_t pages = 0, packets = 0, doorbell = 0, inactive = 0;
  std::unique_ptr<hsakmt::Queue> thread;
};

/// Null before hsa_init. Of this process.
std::shared_ptr<Machine> machine();
Status start_machine();
Status end_machine();
/// What later calls of hsa_init work with; until then what the environment says.
void configure(const Options& options);

/// logged(), with the machine; not_initialized without one.
template <class Do>
Status on_machine(const char* function, const std::string& arguments, Do&& work) {
  return logged(function, arguments, [&]() -> Status {
    const auto now = machine();
    if (!now) return Status::not_initialized;
    const std::lock_guard lock(now->mutex);
    return work(*now);
  });
}

inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}
inline void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(address); }

}  // namespace rpl::hsa_double
