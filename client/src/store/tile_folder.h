// Tiles on disk, kept between runs of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/lod/tile_tree.h"
#include "proto/wire/tile_key.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg {

// The facts in the name of a tile's file.
struct FiledTile {
  wire::TileKey key;
  std::uint64_t tag = 0;
  lod::TileFacts facts;
};

// Returns the facts of a tile for its file's name. The height must be among its layers.
FiledTile FiledAs(const v1::Tile& message);

// Converts to FACE_LEVEL_X_Y_TAG_ERROR_MIN_MAX.tile, and back: nothing for any other name, or for
// values that no tile can have.
std::string FileNameOf(const FiledTile& tile);
std::optional<FiledTile> FromFileName(const std::string& name);

// Max bytes of a file: the largest message that gRPC accepts, and the header.
inline constexpr std::size_t kMaxFileBytes = (std::size_t{16} << 20) + 24;

// Returns a file: a header with an XXH3 checksum, then the tile's message.
std::string FileOf(const v1::Tile& message);

// Returns the message in a file's bytes. DATA_LOSS unless they were written for this tile.
absl::StatusOr<v1::Tile> FromFile(std::string_view bytes, const FiledTile& tile);

// A folder with one file for each tile, WORLD/FILE. A file gets its name only when it
// is complete, so a killed program leaves complete files. Damage from a crash of the machine is
// found by the checksum when the file is read. Limited by bytes and by the number of files: the
// least recently used are removed first. Programs may share a folder. Thread-safe.
class TileFolder {
 public:
  // Makes the folder if it does not exist, and lists its files. Errors name the folder.
  static absl::StatusOr<std::unique_ptr<TileFolder>> Open(const std::string& folder,
                                                          std::uint64_t max_bytes);

  // Returns a world's tiles, the last used first. `world` is the world's id in hexadecimal.
  std::vector<FiledTile> List(const std::string& world) const;

  // Reads a tile. NOT_FOUND if the file is gone; DATA_LOSS, and it is removed, if it is damaged.
  absl::StatusOr<v1::Tile> Read(const std::string& world, const FiledTile& tile);

  // Writes a tile that is not there yet, and removes others until all fit.
  absl::Status Write(const std::string& world, const FiledTile& tile, const v1::Tile& message);

  // Removes an unusable tile.
  void Discard(const std::string& world, const FiledTile& tile);

  bool Contains(const std::string& world, const FiledTile& tile) const;

  std::uint64_t bytes() const;

 private:
  struct File {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
  };
  using Order = std::list<File>;  // used last first

  TileFolder(std::filesystem::path folder, std::uint64_t max_bytes)
      : folder_(std::move(folder)), max_bytes_(max_bytes) {}

  void Scan();
  std::filesystem::path PathOf(const std::string& world, const FiledTile& tile) const;
  // The lock must be held.
  void Add(const std::filesystem::path& path, std::uint64_t bytes);
  void Remove(const std::filesystem::path& path);
  void Shrink();

  const std::filesystem::path folder_;
  const std::uint64_t max_bytes_;
  mutable std::mutex mutex_;
  Order files_;
  absl::flat_hash_map<std::string, Order::iterator> by_path_;
  std::uint64_t bytes_ = 0;
  std::uint64_t temporaries_ = 0;
};

}  // namespace thalweg
