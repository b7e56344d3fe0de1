#include "proto/text/crs_text.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace thalweg::text {
namespace {

bool IsPrintable(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f;
}

bool IsLetter(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)); }
bool IsLetterOrDigit(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

}  // namespace

bool IsCrs(const std::string& text) {
  if (text.size() > kLongestCrs || !std::all_of(text.begin(), text.end(), IsPrintable)) {
    return false;
  }
  // The first word, and the character after it.
  const auto end = std::find_if_not(text.begin(), text.end(), IsLetter);
  if (end == text.begin() || end == text.end()) return false;
  if (*end == ':') {
    return end + 1 != text.end() && std::all_of(end + 1, text.end(), IsLetterOrDigit);
  }
  return *end == '[' && text.back() == ']';
}

}  // namespace thalweg::text
