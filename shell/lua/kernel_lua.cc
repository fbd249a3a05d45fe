// SPDX-License-Identifier: MIT
#include "engine/base/text.h"
#include "shell/core/session/context.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/handles.h"

namespace rpl {
namespace kernel_binding {
namespace {

KernelHandle& kernel_self(lua_State* thread) { return check_object<KernelHandle>(thread, 1); }
DispatchHandle& dispatch_self(lua_State* thread) { return check_object<DispatchHandle>(thread, 1); }

const Kernel& kernel_of(lua_State* thread) {
  const KernelHandle& handle = kernel_self(thread);
  return live(thread, *handle.share).kernels()[handle.kernel];
}

void read_kernel(lua_State* thread, const BoundColumn& column) {
  push_value(thread, column.value(&kernel_of(thread)));
}

constexpr auto kKernelColumns = bound_to<Kernel>(
    column<&Kernel::id>("id", "k and the first hex digits of the hash of the mangled name")
        .as(Type::id),
    column<&Kernel::name>("name", "its name in full"),
    column<&Kernel::mangled>("mangled", "the symbol"), kKernelResources.columns);

std::string short_name(lua_State* thread, KernelHandle&) {
  return short_kernel(kernel_of(thread).name);
}

DispatchesHandle kernel_dispatches(lua_State* thread, KernelHandle& handle) {
  const auto& workspace = LuaHost::of(thread).context().workspace();
  const DispatchSet all{live(thread, *handle.share), nullptr};
  auto rows = must(thread, all.where(workspace, {{"kernel", Value(kernel_of(thread).id)}}));
  return {handle.share, std::make_shared<const std::vector<std::uint32_t>>(std::move(rows))};
}

/// The statistics of a kernel: its row of `info kernels`.
Record statistics(lua_State* thread, KernelHandle& handle) {
  const std::string& id = kernel_of(thread).id;
  const auto document = kept_result(thread, *handle.share, "info kernels");
  Record record;
  must(thread, document->each_row([&](const Row& row) {
    record.clear();
    for (std::size_t i = 0; i < row.size(); ++i) {
      record.emplace_back(document->columns[i].name, row[i]);
    }
    const auto found = std::ranges::find(record, "id", &std::pair<std::string, Value>::first);
    return found == record.end() || found->second != Value(id);
  }));
  return record;
}

int kernel_statistic(lua_State* thread) {
  KernelHandle& handle = kernel_self(thread);
  if (lua_type(thread, 2) != LUA_TSTRING) return 0;
  const auto document = kept_result(thread, *handle.share, "info kernels");
  return push_record_field(thread, kKernelClass, *document, statistics(thread, handle),
                           lua_tostring(thread, 2));
}

Record kernel_record(lua_State* thread, KernelHandle& handle) {
  const Kernel& kernel = kernel_of(thread);
  Record record{{"id", Value(kernel.id)}, {"name", Value(kernel.name)}};
  add_missing(record, statistics(thread, handle));
  add_missing(record, *to_value(kKernelColumns, kernel).as<Record>());
  return record;
}

int kernel_pairs(lua_State* thread) {
  return push_pairs(thread, kernel_record(thread, kernel_self(thread)));
}

Value kernel_totable(lua_State* thread, KernelHandle& handle) {
  return Value(kernel_record(thread, handle));
}

Document kernel_what_if(lua_State* thread, KernelHandle& handle) {
  luaL_checktype(thread, 2, LUA_TTABLE);
  lua_settop(thread, 2);
  // The caller's options with this kernel added; its table stays as it was.
  lua_newtable(thread);
  lua_pushnil(thread);
  while (lua_next(thread, 2) != 0) {
    lua_pushvalue(thread, -2);
    lua_insert(thread, -2);
    lua_rawset(thread, 3);
  }
  push_value(thread, Value(kernel_of(thread).id));
  lua_setfield(thread, 3, "kernel");
  return run_on_trace(thread, *handle.share, "whatif", 3);
}

std::string kernel_tostring(lua_State* thread, KernelHandle&) {
  const Kernel& kernel = kernel_of(thread);
  return fmt::format("{} {}", kernel.id, short_kernel(kernel.name));
}

std::string kernel_id(lua_State* thread, KernelHandle&) { return kernel_of(thread).id; }

template <class Handle>
TraceHandle trace_of(Handle& handle) {
  return {handle.share};
}

constexpr FieldBinding kKernelFields[] = {
    {"short", "string", "The name as tables show it.", thunk<&short_name>},
    {"dispatches", "rpl.Dispatches", "Its launches.", thunk<&kernel_dispatches>},
    {"trace", "rpl.Trace", "The trace it belongs to.", thunk<&trace_of<KernelHandle>>},
};

constexpr FunctionBinding kKernelMethods[] = {
    {"what_if", thunk<&kernel_what_if>, "options: table", "rpl.Result",
     "What `whatif` says about this kernel: k:what_if{speedup=2}.", kReads},
    {"totable", thunk<&kernel_totable>, "", "table", "Its fields as a plain table.", kReads},
};

constexpr luaL_Reg kKernelMetamethods[] = {
    {"__index", thunk<&kernel_statistic>},
    {"__pairs", thunk<&kernel_pairs>},
    {"__tostring", thunk<&kernel_tostring>},
    {"__eq", thunk<&same<KernelHandle, &KernelHandle::share, &KernelHandle::kernel>>},
    {"__rpl_value", thunk<&kernel_id>},
};

DispatchRow row_of(lua_State* thread, const DispatchHandle& handle) {
  return {.trace = &live(thread, *handle.share), .row = handle.row};
}

void read_dispatch(lua_State* thread, const BoundColumn& column) {
  const DispatchRow row = row_of(thread, dispatch_self(thread));
  push_value(thread, column.value(&row));
}

std::optional<KernelHandle> dispatch_symbol(lua_State* thread, DispatchHandle& handle) {
  const std::uint32_t kernel = live(thread, *handle.share).kernel_of(handle.row);
  if (kernel == kNone) return std::nullopt;
  return KernelHandle{handle.share, kernel};
}

std::string dispatch_id(DispatchHandle& handle) { return fmt::format("d{}", handle.row + 1); }

/// What `info dispatch` says beyond the columns: slack, criticality.
Document about_dispatch(lua_State* thread, DispatchHandle& handle) {
  push_value(thread, Value(dispatch_id(handle)));
  Document document = run_on_trace(thread, *handle.share, "info dispatch", lua_gettop(thread));
  lua_pop(thread, 1);
  return document;
}

int dispatch_further(lua_State* thread) {
  DispatchHandle& handle = dispatch_self(thread);
  live(thread, *handle.share);
  if (lua_type(thread, 2) != LUA_TSTRING) return 0;
  const Document document = about_dispatch(thread, handle);
  return push_record_field(thread, kDispatchClass, document, document.record,
                           lua_tostring(thread, 2));
}

Value dispatch_totable(lua_State* thread, DispatchHandle& handle) {
  return to_value(kScriptDispatch, row_of(thread, handle));
}

int dispatch_pairs(lua_State* thread) {
  DispatchHandle& handle = dispatch_self(thread);
  Record record = *dispatch_totable(thread, handle).as<Record>();
  add_missing(record, about_dispatch(thread, handle).record);
  return push_pairs(thread, std::move(record));
}

std::string dispatch_tostring(lua_State* thread, DispatchHandle& handle) {
  const DispatchRow row = row_of(thread, handle);
  const Kernel* kernel = row.kernel();
  return fmt::format("{} {} {} ns", row.id(), kernel ? short_kernel(kernel->name) : "?",
                     row.trace->duration_ns(row.row));
}

constexpr FieldBinding kDispatchFields[] = {
    {"symbol", "rpl.Kernel", "The kernel as an object.", thunk<&dispatch_symbol>},
    {"trace", "rpl.Trace", "The trace it belongs to.", thunk<&trace_of<DispatchHandle>>},
};

constexpr FunctionBinding kDispatchMethods[] = {
    {"totable", thunk<&dispatch_totable>, "", "table", "Its columns as a plain table.", kReads},
};

constexpr luaL_Reg kDispatchMetamethods[] = {
    {"__index", thunk<&dispatch_further>},
    {"__pairs", thunk<&dispatch_pairs>},
    {"__tostring", thunk<&dispatch_tostring>},
    {"__eq", thunk<&same<DispatchHandle, &DispatchHandle::share, &DispatchHandle::row>>},
    {"__rpl_value", thunk<&dispatch_id>},
};

template <Literal path>
RowsHandle dag_table(lua_State* thread, DagHandle& handle) {
  live(thread, *handle.share);
  return {.rows = std::make_shared<Rows>(kept_result(thread, *handle.share, path.text))};
}

Document dag_summary(lua_State* thread, DagHandle& handle) {
  return run_on_trace(thread, *handle.share, "dag summary", 2);
}

constexpr FieldBinding kDagFields[] = {
    {"nodes", "rpl.Rows", "What `dag nodes` shows.", thunk<&dag_table<"dag nodes">>},
    {"edges", "rpl.Rows", "What `dag edges` shows.", thunk<&dag_table<"dag edges">>},
};
constexpr FunctionBinding kDagMethods[] = {
    {"summary", thunk<&dag_summary>, "options?: table", "rpl.Result", "What `dag summary` shows.",
     kReads},
};

}  // namespace
}  // namespace kernel_binding

const ClassBinding kKernelClass{
    .name = type_name<KernelHandle>,
    .help =
        "One kernel of a trace. The columns of `info kernels` can be read too: calls, total_ns, "
        "share …",
    .fields = kernel_binding::kKernelFields,
    .methods = kernel_binding::kKernelMethods,
    .metamethods = kernel_binding::kKernelMetamethods,
    .finalizer = detail::finalize<KernelHandle>,
    .columns = kernel_binding::kKernelColumns,
    .read = kernel_binding::read_kernel,
};

const ClassBinding kDispatchClass{
    .name = type_name<DispatchHandle>,
    .help = "One launch of a kernel. The fields of `info dispatch` can be read too.",
    .fields = kernel_binding::kDispatchFields,
    .methods = kernel_binding::kDispatchMethods,
    .metamethods = kernel_binding::kDispatchMetamethods,
    .finalizer = detail::finalize<DispatchHandle>,
    .columns = kScriptDispatch,
    .read = kernel_binding::read_dispatch,
};

const ClassBinding kDagClass{
    .name = type_name<DagHandle>,
    .help = "The dependency graph of a trace.",
    .fields = kernel_binding::kDagFields,
    .methods = kernel_binding::kDagMethods,
    .metamethods = {},
    .finalizer = detail::finalize<DagHandle>,
};

void push_element(lua_State* thread, const RowsHandle& handle, const Row& row) {
  const Trace& trace = live(thread, *handle.trace);
  const std::size_t column = must(thread, handle.rows->column("id"));
  const auto* id = row[column].as<std::string>();
  if (id == nullptr) {
    lua_pushnil(thread);
    return;
  }
  const auto& workspace = LuaHost::of(thread).context().workspace();
  if (handle.element == RowKind::kernel) {
    const auto kernels = trace.kernels();
    const auto found = std::ranges::find(kernels, *id, &Kernel::id);
    if (found == kernels.end()) raise_error(thread, {Errc::internal, "a kernel is gone", ""});
    push_object(thread,
                KernelHandle{handle.trace, static_cast<std::uint32_t>(found - kernels.begin())});
  } else {
    push_object(thread, DispatchHandle{handle.trace,
                                       must(thread, resolve_dispatch(workspace, trace, *id))});
  }
}

}  // namespace rpl
