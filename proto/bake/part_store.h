// The folder of a bake: what is baked there, and the parts that are finished.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/bake/bake_plan.h"
#include "proto/bake/part_file.h"

namespace thalweg::bake {

struct Manifest {
  // Everything that decides a bake's values.
  std::string world_id;
  std::uint32_t generator_version = 0;
  Area area;
  // By their numbers in thalweg.v1.Layer.
  std::vector<int> layers;
  // What the world is, a thalweg.v1.World as bytes, for those who have no server to ask; empty: it
  // is not told.
  std::string world = {};
};

// Several processes may fill one folder: a part is put there whole, under its name.
class PartStore {
 public:
  // Creates the folder, or takes up what is there. FAILED_PRECONDITION if another bake is there;
  // else what the system says.
  static absl::StatusOr<PartStore> Open(const std::string& folder, const Manifest& manifest);
  // Takes up what is there, whatever it is. NOT_FOUND if no bake is; DATA_LOSS if its manifest is
  // damaged.
  static absl::StatusOr<PartStore> OpenWhatIsThere(const std::string& folder);

  const std::string& folder() const { return folder_; }
  const Manifest& manifest() const { return manifest_; }

  bool Has(const Part& part) const;
  // The size of its file.
  absl::StatusOr<std::int64_t> BytesOf(const Part& part) const;
  // Replaces what was there. RESOURCE_EXHAUSTED when the disk is full.
  absl::Status Write(const Part& part, const PartValues& values) const;
  // DATA_LOSS if it is damaged or not of this bake; NOT_FOUND if it is not there.
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
