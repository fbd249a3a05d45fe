// SPDX-License-Identifier: MIT
#include "engine/device/hip/recording.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <type_traits>

namespace rpl::emu::hip {
namespace {

constexpr std::string_view kMagic = "rplemu 3";
constexpr std::uint64_t kWindow = std::uint64_t{1} << 20;

// One list of fields for each record serves writing and reading.
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, ProcessRecord>
void fields(A& a, T& r) {
  a(r.pid, r.ppid, r.start_ns, r.command, r.product, r.devices, r.host_model);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, StreamRecord>
void fields(A& a, T& r) {
  a(r.id, r.device, r.queue);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, ObjectRecord>
void fields(A& a, T& r) {
  a(r.id, r.device, r.load_base, r.bytes, r.hash);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, KernelRecord>
void fields(A& a, T& r) {
  a(r.id, r.object, r.name, r.descriptor, r.kernarg_bytes, r.lds_bytes, r.scratch_bytes, r.sgprs,
    r.vgprs, r.agprs);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, Argument>
void fields(A& a, T& r) {
  a(r.type, r.name, r.value);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, CallRecord>
void fields(A& a, T& r) {
  a(r.correlation, r.thread, r.start_ns, r.end_ns, r.name, r.arguments, r.result, r.site, r.again);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, HostFrame>
void fields(A& a, T& r) {
  a(r.program, r.module, r.offset);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, SiteRecord>
void fields(A& a, T& r) {
  a(r.id, r.frames);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, Place>
void fields(A& a, T& r) {
  a(r.correlation, r.thread, r.device, r.queue, r.stream, r.start_ns, r.end_ns);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, DispatchRecord>
void fields(A& a, T& r) {
  a(r.place, r.id, r.kernel, r.workgroup, r.grid, r.lds_bytes, r.scratch_bytes, r.model, r.low_ns,
    r.high_ns, r.ratio_band, r.findings);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, CopyRecord>
void fields(A& a, T& r) {
  a(r.place, r.to, r.from, r.to_address, r.from_address, r.bytes);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, MemoryRecord>
void fields(A& a, T& r) {
  a(r.place, r.free, r.on_host, r.address, r.bytes);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, RefusedRecord>
void fields(A& a, T& r) {
  a(r.name, r.calls);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, EndRecord>
void fields(A& a, T& r) {
  a(r.end_ns, r.failure, r.emulation_s);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, CounterRecord>
void fields(A& a, T& r) {
  a(r.id, r.name, r.meaning, r.modelled);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, CounterValue>
void fields(A& a, T& r) {
  a(r.counter, r.value);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, CountsRecord>
void fields(A& a, T& r) {
  a(r.dispatch, r.values);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, TraceRecord>
void fields(A& a, T& r) {
  a(r.dispatch, r.kernel, r.folder);
}
template <class A, class T>
  requires std::same_as<std::remove_const_t<T>, CaptureRecord>
void fields(A& a, T& r) {
  a(r.matches, r.kernel, r.folder, r.failure);
}

struct Packer {
  std::string& out;
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }

  template <class T>
    requires std::is_arithmetic_v<T>
  void put(const T& value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void put(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    out.append(text);
  }
  template <std::size_t kCount>
  void put(const std::array<std::uint32_t, kCount>& values) {
    for (const auto value : values) put(value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) fields(*this, value);
  }
  void put(const Place& place) { fields(*this, place); }
};

struct Unpacker {
  std::string_view in;
  bool ok = true;
  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }

  std::string_view take(std::size_t bytes) {
    if (bytes > in.size()) return ok = false, std::string_view();
    const std::string_view taken = in.substr(0, bytes);
    in.remove_prefix(bytes);
    return taken;
  }
  void get(bool& value) {
    std::uint8_t byte = 0;
    get(byte);
    value = byte != 0;
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  void get(T& value) {
    const std::string_view bytes = take(sizeof(T));
    if (bytes.size() == sizeof(T)) std::memcpy(&value, bytes.data(), sizeof(T));
  }
  void get(std::string& text) {
    std::uint32_t size = 0;
    get(size);
    text = take(size);
  }
  template <std::size_t kCount>
  void get(std::array<std::uint32_t, kCount>& values) {
    for (auto& value : values) get(value);
  }
  template <class T>
  void get(std::vector<T>& values) {
    std::uint32_t count = 0;
    get(count);
    // Each takes three words at least: a count that the record cannot hold is not a reason to reserve memory.
    if (count > in.size() / (3 * sizeof(std::uint32_t))) return void(ok = false);
    values.resize(count);
    for (T& value : values) fields(*this, value);
  }
  void get(Place& place) { fields(*this, place); }
};

template <std::size_t kIndex = 0>
bool unpack(std::uint8_t kind, Unpacker& in, Record& record) {
  if constexpr (kIndex < std::variant_size_v<Record>) {
    if (kind != kIndex) return unpack<kIndex + 1>(kind, in, record);
    auto& value = record.emplace<kIndex>();
    fields(in, value);
    return in.ok && in.in.empty();
  } else {
    return false;
  }
}

}  // namespace

Result<RecordingWriter> RecordingWriter::create(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (fd.get() < 0) {
    return fail(Errc::io,
                fmt::format("cannot write {}: {}", path, std::system_category().message(errno)));
  }
  RecordingWriter writer(std::move(fd));
  writer.append(kMagic);
  return writer;
}

RecordingWriter::RecordingWriter(RecordingWriter&& other) noexcept
    : fd_(std::move(other.fd_)),
      window_(std::exchange(other.window_, nullptr)),
      window_at_(other.window_at_),
      used_(other.used_) {}

RecordingWriter::~RecordingWriter() {
  if (fd_.get() < 0) return;
  const std::uint64_t end = window_at_ + used_;
  unmap();
  if (::ftruncate(fd_.get(), static_cast<off_t>(end)) != 0)
    return;  // zeros behind the last record say the same
}

void RecordingWriter::abandon() && {
  unmap();
  fd_.reset();
}

void RecordingWriter::unmap() {
  if (window_ != nullptr) ::munmap(window_, kWindow);
  window_ = nullptr;
}

// Room is reserved before it is mapped: a write to a mapped hole on a full disk would kill the program.
bool RecordingWriter::map_next() {
  if (window_ != nullptr) window_at_ += kWindow;
  unmap();
  used_ = 0;
  if (::posix_fallocate(fd_.get(), static_cast<off_t>(window_at_), static_cast<off_t>(kWindow)) !=
      0)
    return false;
  void* mapped = ::mmap(nullptr, kWindow, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(),
                        static_cast<off_t>(window_at_));
  if (mapped == MAP_FAILED) return false;
  window_ = static_cast<char*>(mapped);
  return true;
}

void RecordingWriter::append(std::string_view bytes) {
  while (!bytes.empty() && fd_.get() >= 0) {
    if ((window_ == nullptr || used_ == kWindow) && !map_next()) return fd_.reset();
    const std::size_t part = std::min<std::size_t>(bytes.size(), kWindow - used_);
    std::memcpy(window_ + used_, bytes.data(), part);
    used_ += part;
    bytes.remove_prefix(part);
  }
}

// A record is its length, its kind and its fields.
void RecordingWriter::add(const Record& record) {
  std::string bytes;
  Packer packer{bytes};
  packer(std::uint32_t{0}, static_cast<std::uint8_t>(record.index()));
  std::visit([&](const auto& value) { fields(packer, value); }, record);
  const auto size = static_cast<std::uint32_t>(bytes.size() - sizeof(std::uint32_t));
  std::memcpy(bytes.data(), &size, sizeof(size));
  append(bytes);
}

Result<Recording> read_recording(std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    return fail(Errc::corrupt, "not a recording of the emulated device");
  bytes.remove_prefix(kMagic.size());
  Recording out;
  while (bytes.size() >= sizeof(std::uint32_t)) {
    Unpacker all{bytes};
    std::uint32_t size = 0;
    all(size);
    Unpacker one{all.take(size)};
    // Zeros are what a process that was killed had not come to.
    if (!all.ok || size == 0) break;
    std::uint8_t kind = 0;
    one(kind);
    Record record;
    if (!one.ok || !unpack(kind, one, record)) {
      return fail(Errc::corrupt,
                  fmt::format("record {} of the recording cannot be read", out.records.size() + 1));
    }
    out.records.push_back(std::move(record));
    bytes = all.in;
  }
  out.complete = !out.records.empty() && std::holds_alternative<EndRecord>(out.records.back());
  return out;
}

Result<Recording> read_recording_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
    return fail(Errc::not_found, fmt::format("cannot open {}", path),
                "expected is the file that the emulated device wrote");
  constexpr std::streamoff kMost = std::streamoff{4} << 30;
  const std::streamoff size = file.tellg();
  if (size > kMost) return fail(Errc::limit, fmt::format("{} is larger than 4 GiB", path));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(bytes.data(), size)) return fail(Errc::io, fmt::format("cannot read {}", path));
  return read_recording(bytes);
}

}  // namespace rpl::emu::hip
