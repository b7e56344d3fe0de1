#include "server/access/scope.h"

#include <array>
#include <cstdlib>

#include "absl/strings/str_split.h"
#include "proto/wire/invalid.h"

namespace thalweg::access {
namespace {

constexpr std::array kScopes = {Scope::kRead, Scope::kBake, Scope::kCreateWorlds, Scope::kAdmin};

}  // namespace

const char* NameOf(Scope scope) {
  switch (scope) {
    case Scope::kRead:
      return "read";
    case Scope::kBake:
      return "bake";
    case Scope::kCreateWorlds:
      return "create-worlds";
    case Scope::kAdmin:
      return "admin";
  }
  std::abort();
}

ScopeSet ScopeSet::All() {
  ScopeSet all;
  for (const Scope scope : kScopes) all.Add(scope);
  return all;
}

absl::StatusOr<ScopeSet> ScopeSet::Parse(const std::string& names) {
  ScopeSet set;
  for (const absl::string_view name : absl::StrSplit(names, ',')) {
    bool known = false;
    for (const Scope scope : kScopes) {
      if (name != NameOf(scope)) continue;
      set.Add(scope);
      known = true;
    }
    if (!known) {
      return wire::Invalid("scope", "read, bake, create-worlds or admin",
                           absl::StrCat("'", name, "'"));
    }
  }
  return set;
}

std::string ScopeSet::List() const {
  std::string names;
  for (const Scope scope : kScopes) {
    if (Names(scope)) absl::StrAppend(&names, names.empty() ? "" : ",", NameOf(scope));
  }
  return names;
}

}  // namespace thalweg::access
