// The self-test: fixed places of the presets, and the digests that every device must compute.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/backend/backend.h"
#include "server/world/block.h"

namespace thalweg::selftest {

// A place of a preset.
struct Case {
  std::string world;
  int level = 0;
  std::string place;  // "origin", "negative" or "far"; "corner" or "edge"
  world::BlockKey key;

  // "alpine level 3 far".
  std::string Name() const;
};

// Every preset. A plane at level 1 around vertex 2^40, at level 4 in the negative, at level 9 at
// the origin; a planet at level 1 at a corner of three faces, at level 5 on an edge.
std::vector<Case> Suite();

// The digest of every layer of the case's block, as 16 hexadecimal digits: the first 8 bytes of the
// SHA-256 of the core's values, layer after layer, as little-endian 32-bit numbers. Errors are the
// backend's.
absl::StatusOr<std::string> Digest(backend::Backend& backend, const Case& test_case);

// The committed digest of a case. NOT_FOUND if there is none; FAILED_PRECONDITION if the digests
// are of another generator version.
absl::StatusOr<std::string> GoldenDigest(const Case& test_case);

// Computes one case and compares it. OK, or DATA_LOSS with what was wrong and what to do.
absl::Status QuickCheck(backend::Backend& backend);

// Runs the cases and prints a line for each, then "N passed, N failed". True if all passed.
bool RunCases(backend::Backend& backend, const std::vector<Case>& cases, std::ostream& out);

// Prints the suite's digests in the format of golden.txt. Stops at the first error.
absl::Status PrintGolden(backend::Backend& backend, std::ostream& out);

// The text of golden.txt. The build embeds it.
extern const std::string_view kGoldenText;

}  // namespace thalweg::selftest
