// SPDX-License-Identifier: MIT
#include "engine/base/text_layout.h"
#include "shell/core/session/context.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/dispatch_columns.h"
#include "shell/lua/trace_lua.h"

namespace rpl {
namespace kernel_binding {
namespace {

KernelHandle& kernel_self(lua_State* thread) { return check_object<KernelHandle>(thread, 1); }
DispatchHandle& dispatch_self(lua_State* thread) { return check_object<DispatchHandle>(thread, 1); }

const Kernel& kernel_of(lua_State* thread) {
  const KernelHandle& handle = kernel_self(thread);
  return live(thread, *handle.share).kernels()[handle.kernel];
}

template <auto member>
int kernel_field(lua_State* thread) {
  push_value(thread, Value(kernel_of(thread).*member));
  return 1;
}

/// A number that recordings may lack: 0 stands for unknown.
template <auto member>
int known_field(lua_State* thread) {
  push_value(thread, Value::known(kernel_of(thread).*member));
  return 1;
}

std::string short_name(lua_State* thread, KernelHandle&) {
  return short_kernel(kernel_of(thread).name);
}

int kernel_dispatches(lua_State* thread) {
  KernelHandle& handle = kernel_self(thread);
  const auto& workspace = LuaHost::of(thread).context().workspace();
  const DispatchSet all{live(thread, *handle.share), nullptr};
  const Record wanted{{"kernel", Value(kernel_of(thread).id)}};
  auto rows = must(thread, filter_dispatches(workspace, all, wanted));
  push_object(thread, DispatchesHandle{
                          handle.share,
                          std::make_shared<const std::vector<std::uint32_t>>(std::move(rows))});
  return 1;
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
  add_missing(record, {{"mangled", Value(kernel.mangled)},
                       {"arch_vgprs", kernel.arch_vgprs ? Value(kernel.arch_vgprs) : Value()},
                       {"accum_vgprs", kernel.accum_vgprs ? Value(kernel.accum_vgprs) : Value()},
                       {"sgprs", kernel.sgprs ? Value(kernel.sgprs) : Value()},
                       {"static_lds_bytes", Value(kernel.static_lds_bytes)},
                       {"scratch_bytes", Value(kernel.scratch_bytes)}});
  return record;
}

int kernel_pairs(lua_State* thread) {
  return push_pairs(thread, kernel_record(thread, kernel_self(thread)));
}

Value kernel_totable(lua_State* thread, KernelHandle& handle) {
  return Value(kernel_record(thread, handle));
}

int kernel_what_if(lua_State* thread) {
  KernelHandle& handle = kernel_self(thread);
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
  push_document(thread, run_on_trace(thread, *handle.share, "whatif", 3));
  return 1;
}

std::string kernel_tostring(lua_State* thread, KernelHandle&) {
  const Kernel& kernel = kernel_of(thread);
  return fmt::format("{} {}", kernel.id, short_kernel(kernel.name));
}

std::string kernel_id(lua_State* thread, KernelHandle&) { return kernel_of(thread).id; }

template <class Handle, auto member>
bool same(lua_State* thread) {
  const auto* left = find_object<Handle>(thread, 1);
  const auto* right = find_object<Handle>(thread, 2);
  return left != nullptr && right != nullptr && left->share->id == right->share->id &&
         left->*member == right->*member;
}

int kernel_trace(lua_State* thread) {
  push_object(thread, TraceHandle{kernel_self(thread).share});
  return 1;
}

constexpr FieldBinding kKernelFields[] = {
    {"id", "string", "Stable id: k and hex digits.", thunk<&kernel_field<&Kernel::id>>},
    {"name", "string", "The full name.", thunk<&kernel_field<&Kernel::name>>},
    {"short", "string", "The name as tables show it.", thunk<&short_name>},
    {"mangled", "string", "The symbol.", thunk<&kernel_field<&Kernel::mangled>>},
    {"arch_vgprs", "integer?", "Architectural VGPRs as recorded.",
     thunk<&known_field<&Kernel::arch_vgprs>>},
    {"accum_vgprs", "integer?", "Accumulation VGPRs as recorded.",
     thunk<&known_field<&Kernel::accum_vgprs>>},
    {"sgprs", "integer?", "SGPRs as recorded.", thunk<&known_field<&Kernel::sgprs>>},
    {"static_lds_bytes", "integer", "Static LDS per workgroup.",
     thunk<&kernel_field<&Kernel::static_lds_bytes>>},
    {"scratch_bytes", "integer", "Scratch per work-item.",
     thunk<&kernel_field<&Kernel::scratch_bytes>>},
    {"dispatches", "rpl.Dispatches", "Its launches.", thunk<&kernel_dispatches>},
    {"trace", "rpl.Trace", "The trace it belongs to.", thunk<&kernel_trace>},
};

constexpr FunctionBinding kKernelMethods[] = {
    {"what_if", thunk<&kernel_what_if>, "options: table", "rpl.Result",
     "What `whatif` says about this kernel: k:what_if{speedup=2}."},
    {"totable", thunk<&kernel_totable>, "", "table", "Its fields as a plain table."},
};

constexpr luaL_Reg kKernelMetamethods[] = {
    {"__index", thunk<&kernel_statistic>},
    {"__pairs", thunk<&kernel_pairs>},
    {"__tostring", thunk<&kernel_tostring>},
    {"__eq", thunk<&same<KernelHandle, &KernelHandle::kernel>>},
    {"__rpl_value", thunk<&kernel_id>},
};

template <std::size_t index>
int dispatch_field(lua_State* thread) {
  const DispatchHandle& handle = dispatch_self(thread);
  push_value(thread, dispatch_columns()[index].value(live(thread, *handle.share), handle.row));
  return 1;
}

int dispatch_symbol(lua_State* thread) {
  const DispatchHandle& handle = dispatch_self(thread);
  const std::uint32_t kernel = live(thread, *handle.share).kernel_of(handle.row);
  if (kernel == kNone) return 0;
  push_kernel(thread, handle.share, kernel);
  return 1;
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

Record dispatch_record(lua_State* thread, DispatchHandle& handle) {
  const Trace& trace = live(thread, *handle.share);
  Record record;
  for (const DispatchColumn& column : dispatch_columns()) {
    record.emplace_back(column.column.name, column.value(trace, handle.row));
  }
  return record;
}

int dispatch_pairs(lua_State* thread) {
  DispatchHandle& handle = dispatch_self(thread);
  Record record = dispatch_record(thread, handle);
  add_missing(record, about_dispatch(thread, handle).record);
  return push_pairs(thread, std::move(record));
}

Value dispatch_totable(lua_State* thread, DispatchHandle& handle) {
  return Value(dispatch_record(thread, handle));
}

int dispatch_trace(lua_State* thread) {
  push_object(thread, TraceHandle{dispatch_self(thread).share});
  return 1;
}

std::string dispatch_tostring(lua_State* thread, DispatchHandle& handle) {
  const Trace& trace = live(thread, *handle.share);
  const std::uint32_t kernel = trace.kernel_of(handle.row);
  return fmt::format("d{} {} {} ns", handle.row + 1,
                     kernel == kNone ? "?" : short_kernel(trace.kernels()[kernel].name),
                     trace.duration_ns(handle.row));
}

// In the order of dispatch_columns(); a test compares the names.
constexpr FieldBinding kDispatchFields[] = {
    {"id", "string", "d1 is the first to start.", thunk<&dispatch_field<0>>},
    {"dispatch_id", "integer", "The recorder's number.", thunk<&dispatch_field<1>>},
    {"kernel", "string", "The kernel's full name.", thunk<&dispatch_field<2>>},
    {"kernel_id", "string", "The kernel's id.", thunk<&dispatch_field<3>>},
    {"agent", "string?", "Where it ran.", thunk<&dispatch_field<4>>},
    {"queue", "string?", "Hardware queue.", thunk<&dispatch_field<5>>},
    {"stream", "string?", "HIP stream.", thunk<&dispatch_field<6>>},
    {"start_ns", "integer", "When it started.", thunk<&dispatch_field<7>>},
    {"end_ns", "integer", "When it ended.", thunk<&dispatch_field<8>>},
    {"duration_ns", "integer", "end_ns - start_ns.", thunk<&dispatch_field<9>>},
    {"grid", "integer[]", "Work-items in x, y, z.", thunk<&dispatch_field<10>>},
    {"workgroup", "integer[]", "Work-items of a workgroup in x, y, z.", thunk<&dispatch_field<11>>},
    {"lds_bytes", "integer", "LDS per workgroup.", thunk<&dispatch_field<12>>},
    {"scratch_bytes", "integer", "Scratch per work-item.", thunk<&dispatch_field<13>>},
    {"symbol", "rpl.Kernel", "The kernel as an object.", thunk<&dispatch_symbol>},
    {"trace", "rpl.Trace", "The trace it belongs to.", thunk<&dispatch_trace>},
};

constexpr FunctionBinding kDispatchMethods[] = {
    {"totable", thunk<&dispatch_totable>, "", "table", "Its columns as a plain table."},
};

constexpr luaL_Reg kDispatchMetamethods[] = {
    {"__index", thunk<&dispatch_further>},
    {"__pairs", thunk<&dispatch_pairs>},
    {"__tostring", thunk<&dispatch_tostring>},
    {"__eq", thunk<&same<DispatchHandle, &DispatchHandle::row>>},
    {"__rpl_value", thunk<&dispatch_id>},
};

int dag_table(lua_State* thread, const char* path) {
  const TracePtr share = check_object<DagHandle>(thread, 1).share;
  live(thread, *share);
  push_object(thread,
              RowsHandle{.rows = std::make_shared<Rows>(kept_result(thread, *share, path))});
  return 1;
}
int dag_nodes(lua_State* thread) { return dag_table(thread, "dag nodes"); }
int dag_edges(lua_State* thread) { return dag_table(thread, "dag edges"); }

int dag_summary(lua_State* thread) {
  push_document(thread,
                run_on_trace(thread, *check_object<DagHandle>(thread, 1).share, "dag summary", 2));
  return 1;
}

constexpr FieldBinding kDagFields[] = {
    {"nodes", "rpl.Rows", "What `dag nodes` shows.", thunk<&dag_nodes>},
    {"edges", "rpl.Rows", "What `dag edges` shows.", thunk<&dag_edges>},
};
constexpr FunctionBinding kDagMethods[] = {
    {"summary", thunk<&dag_summary>, "options?: table", "rpl.Result", "What `dag summary` shows."},
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
};

const ClassBinding kDispatchClass{
    .name = type_name<DispatchHandle>,
    .help = "One launch of a kernel. The fields of `info dispatch` can be read too.",
    .fields = kernel_binding::kDispatchFields,
    .methods = kernel_binding::kDispatchMethods,
    .metamethods = kernel_binding::kDispatchMetamethods,
    .finalizer = detail::finalize<DispatchHandle>,
};

const ClassBinding kDagClass{
    .name = type_name<DagHandle>,
    .help = "The dependency graph of a trace.",
    .fields = kernel_binding::kDagFields,
    .methods = kernel_binding::kDagMethods,
    .metamethods = {},
    .finalizer = detail::finalize<DagHandle>,
};

void push_kernel(lua_State* thread, const TracePtr& share, std::uint32_t kernel) {
  push_object(thread, KernelHandle{share, kernel});
}

void push_dispatch(lua_State* thread, const TracePtr& share, std::uint32_t row) {
  push_object(thread, DispatchHandle{share, row});
}

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
    push_kernel(thread, handle.trace, static_cast<std::uint32_t>(found - kernels.begin()));
  } else {
    push_dispatch(thread, handle.trace, must(thread, resolve_dispatch(workspace, trace, *id)));
  }
}

}  // namespace rpl
