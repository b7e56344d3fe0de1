#include "tests/parity/compare.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/str_cat.h"

namespace thalweg::parity {

std::string Difference(std::span<const std::int32_t> a, std::span<const std::int32_t> b,
                       int width) {
  if (a.size() != b.size()) return absl::StrCat(a.size(), " values against ", b.size());
  std::size_t count = 0;
  std::size_t first = 0;
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (count++ == 0) first = i;
    largest = std::max(largest, std::abs(std::int64_t{a[i]} - std::int64_t{b[i]}));
  }
  if (count == 0) return "";
  const auto columns = static_cast<std::size_t>(width);
  return absl::StrCat(count, " of ", a.size(), " values differ, by ", largest,
                      " at most; first at column ", first % columns, ", row ", first / columns,
                      ": ", a[first], " against ", b[first]);
}

}  // namespace thalweg::parity
