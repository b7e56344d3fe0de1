// Compressed texts, each compressed once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "server/cache/lru_bytes.h"
#include "server/http/content_coding.h"
#include "server/http/response.h"

namespace thalweg::http {

// Keeps up to a number of bytes; the least recently used texts make room. Thread-safe.
class CodedTexts {
 public:
  explicit CodedTexts(std::size_t budget_bytes) : coded_(budget_bytes) {}

  // The text so coded, from memory or made now.
  Body Get(const std::string& text, Coding coding);
  // The same, or null if it would have to be made.
  Body Find(const std::string& text, Coding coding);

  // How many were made.
  std::uint64_t made() const { return made_; }

 private:
  // By the whole text: callers choose parts of texts, and could find two with the same hash.
  cache::LruBytes<std::string, Body> coded_;
  std::atomic<std::uint64_t> made_ = 0;
};

}  // namespace thalweg::http
