#include "server/http/coded_texts.h"

#include <utility>

namespace thalweg::http {
namespace {

// An estimate: list and map nodes, strings and reference count.
constexpr std::size_t kEntryOverheadBytes = 320;

std::string KeyOf(const std::string& text, Coding coding) {
  return static_cast<char>(coding) + text;
}

}  // namespace

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
