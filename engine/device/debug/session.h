// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/debug/callers.h"
#include "engine/device/debug/edits.h"
#include "engine/device/debug/loops.h"
#include "engine/device/debug/points.h"
#include "engine/device/debug/snapshots.h"
#include "engine/device/execute/launch/kernel_run.h"

/// Stopping a launch on the emulated device, looking at it, and going on or back.
namespace rpl::debug {

/// Why a launch stands still.
struct Stop {
  enum class Kind : std::uint8_t {
    entry,  ///< nothing has run yet
    step,   ///< as far as was asked for
    breakpoint,
    watchpoint,
    fault,
    wave_ended,  ///< the wave that was to be stepped
    ended,       ///< every wave
    interrupted,
    beginning,  ///< there is nothing further back
  };
  Kind kind = Kind::entry;
  WaveId wave;  ///< that stopped, or whose turn it is; meaningless when everything has ended
  std::vector<int> numbers = {};      ///< of the breakpoints, or of the watchpoint
  std::optional<unsigned> lane = {};  ///< for which a condition held
  std::optional<Error> error = {};    ///< the fault, or why a condition could not be evaluated
  std::vector<std::byte> before = {}, after = {};  ///< what a watchpoint saw
};
std::string_view to_string(Stop::Kind kind);

/// Whether a breakpoint's condition holds, and in which lane when it depends on the lane.
struct Verdict {
  bool stop = false;
  std::optional<unsigned> lane = std::nullopt;
};

/// One launch, executed instruction by instruction where that is wanted and at full speed elsewhere, always in the order of emu::execute() with one
/// thread. Time is the number of wave-instructions executed, of all waves: the same time is always the same state, which is what makes going back
/// possible. Counts and cycles are not kept.
class Session {
 public:
  /// Places the launch's buffers and stops in front of the first instruction. Fails as emu::execute() does before it runs. `points` must outlive it.
  static Result<std::unique_ptr<Session>> start(emu::KernelRun run, Points& points);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Evaluates the condition of a breakpoint or watchpoint, by its number; without it they always hold.
  std::function<Result<Verdict>(int number, const std::string& condition)> condition;

  // Going on. Each returns where it stopped; that wave is selected then. What has ended or faulted stays where it is.
  /// Until something stops it. `from_start`: a breakpoint at the very place where it stands counts.
  Stop run(bool from_start = false);
  /// The selected wave by `count` instructions; other waves run as far as that needs. `over`: calls count as one.
  Stop step_instructions(std::uint64_t count, bool over = false);
  /// The selected wave to another source line; `over`: not into functions that were inlined or called. One instruction where no line is known.
  Stop step_line(bool over);
  /// The selected wave until it leaves the inlined function it is in, or ends. One that is in none runs to its end.
  Stop finish();
  /// The selected wave to a later place of the program, in front of another line: out of a loop.
  Stop until_later_line();
  /// The selected wave to one of these operations.
  Stop until(const std::vector<std::uint32_t>& ops);

  // Going back, by restoring a state from before and executing up to where it should stand.
  /// To before the last `count` instructions of the selected wave.
  Stop step_back(std::uint64_t count);
  /// To the beginning of the source line that the selected wave executed before this one; `over`: not of functions that were inlined.
  Stop step_line_back(bool over);
  /// To before the selected wave came into the inlined function that it is in.
  Stop finish_back();
  /// To the last time at which a breakpoint or watchpoint would have stopped it.
  Stop run_back();

  // Writing.
  /// Writes to memory, LDS, scratch or a register of a wave that is in flight, between two instructions. It is made again whenever this moment is
  /// executed again, and taken back by going back to before it. Fails with not_found, denied, or with usage for another size.
  Status write(const Watched& where, std::span<const std::byte> bytes, std::string text);
  /// Where the selected wave loaded some bytes of memory last: an operation; nothing where it has not, or where it has run for too long to look.
  std::optional<std::uint32_t> last_load(const Watched& where);
  /// What was written, up to now.
  [[nodiscard]] const std::vector<Edit>& edits() const { return edits_.all(); }

  // Looking.
  [[nodiscard]] const emu::Program& program() const { return *prepared_.program; }
  [[nodiscard]] const emu::Prepared& prepared() const { return prepared_; }
  [[nodiscard]] const emu::KernelRun& launch() const { return run_; }
  [[nodiscard]] const std::vector<const emu::Region*>& buffers() const { return placed_.buffers; }
  [[nodiscard]] const emu::Memory& memory() const { return memory_; }
  [[nodiscard]] const Schedule& schedule() const { return schedule_; }
  [[nodiscard]] const isa::SourceLines& lines() const { return lines_; }
  [[nodiscard]] std::uint64_t time() const { return time_; }
  [[nodiscard]] bool ended() const { return schedule_.running() == nullptr; }
  [[nodiscard]] const std::optional<Error>& fault() const { return fault_; }
  /// Null for one that has not begun or is gone.
  [[nodiscard]] const emu::Wave* wave(WaveId id) const {
    return const_cast<Schedule&>(schedule_).find(id);
  }
  [[nodiscard]] const emu::Wave* selected() const { return wave(selected_wave); }
  [[nodiscard]] std::size_t snapshots() const { return snapshots_->count(); }
  /// Registers of the selected wave that changed since it stood still before; nothing for another wave than then.
  [[nodiscard]] const std::vector<ChangedRegister>& changed() const { return changed_; }
  /// The functions that the selected wave is in and that called another, innermost first: one for each of Wave::calls. Executes again what it ran since the
  /// first of them, where that is not more than some ten million wave-instructions; of those before, nothing is known. Pointers to waves are others
  /// afterwards.
  const std::vector<Caller>& callers();
  /// Operations that a place means in this launch.
  [[nodiscard]] Result<std::vector<std::uint32_t>> find(const Place& place) const;

  /// Makes another wave the selected one, and a lane that it executes.
  void select(WaveId id);

  WaveId selected_wave;  ///< that stepping moves
  unsigned selected_lane = 0;

 private:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  /// What a run is to reach.
  struct Goal {
    std::uint64_t until = kNever;  ///< time
    bool points = true;            ///< breakpoints and watchpoints count
    bool leave = true;             ///< a breakpoint where the selected wave stands does not count
    bool hears_interrupt = true;   ///< Ctrl-C ends it
    std::optional<WaveId> wave = {};
    /// Whether that wave has come far enough, after each of its instructions.
    std::function<bool(const emu::Op& executed, const emu::Wave& now)> enough = {};
    const Patches* calls = nullptr;  ///< without points: the operations that call functions
    /// Told each time that the wave is in front of one of them.
    std::function<void(const emu::Wave&)> called = {};
    /// Called with each stretch that a wave ran: how many instructions.
    std::function<void(WaveId, std::uint64_t)> ran = {};
  };
  struct Watch {
    int number = 0;
    Watched watched;
    WatchedFor kind = WatchedFor::change;
    std::vector<std::byte> value;  ///< empty while there is nothing to look at
  };

  /// What one turn of a wave was to be and came to.
  struct Chunk {
    std::uint64_t most = 0, ran = 0;  ///< instructions
    std::uint32_t first = 0;          ///< operation
    const WatchedBytes* changed = nullptr;
  };

  Session(emu::KernelRun run, Points& points);
  Status prepare();
  void make_edits();
  void make(const Edit& edit);
  std::uint64_t back_while(std::uint64_t most,
                           const std::function<bool(const LineTable::Entry&)>& goes_on, Stop& stop);
  Stop go(const Goal& goal);
  Stop reached(Stop stop);
  [[nodiscard]] Stop here(Stop::Kind kind) const;
  std::optional<Stop> before_chunk(const Goal& goal);
  std::optional<Stop> at_breakpoint(WaveId id);
  std::optional<Stop> after_chunk(const Goal& goal, WaveId id, const Chunk& chunk);
  Chunk run_chunk(const Goal& goal, emu::Wave& wave, bool leave);
  std::optional<Stop> watch_hit(WaveId id, const WatchedBytes& changed);
  Result<Verdict> asked(int number, const std::string& text, WaveId id);
  void settle_lane();
  void note_changes();

  void patch();
  void read_watches();
  void gather(const emu::Wave& wave);
  [[nodiscard]] std::vector<std::span<const std::byte>> parts_of(const Watched& watched,
                                                                 const emu::Wave* wave) const;

  void choose_wave();
  Stop step_selected(std::function<bool(const emu::Op&, const emu::Wave&)> enough);
  const LineTable& line_table();

  [[nodiscard]] std::size_t kept_before(const std::function<bool(const emu::Wave&)>& fits) const;
  void execute_again(std::size_t snapshot, Goal goal);
  void restore_arguments();
  bool nobody_can_go_on();
  bool never_meets();
  void go_back_to(std::size_t snapshot);
  Stop run_back_to_hit();
  Stop replay(std::uint64_t time, std::function<void(WaveId, std::uint64_t)> ran = {});
  Stop replay_from_snapshot(std::uint64_t time);
  /// Before the last `count` instructions of a wave; less than 0 of them are left when there were fewer.
  struct Earlier {
    std::uint64_t time = 0;
    bool beginning = false;
    bool interrupted = false;
  };
  Earlier time_before(WaveId id, std::uint64_t count);
  std::optional<std::pair<std::uint64_t, Stop>> last_hit(std::uint64_t from_snapshot,
                                                         std::uint64_t until, bool& interrupted);

  emu::KernelRun run_;
  Points& points_;
  emu::Memory memory_;
  emu::PlacedRun placed_;
  emu::Prepared prepared_;
  std::vector<std::byte> arguments_;  ///< the kernarg segment as the launch began with it
  isa::SourceLines lines_;
  std::unique_ptr<LineTable> line_table_;  ///< made on first use
  emu::Machine machine_;
  Schedule schedule_;
  std::unique_ptr<Snapshots> snapshots_;
  std::unique_ptr<Patches> patches_, plain_;         ///< with breakpoints, and without
  std::multimap<std::uint32_t, int> breakpoint_at_;  ///< number of a breakpoint by operation
  std::vector<Watch> watches_;
  std::vector<WatchedBytes> watched_now_;
  std::uint64_t patched_version_ = 0;
  std::uint64_t time_ = 0;
  std::uint64_t fruitless_ = 0;
  Edits edits_;
  bool counts_ignored_ =
      true;             ///< hits that are to be ignored are, and count; not while going back
  bool going_ = false;  ///< within go(): conditions are asked then
  std::optional<Error> fault_;
  std::optional<emu::Wave> seen_;  ///< the selected wave as it stood still before
  std::vector<ChangedRegister> changed_;
  std::vector<Caller> callers_;  ///< of the wave and time that follow
  std::uint64_t callers_at_ = kNever;
  WaveId callers_of_;
};

}  // namespace rpl::debug
