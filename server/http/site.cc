#include "server/http/site.h"

#include "proto/wire/status_macros.h"

namespace thalweg::http {
namespace {

// An estimate: list and map nodes, strings and reference count.
constexpr std::size_t kEntryOverheadBytes = 320;

std::string KeyOf(const std::string& text, Coding coding) {
  return static_cast<char>(coding) + text;
}

}  // namespace

absl::StatusOr<Body> CodedTexts::Printed(const std::string& key,
                                         absl::FunctionRef<absl::StatusOr<std::string>()> print) {
  if (Body known = printed_.Find(key)) return known;
  THALWEG_ASSIGN_OR_RETURN(std::string text, print());
  Body body = BodyOf(std::move(text));
  printed_.Insert(key, body, body->capacity() + 2 * key.capacity() + kEntryOverheadBytes);
  return body;
}

Body CodedTexts::Find(const std::string& text, Coding coding) {
  return coded_.Find(KeyOf(text, coding));
}

Body CodedTexts::Get(const std::string& text, Coding coding) {
  const std::string key = KeyOf(text, coding);
  if (Body known = coded_.Find(key)) return known;
  ++made_;
  Body body = BodyOf(Encode(text, coding, Effort::kQuick));
  coded_.Insert(key, body, body->capacity() + 2 * key.capacity() + kEntryOverheadBytes);
  return body;
}

}  // namespace thalweg::http
