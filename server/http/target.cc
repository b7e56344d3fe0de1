#include "server/http/target.h"

#include <array>
#include <charconv>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace thalweg::http {
namespace {

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

absl::Status Wrong(const absl::AlphaNum& what) {
  return absl::InvalidArgumentError(absl::StrCat("invalid target: ", what));
}

// Undoes percent-encoding. The text must be ASCII without control characters.
absl::StatusOr<std::string> Decode(std::string_view text, bool plus_is_space) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    char c = text[k];
    if (c == '%') {
      if (k + 2 >= text.size()) return Wrong("a % is not followed by two hexadecimal digits");
      const auto high = HexDigit(text[k + 1]);
      const auto low = HexDigit(text[k + 2]);
      if (!high || !low) return Wrong("a % is not followed by two hexadecimal digits");
      c = static_cast<char>(*high * 16 + *low);
      k += 2;
    } else if (plus_is_space && c == '+') {
      c = ' ';
    } else if (static_cast<unsigned char>(c) >= 0x7F) {
      return Wrong("a character that is not ASCII is not escaped");
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      return Wrong("it has a control character");
    decoded.push_back(c);
  }
  return decoded;
}

absl::Status CheckSegment(const std::string& segment) {
  if (segment == "." || segment == "..") return Wrong("a segment is . or ..");
  if (segment.find_first_of("/\\") != std::string::npos)
    return Wrong("a segment has an escaped slash");
  return absl::OkStatus();
}

// Calls `take` with each part between separators, until it returns an error.
template <typename Take>
absl::Status Split(std::string_view text, char separator, const Take& take) {
  for (;;) {
    const std::size_t end = text.find(separator);
    if (absl::Status status = take(text.substr(0, end)); !status.ok()) return status;
    if (end == std::string_view::npos) return absl::OkStatus();
    text.remove_prefix(end + 1);
  }
}

absl::Status AddParameter(std::string_view text, Target& target) {
  const std::size_t equals = text.find('=');
  auto name = Decode(text.substr(0, equals), true);
  if (!name.ok()) return name.status();
  auto value = Decode(equals == std::string_view::npos ? "" : text.substr(equals + 1), true);
  if (!value.ok()) return value.status();
  target.parameters.emplace_back(*std::move(name), *std::move(value));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Target> ParseTarget(std::string_view text) {
  if (text.size() > kMaxTargetBytes)
    return Wrong(absl::StrCat("longer than ", kMaxTargetBytes, " bytes"));
  if (text.empty() || text.front() != '/') return Wrong("it does not begin with /");
  Target target;
  const std::size_t question = text.find('?');
  const bool has_query = question != std::string_view::npos;
  const std::string_view path = text.substr(1, has_query ? question - 1 : std::string_view::npos);
  absl::Status status = Split(path, '/', [&](std::string_view part) {
    auto segment = Decode(part, false);
    if (!segment.ok()) return segment.status();
    target.segments.push_back(*std::move(segment));
    return CheckSegment(target.segments.back());
  });
  if (status.ok() && has_query && question + 1 < text.size()) {
    status = Split(text.substr(question + 1), '&',
                   [&](std::string_view part) { return AddParameter(part, target); });
  }
  if (!status.ok()) return status;
  return target;
}

std::optional<std::int64_t> ParseDecimal(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || (digits.front() == '0' && text.size() > 1)) return std::nullopt;
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

std::optional<double> ParseReal(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || rest != end || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::string PrintReal(double value) {
  // The longest double has 309 digits; the smallest one has 324 zeros before its last digits.
  std::array<char, 400> text;
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  return {text.data(), end};
}

}  // namespace thalweg::http
