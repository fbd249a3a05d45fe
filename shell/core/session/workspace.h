// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/document/document.h"
#include "engine/trace/core/trace.h"
#include "shell/core/session/shelf.h"

namespace rpl {

struct Capture;
struct EmulatedRun;
struct OpenThreadTrace;
struct ProfileRunArgs;
namespace diagnose {
struct ProfileDocument;
}
namespace isa {
class CodeObject;
}
namespace tune {
class Space;
}

/// One open recording. Reading starts in the background when it is opened, so that the prompt is there at once; whoever asks
/// first waits for it.
class OpenTrace {
 public:
  OpenTrace(std::string id, std::vector<std::string> paths);
  /// A trace that was derived from another one and needs no reading; `origin` says from what, for people.
  OpenTrace(std::string id, std::vector<std::string> paths, std::string origin,
            std::shared_ptr<const Trace> trace);
  ~OpenTrace();
  OpenTrace(const OpenTrace&) = delete;
  OpenTrace& operator=(const OpenTrace&) = delete;

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }
  /// "t1 from 10.00 ms to 20.00 ms" for a derived trace, "" for what was read from files.
  [[nodiscard]] const std::string& origin() const { return origin_; }
  /// Waits for the reader. Ctrl-C ends the wait with Errc::interrupted; the reading goes on.
  [[nodiscard]] Result<std::shared_ptr<const Trace>> get(const Monitor& monitor);
  /// Whether get() would return at once.
  [[nodiscard]] bool ready() const;

  /// Whether it was read from this path alone, and what lies there is as it was when reading began.
  [[nodiscard]] bool is_of(const std::string& path) const;

  /// Whether get() gave the trace since this was last asked.
  [[nodiscard]] bool was_used() { return used_.exchange(false); }

  /// Whether a person was told that this is being read, and not yet what it holds.
  bool owes_counts = false;

  /// Results computed from this trace and kept (statistics, graphs), one of each type.
  template <class T>
  [[nodiscard]] std::shared_ptr<const T> cached() const {
    return std::static_pointer_cast<const T>(find_cached(&tag<T>));
  }
  template <class T>
  void cache(std::shared_ptr<const T> value) {
    store_cached(&tag<T>, std::move(value));
  }

 private:
  template <class T>
  static constexpr char tag = 0;
  void start();
  [[nodiscard]] std::shared_ptr<const void> find_cached(const void* key) const;
  void store_cached(const void* key, std::shared_ptr<const void> value);

  std::string id_;
  std::vector<std::string> paths_;
  std::string origin_;
  std::string stamp_;  ///< of the files when reading began
  struct Loading;
  std::atomic<bool> used_ = false;
  std::shared_ptr<Loading> loading_;
  std::vector<std::pair<const void*, std::shared_ptr<const void>>> cache_;
};

/// What the person is looking at within the current trace.
struct Selection {
  std::optional<std::uint32_t> kernel;    ///< index into Trace::kernels()
  std::optional<std::uint32_t> dispatch;  ///< row
  std::size_t frame = 0;                  ///< depth in the backtrace of `dispatch`
};

/// What is open, what is selected, and what ran last. Traces have the ids t1, t2, … in the order of opening, which are not reused.
class Workspace {
 public:
  /// Opens files (several: merged into one trace). Fails at once when a path does not exist or is not a recording. The new trace becomes current.
  Result<OpenTrace*> open(const std::vector<std::string>& paths);
  /// What was read from this path and is current from now on, where the file is as it was then; null for none.
  OpenTrace* opened_from(const std::string& path);
  /// Adds a trace derived from an open one, and makes it current.
  OpenTrace* derive(const OpenTrace& from, std::string origin, std::shared_ptr<const Trace> trace);
  Status close(std::string_view id);
  /// Makes an open trace current: id, path or unique part of a path.
  Result<OpenTrace*> select(std::string_view reference);

  /// The current trace; the error says how to open one.
  [[nodiscard]] Result<OpenTrace*> current();
  [[nodiscard]] const std::vector<std::unique_ptr<OpenTrace>>& traces() const { return traces_; }
  [[nodiscard]] bool is_current(const OpenTrace& trace) const { return current_ == &trace; }

  Selection selection;
  bool looks_at_capture = false;  ///< a capture was named after a trace became current
  /// Rows of the last table that named kernels or dispatches, for `@N`: ids such as "k7f3a2c", "d12".
  std::vector<std::string> last_rows;

  Shelf<Capture> captures{"c"};
  Shelf<isa::CodeObject> objects{"o"};
  Shelf<OpenThreadTrace> thread_traces{"att"};
  Shelf<diagnose::ProfileDocument> profiles{"prof"};
  std::shared_ptr<const EmulatedRun> last_run;         ///< of `kernel run`; null before the first
  std::shared_ptr<const ProfileRunArgs> last_profile;  ///< of `profile`, for `run`; null before
  std::shared_ptr<const tune::Space> space;  ///< of `space load` and `space define`; null before
  std::string
      stepping;  ///< where a kernel is stopped, for the prompt: "o1 scale+0x10"; "" for nowhere

 private:
  std::vector<std::unique_ptr<OpenTrace>> traces_;
  OpenTrace* current_ = nullptr;
  std::size_t opened_ = 0;
};

/// Puts a note on a result that was made of a recording against which something speaks. To be called with each result, once.
void note_damage(Workspace& workspace, Document& result);

/// Whether a path names something that `open` takes: looks at the file's first bytes, or at the names in a directory.
bool is_recording(std::string_view path);

/// The kernel that a reference names: id or unique prefix of an id, exact name, unique part of a name, `/regex/`, `@N`. The error lists candidates.
/// An empty reference is the selected kernel.
Result<std::uint32_t> resolve_kernel(const Workspace& workspace, const Trace& trace,
                                     std::string_view reference);
/// The same, several: `/regex/` and parts of names may match many.
Result<std::vector<std::uint32_t>> resolve_kernels(const Workspace& workspace, const Trace& trace,
                                                   std::string_view reference);
/// The dispatch row that "d12", "12", "@3" names; empty is the selected one.
Result<std::uint32_t> resolve_dispatch(const Workspace& workspace, const Trace& trace,
                                       std::string_view reference);

}  // namespace rpl
