// Parses a request's target strictly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace thalweg::http {

// Max bytes of a target.
inline constexpr std::size_t kMaxTargetBytes = 2'048;

struct Target {
  // The parts between slashes, percent-decoded. The last one is empty if the path ends in a slash.
  std::vector<std::string> segments;
  // In the order of the query, percent-decoded.
  std::vector<std::pair<std::string, std::string>> parameters;
};

// INVALID_ARGUMENT for a target that is too long, does not begin with a slash or has a malformed
// escape, or for a segment that is ".", ".." or contains a slash, a backslash or a control
// character, escaped or not.
absl::StatusOr<Target> ParseTarget(std::string_view text);

// An integer as it is printed: without leading zeros, a plus, or a minus before 0. Empty for other
// texts and for numbers that do not fit.
std::optional<std::int64_t> ParseDecimal(std::string_view text);

// A finite number in decimal notation, with or without an exponent: "-2500.5", "1e6".
std::optional<double> ParseReal(std::string_view text);

// The text that ParseReal reads back as the same number, bit for bit, with the fewest digits. It
// has no exponent, since URLs would read the exponent's plus as a space.
std::string PrintReal(double value);

}  // namespace thalweg::http
