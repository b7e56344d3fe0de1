// The folder of a bake: its manifest, and the parts that are finished.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/bake/bake_plan.h"

namespace thalweg::bake {

// The values of one layer, which has this number in thalweg.v1.Layer; rows from north to south.
struct PartPlane {
  int layer = 0;
  std::vector<std::int32_t> values;
};

struct PartValues {
  Area area;
  std::vector<PartPlane> planes;
};

// Encodes a part: a header that identifies it, then the planes' exact values, as differences along
// rows in one zstd frame with a checksum. The area has 1 to kPartSide vertices on a side.
std::string EncodePart(const PartValues& part);

// Decodes a part. DATA_LOSS for bytes that are not a part, are cut off or were changed.
absl::StatusOr<PartValues> DecodePart(std::string_view bytes);

struct Manifest {
  // Everything that decides a bake's values.
  std::string world_id;
  std::uint32_t generator_version = 0;
  Area area;
  // Numbers in thalweg.v1.Layer.
  std::vector<int> layers;
  // The world, a thalweg.v1.World as bytes, for programs that have no server to ask; empty if
  // unknown.
  std::string world = {};
};

// The parts in a folder. Several processes may fill it: each part appears whole, under its name.
class PartStore {
 public:
  // Creates the folder, or continues the bake in it. FAILED_PRECONDITION if another bake is there;
  // otherwise the system's error.
  static absl::StatusOr<PartStore> Open(const std::string& folder, const Manifest& manifest);
  // Opens whatever bake is there. NOT_FOUND without a bake; DATA_LOSS if its manifest is damaged.
  static absl::StatusOr<PartStore> OpenWhatIsThere(const std::string& folder);

  const std::string& folder() const { return folder_; }
  const Manifest& manifest() const { return manifest_; }

  bool Has(const Part& part) const;
  // Returns the size of a part's file.
  absl::StatusOr<std::int64_t> BytesOf(const Part& part) const;
  // Writes a part, or replaces it. RESOURCE_EXHAUSTED when the disk is full.
  absl::Status Write(const Part& part, const PartValues& values) const;
  // Reads a part. DATA_LOSS if it is damaged or not of this bake; NOT_FOUND if it is missing.
  absl::StatusOr<PartValues> Read(const Part& part) const;

  // Removes the folder with all that the bake put there, and nothing else.
  absl::Status Remove(const std::vector<Part>& parts) const;

 private:
  PartStore(std::string folder, Manifest manifest);

  std::string PathOf(const Part& part) const;

  std::string folder_;
  Manifest manifest_;
};

}  // namespace thalweg::bake
