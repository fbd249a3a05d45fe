// SPDX-License-Identifier: MIT
// probe: what a process sees of the kernel driver through the C library, a line each. "probe hostile SEED" does what no program should.
#include <dirent.h>
#include <fcntl.h>
#include <linux/kfd_ioctl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <string>

#include "tests/support/random.h"

namespace {

constexpr const char* kNodes = "/sys/devices/virtual/kfd/kfd/topology/nodes";

std::string kind_of(const char* path) {
  struct stat facts{};
  if (::stat(path, &facts) != 0) return std::strerror(errno);
  if (S_ISCHR(facts.st_mode)) return "device";
  return S_ISDIR(facts.st_mode) ? "folder" : "file";
}

std::string names_in(const char* path, bool by_descriptor = false) {
  DIR* folder = by_descriptor ? ::fdopendir(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
                              : ::opendir(path);
  if (folder == nullptr) return std::strerror(errno);
  std::set<std::string> names;
  while (const dirent* each = ::readdir(folder)) names.insert(each->d_name);
  ::closedir(folder);
  std::string out;
  for (const std::string& name : names) out += name + " ";
  return out;
}

std::string version_of(int descriptor) {
  kfd_ioctl_get_version_args args{};
  if (::ioctl(descriptor, AMDKFD_IOC_GET_VERSION, &args) != 0) return std::strerror(errno);
  return std::to_string(args.major_version);
}

// A child's descriptor is its parent's; one that it opens is its own.
std::string in_a_child(int descriptor) {
  int results[2];
  if (::pipe(results) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string said = version_of(descriptor) + ", " + version_of(::open("/dev/kfd", O_RDWR));
    ::_exit(::write(results[1], said.data(), said.size()) < 0 ? 1 : 0);
  }
  ::close(results[1]);
  char text[256] = {};
  const ssize_t bytes = ::read(results[0], text, sizeof(text) - 1);
  ::close(results[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return bytes < 0 || status != 0 ? "ended badly" : text;
}

int look() {
  for (const char* path :
       {"/dev/kfd", "/dev/dri/renderD128", "/dev/dri/renderD129", kNodes, "/dev/null"})
    std::printf("%s: %s\n", path, kind_of(path).c_str());
  std::printf("nodes: %s\n", names_in(kNodes).c_str());
  std::printf("/dev/dri: %s\n", names_in("/dev/dri").c_str());
  std::printf("nodes by a descriptor: %s\n", names_in(kNodes, true).c_str());
  std::ifstream stream(std::string(kNodes) + "/1/gpu_id");
  std::string id;
  stream >> id;
  std::printf("gpu_id by a stream: %s\n", id.empty() ? "none" : "there");
  const int control = ::open("/dev/kfd", O_RDWR | O_CLOEXEC);
  struct stat facts{};
  std::printf("descriptor: %s\n",
              ::fstat(control, &facts) == 0 && S_ISCHR(facts.st_mode) ? "device" : "?");
  std::printf("version: %s\n", version_of(control).c_str());
  std::printf("version of a duplicate: %s\n", version_of(::dup(control)).c_str());
  std::printf("version of stderr: %s\n", version_of(STDERR_FILENO).c_str());
  std::printf("in a child: %s\n", in_a_child(control).c_str());
  std::puts("END");
  return 0;
}

int hostile(std::uint64_t seed) {
  rpl::test::Random random(seed);
  const int descriptors[] = {::open("/dev/kfd", O_RDWR), ::open("/dev/dri/renderD128", O_RDWR), -1,
                             999};
  std::uint64_t words[64];
  for (int i = 0; i < 20000; ++i) {
    for (std::uint64_t& word : words) word = random.next() >> random.below(64);
    const int descriptor = descriptors[random.below(4)];
    const auto number = random.below(0x80);
    // It may wait as long as it likes, but this test does not.
    if (number == _IOC_NR(AMDKFD_IOC_WAIT_EVENTS)) continue;
    const unsigned long request = _IOC(random.below(4), random.below(2) == 0 ? 'K' : 'd', number,
                                       random.below(sizeof(words)));
    ::ioctl(descriptor, request, random.below(8) == 0 ? reinterpret_cast<void*>(words[0]) : words);
    if (random.below(64) == 0) {
      void* at = ::mmap(nullptr, 4096 << random.below(4), PROT_READ, MAP_SHARED,
                        descriptors[random.below(2)], static_cast<off_t>(random.below(64) * 4096));
      if (at != MAP_FAILED) ::munmap(at, 4096);
    }
    if (random.below(128) == 0 &&
        ::ftruncate(descriptors[random.below(2)], static_cast<off_t>(words[1])) == 0)
      return 1;
  }
  std::printf("version: %s\nEND\n", version_of(descriptors[0]).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string(argv[1]) == "hostile") return hostile(std::stoull(argv[2]));
  return look();
}
