// The viewer colours ground like this folder. The right colours are in
// client/web/test/vectors/picture.json, which this test keeps current.
#include "tests/proto/web_vectors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <random>
#include <string>

#include "proto/picture/ramp.h"

namespace thalweg::picture {
namespace {

std::string Number(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", static_cast<double>(value));
  return text;
}

// For worlds with and without a sea: the positions of heights on the colour ramp. The ramp does not
// depend on a picture's own range.
std::string HeightsText() {
  std::string text;
  for (const std::optional<float> sea_m : {std::optional<float>(), {0.0F}, {120.0F}}) {
    for (const float height_m : {250.0F, 1000.0F, 2000.0F, 3500.0F}) {
      const float place =
          RampPosition(height_m, {.min_m = height_m, .max_m = height_m, .sea_level_m = sea_m});
      text += (text.empty() ? "[" : ",[") + (sea_m ? Number(*sea_m) : "null") + "," +
              Number(height_m) + "," + Number(place) + "]";
    }
  }
  return "[" + text + "]";
}

// Values of covers and the bytes of their colours. The last ones have numbers without a class.
std::string CoversText() {
  std::mt19937 random(1);
  std::string text;
  for (int n = 0; n < 40; ++n) {
    std::uint32_t classes = 0;
    for (int k = 0; k < 3; ++k) classes |= static_cast<std::uint32_t>(random() % 16) << 4 * k;
    const auto second = static_cast<std::uint32_t>(random() % 120);
    const auto packed = static_cast<std::int32_t>(
        classes | second << 12 | static_cast<std::uint32_t>(random() % (second + 1)) << 20);
    const Color color = MixedCoverTint(packed);
    text += (text.empty() ? "[" : ",[") + std::to_string(packed);
    for (const float channel : {color.r, color.g, color.b}) {
      text += "," + std::to_string(std::lround(channel * 255));
    }
    text += "]";
  }
  return "[" + text + "]";
}

TEST(PictureVectorsTest, AreUpToDate) {
  ExpectCurrentVectors("picture.json",
                       "{\"heights\":" + HeightsText() + ",\n\"covers\":" + CoversText() + "}\n");
}

}  // namespace
}  // namespace thalweg::picture
