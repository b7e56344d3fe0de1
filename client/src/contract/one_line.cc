#include "client/src/contract/one_line.h"

#include <cstdint>

#include "absl/strings/str_format.h"

namespace thalweg {
namespace {

// A character of UTF-8: its code point, and its number of bytes. 0 bytes: invalid.
struct Character {
  std::uint32_t number = 0;
  std::size_t bytes = 0;
};

// Unicode 15, table 3-7: no form longer than needed, no surrogates, nothing above U+10FFFF.
Character First(std::string_view text) {
  const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[n]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t number = lead & (0xFFU >> (bytes + 1));
  for (std::size_t n = 1; n < bytes; ++n) {
    if ((byte(n) & 0xC0U) != 0x80) return {};
    number = number << 6 | (byte(n) & 0x3FU);
  }
  constexpr std::uint32_t kMin[] = {0, 0, 0x80, 0x800, 0x1'0000};
  const bool surrogate = number >= 0xD800 && number <= 0xDFFF;
  if (number < kMin[bytes] || number > 0x10'FFFF || surrogate) return {};
  return {number, bytes};
}

bool IsShown(std::uint32_t number) {
  const auto within = [number](std::uint32_t first, std::uint32_t last) {
    return number >= first && number <= last;
  };
  const bool control = number < 0x20 || within(0x7F, 0x9F);
  const bool turns = within(0x200E, 0x200F) || within(0x2028, 0x202E) || within(0x2066, 0x2069);
  return !control && !turns;
}

void Escape(char byte, std::string& line) {
  const std::size_t known = std::string_view("\n\r\t").find(byte);
  if (known != std::string_view::npos) {
    line.append({'\\', "nrt"[known]});
  } else {
    absl::StrAppendFormat(&line, "\\x%02x", static_cast<unsigned char>(byte));
  }
}

}  // namespace

std::string OneLine(std::string_view text, std::size_t max_bytes) {
  std::string line;
  while (!text.empty()) {
    const Character character = First(text);
    const std::size_t before = line.size();
    const std::size_t taken = character.bytes == 0 ? 1 : character.bytes;
    if (character.bytes > 0 && IsShown(character.number)) {
      line.append(text.substr(0, taken));
    } else {
      for (const char byte : text.substr(0, taken)) Escape(byte, line);
    }
    if (line.size() > max_bytes) {
      line.resize(before);
      return line + "...";
    }
    text.remove_prefix(taken);
  }
  return line;
}

}  // namespace thalweg
