// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>

#include "engine/document/document.h"
#include "shell/lua/bind.h"
#include "shell/lua/lua_host.h"
#include "shell/lua/rows.h"

/// What the bound classes hold. Copies are cheap: they share.
namespace rpl {

/// A command's result: `rpl.Result` in Lua.
struct ResultHandle {
  std::shared_ptr<const Document> document;
};

/// What the rows of a table stand for, and so what a script gets for one of them.
enum class RowKind { row, kernel, dispatch };

/// The table of a result, or a part of it: `rpl.Rows`.
struct RowsHandle {
  std::shared_ptr<Rows> rows;
  RowKind element = RowKind::row;
  TracePtr trace = nullptr;  ///< of kernels and dispatches
};

struct TraceHandle {
  TracePtr share;
};

struct KernelHandle {
  TracePtr share;
  std::uint32_t kernel = 0;
};

struct DispatchHandle {
  TracePtr share;
  std::uint32_t row = 0;
};

/// All dispatches of a trace, or those that a filter keeps: `rpl.Dispatches`.
struct DispatchesHandle {
  TracePtr share;
  std::shared_ptr<const std::vector<std::uint32_t>> rows;  ///< nullptr: all
};

/// `t.dag`: the graph as two tables.
struct DagHandle {
  TracePtr share;
};

/// An open thread trace, by its id in the session.
struct AttHandle {
  std::string id, path;
  std::shared_ptr<std::map<std::string, std::shared_ptr<const Document>>> results =
      std::make_shared<std::map<
          std::string, std::shared_ptr<const Document>>>();  ///< of commands, computed once
};

/// An open capture: `rpl.capture`.
struct CaptureHandle {
  std::string id, path;
  std::shared_ptr<const Capture> capture;
};

/// A range of its memory.
struct RegionHandle {
  std::shared_ptr<const Capture> capture;
  std::size_t region = 0;
};

/// A wave of the kernel that is stopped; it may have ended since.
struct WaveHandle {
  std::uint32_t workgroup = 0, wave = 0;
};

/// One lane of it.
struct LaneHandle {
  WaveHandle wave;
  unsigned lane = 0;
};

/// A vector register of a wave, with its 64 lanes.
struct RegisterHandle {
  WaveHandle wave;
  std::string name;
};

/// Memory as scripts read it: of the device, or LDS of the selected workgroup.
struct MemoryHandle {
  bool lds = false;
};

/// `rpl.cmd` and its branches: the words so far.
struct CommandNode {
  std::vector<std::string> words;
};

template <>
inline constexpr const char* type_name<ResultHandle> = "rpl.Result";
template <>
inline constexpr const char* type_name<RowsHandle> = "rpl.Rows";
template <>
inline constexpr const char* type_name<TraceHandle> = "rpl.Trace";
template <>
inline constexpr const char* type_name<KernelHandle> = "rpl.Kernel";
template <>
inline constexpr const char* type_name<DispatchHandle> = "rpl.Dispatch";
template <>
inline constexpr const char* type_name<DispatchesHandle> = "rpl.Dispatches";
template <>
inline constexpr const char* type_name<DagHandle> = "rpl.Dag";
template <>
inline constexpr const char* type_name<AttHandle> = "rpl.Att";
template <>
inline constexpr const char* type_name<CaptureHandle> = "rpl.Capture";
template <>
inline constexpr const char* type_name<RegionHandle> = "rpl.Region";
template <>
inline constexpr const char* type_name<WaveHandle> = "rpl.Wave";
template <>
inline constexpr const char* type_name<LaneHandle> = "rpl.Lane";
template <>
inline constexpr const char* type_name<RegisterHandle> = "rpl.Register";
template <>
inline constexpr const char* type_name<MemoryHandle> = "rpl.Memory";
template <>
inline constexpr const char* type_name<CommandNode> = "rpl.Commands";

extern const ClassBinding kErrorClass, kResultClass, kRowsClass, kCommandsClass, kTraceClass,
    kKernelClass, kDispatchClass, kDispatchesClass, kDagClass, kAttClass, kWaveClass, kLaneClass,
    kRegisterClass, kMemoryClass, kCaptureClass, kRegionClass;

/// Every bound class, for opening, for the stubs and for the tests.
std::span<const ClassBinding* const> all_classes();

/// The trace behind a handle; raises when it was closed.
const Trace& live(lua_State* thread, TraceShare& share);

/// Runs a command on the trace of a handle, with the Lua arguments from `first` on.
Document run_on_trace(lua_State* thread, const TraceShare& share, std::string_view path, int first);

/// The result of a command without arguments, computed once for a trace.
std::shared_ptr<const Document> kept_result(lua_State* thread, TraceShare& share,
                                            const std::string& path);

/// Adds the fields of `more` that `record` does not have.
void add_missing(Record& record, const Record& more);
/// For __pairs: pushes an iterator over the fields in their order.
int push_pairs(lua_State* thread, Record record);

/// Fills the `__index` role for objects whose further fields are those of a command's record: pushes the field, or raises with
/// the names of `binding` and of the record.
int push_record_field(lua_State* thread, const ClassBinding& binding, const Document& document,
                      const Record& record, std::string_view name);

/// Pushes what one row of a table of kernels or dispatches stands for.
void push_element(lua_State* thread, const RowsHandle& handle, const Row& row);

/// The current thread trace.
std::optional<AttHandle> current_att(LuaHost& host);

/// A result is pushed as a handle of it.
template <>
struct detail::Stack<Document> {
  static void push(lua_State* thread, Document document) {
    push_object(thread, ResultHandle{std::make_shared<const Document>(std::move(document))});
  }
};

/// The values from `first` to the top of the stack as one result: a handle as what it shows, a list of tables as a table, a
/// table as a record, anything else as the field `value`.
Result<Document> document_from(lua_State* thread, int first);

/// A list of tables, or of lists, at `index` as rows under `columns`; without columns their keys in alphabetical order.
Result<Document> table_from(lua_State* thread, int index, std::vector<Column> columns);

/// One column by its name, type and unit taken from the name's suffix; or as a table {name=, type=, unit=, help=}.
Result<Column> column_from(const Value& description);
Result<std::vector<Column>> columns_from(const List& descriptions);

/// A value as a person reads it at the prompt.
std::string shown(lua_State* thread, int index);

}  // namespace rpl
