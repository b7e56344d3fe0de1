// Makes one source both GLSL 4.60 and C++20. Kernels use the words defined here and floats with an
// f, and nothing else that the two languages spell differently.
#ifndef THALWEG_KERNELS_LANGUAGE
#define THALWEG_KERNELS_LANGUAGE

#ifdef __cplusplus
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace thalweg::kernels {
using glm::abs;
using glm::clamp;
using glm::floatBitsToUint;
using glm::floor;
using glm::ivec2;
using glm::ivec3;
using glm::ivec4;
using glm::max;
using glm::min;
using glm::uint;
using glm::uintBitsToFloat;
using glm::uvec2;
using glm::vec2;
using glm::vec3;
using glm::vec4;
using std::int64_t;
using std::uint64_t;
}  // namespace thalweg::kernels

#define KERNELS_BEGIN namespace thalweg::kernels {
#define KERNELS_END }
// A program that compiles kernels several times, for different processors, keeps each one's own.
#ifdef THALWEG_OWN_KERNELS
#define KERNEL static inline __attribute__((always_inline))
#else
#define KERNEL inline
#endif
#define CONSTANT inline constexpr
#else
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define KERNELS_BEGIN
#define KERNELS_END
#define KERNEL
#define CONSTANT const
#endif

#endif
