// Archives of PMTiles with more tiles than one directory holds, read by the specification.
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "client/tools/raster/tile_archive.h"

namespace thalweg::raster_file {
namespace {

namespace fs = std::filesystem;

std::string Unzipped(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string plain(std::size_t{16} << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  return plain;
}

struct Entry {
  std::uint64_t id;
  std::uint64_t run;
  std::uint64_t length;
  std::uint64_t offset;
};

std::vector<Entry> DirectoryOf(const std::string& bytes) {
  std::size_t at = 0;
  const auto next = [&] {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(bytes[at++]);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  };
  std::vector<Entry> entries(next());
  std::uint64_t id = 0;
  for (Entry& entry : entries) entry.id = id += next();
  for (Entry& entry : entries) entry.run = next();
  for (Entry& entry : entries) entry.length = next();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint64_t offset = next();
    entries[i].offset = offset > 0 ? offset - 1 : entries[i - 1].offset + entries[i - 1].length;
  }
  EXPECT_EQ(at, bytes.size());
  return entries;
}

class File {
 public:
  explicit File(std::string bytes)
      : bytes_(std::move(bytes)),
        root_(DirectoryOf(Unzipped(bytes_.substr(Number(8), Number(16))))) {}
  std::uint64_t Number(std::size_t at) const {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes_.data() + at, sizeof(number));
    return number;
  }
  const std::string& bytes() const { return bytes_; }
  // The bytes of a tile by its number; empty if it is not there.
  std::string Tile(std::uint64_t id) const {
    const Entry* const leaf = Find(root_, id);
    if (leaf == nullptr) return "";
    if (leaf->run > 0) return Content(*leaf, id);
    const auto entries =
        DirectoryOf(Unzipped(bytes_.substr(Number(40) + leaf->offset, leaf->length)));
    const Entry* const entry = Find(entries, id);
    return entry == nullptr ? "" : Content(*entry, id);
  }

 private:
  static const Entry* Find(const std::vector<Entry>& entries, std::uint64_t id) {
    const Entry* found = nullptr;
    for (const Entry& entry : entries) {
      if (entry.id <= id) found = &entry;
    }
    return found;
  }
  std::string Content(const Entry& entry, std::uint64_t id) const {
    return id < entry.id + entry.run ? bytes_.substr(Number(56) + entry.offset, entry.length) : "";
  }

  std::string bytes_;
  std::vector<Entry> root_;
};

TEST(PmtilesTest, LargeDirectoriesHaveLeaves) {
  const fs::path path = fs::temp_directory_path() / ("thalweg-pmtiles-" + std::to_string(getpid()));
  std::mt19937 random(1);
  constexpr int kZoom = 8;
  constexpr int kSide = 1 << kZoom;
  // Every tile of zoom 8 but one corner, in no order; a sea of equal tiles in the south.
  std::vector<ArchivedTile> tiles;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      if (x > 0 || y > 0) tiles.push_back({kZoom, x, y});
    }
  }
  std::ranges::shuffle(tiles, random);
  const auto picture_of = [](const ArchivedTile& tile) {
    return tile.row >= kSide / 2
               ? std::string("sea")
               : "tile " + std::to_string(tile.column) + " " + std::to_string(tile.row);
  };
  {
    const auto archive = OpenPmtiles(path.string(), {kZoom, kZoom, {-180, -85, 180, 85}}, "{}");
    ASSERT_TRUE(archive.ok()) << archive.status();
    for (const ArchivedTile& tile : tiles) {
      ASSERT_TRUE((*archive)->Add(tile, picture_of(tile)).ok());
    }
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE((*archive)->Finish().ok());
  }
  std::ifstream stream(path, std::ios::binary);
  const File file(std::string(std::istreambuf_iterator<char>(stream), {}));
  fs::remove(path);
  EXPECT_LE(127 + file.Number(16), 16'384U);
  EXPECT_GT(file.Number(48), 0U) << "there are no leaves";
  EXPECT_EQ(file.Number(72), tiles.size());
  EXPECT_EQ(file.Number(88), tiles.size() / 2 + 1) << "the sea is there once";
  EXPECT_EQ(file.Number(56) + file.Number(64), file.bytes().size());
  // The curve begins in the north-western corner and goes east, south and west.
  std::uint64_t first = 0;
  for (int zoom = 0; zoom < kZoom; ++zoom) first += std::uint64_t{1} << (2 * zoom);
  EXPECT_EQ(file.Tile(first), "");
  EXPECT_EQ(file.Tile(first + 1), "tile 1 0");
  EXPECT_EQ(file.Tile(first + 2), "tile 1 1");
  EXPECT_EQ(file.Tile(first + 3), "tile 0 1");
  EXPECT_EQ(file.Tile(first + std::uint64_t{kSide} * kSide - 1), "tile 255 0");
  EXPECT_EQ(file.Tile(first + std::uint64_t{kSide} * kSide / 2), "sea");
  EXPECT_EQ(file.Tile(first + std::uint64_t{kSide} * kSide), "");
}

}  // namespace
}  // namespace thalweg::raster_file
