// SPDX-License-Identifier: MIT
#include "engine/process/family.h"

#include <fmt/format.h>
#include <signal.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "engine/base/files.h"
#include "engine/base/input_file.h"
#include "engine/base/numbers.h"

namespace rpl::process {
namespace {

struct Stat {
  Member self;
  pid_t parent = -1;
};

/// What proc(5) calls fields 4 (parent) and 22 (start); the name before them may hold blanks and brackets.
Stat stat_of(pid_t pid) {
  constexpr std::size_t kEnough = 1024;
  constexpr int kParent = 4, kStart = 22;
  const std::string text = first_bytes(fmt::format("/proc/{}/stat", pid), kEnough);
  Stat out;
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return out;
  std::string_view rest = std::string_view(text).substr(name_end + 1);
  for (int field = 3; field <= kStart && !rest.empty(); ++field) {
    rest.remove_prefix(1);
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (field == kParent) out.parent = whole_number<pid_t>(word).value_or(-1);
    if (field == kStart) out.self = {pid, whole_number<std::uint64_t>(word).value_or(0)};
    rest.remove_prefix(word.size());
  }
  return out;
}

}  // namespace

std::vector<Member> family_of(pid_t pid) {
  std::vector<Stat> others;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
    if (const auto number = whole_number<pid_t>(entry.path().filename().string()))
      others.push_back(stat_of(*number));
  }
  std::vector<Member> out{{pid, stat_of(pid).self.began}};
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const Stat& other : others) {
      if (other.self.pid > 0 && other.parent == out[i].pid) out.push_back(other.self);
    }
  }
  return out;
}

void signal_all(const std::vector<Member>& members, int number) {
  for (const Member& member : members) {
    if (member.began == stat_of(member.pid).self.began) ::kill(member.pid, number);
  }
}

}  // namespace rpl::process
