// What callers may do.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace thalweg::access {

enum class Scope : std::uint8_t {
  // Worlds and their tiles.
  kRead = 1,
  // Tiles with the priority of bakes.
  kBake = 2,
  // To create worlds, and to delete one's own.
  kCreateWorlds = 3,
  // Everything, and to delete worlds that others created.
  kAdmin = 4,
};

// "read", "bake", "create-worlds" or "admin".
const char* NameOf(Scope scope);

class ScopeSet {
 public:
  ScopeSet() = default;
  static ScopeSet All();
  // From names with commas between them. INVALID_ARGUMENT names the one that is unknown.
  static absl::StatusOr<ScopeSet> Parse(const std::string& names);

  void Add(Scope scope) { bits_ |= BitOf(scope); }
  // An administrator has every scope.
  bool Has(Scope scope) const { return (bits_ & (BitOf(scope) | BitOf(Scope::kAdmin))) != 0; }
  // Whether it was given explicitly.
  bool Names(Scope scope) const { return (bits_ & BitOf(scope)) != 0; }
  // The names that were given, with commas between.
  std::string List() const;

  friend bool operator==(const ScopeSet&, const ScopeSet&) = default;

 private:
  static std::uint32_t BitOf(Scope scope) { return 1U << static_cast<unsigned>(scope); }

  std::uint32_t bits_ = 0;
};

}  // namespace thalweg::access
