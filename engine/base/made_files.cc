// SPDX-License-Identifier: MIT
#include "engine/base/made_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <array>
#include <map>
#include <mutex>
#include <utility>

#include "engine/base/input_file.h"

namespace rpl {
namespace {

constexpr const char* kAttribute = "user.rpl.made";

thread_local bool replaces = false;

using Place = std::pair<dev_t, ino_t>;

/// For file systems without attributes.
struct Remembered {
  std::mutex lock;
  std::map<Place, std::string> marks;
};
Remembered& remembered() {
  static Remembered all;
  return all;
}

std::string mark_of(const struct stat& facts) {
  return fmt::format("{} {}.{:09}", facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

/// "" for none.
std::string mark_on(const std::string& path, const struct stat& facts) {
  std::array<char, 128> text{};
  const ssize_t size = ::lgetxattr(path.c_str(), kAttribute, text.data(), text.size());
  if (size > 0) return {text.data(), static_cast<std::size_t>(size)};
  Remembered& all = remembered();
  const std::lock_guard guard(all.lock);
  const auto found = all.marks.find({facts.st_dev, facts.st_ino});
  return found == all.marks.end() ? std::string() : found->second;
}

}  // namespace

void mark_made(int file) {
  struct stat facts{};
  if (::fstat(file, &facts) != 0) return;
  const std::string mark = mark_of(facts);
  if (::fsetxattr(file, kAttribute, mark.data(), mark.size(), 0) == 0) return;
  Remembered& all = remembered();
  const std::lock_guard guard(all.lock);
  all.marks[{facts.st_dev, facts.st_ino}] = mark;
}

void mark_made(const std::string& path) {
  const auto file = open_input(path);
  if (file) mark_made(file->fd.get());
}

Status check_replaceable(const std::string& path) {
  struct stat facts{};
  if (replaces || ::lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode) ||
      facts.st_size == 0)
    return {};
  const std::string mark = mark_on(path, facts);
  if (mark == mark_of(facts)) return {};
  return fail(Errc::denied,
              fmt::format("{} {}", path,
                          mark.empty() ? "is there already, and nothing shows that rpl made it"
                                       : "was changed since rpl made it"),
              "name another file, or replace it with --force");
}

ReplaceScope::ReplaceScope(bool on) : before_(replaces) { replaces = replaces || on; }
ReplaceScope::~ReplaceScope() { replaces = before_; }

}  // namespace rpl
