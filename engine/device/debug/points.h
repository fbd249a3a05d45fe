// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/debug/place.h"
#include "engine/device/debug/registers.h"
#include "engine/device/debug/schedule.h"

namespace rpl::debug {

struct Breakpoint {
  int number = 0;
  Place place = {};
  bool enabled = true;
  bool temporary = false;        ///< removed when it stops something
  std::uint64_t stops_left = 0;  ///< disabled after so many more stops; 0: never
  std::string condition = {};  ///< in whatever language Session::condition understands; "" for none
  std::uint64_t hits = 0;      ///< how often it stopped something, or was ignored
  std::uint64_t ignore = 0;    ///< how many hits are still to be ignored
};

/// What a watchpoint stops at: a change, or loads, or loads and stores.
enum class WatchedFor : std::uint8_t { change, read, access };

/// What a watchpoint looks at: bytes of memory or of LDS, or a register of one wave.
struct Watched {
  enum class Space : std::uint8_t { memory, lds, scratch, registers } space = Space::memory;
  std::uint64_t address = 0;  ///< of memory: a device address; of LDS and of scratch: an offset
  std::uint64_t bytes = 0;    ///< of memory, LDS and scratch
  WaveId wave = {};           ///< whose register or scratch; for LDS its workgroup
  RegisterName name = {};
  std::optional<unsigned> lane = {};  ///< of a register with lanes: nothing means all; of scratch
};

struct Watchpoint {
  int number = 0;
  Watched watched = {};
  std::string text = {};  ///< as it was typed
  WatchedFor kind = WatchedFor::change;
  bool enabled = true;
  std::string condition = {};
  std::uint64_t hits = 0, ignore = 0;
};

/// Breakpoints and watchpoints, numbered from 1 in one row. They outlive the launches that they stop.
class Points {
 public:
  /// Return the number.
  int add(Breakpoint breakpoint);
  int add(Watchpoint watchpoint);
  /// Fail with not_found for a number that is none.
  Status remove(int number);
  Status enable(int number, bool enabled);
  /// One that is removed when it stops something.
  Status make_temporary(int number);
  /// One that is disabled when it has stopped something so often; 0: never. Of breakpoints only.
  Status disable_after(int number, std::uint64_t stops);
  Status set_condition(int number, std::string condition);
  Status set_ignore(int number, std::uint64_t count);
  void clear();

  [[nodiscard]] const std::map<int, Breakpoint>& breakpoints() const { return breakpoints_; }
  [[nodiscard]] const std::map<int, Watchpoint>& watchpoints() const { return watchpoints_; }
  [[nodiscard]] bool any_enabled() const;
  [[nodiscard]] int last() const { return last_; }
  /// Whether this hit is one to be ignored: then it counts, and one less is left.
  bool ignores(int number);
  /// One more hit of a breakpoint or watchpoint; a temporary one is removed.
  void hit(int number);
  /// Changes whenever something is added, removed, enabled or disabled.
  [[nodiscard]] std::uint64_t version() const { return version_; }

 private:
  std::map<int, Breakpoint> breakpoints_;
  std::map<int, Watchpoint> watchpoints_;
  int last_ = 0;
  std::uint64_t version_ = 1;
};

}  // namespace rpl::debug
