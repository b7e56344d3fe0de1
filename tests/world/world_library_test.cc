// The worlds of a server.
#include "server/world/world_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "tests/world/base_machine.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;

std::vector<std::string> NamesOf(const WorldLibrary& library) {
  std::vector<std::string> names;
  for (const auto& world : library.worlds()) names.push_back(world->name());
  return names;
}

// A folder for the test, which is removed after it.
class WorldFolderTest : public testing::Test {
 protected:
  WorldFolderTest() {
    std::string path = testing::TempDir() + "/worldsXXXXXX";
    if (mkdtemp(path.data()) == nullptr) std::abort();
    folder_ = path;
  }
  ~WorldFolderTest() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  static std::string Named(const std::string& name) {
    v1::WorldSpec spec = SmallSpec();
    spec.set_name(name);
    return *text::ToJson(spec);
  }

  std::filesystem::path folder_;
};

TEST(PresetTest, ListsTheKnownPresets) {
  EXPECT_THAT(NamesOf(*WorldLibrary::OfPresets()),
              ElementsAre("alpine", "badlands", "blue-planet", "canyons", "cratered-moon", "delta",
                          "desert", "drained-lakes", "frozen-moon", "hills", "islands", "lakes",
                          "raindrop-hills", "red-planet", "snowball-island", "soft-meanders"));
}

TEST(PresetTest, LevelsReachFromCoarseToFineCells) {
  for (const auto& world : WorldLibrary::OfPresets()->worlds()) {
    EXPECT_GE(world->spec().cell_size_m(), 256) << world->name();
    // A planet's levels start with a whole face and need only reach a metre.
    const double min_m = world->spec().has_sphere() ? 1 : 0.01;
    EXPECT_LT(world->programs().back().cell_size_m, min_m) << world->name();
    EXPECT_FALSE(world->spec().description().empty()) << world->name();
  }
}

TEST(PresetTest, BasesOfPlanesAreEarthlikeUnlessRiversMakeTheirRelief) {
  for (const auto& world : WorldLibrary::OfPresets()->worlds()) {
    // RunBase can run only planes.
    if (world->spec().has_sphere()) continue;
    float lowest = 1e9f;
    float highest = -1e9f;
    for (int i = 0; i < 2000; ++i) {
      const float ground = RunBase(world->level(0), (i % 50) * 13, (i / 50) * 17);
      lowest = std::min(lowest, ground);
      highest = std::max(highest, ground);
    }
    EXPECT_GT(lowest, -6000) << world->name();
    EXPECT_LT(highest, 9000) << world->name();
    if (world->spec().has_steepness()) continue;
    EXPECT_GT(highest - lowest, 150) << world->name();
  }
}

TEST(WorldLibraryTest, FindsByNameAndById) {
  const auto library = WorldLibrary::OfPresets();
  const auto by_name = library->Find("hills");
  ASSERT_TRUE(by_name.ok()) << by_name.status();
  const auto by_id = library->Find((*by_name)->hex_id());
  ASSERT_TRUE(by_id.ok()) << by_id.status();
  EXPECT_EQ(*by_id, *by_name);
}

TEST(WorldLibraryTest, NamesTheKnownWorlds) {
  const auto found = WorldLibrary::OfPresets()->Find("mor\ndor");
  EXPECT_EQ(found.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(std::string(found.status().message()),
            "unknown world 'mor\\ndor': expected one of alpine, badlands, blue-planet, canyons, "
            "cratered-moon, delta, desert, drained-lakes, frozen-moon, hills, islands, lakes, "
            "raindrop-hills, red-planet, snowball-island, soft-meanders");
}

TEST(WorldLibraryTest, SeedsFollowAnAtSign) {
  const auto library = WorldLibrary::OfPresets();
  const auto hills = *library->Find("hills");
  const auto seventh = library->Find("hills@7");
  ASSERT_TRUE(seventh.ok()) << seventh.status();
  EXPECT_EQ((*seventh)->spec().seed(), 7u);
  EXPECT_EQ((*seventh)->hex_id(), hills->Reseeded(7)->hex_id());
  EXPECT_EQ(*library->Find("hills@7"), *seventh);
  EXPECT_EQ(*library->Find(hills->hex_id() + "@7"), *seventh);
  EXPECT_EQ(*library->Find(absl::StrCat("hills@", hills->spec().seed())), hills);
  EXPECT_EQ((*library->Find("hills@18446744073709551615"))->spec().seed(), ~std::uint64_t{0});
}

TEST(WorldLibraryTest, RefusesSeedsThatAreNotNumbers) {
  const auto library = WorldLibrary::OfPresets();
  for (const std::string seed : {"", "x", "-1", "+1", " 1", "1 ", "0x1", "18446744073709551616"}) {
    EXPECT_EQ(library->Find("hills@" + seed).status().code(), absl::StatusCode::kInvalidArgument)
        << seed;
  }
  EXPECT_EQ(library->Find("dales@1").status().code(), absl::StatusCode::kNotFound);
}

TEST(WorldLibraryTest, KeepsOnlyAFewSeeds) {
  const auto library = WorldLibrary::Of({*World::Create(SmallSpec())});
  const auto first = *library->Find("alps@1");
  const auto second = *library->Find("alps@2");
  for (int seed = 3; seed <= 256; ++seed)
    ASSERT_TRUE(library->Find(absl::StrCat("alps@", seed)).ok());
  EXPECT_EQ(*library->Find("alps@1"), first);
  ASSERT_TRUE(library->Find("alps@257").ok());
  EXPECT_EQ(*library->Find("alps@1"), first);
  // The object is new, but it is the same world.
  EXPECT_NE(*library->Find("alps@2"), second);
  EXPECT_EQ((*library->Find("alps@2"))->hex_id(), second->hex_id());
}

std::vector<std::string> NamesOf(const WorldLibrary::Page& page) {
  std::vector<std::string> names;
  for (const auto& world : page.worlds) names.push_back(world->name());
  return names;
}

TEST(WorldPageTest, ContinuesAfterThePreviousPage) {
  const auto library = WorldLibrary::OfPresets();
  std::vector<std::string> names;
  for (std::string last;;) {
    const WorldLibrary::Page page = library->PageAfter(last, 4, std::size_t{1} << 20);
    const auto part = NamesOf(page);
    names.insert(names.end(), part.begin(), part.end());
    EXPECT_EQ(page.has_more, names.size() < library->worlds().size());
    if (!page.has_more) break;
    last = names.back();
  }
  EXPECT_EQ(names, NamesOf(*library));
  // A page that ends with the last world has no next page.
  const std::size_t count = library->worlds().size();
  EXPECT_FALSE(library->PageAfter("", count, std::size_t{1} << 20).has_more);
  EXPECT_FALSE(library->PageAfter("zzz", count, std::size_t{1} << 20).has_more);
}

TEST(WorldPageTest, HasAMaxSizeAndIsNeverEmpty) {
  const auto library = WorldLibrary::OfPresets();
  const WorldLibrary::Page least = library->PageAfter("", 15, 1);
  EXPECT_THAT(NamesOf(least), testing::ElementsAre("alpine"));
  EXPECT_TRUE(least.has_more);
  const std::size_t two =
      least.worlds[0]->spec().ByteSizeLong() + (*library->Find("badlands"))->spec().ByteSizeLong();
  EXPECT_EQ(library->PageAfter("", 15, two).worlds.size(), 2U);
  EXPECT_EQ(library->PageAfter("", 15, two - 1).worlds.size(), 1U);
}

// Worlds may be created and deleted between two pages. Each world that stays comes once.
TEST(WorldPageTest, WorldsMayChangeBetweenPages) {
  const auto library = WorldLibrary::OfPresets();
  const auto create = [&](const std::string& name, std::uint64_t seed) {
    v1::WorldSpec spec = SmallSpec();
    spec.set_name(name);
    spec.set_seed(seed);
    ASSERT_TRUE(library->Create(spec, {}, {.token = "ann"}).ok()) << name;
  };
  create("deep", 1);
  const auto first = library->PageAfter("", 6, std::size_t{1} << 20);
  EXPECT_THAT(NamesOf(first), testing::ElementsAre("alpine", "badlands", "blue-planet", "canyons",
                                                   "cratered-moon", "deep"));
  create("azure", 2);
  create("elder", 3);
  // The world that the page begins after may be deleted too.
  ASSERT_TRUE(library->Delete("deep", std::nullopt).ok());
  const auto second = library->PageAfter("deep", 4, std::size_t{1} << 20);
  EXPECT_THAT(NamesOf(second), testing::ElementsAre("delta", "desert", "drained-lakes", "elder"));
}

// Otherwise the error could be larger than gRPC's clients accept.
TEST(WorldLibraryTest, ErrorsNameSomeOfManyWorlds) {
  const auto library = WorldLibrary::OfPresets({.max_created = 1'000});
  for (std::uint64_t n = 0; n < 300; ++n) {
    v1::WorldSpec spec = SmallSpec();
    spec.set_name(absl::StrCat(std::string(55, 'a'), 100 + n));
    spec.set_seed(n);
    ASSERT_TRUE(library->Create(spec, {}, {.token = "ann"}).ok());
  }
  const std::string message(library->Find("mordor").status().message());
  EXPECT_LT(message.size(), 4'096U);
  EXPECT_THAT(message, testing::HasSubstr(" or 296 more, see the list of worlds"));
}

TEST_F(WorldFolderTest, AddsItsWorlds) {
  Write("any-stem.json", Named("dales"));
  Write("text.textproto",
        "name: 'moors' levels: 2 base { constant: 3 } rules { stages { thermal {} } }");
  Write("notes.txt", "not a world");
  const auto library = WorldLibrary::Open(folder_);
  ASSERT_TRUE(library.ok()) << library.status();
  EXPECT_THAT(NamesOf(**library), AllOf(Contains("alpine"), Contains("dales"), Contains("moors")));
  EXPECT_EQ((*library)->worlds().size(), WorldLibrary::OfPresets()->worlds().size() + 2);
  EXPECT_TRUE((*library)->problems().empty());
}

TEST_F(WorldFolderTest, SkipsBrokenFilesAndReportsThem) {
  Write("a.json", "{\"name\": ");
  Write("b.json", "{\"name\": \"dales\", \"levels\": 99}");
  Write("c.json", Named("dales"));
  Write("d.json", Named("dales"));
  std::filesystem::create_directory(folder_ / "e.json");
  const auto library = WorldLibrary::Open(folder_);
  ASSERT_TRUE(library.ok()) << library.status();
  EXPECT_TRUE((*library)->Find("dales").ok());
  const auto& problems = (*library)->problems();
  ASSERT_EQ(problems.size(), 4u);
  EXPECT_EQ(problems[0].file_name, "a.json");
  EXPECT_EQ(problems[0].status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(problems[1].file_name, "b.json");
  EXPECT_EQ(std::string(problems[1].status.message()),
            "world 'dales': invalid levels: expected 1 to 21, got 99");
  EXPECT_EQ(problems[2].file_name, "d.json");
  EXPECT_EQ(std::string(problems[2].status.message()),
            "skip world 'dales': c.json already has a world of this name");
  EXPECT_EQ(problems[3].file_name, "e.json");
}

TEST_F(WorldFolderTest, ReplacesAPresetAndReportsIt) {
  Write("mine.json", Named("hills"));
  const auto library = WorldLibrary::Open(folder_);
  ASSERT_TRUE(library.ok()) << library.status();
  EXPECT_EQ((*(*library)->Find("hills"))->levels(), 3);
  ASSERT_EQ((*library)->problems().size(), 1u);
  EXPECT_EQ((*library)->problems()[0].status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(std::string((*library)->problems()[0].status.message()),
            "world 'hills' replaces the preset of that name");
}

TEST_F(WorldFolderTest, AMissingFolderIsAnError) {
  const auto library = WorldLibrary::Open(folder_ / "nowhere");
  EXPECT_EQ(library.status().code(), absl::StatusCode::kNotFound);
  EXPECT_NE(library.status().message().find("nowhere"), std::string::npos);
}

}  // namespace
}  // namespace thalweg::world
