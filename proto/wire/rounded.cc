#include "proto/wire/rounded.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace thalweg::wire {

std::string MaxText(double max) {
  constexpr double kLargestInFull = 1e15;
  // A double has no more decimals that a power of ten scales exactly.
  constexpr int kMostDecimals = 22;
  if (!std::isfinite(max)) return absl::StrCat(max);
  if (std::abs(max) >= kLargestInFull) {
    std::string text = absl::StrFormat("%.4g", max);
    double read = 0;
    if (!absl::SimpleAtod(text, &read) || read <= max) return text;
    const double last_digit = std::pow(10.0, std::floor(std::log10(std::abs(max))) - 3);
    return absl::StrFormat("%.4g", max - last_digit);
  }
  constexpr int kDigits = 4;
  const int exponent = max == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(max))));
  const int decimals = std::clamp(kDigits - 1 - exponent, 0, kMostDecimals);
  const double scale = std::pow(10.0, decimals);
  double whole = std::round(max * scale);
  if (whole / scale > max) whole -= 1;
  // -0 becomes 0.
  std::string text = absl::StrFormat("%.*f", decimals, whole / scale + 0.0);
  if (decimals == 0) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string MinText(double min) {
  std::string text = MaxText(-min);
  if (text == "0") return text;
  return text.front() == '-' ? text.substr(1) : absl::StrCat("-", text);
}

}  // namespace thalweg::wire
