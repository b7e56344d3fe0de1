#include "proto/base/json_mistake.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "proto/base/unknown_name.h"

namespace thalweg::text {
namespace {

namespace pb = google::protobuf;
using Field = pb::FieldDescriptor;

// Protobuf reads no deeper.
constexpr int kMaxJsonDepth = 100;

struct WholeRange {
  double min;
  double max;
};

// The range of a field of whole numbers, if it is one.
std::optional<WholeRange> RangeOf(const Field& field) {
  switch (field.cpp_type()) {
    case Field::CPPTYPE_INT32:
      return WholeRange{std::numeric_limits<std::int32_t>::min(),
                        std::numeric_limits<std::int32_t>::max()};
    case Field::CPPTYPE_UINT32:
      return WholeRange{0, std::numeric_limits<std::uint32_t>::max()};
    case Field::CPPTYPE_INT64:
      return WholeRange{-0x1p63, 0x1p63};
    case Field::CPPTYPE_UINT64:
      return WholeRange{0, 0x1p64};
    default:
      return std::nullopt;
  }
}

std::string ExpectedOf(const Field& field) {
  if (const auto range = RangeOf(field)) {
    constexpr double kLargestShown = 1e10;
    if (range->max > kLargestShown)
      return range->min < 0 ? "a whole number" : "a whole number from 0";
    return absl::StrCat("a whole number from ", static_cast<std::int64_t>(range->min), " to ",
                        static_cast<std::int64_t>(range->max));
  }
  switch (field.cpp_type()) {
    case Field::CPPTYPE_BOOL:
      return "true or false";
    case Field::CPPTYPE_STRING:
      return "text in quotes";
    case Field::CPPTYPE_MESSAGE:
      return "an object in braces";
    case Field::CPPTYPE_ENUM:
      return "the name of a value in quotes";
    default:
      return "a number";
  }
}

bool IsNumberFor(const Field& field, const std::string& word, bool quoted) {
  double number = 0;
  if (!absl::SimpleAtod(word, &number)) return false;
  const auto range = RangeOf(field);
  // JSON has no NaN and no infinity; Protobuf takes them as texts.
  if (!range) return quoted || std::isfinite(number);
  return std::trunc(number) == number && number >= range->min && number <= range->max;
}

// Protobuf's own types have forms of their own.
bool IsOfProtobuf(const pb::Descriptor& type) {
  return absl::StartsWith(type.full_name(), "google.protobuf.");
}

// Whether any value may be a field's.
bool IsOpen(const Field* field) {
  return field == nullptr || field->is_map() ||
         (field->message_type() != nullptr && IsOfProtobuf(*field->message_type()));
}

// Walks through JSON from its begin to its end. Every function returns false after a mistake.
class JsonReader {
 public:
  explicit JsonReader(const std::string& json) : json_(json) {}

  std::optional<std::string> Mistake(const pb::Descriptor& type) {
    SkipBlanks();
    if (Next() != '{') {
      Fail(at_, absl::StrCat("expected an object in braces, got ", Shown()));
    } else if (Object(IsOfProtobuf(type) ? nullptr : &type, "", 1)) {
      SkipBlanks();
      if (at_ < json_.size()) Fail(at_, absl::StrCat("expected the end, got ", Shown()));
    }
    return mistake_;
  }

 private:
  // The next character; 0 at the end.
  char Next() const { return at_ < json_.size() ? json_[at_] : '\0'; }

  void SkipBlanks() {
    while (at_ < json_.size() && absl::ascii_isspace(static_cast<unsigned char>(json_[at_]))) ++at_;
  }

  bool Take(char c) {
    SkipBlanks();
    if (Next() != c) return false;
    ++at_;
    SkipBlanks();
    return true;
  }

  bool Fail(std::size_t at, const std::string& text) {
    if (mistake_) return false;
    const std::size_t line = static_cast<std::size_t>(
        std::count(json_.begin(), json_.begin() + std::ptrdiff_t(at), '\n'));
    const std::size_t begin = at == 0 ? std::string::npos : json_.rfind('\n', at - 1);
    const std::size_t column = begin == std::string::npos ? at : at - begin - 1;
    mistake_ = absl::StrCat("line ", line + 1, ", column ", column + 1, ": ", text);
    return false;
  }

  bool FailValue(std::size_t at, const std::string& path, const Field& field,
                 const std::string& got) {
    return Fail(at, absl::StrCat(path, ": expected ", ExpectedOf(field), ", got ", got));
  }

  // What comes next, for an error.
  std::string Shown() const {
    if (at_ >= json_.size()) return "the end";
    if (IsQuote(Next())) return "text in quotes";
    std::size_t end = at_ + 1;
    while (end < json_.size() && IsOfWord(json_[at_]) && IsOfWord(json_[end])) ++end;
    return Quoted(json_.substr(at_, end - at_));
  }

  // Protobuf takes both kinds.
  static bool IsQuote(char c) { return c == '"' || c == '\''; }

  static bool IsOfWord(char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '+' ||
           c == '.';
  }

  // A string without its quotes; escapes stay.
  bool String(std::string& text) {
    const std::size_t begin = at_;
    const char quote = json_[at_++];
    while (at_ < json_.size() && json_[at_] != quote) at_ += json_[at_] == '\\' ? 2 : 1;
    if (at_ >= json_.size()) {
      at_ = json_.size();
      return Fail(begin, "the text that starts here has no closing quote");
    }
    text = json_.substr(begin + 1, at_ - begin - 1);
    ++at_;
    return true;
  }

  // Protobuf also takes names without quotes.
  bool Name(std::string& name) {
    if (IsQuote(Next())) return String(name);
    const std::size_t begin = at_;
    while (at_ < json_.size() && IsOfWord(json_[at_])) ++at_;
    name = json_.substr(begin, at_ - begin);
    return !name.empty() || Fail(at_, absl::StrCat("expected a field in quotes, got ", Shown()));
  }

  // `type` is null for objects with any fields.
  bool Object(const pb::Descriptor* type, const std::string& path, int depth) {
    if (depth > kMaxJsonDepth) return false;
    Take('{');
    do {
      // Protobuf takes a comma before the end, in lists too.
      if (Take('}')) return true;
      const std::size_t begin = at_;
      std::string name;
      if (!Name(name)) return false;
      const Field* field = nullptr;
      if (type != nullptr) {
        field = type->FindFieldByName(name);
        if (field == nullptr) field = type->FindFieldByCamelcaseName(name);
        if (field == nullptr) {
          const std::string where = path.empty() ? "" : absl::StrCat(path, ": ");
          return Fail(begin, where + UnknownField(*type, name));
        }
      }
      if (!Take(':'))
        return Fail(at_, absl::StrCat("expected ':' after ", Quoted(name), ", got ", Shown()));
      if (!Value(field, FieldPath(path, name), depth)) return false;
    } while (Take(','));
    return Take('}') || Fail(at_, absl::StrCat("expected ',' or '}', got ", Shown()));
  }

  bool List(const Field* field, const std::string& path, int depth) {
    if (depth > kMaxJsonDepth) return false;
    Take('[');
    int index = 0;
    do {
      if (Take(']')) return true;
      if (!Single(field, ItemPath(path, index++), depth + 1)) return false;
    } while (Take(','));
    return Take(']') || Fail(at_, absl::StrCat("expected ',' or ']', got ", Shown()));
  }

  bool Value(const Field* field, const std::string& path, int depth) {
    const bool any = IsOpen(field);
    if (Next() != '[') return Single(any ? nullptr : field, path, depth);
    if (any) return List(nullptr, path, depth);
    if (!field->is_repeated()) return FailValue(at_, path, *field, "a list");
    return List(field, path, depth);
  }

  // `field` is null for any value.
  bool Single(const Field* field, const std::string& path, int depth) {
    const std::size_t begin = at_;
    if (Next() == '[') {
      if (field == nullptr) return List(nullptr, path, depth);
      return FailValue(begin, path, *field, "a list");
    }
    if (Next() == '{') {
      if (field == nullptr) return Object(nullptr, path, depth + 1);
      if (field->message_type() == nullptr) return FailValue(begin, path, *field, "an object");
      return Object(field->message_type(), path, depth + 1);
    }
    const bool quoted = IsQuote(Next());
    std::string word;
    if (quoted) {
      if (!String(word)) return false;
    } else {
      while (at_ < json_.size() && IsOfWord(json_[at_])) ++at_;
      word = json_.substr(begin, at_ - begin);
      double number = 0;
      if (word != "true" && word != "false" && word != "null" && !absl::SimpleAtod(word, &number)) {
        at_ = begin;
        return Fail(begin, absl::StrCat(path, ": expected a value, got ", Shown()));
      }
    }
    return field == nullptr || word == "null" || Fits(*field, path, begin, word, quoted);
  }

  bool Fits(const Field& field, const std::string& path, std::size_t begin, const std::string& word,
            bool quoted) {
    bool fits = true;
    switch (field.cpp_type()) {
      case Field::CPPTYPE_BOOL:
        fits = word == "true" || word == "false";
        break;
      case Field::CPPTYPE_STRING:
        fits = quoted;
        break;
      case Field::CPPTYPE_MESSAGE:
        fits = false;
        break;
      case Field::CPPTYPE_ENUM: {
        double number = 0;
        if (!quoted) fits = absl::SimpleAtod(word, &number);
        if (quoted && field.enum_type()->FindValueByName(word) == nullptr) {
          const std::string owner = path.substr(0, path.rfind('.') + 1);
          return Fail(begin, owner + UnknownValue(field, word));
        }
        break;
      }
      default:
        fits = IsNumberFor(field, word, quoted);
    }
    return fits ||
           FailValue(begin, path, field, quoted ? Quoted(word) : word.substr(0, kMostShown));
  }

  const std::string& json_;
  std::size_t at_ = 0;
  std::optional<std::string> mistake_;
};

}  // namespace

std::optional<std::string> FindJsonMistake(const std::string& json, const pb::Descriptor& type) {
  return JsonReader(json).Mistake(type);
}

}  // namespace thalweg::text
