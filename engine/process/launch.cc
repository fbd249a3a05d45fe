// SPDX-License-Identifier: MIT
#include "engine/process/launch.h"

#include "engine/base/policy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <thread>

extern char** environ;

namespace rpl::process {
namespace {

std::string_view name_of(std::string_view setting) { return setting.substr(0, setting.find('=')); }

std::vector<std::string> environment(const std::vector<std::string>& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view name = name_of(*entry);
    const bool changed =
        std::ranges::any_of(changes, [&](const auto& c) { return name_of(c) == name; });
    if (!changed) result.emplace_back(*entry);
  }
  for (const std::string& change : changes) {
    if (change.find('=') != std::string::npos) result.push_back(change);
  }
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (std::string& string : strings) result.push_back(string.data());
  result.push_back(nullptr);
  return result;
}

Status check_request(const Spawn& spawn) {
  if (spawn.argv.empty() || spawn.argv[0].empty()) {
    return fail(Errc::usage, "no program to run", "name one");
  }
  for (const std::string& word : spawn.argv) {
    if (word.find('\0') == std::string::npos) continue;
    return fail(Errc::usage, fmt::format("an argument of '{}' holds a zero byte", spawn.argv[0]),
                "remove the byte");
  }
  std::error_code ignored;
  if (!spawn.cwd.empty() && !std::filesystem::is_directory(spawn.cwd, ignored)) {
    return fail(Errc::not_found,
                fmt::format("cannot run '{}' in '{}': no such folder", spawn.argv[0], spawn.cwd),
                "create the folder or name another");
  }
  return {};
}

Failure cannot_start(const std::string& program, int error) {
  if (error == ENOENT) {
    return fail(Errc::not_found, fmt::format("cannot run '{}': no such program", program),
                "install it, or check PATH");
  }
  const Errc code = error == EACCES || error == EPERM ? Errc::denied : Errc::io;
  return fail(code,
              fmt::format("cannot run '{}': {}", program, std::generic_category().message(error)),
              "check that it is a program of this machine and executable");
}

/// The file actions and attributes of one posix_spawn call.
class Plan {
 public:
  Plan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  void connect(const Stdio& stdio) {
    const int fds[] = {stdio.in, stdio.out, stdio.err};
    for (int target = 0; target < 3; ++target) {
      if (fds[target] >= 0) posix_spawn_file_actions_adddup2(&actions_, fds[target], target);
    }
    posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
  }

  void start_in(const std::string& folder) {
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }

  void set_signals(Group group) {
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    sigset_t restored;
    sigemptyset(&restored);
    for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGHUP, SIGTSTP, SIGWINCH}) {
      sigaddset(&restored, signal);
    }
    posix_spawnattr_setsigdefault(&attributes_, &restored);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (group == Group::own) {
      posix_spawnattr_setpgroup(&attributes_, 0);
      flags |= POSIX_SPAWN_SETPGROUP;
    }
    posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
  }

  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

std::chrono::microseconds to_microseconds(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

thread_local Limits limits_of_children;
thread_local std::function<Status()> restriction_of_children;

/// What `start` gives, an error number, in a thread that is restricted where children are to be.
Result<int> start_restricted(const std::function<int()>& start) {
  if (!restriction_of_children) return start();
  const std::function<Status()> restrict = restriction_of_children;
  Status held;
  int error = 0;
  std::thread([&] {
    held = restrict();
    if (held) error = start();
  }).join();
  TRY(held);
  return error;
}

/// A child has run a few instructions by then at most; what it starts has them from the beginning.
void limit(pid_t child) {
  const auto hold = [&](auto resource, std::uint64_t most) {
    if (most == 0) return;
    const rlimit both{most, most};
    // One that is lower already cannot be raised, and stays.
    static_cast<void>(::prlimit(child, resource, &both, nullptr));
  };
  const Limits& most = limits_of_children;
  if (most.memory_bytes == 0 && most.file_bytes == 0 && most.cpu_seconds == 0) return;
  hold(RLIMIT_AS, most.memory_bytes);
  hold(RLIMIT_FSIZE, most.file_bytes);
  hold(RLIMIT_CPU, most.cpu_seconds);
  const rlimit none{0, 0};
  static_cast<void>(::prlimit(child, RLIMIT_CORE, &none, nullptr));
}

}  // namespace

LimitsForNow::LimitsForNow(const Limits& limits) { limits_of_children = limits; }
LimitsForNow::~LimitsForNow() { limits_of_children = {}; }

RestrictionForNow::RestrictionForNow(std::function<Status()> restrict) {
  restriction_of_children = std::move(restrict);
}
RestrictionForNow::~RestrictionForNow() { restriction_of_children = nullptr; }

Failure os_failure(std::string_view what, int error) {
  return fail(Errc::io, fmt::format("cannot {}: {}", what, std::generic_category().message(error)),
              "check the limits of the system (ulimit -a)");
}

Result<pid_t> launch(const Spawn& spawn, const Stdio& stdio, Group group) {
  TRY(check_request(spawn));
  if (spawn.program == Program::host)
    TRY(check_allowed(Capability::run, fmt::format("starting '{}'", spawn.argv[0])));
  std::vector<std::string> words = spawn.argv;
  std::vector<std::string> settings = environment(spawn.env);
  Plan plan;
  plan.connect(stdio);
  plan.start_in(spawn.cwd);
  plan.set_signals(group);
  pid_t child = -1;
  const int error = TRY(start_restricted([&] {
    return posix_spawnp(&child, words[0].c_str(), plan.actions(), plan.attributes(),
                        pointers(words).data(), pointers(settings).data());
  }));
  if (error != 0) return cannot_start(words[0], error);
  limit(child);
  return child;
}

Result<UniqueFd> above_stdio(UniqueFd fd) {
  if (fd.get() > 2) return fd;
  UniqueFd moved(fcntl(fd.get(), F_DUPFD_CLOEXEC, 3));
  if (!moved) return os_failure("duplicate a descriptor", errno);
  return moved;
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return os_failure("open a pipe", errno);
  UniqueFd read(ends[0]);
  UniqueFd write(ends[1]);
  read = TRY(above_stdio(std::move(read)));
  write = TRY(above_stdio(std::move(write)));
  return Pipe{std::move(read), std::move(write)};
}

Result<UniqueFd> readable_text(const std::string& text) {
  UniqueFd file(memfd_create("stdin", MFD_CLOEXEC));
  if (!file) return os_failure("hold the input of a program in memory", errno);
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(file.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return os_failure("hold the input of a program in memory", errno);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (lseek(file.get(), 0, SEEK_SET) != 0) return os_failure("rewind the input", errno);
  return above_stdio(std::move(file));
}

void set_end(Exit& exit, int status, const rusage& usage) {
  if (WIFSIGNALED(status)) {
    exit.signal = WTERMSIG(status);
    exit.code = 128 + exit.signal;
  } else {
    exit.code = WEXITSTATUS(status);
  }
  exit.user = to_microseconds(usage.ru_utime);
  exit.system = to_microseconds(usage.ru_stime);
  exit.max_rss_bytes = static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace rpl::process
