#include "server/tiles3d/subtree_file.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"

namespace thalweg::tiles3d {
namespace {

constexpr std::uint32_t kMagic = 0x74627573;  // "subt"
constexpr std::uint32_t kVersion = 1;

template <typename T>
void Append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void Pad(std::string& bytes, char padding) { bytes.resize((bytes.size() + 7) / 8 * 8, padding); }

// The bufferViews of a buffer that is being filled.
struct Views {
  std::string json;
  std::string binary;

  void Add(const std::string& content) {
    absl::StrAppend(&json, json.empty() ? "" : ",", "{\"buffer\":0,\"byteOffset\":", binary.size(),
                    ",\"byteLength\":", content.size(), "}");
    binary += content;
    Pad(binary, '\0');
  }
};

// A bit for each tile, of which the first ones are set.
std::string FirstBits(int set, int bits) {
  std::string bytes(static_cast<std::size_t>((bits + 7) / 8), '\0');
  for (int bit = 0; bit < set; ++bit) {
    char& byte = bytes[static_cast<std::size_t>(bit / 8)];
    byte = static_cast<char>(byte | (1 << (bit % 8)));
  }
  return bytes;
}

// The nearest float that is not larger, or not smaller, than this.
float Outward(double metres, float towards) {
  const auto nearest = static_cast<float>(metres);
  const bool inside =
      towards < 0 ? static_cast<double>(nearest) > metres : static_cast<double>(nearest) < metres;
  return inside ? std::nextafter(nearest, towards) : nearest;
}

}  // namespace

std::string EncodeSubtree(std::span<const HeightBounds> bounds, bool has_children) {
  constexpr float kFar = std::numeric_limits<float>::max();
  std::string min;
  std::string max;
  for (const HeightBounds& tile : bounds) {
    Append(min, Outward(tile.min_m, -kFar));
    Append(max, Outward(tile.max_m, kFar));
  }
  Views views;
  views.Add(min);
  views.Add(max);
  const int count = static_cast<int>(bounds.size());
  std::string available = "{\"constant\":1}";
  if (count < TilesOf(kSubtreeLevels)) {
    views.Add(FirstBits(count, TilesOf(kSubtreeLevels)));
    available = absl::StrCat("{\"bitstream\":2,\"availableCount\":", count, "}");
  }
  std::string json = absl::StrCat(
      "{\"buffers\":[{\"byteLength\":", views.binary.size(), "}],\"bufferViews\":[", views.json,
      "],\"propertyTables\":[{\"class\":\"tile\",\"count\":", count,
      ",\"properties\":{\"minimumHeight\":{\"values\":0},\"maximumHeight\":{\"values\":1}}}],"
      "\"tileMetadata\":0,\"tileAvailability\":",
      available, ",\"contentAvailability\":[", available,
      "],\"childSubtreeAvailability\":{\"constant\":", has_children ? 1 : 0, "}}");
  Pad(json, ' ');
  std::string bytes;
  Append(bytes, kMagic);
  Append(bytes, kVersion);
  Append(bytes, std::uint64_t{json.size()});
  Append(bytes, std::uint64_t{views.binary.size()});
  return bytes + json + views.binary;
}

}  // namespace thalweg::tiles3d
