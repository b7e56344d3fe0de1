// Compressed texts. Each is compressed once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "server/cache/lru_bytes.h"
#include "server/http/content_coding.h"
#include "server/http/response.h"

namespace thalweg::http {

// Keeps a limited number of bytes; the least recently used texts are dropped first. Thread-safe.
class CodedTexts {
 public:
  explicit CodedTexts(std::size_t budget_bytes) : coded_(budget_bytes) {}

  // The text in this coding, from memory or compressed now.
  Body Get(const std::string& text, Coding coding);
  // As Get, but null if the text must be compressed first.
  Body Find(const std::string& text, Coding coding);

  // How many texts were compressed.
  std::uint64_t made() const { return made_; }

 private:
  // The key is the whole text: callers choose parts of texts, and could find two with equal hashes.
  cache::LruBytes<std::string, Body> coded_;
  std::atomic<std::uint64_t> made_ = 0;
};

}  // namespace thalweg::http
