// Every mistake of a world's text, for its author.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/world/elevation.h"
#include "server/world/world.h"

namespace thalweg::world {

struct WorldCheck {
  // Each begins with its place, if that is known: "line 3, column 5: invalid levels: expected 1 to
  // 21, got 99". Rules between fields are checked only if every field is right.
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  // Null if there are errors.
  std::shared_ptr<const World> world;
};

// Reads a file. UNAVAILABLE if the system can't; INVALID_ARGUMENT if it has more than 1 MiB.
absl::StatusOr<std::string> ReadWorldText(const std::filesystem::path& path);

// Checks a specification in JSON or text form, as a server would. `find` finds real land.
WorldCheck CheckWorldText(const std::string& text, const FindElevation& find);

}  // namespace thalweg::world
