// The rights of callers.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace thalweg::access {

enum class Scope : std::uint8_t {
  // To get worlds and their tiles.
  kRead = 1,
  // To get tiles with the priority of bakes.
  kBake = 2,
  // To create worlds, and to delete one's own.
  kCreateWorlds = 3,
  // All rights, and to delete worlds that others created.
  kAdmin = 4,
};

// "read", "bake", "create-worlds" or "admin".
const char* NameOf(Scope scope);

class ScopeSet {
 public:
  ScopeSet() = default;
  static ScopeSet All();
  // Parses names with commas between them. INVALID_ARGUMENT names the unknown one.
  static absl::StatusOr<ScopeSet> Parse(const std::string& names);

  void Add(Scope scope) { bits_ |= BitOf(scope); }
  // Whether the set gives a scope. An administrator has every scope.
  bool Has(Scope scope) const { return (bits_ & (BitOf(scope) | BitOf(Scope::kAdmin))) != 0; }
  // Whether the scope was given explicitly.
  bool Names(Scope scope) const { return (bits_ & BitOf(scope)) != 0; }
  // The names that were given, with commas between them.
  std::string List() const;

  friend bool operator==(const ScopeSet&, const ScopeSet&) = default;

 private:
  static std::uint32_t BitOf(Scope scope) { return 1U << static_cast<unsigned>(scope); }

  std::uint32_t bits_ = 0;
};

}  // namespace thalweg::access
