// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/page_file.h"

#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <utility>

namespace rpl {
namespace {

constexpr std::uint32_t kInteriorHeader =
    12;                        ///< bytes before the cell pointers of an interior page
constexpr int kMaxDepth = 20;  ///< SQLite's BTCURSOR_MAX_DEPTH
constexpr long kCifsMagic = 0xff534d42;
constexpr long kSmb2Magic = 0xfe534d42;
constexpr long kFuseMagic = 0x65735546;

/// Errors of a server would show as zeros in a mapped file, so that such files are left to SQLite's reads.
bool on_network(int fd) {
  struct statfs status{};
  if (::fstatfs(fd, &status) != 0) return true;
  const long type = static_cast<long>(status.f_type);
  return type == NFS_SUPER_MAGIC || type == kCifsMagic || type == kSmb2Magic || type == kFuseMagic;
}

/// No page holds more cells: SQLite takes more for damage.
constexpr std::uint32_t max_cells(std::uint32_t page_bytes) { return (page_bytes - 8) / 6; }

class LeafWalk {
 public:
  explicit LeafWalk(const PageFile& file) : file_(file), seen_(file.pages() + 1) {}

  bool visit(std::uint32_t number, int depth) {
    if (depth > kMaxDepth || !take(number)) return false;
    const std::uint8_t* page = file_.page(number);
    if (page[0] == PageFile::kLeaf) {
      leaves_.push_back(number);
      return true;
    }
    std::vector<std::uint32_t> below;
    if (page[0] != PageFile::kInterior || !children(page, below)) return false;
    const bool above_leaves = valid(below[0]) && file_.page(below[0])[0] == PageFile::kLeaf;
    for (const std::uint32_t child : below) {
      if (!above_leaves) {
        if (!visit(child, depth + 1)) return false;
        continue;
      }
      if (!take(child)) return false;
      leaves_.push_back(child);
    }
    return true;
  }

  std::vector<std::uint32_t> take_leaves() { return std::move(leaves_); }

 private:
  [[nodiscard]] bool valid(std::uint32_t number) const {
    return number >= 2 && number <= file_.pages();
  }

  /// Every page belongs to one place only, which also rules out cycles.
  bool take(std::uint32_t number) {
    if (!valid(number) || seen_[number]) return false;
    seen_[number] = true;
    return true;
  }

  bool children(const std::uint8_t* page, std::vector<std::uint32_t>& into) const {
    const std::uint32_t cells = big_endian_16(page + 3);
    const std::uint32_t pointers_end = kInteriorHeader + 2 * cells;
    if (pointers_end > file_.page_bytes() || cells > max_cells(file_.page_bytes())) return false;
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t cell = big_endian_16(page + kInteriorHeader + 2 * i);
      if (cell < pointers_end || cell + 5 > file_.page_bytes()) return false;
      into.push_back(big_endian_32(page + cell));
    }
    into.push_back(big_endian_32(page + 8));
    return true;
  }

  const PageFile& file_;
  std::vector<bool> seen_;
  std::vector<std::uint32_t> leaves_;
};

/// The header fields that decide, asked from SQLite or read where it has no pragma.
bool plain_header(const std::uint8_t* header) {
  constexpr std::size_t kReserved = 20, kFractions = 21, kEncoding = 56;
  const bool fractions =
      header[kFractions] == 64 && header[kFractions + 1] == 32 && header[kFractions + 2] == 32;
  return header[kReserved] == 0 && fractions && big_endian_32(header + kEncoding) == 1;
}

}  // namespace

Result<std::optional<PageFile>> PageFile::map(ForeignDatabase& database) {
  const auto page_bytes = TRY(database.database().scalar("PRAGMA page_size")).value_or(0);
  const auto pages = TRY(database.database().scalar("PRAGMA page_count")).value_or(0);
  struct stat status{};
  const int fd = database.fd();
  if (fd < 0 || ::fstat(fd, &status) != 0 || on_network(fd)) return std::optional<PageFile>();
  const std::int64_t bytes = page_bytes * pages;
  if (pages < 2 || pages > 0xfffffffe || page_bytes < 512 || status.st_size < bytes) {
    return std::optional<PageFile>();
  }
  struct stat log{};
  if (::stat((database.opened_path() + "-wal").c_str(), &log) == 0 && log.st_size > 0) {
    return std::optional<PageFile>();
  }
  PageFile file;
  file.fd_ = fd;
  file.mapped_ = static_cast<std::size_t>(bytes) + kOverread;
  file.pages_ = static_cast<std::uint32_t>(pages);
  file.page_bytes_ = static_cast<std::uint32_t>(page_bytes);
  // The file goes over a mapping that is longer, so that loads of whole words may run past its end.
  void* base =
      ::mmap(nullptr, file.mapped_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return std::optional<PageFile>();
  file.bytes_ = static_cast<const std::uint8_t*>(base);
  if (::mmap(base, static_cast<std::size_t>(bytes), PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) ==
      MAP_FAILED) {
    return std::optional<PageFile>();
  }
  file.guard_ = std::make_unique<ShrinkGuard>(base, static_cast<std::size_t>(bytes));
  if (!file.guard_->guarded()) return std::optional<PageFile>();
  if (!plain_header(file.bytes_)) return std::optional<PageFile>();
  return std::optional<PageFile>(std::move(file));
}

PageFile::PageFile(PageFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, nullptr)),
      mapped_(other.mapped_),
      fd_(other.fd_),
      pages_(other.pages_),
      page_bytes_(other.page_bytes_),
      guard_(std::move(other.guard_)) {}

void PageFile::release(std::uint32_t first, std::uint32_t last) const {
  const auto system_page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t from = std::size_t{first - 1} * page_bytes_ / system_page * system_page;
  const std::size_t to = std::size_t{last} * page_bytes_ / system_page * system_page;
  if (from >= to) return;
  // Only a matter of speed.
  ::madvise(const_cast<std::uint8_t*>(bytes_) + from, to - from, MADV_DONTNEED);
}

bool PageFile::shrank() const {
  if (guard_->shrank()) return true;
  // What is cut off within the last page that is left reads as zeros without a signal.
  struct stat status{};
  return ::fstat(fd_, &status) != 0 ||
         status.st_size < static_cast<off_t>(std::size_t{pages_} * page_bytes_);
}

PageFile::~PageFile() {
  guard_.reset();
  if (bytes_ != nullptr) ::munmap(const_cast<std::uint8_t*>(bytes_), mapped_);
}

std::optional<std::vector<std::uint32_t>> PageFile::leaves(std::uint32_t root) const {
  LeafWalk walk(*this);
  if (!walk.visit(root, 0)) return std::nullopt;
  return walk.take_leaves();
}

namespace {

std::array<ShrinkGuard::Slot, 64> slots;
struct sigaction handler_before = {};
std::size_t page_size = 0;
static_assert(std::atomic<std::size_t>::is_always_lock_free, "read by a signal handler");

ShrinkGuard::Slot* slot_of(std::size_t address) {
  for (ShrinkGuard::Slot& slot : slots) {
    if (address >= slot.base.load() && address < slot.end.load()) return &slot;
  }
  return nullptr;
}

/// mmap is a plain system call on Linux: it may be called here, though POSIX does not list it.
bool put_zeros_at(std::size_t address) {
  void* page = reinterpret_cast<void*>(address / page_size * page_size);
  return ::mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
         MAP_FAILED;
}

void pass_on(int number, siginfo_t* info, void* context) {
  if ((handler_before.sa_flags & SA_SIGINFO) != 0)
    return handler_before.sa_sigaction(number, info, context);
  if (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN)
    return handler_before.sa_handler(number);
  // On return the touch is repeated and ends the program as it would have without us; what somebody sent is sent again.
  ::signal(SIGBUS, SIG_DFL);
  if (info->si_code <= 0) ::raise(SIGBUS);
}

extern "C" void on_bus_error(int number, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::size_t>(info->si_addr);
  ShrinkGuard::Slot* slot = info->si_code == BUS_ADRERR ? slot_of(address) : nullptr;
  if (slot == nullptr || !put_zeros_at(address)) return pass_on(number, info, context);
  slot->shrank = true;
}

void install() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &handler_before);
  });
}

}  // namespace

ShrinkGuard::ShrinkGuard(const void* base, std::size_t bytes) {
  install();
  for (Slot& slot : slots) {
    if (slot.taken.exchange(true)) continue;
    slot.shrank = false;
    slot.base = reinterpret_cast<std::size_t>(base);
    slot.end = reinterpret_cast<std::size_t>(base) + bytes;
    slot_ = &slot;
    return;
  }
}

ShrinkGuard::~ShrinkGuard() {
  if (slot_ == nullptr) return;
  slot_->end = 0;
  slot_->base = 0;
  slot_->taken = false;
}

bool ShrinkGuard::shrank() const { return slot_ != nullptr && slot_->shrank; }

}  // namespace rpl
