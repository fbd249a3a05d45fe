// SPDX-License-Identifier: MIT
// The functions of the C library through which a program reaches the kernel driver. For paths and descriptors of the emulated device they
// ask the front, for all others they are the C library's.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>

#include "tests/support/kfd/front.h"

namespace {

using rpl::kfd::Front;
using rpl::kfd::Nodes;

// The function of that name that would be there without this library.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}
#define RPL_NEXT(name) static auto* const real = next<decltype(name)>(#name)

int answer(int result) {
  if (result >= 0) return result;
  errno = -result;
  return -1;
}

// The front for a path, or null for the C library.
Front* front_of(const char* path) {
  return path != nullptr && Nodes::may_be(path) ? Front::get() : nullptr;
}

bool facts_of_descriptor(int descriptor, struct stat& out) {
  const int before = errno;
  const bool known = ::syscall(SYS_fstat, descriptor, &out) == 0;
  errno = before;
  return known;
}

// A folder that the program reads: what opendir() gave it.
struct Folder {
  std::vector<std::string> names;
  std::size_t next = 0;
  dirent entry{};
};
std::mutex& folders_lock() {
  static auto* const lock = new std::mutex;
  return *lock;
}
std::set<const void*>& folders() {
  static auto* const all = new std::set<const void*>;
  return *all;
}
std::atomic<int> g_folders = 0;

Folder* folder_of(DIR* directory) {
  if (g_folders == 0) return nullptr;
  const std::lock_guard lock(folders_lock());
  return folders().contains(directory) ? reinterpret_cast<Folder*>(directory) : nullptr;
}

DIR* open_folder(const Front& front, const char* path) {
  const rpl::kfd::Node* node = front.nodes().find(path);
  if (node == nullptr || node->kind != rpl::kfd::Node::Kind::folder) {
    errno = node == nullptr ? ENOENT : ENOTDIR;
    return nullptr;
  }
  auto* folder = new Folder;
  folder->names = front.nodes().names(path);
  folder->names.insert(folder->names.begin(), {".", ".."});
  const std::lock_guard lock(folders_lock());
  folders().insert(folder);
  ++g_folders;
  return reinterpret_cast<DIR*>(folder);
}

dirent* next_of(Folder& folder) {
  if (folder.next == folder.names.size()) return nullptr;
  const std::string& name = folder.names[folder.next++];
  folder.entry = {};
  folder.entry.d_ino = folder.next;
  folder.entry.d_reclen = sizeof(folder.entry);
  folder.entry.d_type = DT_UNKNOWN;
  std::strncpy(folder.entry.d_name, name.c_str(), sizeof(folder.entry.d_name) - 1);
  return &folder.entry;
}

FILE* open_stream(Front& front, const char* path, const char* mode) {
  const bool writes = std::strpbrk(mode, "wa+") != nullptr;
  const int descriptor = answer(front.open(path, writes ? O_RDWR : O_RDONLY));
  return descriptor < 0 ? nullptr : ::fdopen(descriptor, mode);
}

mode_t mode_of(int flags, va_list words) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(words, mode_t) : mode_t{0};
}

static_assert(sizeof(struct stat) == sizeof(struct stat64));

}  // namespace

extern "C" {

#define RPL_OPEN(name)                                                                            \
  int name(const char* path, int flags, ...) {                                                    \
    va_list words;                                                                                \
    va_start(words, flags);                                                                       \
    const mode_t mode = mode_of(flags, words);                                                    \
    va_end(words);                                                                                \
    if (Front* front = front_of(path); front != nullptr) return answer(front->open(path, flags)); \
    RPL_NEXT(name);                                                                               \
    return real(path, flags, mode);                                                               \
  }
RPL_OPEN(open)
RPL_OPEN(open64)
#undef RPL_OPEN

#define RPL_OPENAT(name)                                                                          \
  int name(int folder, const char* path, int flags, ...) {                                        \
    va_list words;                                                                                \
    va_start(words, flags);                                                                       \
    const mode_t mode = mode_of(flags, words);                                                    \
    va_end(words);                                                                                \
    if (Front* front = front_of(path); front != nullptr) return answer(front->open(path, flags)); \
    RPL_NEXT(name);                                                                               \
    return real(folder, path, flags, mode);                                                       \
  }
RPL_OPENAT(openat)
RPL_OPENAT(openat64)
#undef RPL_OPENAT

// What open() becomes in programs that are compiled with checks.
#define RPL_OPEN_CHECKED(name)                                                                    \
  int name(const char* path, int flags);                                                          \
  int name(const char* path, int flags) {                                                         \
    if (Front* front = front_of(path); front != nullptr) return answer(front->open(path, flags)); \
    RPL_NEXT(name);                                                                               \
    return real(path, flags);                                                                     \
  }
RPL_OPEN_CHECKED(__open_2)
RPL_OPEN_CHECKED(__open64_2)
#undef RPL_OPEN_CHECKED

#define RPL_FOPEN(name)                                                                          \
  FILE* name(const char* path, const char* mode) {                                               \
    if (Front* front = front_of(path); front != nullptr) return open_stream(*front, path, mode); \
    RPL_NEXT(name);                                                                              \
    return real(path, mode);                                                                     \
  }
RPL_FOPEN(fopen)
RPL_FOPEN(fopen64)
#undef RPL_FOPEN

DIR* opendir(const char* path) {
  if (Front* front = front_of(path); front != nullptr) return open_folder(*front, path);
  RPL_NEXT(opendir);
  return real(path);
}

// A program that opened a folder as a descriptor, which std::filesystem does.
DIR* fdopendir(int descriptor) {
  struct stat facts{};
  if (facts_of_descriptor(descriptor, facts) && S_ISREG(facts.st_mode)) {
    std::array<char, 256> path{};
    const ssize_t size = ::pread(descriptor, path.data(), path.size() - 1, 0);
    Front* const front = size > 0 ? front_of(path.data()) : nullptr;
    if (front != nullptr) {
      DIR* const folder = open_folder(*front, path.data());
      if (folder != nullptr) ::close(descriptor);
      return folder;
    }
  }
  RPL_NEXT(fdopendir);
  return real(descriptor);
}

dirent* readdir(DIR* directory) {
  if (Folder* folder = folder_of(directory); folder != nullptr) return next_of(*folder);
  RPL_NEXT(readdir);
  return real(directory);
}

dirent64* readdir64(DIR* directory) {
  static_assert(sizeof(dirent) == sizeof(dirent64));
  if (Folder* folder = folder_of(directory); folder != nullptr)
    return reinterpret_cast<dirent64*>(next_of(*folder));
  RPL_NEXT(readdir64);
  return real(directory);
}

int closedir(DIR* directory) {
  if (Folder* folder = folder_of(directory); folder != nullptr) {
    {
      const std::lock_guard lock(folders_lock());
      folders().erase(folder);
      --g_folders;
    }
    delete folder;
    return 0;
  }
  RPL_NEXT(closedir);
  return real(directory);
}

#define RPL_STAT(name, type)                                                    \
  int name(const char* path, type* out) {                                       \
    if (Front* front = front_of(path); front != nullptr)                        \
      return answer(front->status(path, *reinterpret_cast<struct stat*>(out))); \
    RPL_NEXT(name);                                                             \
    return real(path, out);                                                     \
  }
RPL_STAT(stat, struct stat)
RPL_STAT(stat64, struct stat64)
RPL_STAT(lstat, struct stat)
RPL_STAT(lstat64, struct stat64)
#undef RPL_STAT

#define RPL_FSTATAT(name, type)                                                 \
  int name(int folder, const char* path, type* out, int flags) {                \
    if (Front* front = front_of(path); front != nullptr)                        \
      return answer(front->status(path, *reinterpret_cast<struct stat*>(out))); \
    RPL_NEXT(name);                                                             \
    return real(folder, path, out, flags);                                      \
  }
RPL_FSTATAT(fstatat, struct stat)
RPL_FSTATAT(fstatat64, struct stat64)
#undef RPL_FSTATAT

#define RPL_FSTAT(name, type)                                          \
  int name(int descriptor, type* out) {                                \
    RPL_NEXT(name);                                                    \
    const int result = real(descriptor, out);                          \
    if (Front* front = Front::made(); result == 0 && front != nullptr) \
      front->improve(*reinterpret_cast<struct stat*>(out));            \
    return result;                                                     \
  }
RPL_FSTAT(fstat, struct stat)
RPL_FSTAT(fstat64, struct stat64)
#undef RPL_FSTAT

int statx(int folder, const char* path, int flags, unsigned mask, struct statx* out) {
  if (Front* front = front_of(path); front != nullptr) {
    struct stat facts{};
    if (const int error = front->status(path, facts); error != 0) return answer(error);
    *out = {};
    out->stx_mask = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_SIZE;
    out->stx_mode = static_cast<std::uint16_t>(facts.st_mode);
    out->stx_nlink = static_cast<std::uint32_t>(facts.st_nlink);
    out->stx_size = static_cast<std::uint64_t>(facts.st_size);
    out->stx_rdev_major = major(facts.st_rdev);
    out->stx_rdev_minor = minor(facts.st_rdev);
    return 0;
  }
  RPL_NEXT(statx);
  return real(folder, path, flags, mask, out);
}

int access(const char* path, int mode) {
  if (Front* front = front_of(path); front != nullptr) {
    struct stat facts{};
    return answer(front->status(path, facts));
  }
  RPL_NEXT(access);
  return real(path, mode);
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list words;
  va_start(words, request);
  auto* const argument = va_arg(words, void*);
  va_end(words);
  constexpr unsigned kDrm = 'd', kControl = 'K';
  const unsigned type = _IOC_TYPE(request);
  struct stat facts{};
  if ((type == kDrm || type == kControl) && facts_of_descriptor(descriptor, facts)) {
    Front* const front = Front::made();
    int result = 0;
    if (front != nullptr &&
        front->call(facts, request, reinterpret_cast<std::uint64_t>(argument), result))
      return answer(result);
    if (Front::is_of_a_parent(facts)) return answer(-EBADF);
  }
  RPL_NEXT(ioctl);
  return real(descriptor, request, argument);
}

}  // extern "C"
