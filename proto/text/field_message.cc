#include "proto/text/field_message.h"

#include <limits>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace thalweg::text {

std::string Decimal(double value) {
  std::string text;
  // Whole numbers below 10^9 are written without an exponent.
  constexpr int kFewestDigits = 9;
  for (int digits = kFewestDigits; digits <= std::numeric_limits<double>::max_digits10; ++digits) {
    text = absl::StrFormat("%.*g", digits, value);
    double read = 0;
    if (absl::SimpleAtod(text, &read) && read == value) break;
  }
  return text;
}

std::string Quoted(const std::string& text) {
  constexpr std::size_t kShown = 96;
  return absl::StrCat("'", absl::CHexEscape(text.substr(0, kShown)), "'");
}

std::string FieldPath(const std::string& path, const std::string& field) {
  return path.empty() ? field : absl::StrCat(path, ".", field);
}

std::string ItemPath(const std::string& path, int index) {
  return absl::StrCat(path, "[", index, "]");
}

}  // namespace thalweg::text
