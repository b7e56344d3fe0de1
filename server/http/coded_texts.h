// The texts of documents. Each is printed once, and compressed once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "server/http/content_coding.h"
#include "server/http/response.h"
#include "server/sharing/lru_cache.h"

namespace thalweg::http {

// Keeps a limited number of bytes of each; the least recently used texts are dropped first.
// Thread-safe.
class CodedTexts {
 public:
  explicit CodedTexts(std::size_t budget_bytes) : printed_(budget_bytes), coded_(budget_bytes) {}

  // The text of what a key stands for, from memory or printed now. Errors are not kept.
  absl::StatusOr<Body> Printed(const std::string& key,
                               absl::FunctionRef<absl::StatusOr<std::string>()> print);

  // The text in this coding, from memory or compressed now.
  Body Get(const std::string& text, Coding coding);
  // As Get, but null if the text must be compressed first.
  Body Find(const std::string& text, Coding coding);

  // How many texts were compressed.
  std::uint64_t made() const { return made_; }

 private:
  sharing::LruCache<std::string, Body> printed_;
  // The key is the whole text: callers choose parts of texts, and could find two with equal hashes.
  sharing::LruCache<std::string, Body> coded_;
  std::atomic<std::uint64_t> made_ = 0;
};

}  // namespace thalweg::http
