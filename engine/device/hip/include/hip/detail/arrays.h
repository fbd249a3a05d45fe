/* SPDX-License-Identifier: MIT */
/* Arrays and pitched memory, as far as programs must be able to ask for them: textures are left out, and what allocates or copies
 * arrays returns hipErrorNotSupported on the emulated devices. */
#pragma once

#include <hip/detail/handles.h>

#define hipArrayDefault 0x00
#define hipArrayLayered 0x01
#define hipArraySurfaceLoadStore 0x02
#define hipArrayCubemap 0x04
#define hipArrayTextureGather 0x08

typedef enum hipChannelFormatKind {
  hipChannelFormatKindSigned = 0,
  hipChannelFormatKindUnsigned = 1,
  hipChannelFormatKindFloat = 2,
  hipChannelFormatKindNone = 3
} hipChannelFormatKind;

/** Bits of each channel. */
typedef struct hipChannelFormatDesc {
  int x, y, z, w;
  enum hipChannelFormatKind f;
} hipChannelFormatDesc;

/** Elements of arrays. */
typedef enum hipArray_Format {
  HIP_AD_FORMAT_UNSIGNED_INT8 = 1, HIP_AD_FORMAT_UNSIGNED_INT16, HIP_AD_FORMAT_UNSIGNED_INT32, HIP_AD_FORMAT_SIGNED_INT8 = 8,
  HIP_AD_FORMAT_SIGNED_INT16, HIP_AD_FORMAT_SIGNED_INT32, HIP_AD_FORMAT_HALF = 16, HIP_AD_FORMAT_FLOAT = 32
} hipArray_Format;

typedef struct hipArray {
  void* data;
  struct hipChannelFormatDesc desc;
  unsigned int type, width, height, depth;
  enum hipArray_Format Format;
  unsigned int NumChannels;
  bool isDrv;
  unsigned int textureType;
} hipArray;
typedef hipArray* hipArray_t;
typedef const hipArray* hipArray_const_t;

/** Rows of `pitch` bytes. */
typedef struct hipPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
} hipPitchedPtr;

typedef struct hipExtent {
  size_t width, height, depth;
} hipExtent;

typedef struct hipPos {
  size_t x, y, z;
} hipPos;

typedef struct hipMemcpy3DParms {
  hipArray_t srcArray;
  struct hipPos srcPos;
  struct hipPitchedPtr srcPtr;
  hipArray_t dstArray;
  struct hipPos dstPos;
  struct hipPitchedPtr dstPtr;
  struct hipExtent extent;
  enum hipMemcpyKind kind;
} hipMemcpy3DParms;

typedef struct hip_Memcpy2D {
  size_t srcXInBytes, srcY;
  hipMemoryType srcMemoryType;
  const void* srcHost;
  hipDeviceptr_t srcDevice;
  hipArray* srcArray;
  size_t srcPitch, dstXInBytes, dstY;
  hipMemoryType dstMemoryType;
  void* dstHost;
  hipDeviceptr_t dstDevice;
  hipArray* dstArray;
  size_t dstPitch, WidthInBytes, Height;
} hip_Memcpy2D;

static inline struct hipPitchedPtr make_hipPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height) {
  struct hipPitchedPtr made;
  made.ptr = pointer;
  made.pitch = pitch;
  made.xsize = width;
  made.ysize = height;
  return made;
}

static inline struct hipExtent make_hipExtent(size_t width, size_t height, size_t depth) {
  struct hipExtent made;
  made.width = width;
  made.height = height;
  made.depth = depth;
  return made;
}

static inline struct hipPos make_hipPos(size_t x, size_t y, size_t z) {
  struct hipPos made;
  made.x = x;
  made.y = y;
  made.z = z;
  return made;
}

RPL_HIP_BEGIN

struct hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, enum hipChannelFormatKind kind);
hipError_t hipMallocArray(hipArray** array, const hipChannelFormatDesc* format, size_t width, size_t height RPL_HIP_DEFAULT(0),
                          unsigned flags RPL_HIP_DEFAULT(hipArrayDefault));
hipError_t hipMalloc3D(hipPitchedPtr* where, hipExtent extent);
hipError_t hipMalloc3DArray(hipArray** array, const struct hipChannelFormatDesc* format, struct hipExtent extent, unsigned flags);
hipError_t hipFreeArray(hipArray* array);
hipError_t hipMemcpyToArray(hipArray* to, size_t x, size_t y, const void* from, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpyFromArray(void* to, hipArray_const_t from, size_t x, size_t y, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpy2DToArray(hipArray* to, size_t x, size_t y, const void* from, size_t pitch, size_t width, size_t height,
                              hipMemcpyKind kind);
hipError_t hipMemcpy2DFromArray(void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y, size_t width, size_t height,
                                hipMemcpyKind kind);

RPL_HIP_END
