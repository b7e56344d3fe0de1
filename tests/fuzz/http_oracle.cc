#include "tests/fuzz/http_oracle.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace thalweg::fuzz {
namespace {

constexpr std::string_view kEnd = "\r\n";

struct Field {
  std::string name;  // in lower case
  std::string value;
};

bool IsControl(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; }

bool IsToken(std::string_view text) {
  constexpr std::string_view kOther = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kOther.find(c) != std::string_view::npos;
  });
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Removes the next line from the text, and returns it without its end.
std::optional<std::string_view> TakeLine(std::string_view& text) {
  const std::size_t end = text.find(kEnd);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + kEnd.size());
  return std::any_of(line.begin(), line.end(), IsControl) ? std::nullopt : std::optional(line);
}

// Whether a field may continue in the next line.
enum class Folding { kNone, kAllowed };

// Removes the fields up to the empty line.
std::optional<std::vector<Field>> TakeFields(std::string_view& text, Folding folding) {
  std::vector<Field> fields;
  for (;;) {
    const auto line = TakeLine(text);
    if (!line) return std::nullopt;
    if (line->empty()) return fields;
    const bool goes_on = line->front() == ' ' || line->front() == '\t';
    if (goes_on && folding == Folding::kAllowed && !fields.empty()) continue;
    const std::size_t colon = line->find(':');
    if (colon == std::string_view::npos || !IsToken(line->substr(0, colon))) return std::nullopt;
    fields.push_back(
        {Lower(line->substr(0, colon)), std::string(Trimmed(line->substr(colon + 1)))});
  }
}

std::vector<std::string> ValuesOf(const std::vector<Field>& fields, std::string_view name) {
  std::vector<std::string> values;
  for (const Field& field : fields) {
    if (field.name == name) values.push_back(field.value);
  }
  return values;
}

// A number that consists only of digits.
std::optional<std::size_t> NumberOf(std::string_view text, int base) {
  std::size_t value = 0;
  const char* const end = text.data() + text.size();
  const bool sign = text.starts_with('-');
  const auto [rest, error] = std::from_chars(text.data(), end, value, base);
  if (text.empty() || sign || error != std::errc() || rest != end) return std::nullopt;
  return value;
}

std::optional<std::string> TakeBytes(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  std::string bytes(text.substr(0, count));
  text.remove_prefix(count);
  return bytes;
}

std::optional<std::string> TakeChunks(std::string_view& text) {
  std::string body;
  for (;;) {
    const auto line = TakeLine(text);
    if (!line) return std::nullopt;
    const std::size_t digits =
        std::min(line->find_first_not_of("0123456789abcdefABCDEF"), line->size());
    const std::string_view extension = Trimmed(line->substr(digits));
    if (!extension.empty() && !extension.starts_with(';')) return std::nullopt;
    const auto size = NumberOf(line->substr(0, digits), 16);
    if (!size) return std::nullopt;
    // Trailers are dropped, folded or not.
    if (*size == 0) return TakeFields(text, Folding::kAllowed) ? std::optional(body) : std::nullopt;
    const auto bytes = TakeBytes(text, *size);
    if (!bytes || !text.starts_with(kEnd)) return std::nullopt;
    text.remove_prefix(kEnd.size());
    body += *bytes;
  }
}

std::optional<std::string> TakeBody(const std::vector<Field>& fields, bool old,
                                    std::string_view& text) {
  const auto lengths = ValuesOf(fields, "content-length");
  const auto codings = ValuesOf(fields, "transfer-encoding");
  if (!codings.empty()) {
    const bool clear = !old && lengths.empty() && codings.size() == 1;
    if (!clear || Lower(codings[0]) != "chunked") return std::nullopt;
    return TakeChunks(text);
  }
  if (lengths.empty()) return "";
  const auto length = lengths.size() == 1 ? NumberOf(lengths[0], 10) : std::nullopt;
  return length ? TakeBytes(text, *length) : std::nullopt;
}

std::optional<OracleRequest> TakeRequest(std::string_view& text) {
  const auto line = TakeLine(text);
  if (!line) return std::nullopt;
  const std::size_t one = line->find(' ');
  const std::size_t two = one == std::string_view::npos ? one : line->find(' ', one + 1);
  if (two == std::string_view::npos) return std::nullopt;
  const std::string_view version = line->substr(two + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return std::nullopt;
  OracleRequest request{
      std::string(line->substr(0, one)), std::string(line->substr(one + 1, two - one - 1)), {}};
  if (!IsToken(request.method) || request.target.empty()) return std::nullopt;
  const auto fields = TakeFields(text, Folding::kNone);
  if (!fields) return std::nullopt;
  const bool old = version == "HTTP/1.0";
  const std::size_t hosts = ValuesOf(*fields, "host").size();
  if (hosts > 1 || (hosts == 0 && !old)) return std::nullopt;
  const auto body = TakeBody(*fields, old, text);
  if (!body) return std::nullopt;
  request.body = *body;
  return request;
}

[[noreturn]] void Reject(const char* why, std::string_view bytes) {
  std::fprintf(stderr, "%s:\n%.*s\n", why, static_cast<int>(bytes.size()), bytes.data());
  std::abort();
}

}  // namespace

std::vector<OracleRequest> RequestsIn(std::string_view bytes) {
  std::vector<OracleRequest> requests;
  while (auto request = TakeRequest(bytes)) requests.push_back(*std::move(request));
  return requests;
}

OracleAnswers AnswersIn(std::string_view bytes, const std::vector<bool>& heads) {
  OracleAnswers answers;
  while (!bytes.empty()) {
    const std::string_view whole = bytes;
    answers.is_cut = true;
    if (bytes.find("\r\n\r\n") == std::string_view::npos) {
      const std::string_view begin = bytes.substr(0, 9);
      if (begin != std::string_view("HTTP/1.1 ").substr(0, begin.size())) Reject("no head", whole);
      return answers;
    }
    const auto line = TakeLine(bytes);
    if (!line || line->size() < 13 || !line->starts_with("HTTP/1.1 ") || (*line)[12] != ' ') {
      Reject("no status line", whole);
    }
    const auto code = NumberOf(line->substr(9, 3), 10);
    if (!code || *code < 100) Reject("no status", whole);
    const auto fields = TakeFields(bytes, Folding::kNone);
    if (!fields) Reject("no fields", whole);
    if (*code < 200) {
      ++answers.interim;
      answers.is_cut = false;
      continue;
    }
    for (std::size_t k = 0; k < fields->size(); ++k) {
      for (std::size_t l = 0; l < k; ++l) {
        if ((*fields)[k].name == (*fields)[l].name) Reject("a field twice", whole);
      }
    }
    if (ValuesOf(*fields, "date").empty() || ValuesOf(*fields, "x-request-id").empty()) {
      Reject("without date or id", whole);
    }
    const std::size_t number = answers.final_codes.size();
    const bool bare = *code == 204 || *code == 304 || (number < heads.size() && heads[number]);
    const auto lengths = ValuesOf(*fields, "content-length");
    if (!bare) {
      const auto length = lengths.empty() ? std::nullopt : NumberOf(lengths[0], 10);
      if (!length) Reject("without length", whole);
      if (!TakeBytes(bytes, *length)) return answers;
    }
    answers.final_codes.push_back(static_cast<int>(*code));
    answers.is_cut = false;
  }
  return answers;
}

}  // namespace thalweg::fuzz
