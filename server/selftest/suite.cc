#include "server/selftest/suite.h"

#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "absl/strings/escaping.h"
#include "proto/wire/invalid.h"
#include "proto/wire/sha256.h"
#include "proto/wire/status_macros.h"
#include "server/backend/chain.h"
#include "server/world/starting_stages.h"
#include "server/world/world_library.h"

namespace thalweg::selftest {
namespace {

// Cells in a row of a case; blocks of planes have the same size.
constexpr int kCaseCells = 64;
constexpr int kPlanetBlockCells = 256;
constexpr std::int64_t kFar = (std::int64_t{1} << 40) / kCaseCells;
constexpr backend::LayerSet kLayers = backend::LayerSet::All();

// The suite's worlds, compiled once.
const world::WorldLibrary& Presets() {
  static const std::unique_ptr<world::WorldLibrary> presets = world::WorldLibrary::OfPresets();
  return *presets;
}

// The committed digests by the names of their cases, and the generator version that made them.
struct Golden {
  std::uint32_t version = 0;
  std::map<std::string, std::string> digests;
};

const Golden& TheGolden() {
  static const Golden golden = [] {
    Golden parsed;
    std::istringstream text{std::string(kGoldenText)};
    std::string word;
    text >> word >> parsed.version;
    Case test_case;
    std::string digest;
    while (text >> test_case.world >> test_case.level >> test_case.place >> digest) {
      parsed.digests[test_case.Name()] = digest;
    }
    return parsed;
  }();
  return golden;
}

std::string HexDigest(const std::string& bytes) {
  return absl::BytesToHexString(wire::Sha256(bytes).substr(0, 8));
}

void AppendLittleEndian(const std::vector<std::int32_t>& values, std::string& bytes) {
  for (const std::int32_t value : values) {
    for (int shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<char>(static_cast<std::uint32_t>(value) >> shift));
    }
  }
}

}  // namespace

std::string Case::Name() const { return absl::StrCat(world, " level ", level, " ", place); }

std::vector<Case> Suite() {
  std::vector<Case> cases;
  for (const auto& world : Presets().worlds()) {
    if (world->spec().has_sphere()) {
      cases.push_back({world->name(), 1, "corner", {3, 1, 7, 0}});
      cases.push_back({world->name(), 5, "edge", {2, 5, 0, 61}});
      cases.push_back({world->name(), 13, "ground", {3, 13, 22594, 0}});
      continue;
    }
    cases.push_back({world->name(), 1, "far", {0, 1, kFar, -kFar - 1}});
    cases.push_back({world->name(), 4, "negative", {0, 4, -37, -5}});
    cases.push_back({world->name(), 9, "origin", {0, 9, 0, 0}});
  }
  return cases;
}

absl::StatusOr<std::string> Digest(backend::Backend& backend, const Case& test_case) {
  THALWEG_ASSIGN_OR_RETURN(const auto world, Presets().Find(test_case.world));
  const bool is_planet = world->spec().has_sphere();
  backend::Chain chain(backend, world->programs(), is_planet ? kPlanetBlockCells : kCaseCells,
                       {.layers = kLayers});
  const backend::Vertices core{test_case.key.x * kCaseCells, test_case.key.y * kCaseCells,
                               kCaseCells, kCaseCells, test_case.key.face};
  const bool has_rivers = world::WrittenLayers(world->spec()).Contains(backend::Layer::kWay);
  std::string bytes;
  for (const backend::Layer layer : kLayers.List()) {
    // The digests of worlds without rivers do not contain ways.
    if (layer == backend::Layer::kWay && !has_rivers) continue;
    THALWEG_ASSIGN_OR_RETURN(const auto values, chain.Read(test_case.level, core, layer));
    AppendLittleEndian(values, bytes);
  }
  return HexDigest(bytes);
}

absl::StatusOr<std::string> GoldenDigest(const Case& test_case) {
  const Golden& golden = TheGolden();
  if (golden.version != world::kGeneratorVersion) {
    return wire::Invalid("golden digests",
                         absl::StrCat("those of generator version ", world::kGeneratorVersion),
                         golden.version, absl::StatusCode::kFailedPrecondition);
  }
  const auto found = golden.digests.find(test_case.Name());
  if (found == golden.digests.end()) {
    return absl::NotFoundError(absl::StrCat(test_case.Name(), " has no golden digest"));
  }
  return found->second;
}

absl::Status QuickCheck(backend::Backend& backend) {
  for (const Case& test_case : Suite()) {
    if (test_case.level != 1 || test_case.place != "far") continue;
    THALWEG_ASSIGN_OR_RETURN(const std::string golden, GoldenDigest(test_case));
    THALWEG_ASSIGN_OR_RETURN(const std::string digest, Digest(backend, test_case));
    if (digest == golden) return absl::OkStatus();
    return absl::DataLossError(absl::StrCat(
        "device ", backend.device_name(), " (", backend.driver(),
        ") fails the self-test: ", test_case.Name(), ": expected ", golden, ", got ", digest,
        "; update its driver, choose another --device, or use --device reference"));
  }
  return absl::InternalError("the self-test has no cases");
}

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
