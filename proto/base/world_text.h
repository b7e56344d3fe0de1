// Specifications of worlds as text that people write: JSON, or Protobuf's text form.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::text {

// Checks only the pattern of the name. INVALID_ARGUMENT of this check and the next two names the
// field, its value and the expected one.
absl::Status CheckName(const v1::WorldSpec& spec);

// Checks that the description is one line, and not too long.
absl::Status CheckDescription(const v1::WorldSpec& spec);

// Checks the coordinate reference system, if there is one.
absl::Status CheckGeoreference(const v1::WorldSpec& spec);

// Defaults and ranges of a specification, as its schema states them in the option
// (thalweg.v1.range): a new field needs no code here. Fills in every default and checks every
// range, so that two specifications with the same meaning become equal. INVALID_ARGUMENT names the
// first invalid field's path, its value and the expected one; the specification is then partly
// filled in.
absl::Status Normalise(v1::WorldSpec& spec);
// The same, with every invalid field's error, in the order of the schema.
std::vector<absl::Status> NormaliseAll(v1::WorldSpec& spec);

// Coordinate reference systems as text.
inline constexpr std::size_t kLongestCrs = 16384;

// Whether a text is an authority's code, "EPSG:32611", or one line of WKT, of at most kLongestCrs
// bytes. Readers of such texts also take file names and addresses, which this refuses.
bool IsCrs(const std::string& text);

// Reads a specification. JSON may have comments: // and /* */. INVALID_ARGUMENT names an unknown
// field, or the place of a mistake, and the new place of a field that has moved, or a node that is
// too deep. The server checks the values; these functions don't.
absl::StatusOr<v1::WorldSpec> WorldFromJson(const std::string& json);
absl::StatusOr<v1::WorldSpec> WorldFromText(const std::string& text);
// Either, as the first character tells.
absl::StatusOr<v1::WorldSpec> WorldFromAny(const std::string& text);
bool IsWorldJson(const std::string& text);

}  // namespace thalweg::text
