#include "proto/base/json_mistake.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

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
constexpr std::size_t kMostMistakes = 50;

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

// A value that has the number as its part: {"constant": 2}, where a message's kinds include a
// number.
std::string ExampleOf(const Field& field, const std::string& word) {
  double number = 0;
  if (field.message_type() == nullptr || !absl::SimpleAtod(word, &number)) return "";
  const pb::Descriptor& type = *field.message_type();
  for (int i = 0; i < type.field_count(); ++i) {
    const Field& part = *type.field(i);
    if (part.real_containing_oneof() == nullptr || part.cpp_type() != Field::CPPTYPE_DOUBLE)
      continue;
    return absl::StrCat(", such as {\"", part.name(), "\": ", word, "}");
  }
  return "";
}

// Walks through JSON from its begin to its end. Functions return false where the text is no JSON.
class JsonReader {
 public:
  // Ends after so many mistakes.
  JsonReader(const std::string& json, std::size_t most_mistakes, bool with_places)
      : json_(json), most_mistakes_(most_mistakes), with_places_(with_places) {}

  JsonReading Read(const pb::Descriptor& type) {
    SkipBlanks();
    if (Next() != '{') {
      Fail(at_, absl::StrCat("expected an object in braces, got ", Shown()));
    } else if (Object(IsOfProtobuf(type) ? nullptr : &type, "", 1)) {
      SkipBlanks();
      if (at_ < json_.size()) Fail(at_, absl::StrCat("expected the end, got ", Shown()));
    }
    return std::move(reading_);
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

  std::string PlaceOf(std::size_t at) const {
    const std::size_t line = static_cast<std::size_t>(
        std::count(json_.begin(), json_.begin() + std::ptrdiff_t(at), '\n'));
    const std::size_t begin = at == 0 ? std::string::npos : json_.rfind('\n', at - 1);
    const std::size_t column = begin == std::string::npos ? at : at - begin - 1;
    return absl::StrCat("line ", line + 1, ", column ", column + 1);
  }

  // Notes a mistake after which the reading goes on.
  void Note(std::size_t at, const std::string& text) {
    if (!IsFull()) reading_.mistakes.push_back(absl::StrCat(PlaceOf(at), ": ", text));
  }

  bool IsFull() const { return reading_.mistakes.size() >= most_mistakes_; }

  // Notes wrong syntax.
  bool Fail(std::size_t at, const std::string& text) {
    Note(at, text);
    return false;
  }

  void NoteValue(std::size_t at, const std::string& path, const Field& field,
                 const std::string& got) {
    Note(at, absl::StrCat(path, ": expected ", ExpectedOf(field), ExampleOf(field, got), ", got ",
                          got));
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

  // A path as the begin of a text; the whole message has none.
  static std::string Before(const std::string& path) {
    return path.empty() ? "" : absl::StrCat(path, ": ");
  }

  // The field of a name; null if there is none, or if any is taken.
  const Field* FieldOf(const pb::Descriptor* type, const std::string& path, std::size_t begin,
                       const std::string& name) {
    if (type == nullptr) return nullptr;
    const Field* const field = type->FindFieldByName(name);
    if (field != nullptr) return field;
    const Field* const camel = type->FindFieldByCamelcaseName(name);
    if (camel != nullptr) return camel;
    Note(begin, Before(path) + UnknownField(*type, name));
    return nullptr;
  }

  // `type` is null for objects with any fields.
  bool Object(const pb::Descriptor* type, const std::string& path, int depth) {
    if (depth > kMaxJsonDepth) return false;
    Take('{');
    const Field* kind = nullptr;
    do {
      if (IsFull()) return false;
      // Protobuf takes a comma before the end, in lists too.
      if (Take('}')) return true;
      const std::size_t begin = at_;
      std::string name;
      if (!Name(name)) return false;
      const Field* const field = FieldOf(type, path, begin, name);
      if (field != nullptr && field->real_containing_oneof() != nullptr) {
        if (kind != nullptr) {
          Note(begin, absl::StrCat(Before(path), "expected one kind of ", type->name(), ", got ",
                                   Quoted(kind->name()), " and ", Quoted(field->name())));
        }
        kind = field;
      }
      const std::string below = FieldPath(path, name);
      if (with_places_) reading_.places.emplace(below, PlaceOf(begin));
      if (!Take(':'))
        return Fail(at_, absl::StrCat("expected ':' after ", Quoted(name), ", got ", Shown()));
      if (!Value(field, below, depth)) return false;
    } while (Take(','));
    return Take('}') || Fail(at_, absl::StrCat("expected ',' or '}', got ", Shown()));
  }

  bool List(const Field* field, const std::string& path, int depth) {
    if (depth > kMaxJsonDepth) return false;
    Take('[');
    int index = 0;
    do {
      if (IsFull()) return false;
      if (Take(']')) return true;
      const std::string item = ItemPath(path, index++);
      if (with_places_) reading_.places.emplace(item, PlaceOf(at_));
      if (!Single(field, item, depth + 1)) return false;
    } while (Take(','));
    return Take(']') || Fail(at_, absl::StrCat("expected ',' or ']', got ", Shown()));
  }

  bool Value(const Field* field, const std::string& path, int depth) {
    const bool any = IsOpen(field);
    if (Next() != '[') return Single(any ? nullptr : field, path, depth);
    if (any) return List(nullptr, path, depth);
    if (!field->is_repeated()) {
      NoteValue(at_, path, *field, "a list");
      return List(nullptr, path, depth);
    }
    return List(field, path, depth);
  }

  // `field` is null for any value.
  bool Single(const Field* field, const std::string& path, int depth) {
    const std::size_t begin = at_;
    if (Next() == '[') {
      if (field != nullptr) NoteValue(begin, path, *field, "a list");
      return List(nullptr, path, depth);
    }
    if (Next() == '{') {
      const pb::Descriptor* const type = field == nullptr ? nullptr : field->message_type();
      if (field != nullptr && type == nullptr) NoteValue(begin, path, *field, "an object");
      return Object(type, path, depth + 1);
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
    if (field != nullptr && word != "null") CheckWord(*field, path, begin, word, quoted);
    return true;
  }

  void CheckWord(const Field& field, const std::string& path, std::size_t begin,
                 const std::string& word, bool quoted) {
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
          Note(begin, owner + UnknownValue(field, word));
        }
        break;
      }
      default:
        fits = IsNumberFor(field, word, quoted);
    }
    if (!fits) NoteValue(begin, path, field, quoted ? Quoted(word) : word.substr(0, kMostShown));
  }

  const std::string& json_;
  const std::size_t most_mistakes_;
  const bool with_places_;
  std::size_t at_ = 0;
  JsonReading reading_;
};

}  // namespace

JsonReading ReadJson(const std::string& json, const pb::Descriptor& type) {
  return JsonReader(json, kMostMistakes, true).Read(type);
}

std::optional<std::string> FindJsonMistake(const std::string& json, const pb::Descriptor& type) {
  const JsonReading reading = JsonReader(json, 1, false).Read(type);
  if (reading.mistakes.empty()) return std::nullopt;
  return reading.mistakes.front();
}

std::string WithoutComments(std::string json) {
  const auto blank = [&json](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (json[i] != '\n') json[i] = ' ';
    }
    return end;
  };
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"' || c == '\'') {
      for (++at; at < json.size() && json[at] != c; ++at) at += json[at] == '\\' ? 1 : 0;
    } else if (json.compare(at, 2, "//") == 0) {
      at = blank(at, std::min(json.find('\n', at), json.size())) - 1;
    } else if (json.compare(at, 2, "/*") == 0) {
      const std::size_t end = json.find("*/", at + 2);
      // A comment without an end is no comment.
      if (end == std::string::npos) break;
      at = blank(at, end + 2) - 1;
    }
  }
  return json;
}

}  // namespace thalweg::text
