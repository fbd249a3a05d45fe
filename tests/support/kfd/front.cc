// SPDX-License-Identifier: MIT
#include "tests/support/kfd/front.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <mutex>

namespace rpl::kfd {
namespace {

struct Current {
  std::atomic<Front*> front = nullptr;
  std::atomic<pid_t> process = 0;
  std::atomic<bool> failed = false;
};
Current& current() {
  static Current* const only = new Current;
  return *only;
}

Front* make() {
  const char* name = std::getenv("RPL_EMU_GPU");
  auto kind = emu::hip::device_kind(name == nullptr || *name == '\0' ? "gfx90a" : name);
  if (!kind) {
    hsakmt::say("RPL_EMU_GPU: " + kind.error().message);
    return nullptr;
  }
  auto driver = Driver::make(std::move(*kind));
  if (!driver) {
    hsakmt::say("there is no device, because this system has no memory files");
    return nullptr;
  }
  // Never destroyed: threads of the program may outlive main().
  return new Front(std::move(driver));
}

int open_text(const std::string& text, int flags) {
  if ((flags & O_ACCMODE) != O_RDONLY) return -EACCES;
  const int descriptor = ::memfd_create("sysfs", (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0U);
  if (descriptor < 0) return -errno;
  if (::pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()))
    return descriptor;
  ::close(descriptor);
  return -ENOMEM;
}

constexpr unsigned kControlMajor = 511, kDrmMajor = 226;

void make_device(struct stat& out, unsigned major, unsigned minor) {
  out.st_mode = S_IFCHR | S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
  out.st_rdev = makedev(major, minor);
  out.st_size = 0;
  out.st_blocks = 0;
}

}  // namespace

Front::Front(std::unique_ptr<Driver> driver)
    : driver_(std::move(driver)),
      nodes_(driver_->machine.kind, driver_->gpu_id(), Driver::kRenderMinor) {}

Front* Front::made() {
  Current& now = current();
  return now.process == ::getpid() ? now.front.load() : nullptr;
}

bool Front::is_of_a_parent(const struct stat& facts) {
  const Current& now = current();
  const Front* front = now.front;
  if (front != nullptr && now.process == ::getpid()) front = front->parents_;
  for (; front != nullptr; front = front->parents_) {
    if (front->owns(facts)) return true;
  }
  return false;
}

Front* Front::get() {
  static std::mutex* const making = new std::mutex;
  if (Front* front = made(); front != nullptr) return front;
  Current& now = current();
  const std::lock_guard lock(*making);
  if (now.process == ::getpid() && (now.failed || now.front != nullptr)) return now.front;
  Front* const before = now.front;
  now.front = make();
  if (now.front != nullptr) now.front.load()->parents_ = before;
  now.failed = now.front == nullptr;
  now.process = ::getpid();
  return now.front;
}

int Front::open(const char* path, int flags) {
  const Node* node = nodes_.find(path);
  if (node == nullptr) return -ENOENT;
  switch (node->kind) {
    case Node::Kind::control:
      return driver_->control().open(flags);
    case Node::Kind::render:
      return driver_->memory().open(flags);
    case Node::Kind::text:
      return (flags & O_DIRECTORY) != 0 ? -ENOTDIR : open_text(node->text, flags);
    case Node::Kind::folder:
      break;
  }
  // What fdopendir() asks it for.
  return (flags & O_ACCMODE) == O_RDONLY ? open_text(path, flags) : -EISDIR;
}

int Front::status(const char* path, struct stat& out) const {
  const Node* node = nodes_.find(path);
  if (node == nullptr) return -ENOENT;
  out = {};
  out.st_nlink = 1;
  out.st_blksize = 4096;
  switch (node->kind) {
    case Node::Kind::control:
      make_device(out, kControlMajor, 0);
      break;
    case Node::Kind::render:
      make_device(out, kDrmMajor, Driver::kRenderMinor);
      break;
    case Node::Kind::text:
      out.st_mode = S_IFREG | S_IRUSR | S_IRGRP | S_IROTH;
      out.st_size = 4096;
      break;
    case Node::Kind::folder:
      out.st_mode = S_IFDIR | S_IRUSR | S_IXUSR | S_IRGRP | S_IXGRP | S_IROTH | S_IXOTH;
      break;
  }
  return 0;
}

bool Front::improve(struct stat& out) const {
  if (driver_->control().is(out.st_dev, out.st_ino)) {
    make_device(out, kControlMajor, 0);
  } else if (driver_->memory().is(out.st_dev, out.st_ino)) {
    make_device(out, kDrmMajor, Driver::kRenderMinor);
  } else {
    return false;
  }
  return true;
}

bool Front::call(const struct stat& facts, std::uint64_t request, std::uint64_t argument,
                 int& result) {
  if (driver_->control().is(facts.st_dev, facts.st_ino)) {
    result = driver_->control_call(request, argument);
  } else if (driver_->memory().is(facts.st_dev, facts.st_ino)) {
    result = driver_->render_call(request, argument);
  } else {
    return false;
  }
  return true;
}

}  // namespace rpl::kfd
