// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

/// What a session may do. One type in one place: commands declare what they do, and what starts programs, writes files or connects asks here too,
/// so that nothing depends on which words a request came in.
namespace rpl {

enum class Capability : std::uint8_t {
  read,  ///< looks at recordings, captures, code objects and sources; runs kernels on the emulated device
  session,  ///< writes what is kept in the session of its own
  write,    ///< writes files that somebody named
  run,      ///< runs programs of the host
  network,  ///< sends something to another machine
  approve,  ///< writes into the user's sources
  trust,    ///< changes what is trusted: consent, keys, trusted files and sessions
};
inline constexpr Capability kAllCapabilities[] = {
    Capability::read,    Capability::session, Capability::write, Capability::run,
    Capability::network, Capability::approve, Capability::trust};
/// As docs and options call it.
std::string_view to_string(Capability capability);
/// What it does, to follow a name: "runs programs".
std::string_view description(Capability capability);

/// A set of them.
class Capabilities {
 public:
  constexpr Capabilities() = default;
  constexpr Capabilities(std::initializer_list<Capability> list) {
    for (const Capability one : list) bits_ |= bit(one);
  }
  [[nodiscard]] constexpr bool has(Capability one) const { return (bits_ & bit(one)) != 0; }
  [[nodiscard]] constexpr bool within(Capabilities others) const {
    return (bits_ & ~others.bits_) == 0;
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  constexpr void add(Capabilities others) { bits_ |= others.bits_; }
  constexpr bool operator==(const Capabilities&) const = default;

 private:
  static constexpr unsigned bit(Capability one) { return 1U << static_cast<unsigned>(one); }
  unsigned bits_ = 0;
};

/// What every session may: look, and keep what it found.
inline constexpr Capabilities kReads{Capability::read};
inline constexpr Capabilities kKeeps{Capability::read, Capability::session};
/// Of what that runs lines, scripts or code of others: each of these is asked for by itself.
inline constexpr Capabilities kWhatItRuns{Capability::write, Capability::run, Capability::network,
                                          Capability::approve, Capability::trust};

/// A person at a terminal and the scripts that a person starts have everything; a session of another program has kKeeps and what it was started with.
struct Policy {
  bool restricted = false;
  Capabilities granted = kKeeps;  ///< beyond them nothing, where restricted
  std::vector<std::string> readable =
      {};  ///< the project's folder, and what was named at the start
  std::vector<std::string> writable = {};  ///< folders given with --allow write DIR
  std::vector<std::string> kept =
      {};  ///< in those, what the program runs or believes at a next start: never written
  std::string starts_as = "rpl";  ///< what a refusal tells to start: "rpl --interpreter mcp"

  [[nodiscard]] bool allows(Capability one) const { return !restricted || granted.has(one); }
  /// The options of the program that give a child the same.
  [[nodiscard]] std::vector<std::string> options() const;
};

/// Of this process; unrestricted until a PolicyScope says otherwise.
const Policy& policy();

/// Holds this process, all its threads, to a policy until its end, which has to come after that of every thread that works for the session. It never allows what the
/// one around it does not. To be made in the main thread.
class PolicyScope {
 public:
  explicit PolicyScope(Policy policy);
  PolicyScope(const PolicyScope&) = delete;
  PolicyScope& operator=(const PolicyScope&) = delete;
  ~PolicyScope();

 private:
  const Policy* before_;
};

/// Fails with denied where the session may not; `what` is the subject of the sentence ("'shell'"), and the hint says how to start one that may.
Status check_allowed(Capability needed, std::string_view what);
Status check_allowed(Capabilities needed, std::string_view what);

/// Fails with denied where a restricted session may not look: outside of its project, what it was started with, what the program made, and the folders of
/// the system's programs.
Status check_input(const std::string& path);
/// Fails with denied where a restricted session may not write there: outside of the folders that it was given and of those that are the program's own,
/// into a file that was there before, or into what runs by itself at a next start.
Status check_output(const std::string& path);
/// The same for a file that whoever asked named: not into the session's own folder either, which is the program's to write.
Status check_named_output(const std::string& path);
/// Fails with denied where a restricted session may not take it away: whatever this process did not make.
Status check_removal(const std::string& path);
/// What the program made for itself, which it reads and may replace: the session, a scratch folder, a cache.
void own_folder(const std::string& path);
/// What came with the program, which it only reads.
void shipped_folder(const std::string& path);
/// A file or a folder that this process made, which it may write again and take away.
void made_file(const std::string& path);

}  // namespace rpl
