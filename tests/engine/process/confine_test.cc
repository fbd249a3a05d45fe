// SPDX-License-Identifier: MIT
#include "engine/process/confine.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "engine/base/files.h"

#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::TempDir;

#define RPL_CONFINES_OR_SKIP() \
  if (!confinement_gap().empty()) GTEST_SKIP() << confinement_gap()

class Confine : public ::testing::Test {
 protected:
  void SetUp() override {
    open_ = folder_.write("open/a.txt", "for all\n");
    secret_ = folder_.write("secret/key", "for nobody\n");
    std::filesystem::create_directories(folder_ / "out");
    rules_.programs = {"/usr", "/bin", "/lib", "/lib64"};
    rules_.readable = {folder_ / "open", "/etc/ld.so.cache"};
    rules_.writable = {folder_ / "out"};
  }

  Result<Exit> shell(const std::string& line) {
    return run_confined({.argv = {"/bin/bash", "-c", line}, .timeout = std::chrono::seconds(20)},
                        rules_);
  }

  TempDir folder_;
  std::string open_, secret_;
  Confinement rules_;
};

TEST_F(Confine, ReadsWhatItWasGivenAndNothingElse) {
  RPL_CONFINES_OR_SKIP();
  const auto given = shell("cat " + open_);
  ASSERT_TRUE(given) << given.error().message;
  EXPECT_EQ(given->out.text, "for all\n");
  const auto other = shell("cat " + secret_);
  ASSERT_TRUE(other);
  EXPECT_NE(other->code, 0);
  EXPECT_EQ(other->out.text, "");
  EXPECT_NE(other->err.text.find("Permission denied"), std::string::npos) << other->err.text;
}

TEST_F(Confine, HoldsChildrenAndLinksToo) {
  RPL_CONFINES_OR_SKIP();
  ASSERT_EQ(::symlink(secret_.c_str(), (folder_ / "open/link").c_str()), 0);
  const auto ended = shell("bash -c 'cat " + secret_ + "'; cat " + (folder_ / "open/link") +
                           "; ls " + (folder_ / "secret"));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->out.text, "");
}

TEST_F(Confine, WritesIntoItsOwnFolderAlone) {
  RPL_CONFINES_OR_SKIP();
  const auto ended = shell("cd " + (folder_ / "out") +
                           " && echo one > a && mv a b && mkdir c && cat b; echo two > " + open_ +
                           "; echo three > " + (folder_ / "open/new") + "; rm " + secret_);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->out.text, "one\n");
  EXPECT_EQ(folder_.read("open/a.txt"), "for all\n");
  EXPECT_EQ(folder_.read("open/new"), "");
  EXPECT_EQ(folder_.read("secret/key"), "for nobody\n");
}

TEST_F(Confine, OpensNoSocket) {
  RPL_CONFINES_OR_SKIP();
  const auto ended = shell("exec 3<>/dev/udp/127.0.0.1/9 && echo connected");
  ASSERT_TRUE(ended);
  EXPECT_NE(ended->code, 0);
  EXPECT_EQ(ended->out.text, "");
  // The same line connects where nothing holds it back.
  const auto free =
      run({.argv = {"/bin/bash", "-c", "exec 3<>/dev/udp/127.0.0.1/9 && echo connected"}});
  ASSERT_TRUE(free);
  EXPECT_EQ(free->out.text, "connected\n");
}

/// Calls that would reach other programs, or files whose owner, mode, time and attributes Landlock leaves alone. Each would do no harm.
TEST(ConfinedCalls, DISABLED_OfAProgramThatIsConfined) {
  const char* secret = std::getenv("RPL_CONFINED_FILE");
  ASSERT_NE(secret, nullptr);
  const pid_t other = ::getppid();
  const auto refused = [](const char* what, long result) {
    std::printf("%s: %s\n", what,
                result == -1 && (errno == EACCES || errno == EPERM) ? "refused" : "done");
  };
  const rlimit limit{64, 64};
  const timespec times[2]{};
  char byte = 0;
  iovec here{&byte, 1}, there{&byte, 1};
  refused("kill", ::kill(other, 0));
  refused("tgkill", ::syscall(SYS_tgkill, other, other, 0));
  refused("ptrace", ::ptrace(PTRACE_SEIZE, other, 0, 0));
  refused("process_vm_readv", ::process_vm_readv(other, &here, 1, &there, 1, 0));
  refused("prlimit", ::prlimit(other, RLIMIT_CORE, &limit, nullptr));
  refused("prlimit of a large number",
          ::syscall(SYS_prlimit64, (1L << 32), RLIMIT_CORE, nullptr, nullptr));
  refused("setpriority", ::setpriority(PRIO_PROCESS, static_cast<id_t>(other), 1));
  refused("sched_setaffinity", ::syscall(SYS_sched_setaffinity, other, 0, nullptr));
  refused("shmget", ::shmget(IPC_PRIVATE, 4096, 0600));
  refused("semget", ::semget(IPC_PRIVATE, 1, 0600));
  refused("msgget", ::msgget(IPC_PRIVATE, 0600));
  refused("mq_open", ::syscall(SYS_mq_open, "rpl-confined", O_RDONLY, 0, nullptr));
  refused("shm_open", ::open("/dev/shm/rpl-confined", O_CREAT | O_RDWR | O_CLOEXEC, 0600));
  refused("chmod", ::chmod(secret, 0777));
  refused("chown", ::chown(secret, ::getuid(), ::getgid()));
  refused("setxattr", ::setxattr(secret, "user.rpl.made", "x", 1, 0));
  refused("utimensat", ::utimensat(AT_FDCWD, secret, times, 0));
  refused("socket", ::socket(AF_UNIX, SOCK_STREAM, 0));
  refused("io_uring_setup", ::syscall(SYS_io_uring_setup, 1, nullptr));
  refused("userfaultfd", ::syscall(SYS_userfaultfd, 0));
  refused("fsopen", ::syscall(SYS_fsopen, "tmpfs", 0));
  refused("open_tree", ::syscall(SYS_open_tree, AT_FDCWD, "/", 0));
  refused("unshare", ::unshare(CLONE_NEWUSER));
  // What it is held by leaves alone what it does to itself. Limits come just after the start.
  rlimit own{};
  for (int tries = 0; tries < 10'000; ++tries) {
    if (::getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_max != RLIM_INFINITY) break;
    ::usleep(1000);
  }
  std::printf("own: %s\n", own.rlim_max != RLIM_INFINITY ? "limited" : "not limited");
  int descriptors = 0;
  for (int i = 3; i < 256; ++i) descriptors += ::fcntl(i, F_GETFD) >= 0 ? 1 : 0;
  std::printf("descriptors: %d\n", descriptors);
  std::fflush(stdout);
  ::_exit(0);
}

TEST_F(Confine, ReachesNoOtherProgramAndNoModesOfFiles) {
  RPL_CONFINES_OR_SKIP();
  ASSERT_EQ(::chmod(secret_.c_str(), 0600), 0);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  rules_.programs.push_back(self);
  const UniqueFd inherited(::open(secret_.c_str(), O_RDONLY));
  const auto ended = run_confined(
      {.argv = {self, "--gtest_also_run_disabled_tests", "--gtest_filter=ConfinedCalls.*"},
       .env = {"RPL_CONFINED_FILE=" + secret_},
       .timeout = std::chrono::seconds(60)},
      rules_);
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_NE(ended->out.text.find("chmod: refused"), std::string::npos)
      << ended->out.text << ended->err.text;
  EXPECT_EQ(ended->out.text.find("done"), std::string::npos) << ended->out.text;
  EXPECT_NE(ended->out.text.find("own: limited"), std::string::npos) << ended->out.text;
  EXPECT_NE(ended->out.text.find("descriptors: 0"), std::string::npos) << ended->out.text;
  EXPECT_EQ(std::filesystem::status(secret_).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

/// Who waits for it is not held, and can end it.
TEST_F(Confine, IsEndedWhenItsTimeIsOver) {
  RPL_CONFINES_OR_SKIP();
  const auto ended = run_confined({.argv = {"/bin/bash", "-c", "while :; do :; done"},
                                   .timeout = std::chrono::milliseconds(50)},
                                  rules_);
  ASSERT_TRUE(ended);
  EXPECT_TRUE(ended->timed_out);
}

TEST_F(Confine, UsesNoMoreMemoryAndTimeThanItMay) {
  RPL_CONFINES_OR_SKIP();
  rules_.memory_bytes = std::uint64_t{256} << 20;
  const auto memory = shell("x=$(head -c 400000000 /dev/zero | tr '\\0' a); echo ${#x}");
  ASSERT_TRUE(memory);
  EXPECT_NE(memory->out.text, "400000000\n");
  rules_.cpu_seconds = 1;
  const auto time = shell("while :; do :; done");
  ASSERT_TRUE(time);
  EXPECT_FALSE(time->timed_out);
  EXPECT_TRUE(time->signal == SIGXCPU || time->signal == SIGKILL) << time->signal;
}

TEST_F(Confine, HoldsNobodyElse) {
  RPL_CONFINES_OR_SKIP();
  ASSERT_TRUE(shell("true"));
  // This thread, and what it starts, are as before.
  const auto ended = run({.argv = {"/bin/cat", secret_}});
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->out.text, "for nobody\n");
  EXPECT_EQ(folder_.read("secret/key"), "for nobody\n");
}

TEST_F(Confine, StartsNothingWhereTheMachineCannot) {
  if (confinement_gap().empty()) GTEST_SKIP() << "this machine can";
  const auto ended = shell("true");
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, Errc::missing_capability);
  EXPECT_NE(ended.error().message.find(confinement_gap()), std::string::npos);
}

}  // namespace
}  // namespace rpl
