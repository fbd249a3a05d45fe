// SPDX-License-Identifier: MIT
#include "engine/process/confine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <vector>

#include "engine/base/files.h"
#include "engine/process/launch.h"

namespace rpl {
namespace {

// The kernel's interface by number: headers of distributions are older than their kernels. docs.kernel.org/userspace-api/landlock.html
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr std::uint32_t kAskVersion = 1;
constexpr int kRulePathBeneath = 1;

constexpr std::uint64_t kExecute = 1U << 0, kWriteFile = 1U << 1, kReadFile = 1U << 2,
                        kReadFolder = 1U << 3, kRemoveFolder = 1U << 4, kRemoveFile = 1U << 5,
                        kMakeFolder = 1U << 7, kMakeFile = 1U << 8, kMakeLink = 1U << 12,
                        kRefer = 1U << 13, kTruncate = 1U << 14;
/// All rights that a version of the interface knows, by which everything that no rule allows is refused.
constexpr std::array<std::uint64_t, 6> kHandled{
    0, (1U << 13) - 1, (1U << 14) - 1, (1U << 15) - 1, (1U << 15) - 1, (1U << 16) - 1};
constexpr std::uint64_t kTcp = 3, kAbstractSockets = 1, kSignals = 2;
constexpr int kNetVersion = 4, kScopeVersion = 6;

struct RulesetAttributes {
  std::uint64_t fs = 0, net = 0, scoped = 0;
};
struct [[gnu::packed]] PathRule {
  std::uint64_t allowed = 0;
  std::int32_t folder = -1;
};

int landlock_version() {
  return static_cast<int>(::syscall(kCreateRuleset, nullptr, 0UL, kAskVersion));
}

std::string find_gap() {
  const int version = landlock_version();
  if (version < 0 && errno == EOPNOTSUPP)
    return "Landlock is turned off in the kernel (lsm=landlock,… turns it on)";
  if (version < 0 && errno == ENOSYS) return "the kernel has no Landlock (Linux 5.13 has it)";
  if (version < 0) return "Landlock is forbidden here, as containers may do";
  if (version < 3) return "the kernel's Landlock cannot hold back truncation (Linux 6.2 can)";
  if (::prctl(PR_GET_SECCOMP) < 0) return "the kernel has no seccomp";
  return "";
}

Failure cannot(std::string_view what, int error) {
  return fail(Errc::missing_capability,
              fmt::format("a program could not be confined: {}: {}", what,
                          std::generic_category().message(error)),
              "'doctor' tells what the machine has");
}

/// Rights over files and folders, as one file descriptor.
class Ruleset {
 public:
  static Result<Ruleset> make() {
    const int version = landlock_version();
    RulesetAttributes attributes;
    Ruleset out;
    out.handled_ =
        kHandled[std::min<std::size_t>(static_cast<std::size_t>(version), kHandled.size() - 1)];
    attributes.fs = out.handled_;
    if (version >= kNetVersion) attributes.net = kTcp;
    if (version >= kScopeVersion) attributes.scoped = kAbstractSockets | kSignals;
    const std::size_t bytes = version >= kScopeVersion ? 24 : version >= kNetVersion ? 16 : 8;
    out.fd_ = UniqueFd(static_cast<int>(::syscall(kCreateRuleset, &attributes, bytes, 0U)));
    if (!out.fd_) return cannot("making the rules", errno);
    return out;
  }

  Status allow(const std::vector<std::string>& paths, std::uint64_t rights) {
    for (const std::string& path : paths) TRY(allow(path, rights));
    return {};
  }

  Status allow(const std::string& path, std::uint64_t rights) {
    const UniqueFd at(::open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat status{};
    if (!at || ::fstat(at.get(), &status) != 0) return {};
    constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate;
    PathRule rule;
    rule.allowed = rights & handled_ & (S_ISDIR(status.st_mode) ? ~std::uint64_t{0} : kOfFiles);
    rule.folder = at.get();
    if (::syscall(kAddRule, fd_.get(), kRulePathBeneath, &rule, 0U) != 0)
      return cannot("the rule about " + path, errno);
    return {};
  }

  /// The thread that calls, and what it starts from now on.
  [[nodiscard]] Status restrict_this_thread() const {
    if (::syscall(kRestrictSelf, fd_.get(), 0U) != 0) return cannot("keeping the rules", errno);
    return {};
  }

 private:
  UniqueFd fd_;
  std::uint64_t handled_ = 0;
};

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

/// Calls of which no compiler has need. Landlock knows neither owners, modes, times and attributes of files nor anything that is no file; signals from Linux 6.12 on.
constexpr auto kRefused = std::to_array<long>(
    {// Sockets, and rings that would open them.
     __NR_socket, __NR_io_uring_setup,
     // Other processes: their memory, descriptors, signals, limits, priorities, processors.
     __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_process_madvise,
     __NR_process_mrelease, __NR_pidfd_getfd, __NR_pidfd_send_signal, __NR_kill, __NR_tkill,
     __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo, __NR_kcmp, __NR_setpriority, __NR_ioprio_set,
     __NR_sched_setscheduler, __NR_sched_setparam, __NR_sched_setattr, __NR_sched_setaffinity,
     __NR_migrate_pages, __NR_move_pages,
     // What programs share that is no file.
     __NR_shmget, __NR_shmat, __NR_shmctl, __NR_semget, __NR_semctl, __NR_semop, __NR_semtimedop,
     __NR_msgget, __NR_msgctl, __NR_msgsnd, __NR_msgrcv, __NR_mq_open, __NR_mq_unlink, __NR_keyctl,
     __NR_add_key, __NR_request_key,
     // Whose a file is, who may read it, when it was written, and marks such as the one of what rpl made.
     __NR_fchmod, __NR_fchmodat, 452 /* fchmodat2 */, __NR_fchown, __NR_fchownat, __NR_utimensat,
     __NR_setxattr, __NR_lsetxattr, __NR_fsetxattr, 463 /* setxattrat */, __NR_removexattr,
     __NR_lremovexattr, __NR_fremovexattr, 466 /* removexattrat */,
#if defined(__x86_64__)
     __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat, __NR_iopl,
     __NR_ioperm, __NR_modify_ldt,
#endif
     // Mounts, namespaces, files without a path.
     __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_unshare, __NR_setns,
     __NR_open_tree, __NR_move_mount, __NR_fsopen, __NR_fsconfig, __NR_fsmount, __NR_fspick,
     __NR_mount_setattr, __NR_open_by_handle_at, __NR_name_to_handle_at, __NR_fanotify_init,
     __NR_quotactl, __NR_swapon, __NR_swapoff,
     // The kernel and the machine.
     __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_init_module, __NR_finit_module,
     __NR_delete_module, __NR_kexec_load, __NR_reboot, __NR_acct, __NR_syslog, __NR_sethostname,
     __NR_setdomainname, __NR_settimeofday, __NR_clock_settime, __NR_clock_adjtime, __NR_adjtimex});

constexpr sock_filter statement(std::uint16_t code, std::uint32_t value) {
  return {code, 0, 0, value};
}
constexpr sock_filter jump(std::uint16_t code, std::uint32_t value, std::uint8_t yes,
                           std::uint8_t no) {
  return {code, yes, no, value};
}

/// Of the thread that calls and what it starts.
Status refuse_calls() {
  constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EACCES;
  // Numbers from here on are the other set of calls of x86-64.
  constexpr std::uint32_t kOtherNumbers = 0x40000000;
  std::vector<sock_filter> program{
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      jump(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      jump(BPF_JMP | BPF_JGE | BPF_K, kOtherNumbers, 0, 1),
      statement(BPF_RET | BPF_K, kRefuse)};
  std::vector<long> refused(kRefused.begin(), kRefused.end());
  // How a program ends itself, and any other where Landlock knows no signals: abort() does without.
  if (landlock_version() < kScopeVersion) refused.push_back(__NR_tgkill);
  for (const long call : refused) {
    program.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    program.push_back(statement(BPF_RET | BPF_K, kRefuse));
  }
  // Limits of one's own alone: the process is named by 0, in both halves of the number.
  constexpr std::uint32_t kFirst = offsetof(seccomp_data, args);
  program.insert(
      program.end(),
      {jump(BPF_JMP | BPF_JEQ | BPF_K, __NR_prlimit64, 0, 5),
       statement(BPF_LD | BPF_W | BPF_ABS, kFirst), jump(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2),
       statement(BPF_LD | BPF_W | BPF_ABS, kFirst + 4), jump(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
       statement(BPF_RET | BPF_K, kRefuse), statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)});
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    return cannot("refusing calls of the system", errno);
  return {};
}

Result<Ruleset> rules_of(const Confinement& confinement) {
  Ruleset rules = TRY(Ruleset::make());
  constexpr std::uint64_t kRead = kReadFile | kReadFolder;
  constexpr std::uint64_t kChange = kRead | kWriteFile | kRemoveFolder | kRemoveFile | kMakeFolder |
                                    kMakeFile | kMakeLink | kRefer | kTruncate;
  TRY(rules.allow(confinement.readable, kRead));
  TRY(rules.allow(confinement.programs, kRead | kExecute));
  TRY(rules.allow(confinement.writable, kChange));
  TRY(rules.allow("/dev/null", kReadFile | kWriteFile));
  for (const char* device : {"/dev/zero", "/dev/urandom", "/dev/random"})
    TRY(rules.allow(device, kReadFile));
  return rules;
}

/// Of the thread that calls and what it starts; cannot be taken back.
Status hold_this_thread(const Ruleset& rules) {
  // Without this neither of the two is for everybody.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return cannot("giving up rights", errno);
  TRY(rules.restrict_this_thread());
  return refuse_calls();
}

}  // namespace

const std::string& confinement_gap() {
  static const std::string gap = find_gap();
  return gap;
}

Result<Exit> run_confined(const Spawn& spawn, const Confinement& confinement) {
  if (!confinement_gap().empty()) {
    return fail(Errc::missing_capability,
                fmt::format("'{}' cannot be confined: {}", spawn.argv[0], confinement_gap()),
                "run rpl where the kernel has it");
  }
  const Ruleset rules = TRY(rules_of(confinement));
  const process::RestrictionForNow restriction([&] { return hold_this_thread(rules); });
  const process::LimitsForNow limits({.memory_bytes = confinement.memory_bytes,
                                      .file_bytes = confinement.file_bytes,
                                      .cpu_seconds = confinement.cpu_seconds});
  return run(spawn);
}

}  // namespace rpl
