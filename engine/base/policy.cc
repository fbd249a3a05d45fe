// SPDX-License-Identifier: MIT
#include "engine/base/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <filesystem>
#include <mutex>
#include <set>

namespace rpl {
namespace {

namespace fs = std::filesystem;

const Policy kPerson{};
std::atomic<const Policy*> held{&kPerson};

/// Every policy that was held, for as long as the program runs: a thread may be asking one while its scope ends.
const Policy* remembered(Policy policy) {
  static std::mutex lock;
  static auto& all = *new std::deque<Policy>;
  const std::lock_guard guard(lock);
  return &all.emplace_back(std::move(policy));
}

/// What the program made for itself while it ran: places, not decisions.
struct Places {
  std::mutex lock;
  std::set<std::string> folders, shipped, files;
};
Places& places() {
  static Places made;
  return made;
}

/// Without links and dots, as far as it exists.
fs::path resolved(const std::string& path) {
  std::error_code failed;
  fs::path out = fs::weakly_canonical(fs::absolute(path, failed), failed);
  if (failed) out = fs::path(path).lexically_normal();
  return out.has_filename() ? out : out.parent_path();
}

/// The part of `path` below `folder`; "." for itself, empty where it lies elsewhere.
fs::path below(const fs::path& path, const fs::path& folder) {
  const fs::path part = path.lexically_relative(folder);
  return part.empty() || *part.begin() == ".." ? fs::path() : part;
}

/// The system would read a path up to its first NUL, and what was judged is another one.
Status check_whole(const std::string& path) {
  if (path.find('\0') == std::string::npos) return {};
  return fail(Errc::usage, "a path holds a NUL character", "leave it out");
}

/// What a session's folder or the user's own would run or believe at a next start.
bool acts_by_itself(const fs::path& path) {
  static constexpr std::array<std::string_view, 7> kNames{
      "init.rpl",       "init.lua",           "session.db", "session.db-wal",
      "session.db-shm", "session.db-journal", "scripts"};
  for (const fs::path& part : path) {
    if (std::ranges::find(kNames, part.string()) != kNames.end()) return true;
  }
  return false;
}

bool in_session_folder(const fs::path& path) {
  return std::ranges::find(path, fs::path(".rpl")) != path.end();
}

Failure refused_place(const std::string& path, std::string_view why) {
  return fail(Errc::denied, fmt::format("this session may not write {}: {}", path, why),
              fmt::format("start it with: {} --allow write DIR", policy().starts_as));
}

}  // namespace

std::string_view to_string(Capability capability) {
  switch (capability) {
    case Capability::read:
      return "read";
    case Capability::session:
      return "session";
    case Capability::write:
      return "write";
    case Capability::run:
      return "run";
    case Capability::network:
      return "network";
    case Capability::approve:
      return "approve";
    case Capability::trust:
      return "trust";
  }
  return "read";
}

std::string_view description(Capability capability) {
  switch (capability) {
    case Capability::read:
      return "looks at recordings, sources and what is open";
    case Capability::session:
      return "writes into its own session";
    case Capability::write:
      return "writes files";
    case Capability::run:
      return "runs programs";
    case Capability::network:
      return "sends to other machines";
    case Capability::approve:
      return "writes into your sources, which is a person's decision";
    case Capability::trust:
      return "changes what is trusted";
  }
  return "looks at recordings";
}

std::vector<std::string> Policy::options() const {
  if (!restricted) return {};
  std::vector<std::string> out{"--restricted"};
  for (const Capability one : {Capability::run, Capability::network, Capability::approve}) {
    if (granted.has(one)) out.insert(out.end(), {"--allow", std::string(to_string(one))});
  }
  std::error_code ignored;
  for (const std::string& folder : readable) {
    if (fs::exists(folder, ignored)) out.insert(out.end(), {"--allow", "read " + folder});
  }
  for (const std::string& folder : writable) out.insert(out.end(), {"--allow-write", folder});
  return out;
}

const Policy& policy() { return *held.load(std::memory_order_acquire); }

PolicyScope::PolicyScope(Policy policy) : before_(held.load(std::memory_order_acquire)) {
  if (before_->restricted) {
    policy.restricted = true;
    Capabilities both;
    for (const Capability one : kAllCapabilities) {
      if (policy.granted.has(one) && before_->granted.has(one)) both.add({one});
    }
    policy.granted = both;
    policy.kept.insert(policy.kept.end(), before_->kept.begin(), before_->kept.end());
    const auto only_known = [](std::vector<std::string>& own, const std::vector<std::string>& all) {
      std::erase_if(own, [&](const std::string& folder) {
        return std::ranges::find(all, folder) == all.end();
      });
    };
    only_known(policy.readable, before_->readable);
    only_known(policy.writable, before_->writable);
  }
  held.store(remembered(std::move(policy)), std::memory_order_release);
}

PolicyScope::~PolicyScope() { held.store(before_, std::memory_order_release); }

Status check_allowed(Capability needed, std::string_view what) {
  const Policy& now = policy();
  if (now.allows(needed)) return {};
  const std::string start = fmt::format("{} --allow {}", now.starts_as, to_string(needed));
  const std::string refused =
      fmt::format("{} {}, and this session may not", what, description(needed));
  switch (needed) {
    case Capability::write:
      return fail(Errc::denied, refused, fmt::format("start it with: {} DIR", start));
    case Capability::approve:
      return fail(Errc::denied,
                  "an agent drives this rpl, and what changes your files is a person's decision",
                  fmt::format("a person types it in a shell of their own, or starts the agent's "
                              "with: {} (or with -ex 'set mcp approve on')",
                              start));
    case Capability::trust:
      return fail(Errc::denied, refused,
                  fmt::format("a person does it in a shell of their own, or before the agent "
                              "begins: {} -ex '…'",
                              now.starts_as));
    default:
      return fail(Errc::denied, refused, fmt::format("start it with: {}", start));
  }
}

Status check_allowed(Capabilities needed, std::string_view what) {
  for (const Capability one : kAllCapabilities) {
    if (needed.has(one)) TRY(check_allowed(one, what));
  }
  return {};
}

Status check_input(const std::string& path) {
  TRY(check_whole(path));
  const Policy& now = policy();
  if (!now.restricted) return {};
  const fs::path place = resolved(path);
  const auto holds = [&](const std::string& folder) { return !below(place, folder).empty(); };
  // Programs, headers and libraries of the system say nothing about its user.
  static const std::vector<std::string> kSystem{"/usr", "/opt", "/lib", "/lib64", "/dev/null"};
  if (std::ranges::any_of(kSystem, holds) || std::ranges::any_of(now.readable, holds) ||
      std::ranges::any_of(now.writable, holds))
    return {};
  Places& known = places();
  const std::lock_guard guard(known.lock);
  if (std::ranges::any_of(known.folders, holds) || std::ranges::any_of(known.shipped, holds) ||
      known.files.contains(place.string()))
    return {};
  return fail(
      Errc::denied,
      fmt::format("this session may not read {}: the file is outside the project folder", path),
      fmt::format("start it in that folder, or with: {} --allow read DIR", now.starts_as));
}

Status check_output(const std::string& path) {
  TRY(check_whole(path));
  const Policy& now = policy();
  if (!now.restricted || path == "/dev/null") return {};
  const fs::path place = resolved(path);
  {
    Places& known = places();
    const std::lock_guard guard(known.lock);
    for (const std::string& folder : known.folders) {
      const fs::path part = below(place, folder);
      if (!part.empty() && !acts_by_itself(part)) return {};
    }
    if (known.files.contains(place.string())) return {};
  }
  const bool given = std::ranges::any_of(now.writable, [&](const std::string& folder) {
    return !below(place, resolved(folder)).empty();
  });
  if (!given) return refused_place(path, "it is in none of the folders that may be written");
  if (in_session_folder(place)) return refused_place(path, "it belongs to a session");
  const bool is_kept = std::ranges::any_of(
      now.kept, [&](const std::string& folder) { return !below(place, resolved(folder)).empty(); });
  if (is_kept) return refused_place(path, "rpl runs or believes what is there");
  std::error_code ignored;
  if (fs::is_regular_file(fs::symlink_status(place, ignored)))
    return refused_place(path, "it was there before");
  return {};
}

Status check_named_output(const std::string& path) {
  TRY(check_output(path));
  if (!policy().restricted || path == "/dev/null") return {};
  const fs::path place = resolved(path);
  Places& known = places();
  const std::lock_guard guard(known.lock);
  std::error_code ignored;
  for (const fs::path folder : known.folders) {
    if (below(place, folder).empty() || !fs::exists(folder / "session.db", ignored)) continue;
    return refused_place(path, "it belongs to the session");
  }
  return {};
}

Status check_removal(const std::string& path) {
  if (!policy().restricted) return {};
  const fs::path place = resolved(path);
  Places& known = places();
  const std::lock_guard guard(known.lock);
  if (known.files.contains(place.string())) return {};
  return fail(Errc::denied, fmt::format("this session may not remove {}: it did not make it", path),
              "remove it in a shell of your own");
}

void own_folder(const std::string& path) {
  Places& known = places();
  const std::lock_guard guard(known.lock);
  known.folders.insert(resolved(path).string());
}

void shipped_folder(const std::string& path) {
  Places& known = places();
  const std::lock_guard guard(known.lock);
  known.shipped.insert(resolved(path).string());
}

void made_file(const std::string& path) {
  if (!policy().restricted) return;
  Places& known = places();
  const std::lock_guard guard(known.lock);
  known.files.insert(resolved(path).string());
}

}  // namespace rpl
