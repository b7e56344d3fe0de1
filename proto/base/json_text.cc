#include "proto/base/json_text.h"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace thalweg::json {
namespace {

// The library prints the double 512 as 512.0.
void MakeWholeNumbersIntegers(nlohmann::ordered_json& value) {
  if (value.is_structured()) {
    for (nlohmann::ordered_json& inner : value) MakeWholeNumbersIntegers(inner);
  }
  if (!value.is_number_float()) return;
  constexpr double kMaxExact = std::int64_t{1} << 53;
  const double number = value.get<double>();
  if (std::abs(number) <= kMaxExact && std::trunc(number) == number) {
    value = static_cast<std::int64_t>(number);
  }
}

}  // namespace

std::string TextOf(nlohmann::ordered_json document) {
  MakeWholeNumbersIntegers(document);
  constexpr int kOneLine = -1;
  return document.dump(kOneLine, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

double Rounded(double value, int decimals) {
  const double scale = std::pow(10, decimals);
  return std::round(value * scale) / scale;
}

}  // namespace thalweg::json
