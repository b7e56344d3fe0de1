#include "server/selftest/command.h"

#include "proto/wire/status_macros.h"

namespace thalweg::selftest {

bool RunCases(backend::Backend& backend, const std::vector<Case>& cases, std::ostream& out) {
  int passed = 0;
  int failed = 0;
  for (const Case& test_case : cases) {
    const auto golden = GoldenDigest(test_case);
    const auto digest = Digest(backend, test_case);
    const bool ok = golden.ok() && digest.ok() && *golden == *digest;
    ++(ok ? passed : failed);
    out << (ok ? "ok    " : "FAIL  ") << test_case.Name() << "  ";
    if (!digest.ok()) {
      out << digest.status().ToString();
    } else if (!golden.ok()) {
      out << *digest << ", " << golden.status().ToString();
    } else if (ok) {
      out << *digest;
    } else {
      out << *digest << ", expected " << *golden;
    }
    out << std::endl;
  }
  out << passed << " passed, " << failed << " failed" << std::endl;
  return failed == 0;
}

absl::Status PrintGolden(backend::Backend& backend, std::ostream& out) {
  out << "version " << world::kGeneratorVersion << "\n";
  for (const Case& test_case : Suite()) {
    THALWEG_ASSIGN_OR_RETURN(const std::string digest, Digest(backend, test_case));
    out << test_case.world << " " << test_case.level << " " << test_case.place << " " << digest
        << std::endl;
  }
  return absl::OkStatus();
}

}  // namespace thalweg::selftest
