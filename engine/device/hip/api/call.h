// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "engine/device/hip/api/abi.h"
#include "engine/device/hip/call_sites.h"
#include "engine/device/hip/graph.h"
#include "engine/device/hip/runtime.h"

/// What the functions of the C interface share: the one runtime of this process, its lock, and the record of each call.
namespace rpl::emu::hip {

/// What host code of a HIP program registered before main().
struct FatBinary {
  const void* image = nullptr;
  Module* module = nullptr;
  bool tried = false;
};
struct RegisteredKernel {
  FatBinary* binary = nullptr;
  std::string name;
};
struct RegisteredVariable {
  FatBinary* binary = nullptr;
  std::string name;
  void** managed = nullptr;  ///< of a __managed__ variable: the pointer that host code reads
  const void* initial = nullptr;
  std::size_t bytes = 0;
};

struct Process {
  std::mutex mutex;
  Runtime runtime;
  std::vector<std::unique_ptr<FatBinary>> binaries;
  std::map<const void*, RegisteredKernel> kernels;      ///< by the address of the host's stub
  std::map<const void*, RegisteredVariable> variables;  ///< by the address of the host's shadow
  std::map<const FatBinary*, std::vector<const void*>>
      managed;                                           ///< variables that wait for their module
  std::map<const void*, std::unique_ptr<Graph>> graphs;  ///< by the handle that programs have
  std::map<const void*, std::unique_ptr<GraphExec>> executables;
  std::map<const void*, std::unique_ptr<UserObject>> objects;
  CallSites sites = {};
  std::set<std::size_t> loaded = {};  ///< hashes of what was loaded and compiled
};

/// Made at the first call, from the environment: RPL_EMU_GPU (a product, MI300X), RPL_EMU_DEVICES (1 to 8), RPL_EMU_RECORDING (a file),
/// RPL_EMU_COUNTERS (names, with commas), RPL_EMU_ATT (a kernel) and RPL_EMU_ATT_FOLDER (what the folder's name begins with: it goes on with the
/// process id and _att), RPL_EMU_CAPTURE (a kernel, as CaptureWish has it), RPL_EMU_CAPTURE_SLICE (3..4), RPL_EMU_CAPTURE_GRID, RPL_EMU_CAPTURE_LONGER_US,
/// RPL_EMU_CAPTURE_DISPATCH (from 1), RPL_EMU_CAPTURE_FOLDER, RPL_EMU_CAPTURE_SCOPE (all) and RPL_EMU_CAPTURE_LIMIT (bytes).
/// Lives until the process ends.
Process& process();
ThreadState& this_thread();
/// 5, 6 or 7: the libamdhip64.so.N that the program asked for.
int interface_version();

/// An argument of a call, for the record.
struct Shown {
  enum class Kind : std::uint8_t {
    number,
    pointer,
    out_pointer,
    stream,
    event,
    text
  } kind = Kind::number;
  const char* type = "";
  const char* name = "";
  std::uint64_t bits = 0;
};
inline Shown number(const char* name, std::uint64_t value) {
  return {Shown::Kind::number, "size_t", name, value};
}
inline Shown whole(const char* name, std::int64_t value) {
  return {Shown::Kind::number, "int", name, static_cast<std::uint64_t>(value)};
}
inline Shown pointer(const char* name, const void* value) {
  return {Shown::Kind::pointer, "void*", name, reinterpret_cast<std::uint64_t>(value)};
}
/// What the call puts there.
inline Shown out(const char* name, const void* where) {
  return {Shown::Kind::out_pointer, "void**", name, reinterpret_cast<std::uint64_t>(where)};
}
inline Shown on(void* stream) {
  return {Shown::Kind::stream, "hipStream_t", "stream", reinterpret_cast<std::uint64_t>(stream)};
}
inline Shown event(const void* handle) {
  return {Shown::Kind::event, "hipEvent_t", "event", reinterpret_cast<std::uint64_t>(handle)};
}
inline Shown text(const char* name, const char* value) {
  return {Shown::Kind::text, "const char*", name, reinterpret_cast<std::uint64_t>(value)};
}

/// One call of the interface, from entry to return. Holds the lock.
class Call {
 public:
  Call(const char* name, std::int64_t cost_ns, std::initializer_list<Shown> arguments = {});
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  [[nodiscard]] Runtime& runtime() const { return process_.runtime; }
  [[nodiscard]] Process& process() const { return process_; }
  [[nodiscard]] ThreadState& thread() const { return thread_; }
  [[nodiscard]] Stream* stream(void* handle) const { return runtime().stream_of(thread_, handle); }
  void show(Argument argument);
  /// Without the lock: functions of the host may not call HIP but often do.
  template <class F>
  void unlocked(F function) {
    lock_.unlock();
    function();
    lock_.lock();
  }
  [[nodiscard]] bool records() const { return records_; }
  /// What the call loads or compiles, for CallRecord::again.
  void loads(std::string_view what);

  /// The value to return; remembered for hipGetLastError unless it is success or not-ready.
  int end(Code code);
  /// The same for a call that is to tell of kernels that failed before.
  int end_checked(Code code) { return end(code == Code::success ? runtime().failure() : code); }

 private:
  [[nodiscard]] std::string text_of(const Shown& argument) const;

  Process& process_;
  std::unique_lock<std::mutex> lock_;
  ThreadState& thread_;
  const char* name_;
  bool records_;
  std::int64_t start_ns_ = 0;
  std::uint64_t correlation_before_, site_ = 0;
  std::optional<bool> again_before_;
  Code code_ = Code::success;
  std::vector<Argument> arguments_;
  std::vector<std::pair<std::size_t, Shown>> late_;  ///< whose value is known at the end
};

/// Whether a program's number names a device.
inline bool is_device(const Call& call, int device) {
  return device >= 0 && static_cast<std::uint32_t>(device) < call.runtime().device_count();
}
/// The module of what host code registered; null when there is none for these devices, which is then told on stderr once.
Module* module_of(Process& process, ThreadState& thread, FatBinary& binary);
/// The kernel behind a host stub or a hipFunction_t's stub; null for none.
Function* function_of(Call& call, const void* stub);

/// A launch with the arguments as hipLaunchKernel passes them: a pointer to each. Of a cooperative one all workgroups must fit on the device at once.
Code launch_with_pointers(Call& call, Function* function, abi::Dim3 grid, abi::Dim3 block,
                          void** arguments, std::size_t shared, void* stream,
                          void* before = nullptr, void* after = nullptr, bool cooperative = false);
/// The device address of what host code knows by its shadow; `bytes` gets its size.
Code symbol_address(Call& call, const void* shadow, void** address, std::uint64_t* bytes);
/// Sizes and arguments of a kernel's node, whose function is known. False for what HIP refuses.
bool set_launch(LaunchRequest& request, const abi::KernelNode& wanted);
/// False for arrays.
bool box_of(const abi::Copy3d& wanted, CopyWork& out);
/// The bytes of a kernarg segment's explicit part from pointers to each argument.
std::vector<std::byte> packed_arguments(const Function& function, void** arguments);

}  // namespace rpl::emu::hip

/// Functions of the C interface. The version script says which are visible.
#define RPL_HIP extern "C" __attribute__((visibility("default"))) int
