#include "tests/access/token_line.h"

#include "server/access/tokens_file.h"

namespace thalweg::access {

std::string LineOf(const std::string& name, const std::string& token, const std::string& scopes,
                   double calls_per_s, double cells_per_s) {
  Grant grant;
  grant.name = name;
  grant.hash = HashOf(token);
  grant.scopes = *ScopeSet::Parse(scopes);
  grant.calls_per_s = calls_per_s;
  grant.cells_per_s = cells_per_s;
  return TokenLine(grant) + "\n";
}

}  // namespace thalweg::access
