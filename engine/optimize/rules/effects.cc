// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/effects.h"

#include <algorithm>
#include <array>
#include <optional>

namespace rpl {
namespace {

struct KnownName {
  std::string_view prefix;
  Effect effect;
};
// Names of HIP's device library and of clang's AMDGPU builtins. Those that end here stand for all that begin so.
constexpr auto kKnownNames =
    std::to_array<KnownName>({{"__syncthreads", Effect::barrier},
                              {"__syncwarp", Effect::barrier},
                              {"__threadfence", Effect::barrier},
                              {"__builtin_amdgcn_s_barrier", Effect::barrier},
                              {"__builtin_amdgcn_fence", Effect::barrier},
                              {"__builtin_amdgcn_wave_barrier", Effect::barrier},
                              {"__ockl_grid_sync", Effect::barrier},
                              {"__shfl", Effect::cross_lane},
                              {"__ballot", Effect::cross_lane},
                              {"__any", Effect::cross_lane},
                              {"__all", Effect::cross_lane},
                              {"__activemask", Effect::cross_lane},
                              {"__match_", Effect::cross_lane},
                              {"__reduce_", Effect::cross_lane},
                              {"__builtin_amdgcn_ds_bpermute", Effect::cross_lane},
                              {"__builtin_amdgcn_ds_permute", Effect::cross_lane},
                              {"__builtin_amdgcn_ds_swizzle", Effect::cross_lane},
                              {"__builtin_amdgcn_readlane", Effect::cross_lane},
                              {"__builtin_amdgcn_readfirstlane", Effect::cross_lane},
                              {"__builtin_amdgcn_writelane", Effect::cross_lane},
                              {"__builtin_amdgcn_mov_dpp", Effect::cross_lane},
                              {"__builtin_amdgcn_update_dpp", Effect::cross_lane},
                              {"__builtin_amdgcn_permlane", Effect::cross_lane},
                              {"__builtin_amdgcn_ballot", Effect::cross_lane},
                              {"__builtin_amdgcn_wave_reduce", Effect::cross_lane},
                              {"asm", Effect::assembly},
                              {"__asm", Effect::assembly},
                              {"HIP_DYNAMIC_SHARED", Effect::dynamic_lds}});

std::optional<Effect> known_effect(std::string_view name) {
  for (const KnownName& known : kKnownNames) {
    const bool whole = known.prefix == "asm" || known.prefix == "__all" || known.prefix == "__any";
    if (whole ? name == known.prefix || name == "__all_sync" || name == "__any_sync"
              : name.starts_with(known.prefix)) {
      return known.effect;
    }
  }
  const bool atomic = name.find("atomic") != name.npos || name.find("Atomic") != name.npos;
  return atomic ? std::optional(Effect::atomic) : std::nullopt;
}

/// `group.sync()` and its kin of cooperative groups.
bool is_group_call(const SourceText& source, std::size_t i) {
  constexpr auto kMembers =
      std::to_array<std::string_view>({"sync", "shfl", "shfl_down", "shfl_up", "shfl_xor", "ballot",
                                       "any", "all", "match_any", "match_all"});
  const bool member =
      i > 0 && (source.is(i - 1, ".") || source.is(i - 1, "->")) && source.is(i + 1, "(");
  return member && std::ranges::find(kMembers, source[i].text) != kMembers.end();
}

}  // namespace

std::string_view to_string(Effect effect) {
  switch (effect) {
    case Effect::barrier:
      return "a barrier";
    case Effect::cross_lane:
      return "a cross-lane operation";
    case Effect::atomic:
      return "an atomic operation";
    case Effect::assembly:
      return "inline assembly";
    case Effect::dynamic_lds:
      return "dynamic LDS";
    case Effect::pasted_tokens:
      return "a name that a macro pastes together";
  }
  return "";
}

Effects::Effects(const SourceText& source, const SourceDeclarations& declared,
                 const SourceKernel& kernel) {
  for (const SourceVariable& variable : declared.variables) {
    if (variable.dynamic_shared) known_[variable.name] = {Effect::dynamic_lds, variable.name};
  }
  for (const SourceMacro& macro : declared.macros) note_macro(macro);
  for (const SourceFunction& function : declared.functions) {
    note_words(source, function.body_open, function.body_close, function.name);
  }
  note_dynamic_lds(source, kernel.body_open, kernel.body_close);
  note_aliases(source, kernel);
  note_lambdas(source, kernel);
  // Words that have an effect by themselves, wherever they stand.
  for (const SourceToken& token : source.tokens()) {
    if (token.kind != SourceTokenKind::identifier || known_.contains(token.text)) continue;
    if (const auto effect = known_effect(token.text)) known_[token.text] = {*effect, token.text};
  }
  spread();
}

const EffectOf* Effects::find(std::string_view name) const {
  const auto found = known_.find(name);
  return found == known_.end() ? nullptr : &found->second;
}

void Effects::note_words(const SourceText& source, std::size_t begin, std::size_t end,
                         std::string_view definition) {
  for (std::size_t i = begin; i < end && i < source.size(); ++i) {
    const SourceToken& token = source[i];
    if (token.kind != SourceTokenKind::identifier) continue;
    uses_.emplace(token.text, definition);
    if (is_group_call(source, i))
      known_.try_emplace(definition, EffectOf{Effect::barrier, token.text});
    if (token.is("extern") && source.is(i + 1, "__shared__")) {
      known_.try_emplace(definition, EffectOf{Effect::dynamic_lds, "extern __shared__"});
    }
  }
}

void Effects::note_macro(const SourceMacro& macro) {
  std::string_view rest = macro.replacement;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (word.starts_with('(') && word.size() > 1) word.remove_prefix(1);
    if (word.empty() || word == macro.name) continue;
    uses_.emplace(word, macro.name);
    if (word == "##") known_.try_emplace(macro.name, EffectOf{Effect::pasted_tokens, macro.name});
    if (const auto effect = known_effect(word)) known_.try_emplace(word, EffectOf{*effect, word});
  }
}

/// `auto f = [&](…) { … };` in the kernel: calling f does what its body does.
void Effects::note_lambdas(const SourceText& source, const SourceKernel& kernel) {
  for (std::size_t i = kernel.body_open + 1; i + 2 < kernel.body_close; ++i) {
    const bool lambda = source[i].kind == SourceTokenKind::identifier && source.is(i + 1, "=") &&
                        source.is(i + 2, "[");
    if (!lambda) continue;
    constexpr std::size_t kLongestHead =
        64;  // groups and words before the body; keeps hostile input linear
    std::size_t end = i + 2;
    for (std::size_t n = 0; n < kLongestHead && end < kernel.body_close && !source.is(end, "{");
         ++n) {
      end = source.after_group(end);
    }
    if (source.is(end, "{")) end = source.after_group(end);
    note_words(source, i + 2, std::min(end, kernel.body_close), source[i].text);
  }
}

void Effects::note_dynamic_lds(const SourceText& source, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const bool declares = source.is(i, "extern");
    const bool macro = source.is(i, "HIP_DYNAMIC_SHARED") && source.is(i + 1, "(");
    if (!declares && !macro) continue;
    std::string_view name;
    const std::size_t stop = macro ? source.after_group(i + 1) : end;
    for (++i; i < stop && !source.is(i, ";") && (macro || !source.is(i, "[")); ++i) {
      if (source[i].kind == SourceTokenKind::identifier) name = source[i].text;
    }
    if (!name.empty()) known_[name] = {Effect::dynamic_lds, name};
  }
}

/// `float* tile = lds + n;`: tile is dynamic LDS as well. `float x = lds[n];` is a value.
void Effects::note_aliases(const SourceText& source, const SourceKernel& kernel) {
  for (std::size_t i = kernel.body_open + 1; i < kernel.body_close; ++i) {
    if (!source.is(i, "=") || source[i - 1].kind != SourceTokenKind::identifier) continue;
    for (std::size_t at = i + 1; at < kernel.body_close && !source.is(at, ";") &&
                                 !source.is(at, ",") && !source.is(at, "=");
         ++at) {
      const auto found = known_.find(source[at].text);
      if (found == known_.end() || found->second.effect != Effect::dynamic_lds) continue;
      const bool value = source.is(at + 1, "[") && !source.is(at - 1, "&");
      if (!value) known_.try_emplace(source[i - 1].text, found->second);
    }
  }
}

/// Whoever uses a name with an effect has it too.
void Effects::spread() {
  std::vector<std::string_view> open;
  for (const auto& [name, effect] : known_) open.push_back(name);
  while (!open.empty()) {
    const std::string_view used = open.back();
    open.pop_back();
    const EffectOf effect = known_.at(used);
    for (auto user = uses_.lower_bound({used, {}}); user != uses_.end() && user->first == used;
         ++user) {
      if (known_.try_emplace(user->second, effect).second) open.push_back(user->second);
    }
  }
}

}  // namespace rpl
