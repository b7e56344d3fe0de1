// A request's target, parsed strictly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace thalweg::http {

// The most bytes of a target.
inline constexpr std::size_t kMaxTargetBytes = 2'048;

struct Target {
  // Between slashes, percent-decoded; a last empty one stands for a slash at the end.
  std::vector<std::string> segments;
  // In the order of the query, percent-decoded.
  std::vector<std::pair<std::string, std::string>> parameters;
};

// INVALID_ARGUMENT for a target that is too long, does not begin with a slash, has a malformed
// escape, or a segment that is ".", ".." or has a slash, a backslash or a control character,
// escaped or not.
absl::StatusOr<Target> ParseTarget(std::string_view text);

// A number as it is printed: no leading zeros, no plus, no minus before 0. Nothing for anything
// else and for what does not fit.
std::optional<std::int64_t> ParseDecimal(std::string_view text);

// A finite number in decimal notation, with or without an exponent: "-2500.5", "1e6".
std::optional<double> ParseReal(std::string_view text);

// A finite number as ParseReal reads it back, bit for bit: the fewest digits that do, without an
// exponent, whose plus a URL would take for a space.
std::string PrintReal(double value);

}  // namespace thalweg::http
