#include "client/tools/cli/json.h"

#include <charconv>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace thalweg::cli {

std::string JsonString(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      json += absl::StrFormat("\\u%04x", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  return json + "\"";
}

std::string JsonStrings(const std::vector<std::string>& texts) {
  const auto append = [](std::string* out, const std::string& text) {
    out->append(JsonString(text));
  };
  return absl::StrCat("[", absl::StrJoin(texts, ",", append), "]");
}

std::string JsonNumber(double value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  return std::string(digits, end);
}

}  // namespace thalweg::cli
