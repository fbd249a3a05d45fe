// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/source/text/declarations.h"

namespace rpl {

/// Why code should not be repeated by unrolling.
enum class Effect { barrier, cross_lane, atomic, assembly, dynamic_lds, pasted_tokens };

/// "a barrier", "dynamic LDS", …
std::string_view to_string(Effect effect);

/// Where a name leads: to `effect`, by the name `source` ("__syncthreads"); `name` itself when it has the effect.
struct EffectOf {
  Effect effect = Effect::barrier;
  std::string_view source;
};

/// Which names of a file have effects, directly or through the macros, functions and lambdas of the file. Names that come
/// from included files are known by a list only.
class Effects {
 public:
  Effects(const SourceText& source, const SourceDeclarations& declared, const SourceKernel& kernel);

  /// The effect of one word; null for none.
  [[nodiscard]] const EffectOf* find(std::string_view name) const;

 private:
  void note_words(const SourceText& source, std::size_t begin, std::size_t end,
                  std::string_view definition);
  void note_macro(const SourceMacro& macro);
  void note_lambdas(const SourceText& source, const SourceKernel& kernel);
  void note_dynamic_lds(const SourceText& source, std::size_t begin, std::size_t end);
  void note_aliases(const SourceText& source, const SourceKernel& kernel);
  void spread();

  std::map<std::string_view, EffectOf> known_;
  std::set<std::pair<std::string_view, std::string_view>>
      uses_;  ///< used name, definition that uses it
};

}  // namespace rpl
