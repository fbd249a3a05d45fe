// SPDX-License-Identifier: MIT
#include "shell/core/command/define.h"

#include <fmt/format.h>

#include <stdexcept>

namespace rpl {

Bound Bound::required() && {
  param.required = true;
  return std::move(*this);
}

Bound Bound::completes(Complete what) && {
  param.complete = what;
  return std::move(*this);
}

Bound Bound::takes_phrase() && {
  param.phrase = true;
  return std::move(*this);
}

Bound Bound::a_name() && {
  param.bare_name = true;
  return std::move(*this);
}

Bound Bound::one_of(std::vector<Label> choices) && {
  param.choices = std::move(choices);
  return std::move(*this);
}

Bound Bound::in(Range range) && {
  param.range = range;
  return std::move(*this);
}

Bound Bound::or_letter(char letter) && {
  param.letter = letter;
  return std::move(*this);
}

Bound Bound::named(Label placeholder) && {
  param.placeholder = placeholder;
  return std::move(*this);
}

Bound Bound::defaulting(Value value) && {
  param.default_value = std::move(value);
  return std::move(*this);
}

Bound Bound::writes_file() && {
  output = true;
  return std::move(*this);
}

Bound Bound::needs(Capabilities capabilities) && {
  param.needs = capabilities;
  return std::move(*this);
}

namespace detail {
namespace {

// A mistake of the program's own text, found by the first start after it was made: writing through such an offset would be
// undefined.
[[noreturn]] void not_of_this_struct(Label name) {
  throw std::logic_error(fmt::format("the parameter {} belongs to another struct of arguments",
                                     std::string_view(name)));
}

}  // namespace

Bound bound(ParamKind kind, Label name, Label help, ParamType type, bool repeated) {
  return {.param = {.name = name, .kind = kind, .type = type, .help = help, .repeated = repeated}};
}

std::vector<Bound> inherited(std::vector<Bound> bounds, const void* base, std::size_t offset,
                             const void* owner) {
  for (Bound& bound : bounds) {
    if (bound.owner != base) not_of_this_struct(bound.param.name);
    bound.offset += offset;
    bound.owner = owner;
  }
  return bounds;
}

void fill(void* args, const std::vector<Bound>& bounds, const Arguments& given) {
  for (const Bound& bound : bounds) {
    const auto found = given.find(bound.param.name);
    if (found != given.end() && !found->second.is_null())
      bound.store(static_cast<char*>(args) + bound.offset, found->second);
  }
}

Command bound_command(Command definition, std::vector<Bound> bounds, const void* owner, Call call) {
  bool writes = false;
  for (const Bound& bound : bounds) {
    if (bound.owner != owner) not_of_this_struct(bound.param.name);
    definition.params.push_back(bound.param);
    writes = writes || bound.output;
  }
  if (writes) {
    definition.params.push_back({.name = kForce,
                                 .kind = ParamKind::flag,
                                 .type = ParamType::boolean,
                                 .help = "replace a file that rpl did not make"});
  }
  definition.run = [bounds = std::move(bounds), call = std::move(call)](Context& context,
                                                                        const Arguments& given) {
    return call(context, bounds, given);
  };
  return definition;
}

}  // namespace detail

std::vector<Bound> joined(std::vector<Bound> first, std::vector<Bound> second) {
  first.insert(first.end(), std::make_move_iterator(second.begin()),
               std::make_move_iterator(second.end()));
  return first;
}

Command command(Command definition, Handler handler) {
  definition.run = std::move(handler);
  return definition;
}

}  // namespace rpl
