#include "proto/wire/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace thalweg::wire {
namespace {

// Longer names are not compared: they may come from anywhere, and the work grows with their square.
constexpr std::size_t kLongestName = 64;

// How many letters to insert, remove, replace or exchange with their neighbour, so that one name
// becomes the other (the optimal string alignment).
std::size_t DistanceOf(const std::string& from, const std::string& to) {
  std::vector<std::size_t> before(to.size() + 1);
  std::vector<std::size_t> last(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t k = 1; k <= to.size(); ++k) {
      const std::size_t replaced = last[k - 1] + (from[i - 1] == to[k - 1] ? 0 : 1);
      row[k] = std::min({replaced, last[k] + 1, row[k - 1] + 1});
      const bool exchanged = i > 1 && k > 1 && from[i - 1] == to[k - 2] && from[i - 2] == to[k - 1];
      if (exchanged) row[k] = std::min(row[k], before[k - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last.back();
}

}  // namespace

std::string DidYouMean(const std::string& wrong, const std::vector<std::string>& known) {
  if (wrong.size() > kLongestName) return "";
  const std::string lower = absl::AsciiStrToLower(wrong);
  // A third of the letters may be wrong.
  std::size_t least = lower.size() / 3 + 1;
  const std::string* nearest = nullptr;
  for (const std::string& name : known) {
    if (name.size() > kLongestName) continue;
    const std::size_t distance = DistanceOf(lower, absl::AsciiStrToLower(name));
    if (distance >= least) continue;
    least = distance;
    nearest = &name;
  }
  return nearest == nullptr ? "" : absl::StrCat("; did you mean '", *nearest, "'?");
}

}  // namespace thalweg::wire
