// SPDX-License-Identifier: MIT
#include "engine/store/foreign.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "engine/base/input_file.h"
#include "engine/base/interrupt.h"
#include "engine/base/policy.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

// Offsets in the database header: https://www.sqlite.org/fileformat2.html §1.3.
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kHeaderBytes = 100;
using Header = std::array<unsigned char, kHeaderBytes>;

std::uint32_t big_endian(const Header& header, std::size_t at, int bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < bytes; ++i) value = value << 8 | header[at + static_cast<std::size_t>(i)];
  return value;
}

Failure refused(const std::string& path, int error) {
  if (error == ENOENT || error == ENOTDIR) {
    return fail(Errc::not_found, path + ": no such file", "check the path");
  }
  return fail(Errc::io, fmt::format("{}: {}", path, std::strerror(error)),
              error == EACCES ? "ask for read permission, or copy the file" : "");
}

/// SQLite opens what lies beside a database by itself, and waits for a pipe; it must be a file where it is there at all.
Status check_side_files(const std::string& path) {
  for (const char* side : {"-wal", "-journal", "-shm"}) {
    const std::string name = path + side;
    struct stat status{};
    if (::lstat(name.c_str(), &status) != 0) continue;
    if (S_ISLNK(status.st_mode))
      return fail(Errc::denied, fmt::format("{} is a symbolic link, and is not followed", name),
                  "copy the database without it");
    if (!S_ISREG(status.st_mode)) return not_a_file(name, status.st_mode);
  }
  return {};
}

Status check_length(const std::string& path, const Header& header, std::uint64_t bytes) {
  const std::uint32_t stored = big_endian(header, 16, 2);
  const std::uint64_t page_bytes = stored == 1 ? 65536 : stored;
  const bool power = page_bytes >= 512 && (page_bytes & (page_bytes - 1)) == 0;
  if (!power) {
    return fail(Errc::corrupt,
                fmt::format("{}: the database header is damaged (page size {})", path, stored),
                "record or copy the file again");
  }
  const std::uint64_t pages = big_endian(header, 28, 4);
  const bool counted = pages != 0 && big_endian(header, 24, 4) == big_endian(header, 92, 4);
  if (counted && bytes < pages * page_bytes) {
    return fail(
        Errc::corrupt,
        fmt::format("{} is cut short: {} of {} bytes are there", path, bytes, pages * page_bytes),
        "copy or record it again; the copy may have been stopped, or the disk full");
  }
  return {};
}

/// Reads and checks the header.
Result<Header> database_header(const std::string& path) {
  const InputFile file = TRY(open_input(path));
  Header header{};
  const ssize_t got = ::pread(file.fd.get(), header.data(), header.size(), 0);
  if (got < 0) return refused(path, errno);
  if (file.bytes == 0) {
    return fail(Errc::corrupt, path + " is empty (0 bytes)",
                "the recorder did not finish; record it again");
  }
  const auto compared = std::min(static_cast<std::size_t>(got), kMagic.size());
  if (std::memcmp(header.data(), kMagic.data(), compared) != 0) {
    return fail(Errc::corrupt, path + " is not a SQLite database",
                "it may be encrypted, compressed or of another format");
  }
  if (static_cast<std::size_t>(got) < kHeaderBytes) {
    return fail(Errc::corrupt, fmt::format("{} is cut short: {} bytes are there", path, got),
                "copy or record it again");
  }
  return header;
}

bool needs_wal_recovery(const std::string& path) {
  struct stat status{};
  return ::stat((path + "-wal").c_str(), &status) == 0 && status.st_size > 0;
}

/// SQLite's own rule: a journal whose first byte is not zero (a finished one is removed, cut or zeroed).
bool has_hot_journal(const std::string& path) {
  const std::string first = first_bytes(path + "-journal", 1);
  return !first.empty() && first[0] != '\0';
}

Status copy_file(const std::string& from, const std::string& to) {
  const UniqueFd source = TRY(open_input(from, Links::refuse)).fd;
  const UniqueFd target(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!target) return refused(to, errno);
  std::vector<char> block(std::size_t{1} << 20);
  while (true) {
    TRY(interrupt::check());
    const ssize_t got = ::read(source.get(), block.data(), block.size());
    if (got < 0) return refused(from, errno);
    if (got == 0) return {};
    for (ssize_t done = 0; done < got;) {
      const ssize_t put =
          ::write(target.get(), block.data() + done, static_cast<std::size_t>(got - done));
      if (put < 0) return refused(to, errno);
      done += put;
    }
  }
}

Result<fs::path> private_folder() {
  const char* base = std::getenv("TMPDIR");
  std::string name = std::string(base && *base ? base : "/tmp") + "/rpl-recovery-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) return refused(name, errno);
  own_folder(name);
  return fs::path(name);
}

/// Rolls the copy back or forward, and leaves it in rollback mode without side files.
Status recover(const std::string& copy) {
  Database database = TRY(Database::open_copy(copy));
  TRY(database.scalar("SELECT count(*) FROM sqlite_master"));
  return database.execute("PRAGMA journal_mode=DELETE");
}

Result<std::string> recovered_copy(const std::string& path, const fs::path& folder) {
  const std::string copy = (folder / "recording.db").string();
  TRY(copy_file(path, copy));
  for (const char* side : {"-wal", "-journal"}) {
    struct stat status{};
    if (::stat((path + side).c_str(), &status) == 0) TRY(copy_file(path + side, copy + side));
  }
  auto status = recover(copy);
  if (!status) return Failure(std::move(status).error().in(path + " could not be recovered"));
  return copy;
}

}  // namespace

Result<std::shared_ptr<ForeignDatabase>> ForeignDatabase::open(const std::string& path) {
  const Header header = TRY(database_header(path));
  std::shared_ptr<ForeignDatabase> opened(new ForeignDatabase);
  opened->path_ = path;
  std::error_code ignored;
  // SQLite looks for side files beside the file that a symbolic link names.
  const fs::path real = fs::canonical(path, ignored);
  opened->opened_path_ = real.empty() ? path : real.string();

  TRY(check_side_files(opened->opened_path_));
  const bool wal = needs_wal_recovery(opened->opened_path_);
  const bool journal = !wal && has_hot_journal(opened->opened_path_);
  if (wal || journal) {
    opened->folder_ = TRY(private_folder());
    opened->opened_path_ = TRY(recovered_copy(opened->opened_path_, opened->folder_));
    opened->note_ = fmt::format(
        "the database was not closed properly ({}); it was recovered in a private copy, the file "
        "is unchanged",
        wal ? "it has a write-ahead log" : "it has a hot journal");
  } else {
    TRY(check_length(path, header, TRY(open_input(path)).bytes));
  }
  constexpr std::size_t kReadVersion = 19;
  constexpr unsigned char kWal = 2;
  // Reading a WAL database makes SQLite create shared memory beside it; without a log there is nothing to share.
  const bool immutable = !wal && !journal && header[kReadVersion] == kWal;
  opened->fd_ = TRY(open_input(opened->opened_path_)).fd.release();
  auto database = Database::open_foreign(opened->opened_path_, immutable);
  if (!database) return Failure(std::move(database).error().in(path));
  opened->database_ = std::move(*database);
  auto readable = opened->database_.scalar("SELECT count(*) FROM sqlite_master");
  if (!readable) return Failure(std::move(readable).error().in(path));
  return opened;
}

Result<std::shared_ptr<ForeignDatabase>> ForeignDatabase::open_unpacked(const std::string& path,
                                                                        ScratchFolder folder,
                                                                        const std::string& file) {
  auto opened = open(folder.path() + "/" + file);
  if (!opened) return Failure(std::move(opened).error().in(path + ", unpacked"));
  (*opened)->path_ = path;
  (*opened)->unpacked_.emplace(std::move(folder));
  return opened;
}

ForeignDatabase::~ForeignDatabase() {
  database_ = Database();
  if (fd_ >= 0) ::close(fd_);
  if (folder_.empty()) return;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Result<std::vector<std::string>> ForeignDatabase::tables() {
  Statement query = TRY(database_.prepare(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"));
  std::vector<std::string> names;
  while (TRY(query.step())) names.emplace_back(query.text(0));
  return names;
}

Result<std::vector<std::string>> ForeignDatabase::columns(std::string_view table) {
  std::vector<std::string> names;
  for (const Declared& column : *TRY(declared(table))) {
    if (!column.hidden) names.push_back(column.name);
  }
  return names;
}

Result<const std::vector<ForeignDatabase::Declared>*> ForeignDatabase::declared(
    std::string_view table) {
  if (const auto known = declared_.find(table); known != declared_.end()) return &known->second;
  std::string quoted;
  for (const char c : table) quoted.append(c == '"' ? 2 : 1, c);
  // Asked as a pragma: the table-valued function of the same name takes three times as long. cid, name, type, notnull, dflt_value, pk, hidden.
  Statement columns = TRY(database_.prepare(fmt::format("PRAGMA table_xinfo(\"{}\")", quoted)));
  std::vector<Declared> all;
  while (TRY(columns.step())) {
    all.push_back({.name = std::string(columns.text(1)),
                   .type = std::string(columns.text(2)),
                   .hidden = columns.int64(6) != 0,
                   .key = columns.int64(5) != 0,
                   .not_null = columns.int64(3) != 0});
  }
  return &declared_.emplace(std::string(table), std::move(all)).first->second;
}

}  // namespace rpl
