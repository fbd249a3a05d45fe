// SPDX-License-Identifier: MIT
#include "engine/process/background.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <thread>

#include "engine/base/insist.h"
#include "engine/process/launch.h"

namespace rpl {
namespace {

/// On disk rather than in memory: a program that talks for hours must not fill it.
Result<UniqueFd> nameless_file() {
  std::error_code none;
  std::string path = (std::filesystem::temp_directory_path(none) / "rpl-job-XXXXXX").string();
  UniqueFd file(::mkostemp(path.data(), O_CLOEXEC | O_APPEND));
  if (!file) return process::os_failure(fmt::format("create {}", path), errno);
  ::unlink(path.c_str());
  return process::above_stdio(std::move(file));
}

/// Whether it has ended; it stays a zombie.
bool is_gone(pid_t pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == pid;
}

}  // namespace

Result<Background> Background::start(const Spawn& spawn) {
  const UniqueFd in =
      TRY(process::above_stdio(UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC))));
  UniqueFd out = TRY(nameless_file());
  UniqueFd err = TRY(nameless_file());
  const pid_t pid =
      TRY(process::launch(spawn, {in.get(), out.get(), err.get()}, process::Group::own));
  return Background(pid, std::move(out), std::move(err));
}

Background::Background(Background&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      out_(std::move(other.out_)),
      err_(std::move(other.err_)),
      started_(other.started_),
      exit_(std::move(other.exit_)) {}

Background::~Background() { stop(); }

const Exit* Background::ended() {
  if (exit_) return &*exit_;
  int status = 0;
  rusage usage{};
  pid_t got = 0;
  do got = ::wait4(pid_, &status, WNOHANG, &usage);
  while (got < 0 && errno == EINTR);
  if (got == 0) return nullptr;
  pid_ = -1;
  exit_.emplace();
  if (got > 0) process::set_end(*exit_, status, usage);
  exit_->wall = std::chrono::steady_clock::now() - started_;
  return &*exit_;
}

void Background::ask_to_end() const {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGTERM);
  ::kill(-pid_, SIGCONT);  // a stopped program does not see SIGTERM
}

void Background::stop(std::chrono::milliseconds grace) {
  if (pid_ <= 0 || ended() != nullptr) return;
  constexpr std::chrono::milliseconds kTick{5};
  ask_to_end();
  const auto deadline = std::chrono::steady_clock::now() + grace;
  while (!is_gone(pid_) && std::chrono::steady_clock::now() < deadline && !interrupt::insisted())
    std::this_thread::sleep_for(kTick);
  // Also what outlived the first of the group, whose number stays the group's until it was waited for.
  ::kill(-pid_, SIGKILL);
  while (ended() == nullptr) std::this_thread::sleep_for(kTick);
}

std::uint64_t Background::printed_bytes(OutputStream stream) const {
  struct stat seen{};
  return ::fstat(file(stream), &seen) == 0 ? static_cast<std::uint64_t>(seen.st_size) : 0;
}

std::string Background::printed(OutputStream stream, std::uint64_t from,
                                std::uint64_t limit) const {
  const std::uint64_t all = printed_bytes(stream);
  std::string text(from < all ? std::min(limit, all - from) : 0, '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = ::pread(file(stream), text.data() + done, text.size() - done,
                                static_cast<off_t>(from + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

std::chrono::nanoseconds Background::elapsed() const {
  return exit_ ? exit_->wall
               : std::chrono::nanoseconds(std::chrono::steady_clock::now() - started_);
}

}  // namespace rpl
