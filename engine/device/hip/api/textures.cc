// SPDX-License-Identifier: MIT
// Textures over linear memory (tex1Dfetch), which kernels read by formatted buffer loads. Those over arrays, with filters and coordinates, are refused.
#include <algorithm>
#include <cstring>
#include <map>

#include "engine/device/hip/api/call.h"

using namespace rpl::emu::hip;

namespace {

/// hipChannelFormatDesc: bits of each channel, and a hipChannelFormatKind.
struct ChannelFormat {
  int bits[4];
  int kind;
};

/// hipResourceDesc, with the member of its union for linear memory.
struct LinearResource {
  int type;
  void* memory;
  ChannelFormat format;
  std::size_t bytes;
};
static_assert(offsetof(LinearResource, memory) == 8 && offsetof(LinearResource, format) == 16 &&
              offsetof(LinearResource, bytes) == 40);

/// The beginning of hipTextureDesc.
struct TextureSettings {
  int address_modes[3];
  int filter;
  int read_mode;
};

constexpr int kLinear = 2;              // hipResourceTypeLinear
constexpr int kSigned = 0, kFloat = 2;  // hipChannelFormatKind
constexpr int kNormalizedFloat = 1;     // hipReadModeNormalizedFloat

// What a hipTextureObject_t points to: twelve words that describe an image, then four of a sampler, as headers of HIP read them.
constexpr std::size_t kObjectBytes = 64;

/// DATA_FORMAT of a buffer descriptor; 0 for channels that no format has.
unsigned data_format(const ChannelFormat& format, unsigned channels) {
  // By channels, then by their bits: 8, 16, 32.
  constexpr unsigned kFormats[5][3] = {{}, {1, 2, 4}, {3, 5, 11}, {0, 0, 13}, {10, 12, 14}};
  for (unsigned i = 1; i < channels; ++i)
    if (format.bits[i] != format.bits[0]) return 0;
  const int bits = format.bits[0];
  return bits == 8 || bits == 16 || bits == 32 ? kFormats[channels][bits / 16] : 0;
}

/// NUM_FORMAT.
unsigned number_format(const ChannelFormat& format, int read_mode) {
  constexpr unsigned kUnorm = 0, kSnorm = 1, kUint = 4, kSint = 5, kReal = 7;
  if (format.kind == kFloat) return kReal;
  if (read_mode == kNormalizedFloat) return format.kind == kSigned ? kSnorm : kUnorm;
  return format.kind == kSigned ? kSint : kUint;
}

/// The descriptor of a buffer of elements (AMD's "Vega" ISA document, "Buffer Resource Descriptor"); false for a format that is none.
bool describe(const LinearResource& resource, int read_mode, std::uint32_t* words) {
  const ChannelFormat& format = resource.format;
  unsigned channels = 0;
  while (channels < 4 && format.bits[channels] != 0) ++channels;
  const unsigned data = channels == 0 ? 0 : data_format(format, channels);
  if (data == 0 || format.kind < kSigned || format.kind > kFloat) return false;
  const auto bytes = static_cast<unsigned>(format.bits[0]) * channels / 8;
  const auto address = reinterpret_cast<std::uint64_t>(resource.memory);
  constexpr unsigned kRed = 4, kOne = 1;
  unsigned select = 0;
  for (unsigned i = 0; i < 4; ++i)
    select |= (i < channels ? kRed + i : i == 3 ? kOne : 0U) << (3 * i);
  words[0] = static_cast<std::uint32_t>(address);
  words[1] = static_cast<std::uint32_t>(address >> 32) | bytes << 16;
  words[2] = static_cast<std::uint32_t>(std::min<std::size_t>(resource.bytes / bytes, ~0U));
  words[3] = select | number_format(format, read_mode) << 12 | data << 15;
  return true;
}

/// What textures were made of, by their handle.
std::map<const void*, LinearResource>& textures() {
  static auto* const all = new std::map<const void*, LinearResource>();
  return *all;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) ChannelFormat hipCreateChannelDesc(int x, int y,
                                                                                     int z, int w,
                                                                                     int kind) {
  return {.bits = {x, y, z, w}, .kind = kind};
}

RPL_HIP hipCreateTextureObject(void** texture, const void* resource, const void* settings,
                               const void* /*view*/) {
  Call call("hipCreateTextureObject", kHostCosts.allocate_ns, {out("pTexObject", texture)});
  if (texture == nullptr || resource == nullptr || settings == nullptr)
    return call.end(Code::invalid_value);
  LinearResource wanted;
  std::memcpy(&wanted.type, resource, sizeof(wanted.type));
  if (wanted.type != kLinear) {
    call.runtime().refuse("hipCreateTextureObject of an array or of pitched memory");
    return call.end(Code::not_supported);
  }
  std::memcpy(&wanted, resource, sizeof(wanted));
  TextureSettings how;
  std::memcpy(&how, settings, sizeof(how));
  std::uint32_t words[kObjectBytes / sizeof(std::uint32_t)] = {};
  if (wanted.memory == nullptr || wanted.bytes == 0 || !describe(wanted, how.read_mode, words))
    return call.end(Code::invalid_value);
  const Allocation* object = call.runtime().space().allocate(Allocation::Kind::device, kObjectBytes,
                                                             call.thread().device, 0);
  if (object == nullptr) return call.end(Code::out_of_memory);
  *texture = reinterpret_cast<void*>(object->base);
  std::memcpy(*texture, words, sizeof(words));
  textures()[*texture] = wanted;
  return call.end(Code::success);
}

RPL_HIP hipDestroyTextureObject(void* texture) {
  Call call("hipDestroyTextureObject", kHostCosts.free_ns, {pointer("textureObject", texture)});
  if (texture == nullptr) return call.end(Code::success);
  if (textures().erase(texture) == 0) return call.end(Code::invalid_value);
  call.runtime().space().release(reinterpret_cast<std::uint64_t>(texture));
  return call.end(Code::success);
}

RPL_HIP hipGetTextureObjectResourceDesc(void* resource, const void* texture) {
  Call call("hipGetTextureObjectResourceDesc", kHostCosts.call_ns,
            {pointer("textureObject", texture)});
  const auto found = textures().find(texture);
  if (resource == nullptr || found == textures().end()) return call.end(Code::invalid_value);
  std::memcpy(resource, &found->second, sizeof(found->second));
  return call.end(Code::success);
}
