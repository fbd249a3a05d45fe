// SPDX-License-Identifier: MIT
#include "tests/engine/isa/probes.h"

#include <array>

namespace rpl::isa {
namespace {

using Random = std::mt19937;

std::uint32_t below(Random& random, std::uint32_t bound) {
  return static_cast<std::uint32_t>(random()) % bound;
}
bool one_in(Random& random, std::uint32_t times) { return below(random, times) == 0; }
/// Random bits one time in four: instructions that do not know a modifier refuse it.
std::uint32_t seldom(Random& random, unsigned bits) {
  return one_in(random, 4) ? below(random, 1U << bits) : 0;
}
/// Even, because gfx90a and gfx942 want register pairs aligned; low enough for 32 of them.
std::uint32_t vgpr(Random& random) { return 2 * below(random, 112); }
std::uint32_t sgpr(Random& random) { return 4 * below(random, 20); }
/// A register, or none where an instruction has no such operand.
std::uint32_t vgpr_or_zero(Random& random) { return one_in(random, 2) ? vgpr(random) : 0; }

/// Eight bits: an SGPR, a constant or a special register.
std::uint32_t scalar_source(Random& random) {
  constexpr std::array<std::uint32_t, 24> kCodes = {102, 104, 106, 108, 124, 126, 128, 129,
                                                    192, 193, 208, 235, 236, 237, 238, 240,
                                                    241, 243, 245, 247, 248, 251, 252, 253};
  return one_in(random, 2) ? sgpr(random) : kCodes[below(random, kCodes.size())];
}
std::uint32_t source(Random& random) {
  return one_in(random, 3) ? scalar_source(random) : 256 + vgpr(random);
}

void fill_smem(Random& random, llvm::Words& words) {
  const bool immediate = one_in(random, 2), register_offset = one_in(random, 3);
  words[0] |= (one_in(random, 4) ? 0 : sgpr(random)) << 6 |
              (one_in(random, 4) ? 0 : sgpr(random)) / 2 | below(random, 2) << 16 |
              (immediate ? 1U << 17 : 0) | (register_offset ? 1U << 14 : 0);
  words[1] = immediate         ? below(random, 1U << 21)
             : register_offset ? 0
                               : below(random, 2) * sgpr(random);
  if (register_offset) words[1] |= sgpr(random) << 25;
}

void fill_vop3(Random& random, llvm::Words& words) {
  const bool second_destination = one_in(random, 4);
  words[0] |=
      (one_in(random, 8) ? sgpr(random) : vgpr(random)) | seldom(random, 1) << 15 |
      (second_destination ? sgpr(random) << 8 : seldom(random, 3) << 8 | seldom(random, 4) << 11);
  words[1] = (one_in(random, 8) ? 0 : source(random)) |
             (one_in(random, 4) ? 0 : source(random)) << 9 |
             (one_in(random, 2) ? 0 : source(random)) << 18 | seldom(random, 2) << 27 |
             seldom(random, 3) << 29;
}

void fill_vop3p(Random& random, llvm::Words& words) {
  if (one_in(random, 8)) {  // a move to or from an accumulation register
    words[0] |= vgpr(random) | 1U << 14;
    words[1] = (256 + vgpr(random)) | 3U << 27;
    return;
  }
  const bool usual = !one_in(random, 4);
  words[0] |= vgpr(random) | seldom(random, 3) << 8 | seldom(random, 3) << 11 |
              (usual ? below(random, 2) : seldom(random, 1)) << 14 | seldom(random, 1) << 15;
  words[1] = (one_in(random, 8) ? 0 : 256 + vgpr(random)) |
             (one_in(random, 4) ? 0 : source(random)) << 9 |
             (one_in(random, 3) ? 0 : source(random)) << 18 | below(random, 4) << 27 |
             seldom(random, 3) << 29;
}

void fill_ds(Random& random, llvm::Words& words) {
  words[0] |= (one_in(random, 2) ? below(random, 1U << 16) : 0) |
              (one_in(random, 4) ? 1U << 16 : 0) | seldom(random, 1) << 25;
  words[1] = vgpr_or_zero(random) | vgpr_or_zero(random) << 8 | vgpr_or_zero(random) << 16 |
             vgpr_or_zero(random) << 24;
}

void fill_flat(Random& random, llvm::Words& words) {
  words[0] |= (one_in(random, 2) ? below(random, 1U << 13) : 0) | seldom(random, 1) << 13 |
              below(random, 3) << 14 | below(random, 4) << 16 | seldom(random, 1) << 25;
  words[1] = vgpr_or_zero(random) | vgpr_or_zero(random) << 8 |
             (one_in(random, 2)   ? 0x7F
              : one_in(random, 4) ? 0
                                  : sgpr(random))
                 << 16 |
             seldom(random, 1) << 23 | vgpr_or_zero(random) << 24;
}

std::uint32_t buffer_operands(Random& random) {
  return vgpr_or_zero(random) | vgpr_or_zero(random) << 8 | below(random, 20) << 16 |
         seldom(random, 1) << 23 | scalar_source(random) << 24;
}

void fill_mubuf(Random& random, llvm::Words& words) {
  words[0] |= (one_in(random, 2) ? below(random, 1U << 12) : 0) | below(random, 4) << 12 |
              below(random, 2) << 14 | seldom(random, 3) << 15;
  words[1] = one_in(random, 16) ? 0 : buffer_operands(random);
}

void fill_mtbuf(Random& random, llvm::Words& words) {
  words[0] |= below(random, 1U << 12) | below(random, 4) << 12 | below(random, 2) << 14 |
              below(random, 128) << 19;
  words[1] = buffer_operands(random) | below(random, 4) << 21;
}

std::uint32_t sdwa_word(Random& random, bool compares) {
  const std::uint32_t source_0 = one_in(random, 4) ? sgpr(random) | 1U << 23 : vgpr(random);
  const std::uint32_t destination =
      compares ? (one_in(random, 2) ? 0 : 1U << 15 | sgpr(random) << 8)
               : below(random, 7) << 8 | below(random, 3) << 11 | seldom(random, 3) << 13;
  return source_0 | destination | below(random, 7) << 16 | seldom(random, 3) << 19 |
         below(random, 7) << 24 | seldom(random, 3) << 27;
}

std::uint32_t dpp_word(Random& random) {
  const std::uint32_t control =
      one_in(random, 2) ? below(random, 256) : 0x100 + below(random, 0x60);
  return vgpr(random) | control << 8 | seldom(random, 1) << 19 | seldom(random, 4) << 20 |
         below(random, 256) << 24;
}

/// What short vector instructions have in common: a source that stands for SDWA, DPP or a literal.
std::uint32_t short_source(Random& random, llvm::Words& words, bool compares) {
  constexpr std::uint32_t kSdwa = 249, kDpp = 250, kLiteral = 255;
  switch (below(random, 6)) {
    case 0:
      words[1] = sdwa_word(random, compares);
      return kSdwa;
    case 1:
      words[1] = dpp_word(random);
      return kDpp;
    case 2:
      words[1] = one_in(random, 2) ? static_cast<std::uint32_t>(random()) : below(random, 1U << 16);
      return kLiteral;
    default:
      return source(random);
  }
}

void fill_vop1(Random& random, llvm::Words& words) {
  words[0] |= short_source(random, words, false) | (one_in(random, 8) ? 0 : vgpr(random)) << 17;
}
void fill_vop2(Random& random, llvm::Words& words) {
  // v_madmk and its like always have a literal.
  if (one_in(random, 4)) words[1] = below(random, 1U << 16);
  words[0] |= short_source(random, words, false) | vgpr(random) << 9 | vgpr(random) << 17;
}
void fill_vopc(Random& random, llvm::Words& words) {
  words[0] |= short_source(random, words, true) | vgpr(random) << 9;
}
void fill_sop1(Random& random, llvm::Words& words) {
  words[0] |= (one_in(random, 8) ? 0 : scalar_source(random)) |
              (one_in(random, 4) ? 0 : sgpr(random)) << 16;
}
void fill_sop2(Random& random, llvm::Words& words) {
  words[0] |= scalar_source(random) | scalar_source(random) << 8 |
              (one_in(random, 4) ? 0 : sgpr(random)) << 16;
}
void fill_sopc(Random& random, llvm::Words& words) {
  words[0] |=
      scalar_source(random) | (one_in(random, 4) ? below(random, 16) : scalar_source(random)) << 8;
}
void fill_sopk(Random& random, llvm::Words& words) {
  words[0] |= below(random, 1U << 16) | (one_in(random, 4) ? 0 : sgpr(random)) << 16;
}
void fill_sopp(Random& random, llvm::Words& words) {
  words[0] |= one_in(random, 4) ? 0 : below(random, 1U << (1 + below(random, 16)));
}

// Which of the two it is stands in the third word.
void fill_vop3px(Random& random, llvm::Words& words) {
  words[0] |= seldom(random, 2) << 11;
  words[1] = (256 + vgpr(random)) | (256 + vgpr(random)) << 9 | below(random, 4) << 27;
  words[2] = 0xD3800000 | (0x2dU + below(random, 2)) << 16 | 1U << 11 | vgpr(random) |
             below(random, 5) << 8 | below(random, 2) << 15;
  words[3] = (256 + vgpr(random)) | (256 + vgpr(random)) << 9 |
             (one_in(random, 3) ? scalar_source(random) : 256 + vgpr(random)) << 18 |
             below(random, 4) << 27 | below(random, 5) << 29;
}

constexpr Shape kShapes[] = {
    {"sop2", 0x80000000, 2, 23, 96, fill_sop2},    {"sop1", 0xBE800000, 9, 8, 256, fill_sop1},
    {"sopc", 0xBF000000, 9, 16, 128, fill_sopc},   {"sopp", 0xBF800000, 9, 16, 128, fill_sopp},
    {"sopk", 0xB0000000, 4, 23, 29, fill_sopk},    {"smem", 0xC0000000, 6, 18, 256, fill_smem},
    {"vop2", 0x00000000, 1, 25, 62, fill_vop2},    {"vopc", 0x7C000000, 7, 17, 256, fill_vopc},
    {"vop1", 0x7E000000, 7, 9, 256, fill_vop1},    {"vop3", 0xD0000000, 6, 16, 896, fill_vop3},
    {"vop3p", 0xD3800000, 9, 16, 128, fill_vop3p}, {"ds", 0xD8000000, 6, 17, 256, fill_ds},
    {"flat", 0xDC000000, 6, 18, 128, fill_flat},   {"mubuf", 0xE0000000, 6, 18, 128, fill_mubuf},
    {"mtbuf", 0xE8000000, 6, 15, 16, fill_mtbuf},  {"vop3px", 0xD3AC0000, 16, 16, 1, fill_vop3px}};

}  // namespace

std::span<const Shape> shapes() { return kShapes; }

std::vector<llvm::Words> random_probes(const Shape& shape, unsigned rounds, Random& random) {
  unsigned bits = 0;
  while (1U << bits < shape.opcodes) ++bits;
  const std::uint32_t keep = ~std::uint32_t{0} << (32 - shape.fixed_bits) | ((1U << bits) - 1)
                                                                                << shape.opcode_at;
  std::vector<llvm::Words> probes;
  for (std::uint32_t code = 0; code < shape.opcodes; ++code) {
    for (unsigned round = 0; round < rounds; ++round) {
      llvm::Words words;
      for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
      words[0] = (words[0] & ~keep) | shape.fixed | code << shape.opcode_at;
      probes.push_back(words);
    }
  }
  return probes;
}

std::vector<llvm::Words> sensible_probes(const Shape& shape, unsigned rounds, Random& random) {
  std::vector<llvm::Words> probes;
  for (std::uint32_t code = 0; code < shape.opcodes; ++code) {
    for (unsigned round = 0; round < rounds; ++round) {
      llvm::Words words = {
          shape.fixed | code << shape.opcode_at, static_cast<std::uint32_t>(random()),
          static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
      // Some have no operands at all, and some of those want a flag.
      if (one_in(random, 16)) {
        words[0] |= one_in(random, 2) ? 0 : 1U << (12 + below(random, 6));
        words[1] = 0;
      } else {
        shape.fill(random, words);
      }
      probes.push_back(words);
    }
  }
  return probes;
}

}  // namespace rpl::isa
