// The id of a world: what changes it and what does not.
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "proto/base/world_text.h"
#include "server/world/canonical.h"
#include "server/world/world.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

constexpr std::uint64_t kSpecs = 200;

std::shared_ptr<const World> Made(const v1::WorldSpec& spec) {
  const auto world = World::Create(spec);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *world : nullptr;
}

class RandomSpecTest : public testing::Test {
 protected:
  void ForEachSpec(const std::function<void(const v1::WorldSpec&)>& check) {
    for (std::uint64_t seed = 0; seed < kSpecs; ++seed) {
      SCOPED_TRACE(absl::StrCat("seed ", seed));
      check(RandomSpec(seed));
      if (HasFailure()) return;
    }
  }
};

TEST_F(RandomSpecTest, IdSurvivesJson) {
  ForEachSpec([](const v1::WorldSpec& spec) {
    const auto world = Made(spec);
    ASSERT_NE(world, nullptr);
    const auto read = text::WorldFromJson(*text::ToJson(spec));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(Made(*read)->hex_id(), world->hex_id());
  });
}

TEST_F(RandomSpecTest, ExplicitDefaultsEqualImplicitOnes) {
  ForEachSpec([](const v1::WorldSpec& spec) {
    const auto world = Made(spec);
    ASSERT_NE(world, nullptr);
    // Filling in the defaults gives the same world. Doing it again changes nothing.
    const auto again = Made(world->spec());
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(again->hex_id(), world->hex_id());
    EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(again->spec(), world->spec()));
  });
}

TEST_F(RandomSpecTest, NameAndDescriptionDoNotChangeTheId) {
  ForEachSpec([](v1::WorldSpec spec) {
    const auto world = Made(spec);
    ASSERT_NE(world, nullptr);
    spec.set_name("another");
    spec.set_description("Another description");
    EXPECT_EQ(Made(spec)->hex_id(), world->hex_id());
  });
}

TEST_F(RandomSpecTest, EveryNumberChangesTheId) {
  ForEachSpec([](const v1::WorldSpec& spec) {
    const auto world = Made(spec);
    ASSERT_NE(world, nullptr);
    int numbers = 0;
    v1::WorldSpec changed = world->spec();
    ForEachNumber(changed, [&](const NumberField& number) {
      ++numbers;
      const std::unique_ptr<google::protobuf::Message> before(number.message->New());
      before->CopyFrom(*number.message);
      ChangeNumber(number);
      // A showplace does not change terrain.
      const bool counts = !number.path.starts_with("showplace.");
      EXPECT_EQ(WorldId(changed) != world->id(), counts) << number.path;
      number.message->CopyFrom(*before);
    });
    EXPECT_GT(numbers, 5);
    EXPECT_EQ(WorldId(changed), world->id());
  });
}

TEST_F(RandomSpecTest, IdsDiffer) {
  std::map<std::string, std::string> json_of_id;
  ForEachSpec(
      [&](const v1::WorldSpec& spec) { json_of_id[Made(spec)->id()] = *text::ToJson(spec); });
  EXPECT_EQ(json_of_id.size(), kSpecs);
}

TEST(WorldIdTest, DoesNotDependOnTheOrderOfJson) {
  const auto one = text::WorldFromJson(
      R"({"name": "a", "seed": 5, "levels": 2, "base": {"fbm": {"wavelength_m": 9, "gain": 0.5}},
          "rules": [{"from_level": 0, "stages": [{"droplet": {"steps": 3, "inertia": 0.2}}]}]})");
  const auto other = text::WorldFromJson(
      R"({"rules": [{"stages": [{"droplet": {"inertia": 0.2, "steps": 3}}], "fromLevel": 0}],
          "base": {"fbm": {"gain": 5e-1, "wavelengthM": 9.0}}, "levels": 2, "seed": "5",
          "name": "a"})");
  ASSERT_TRUE(one.ok()) << one.status();
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ(Made(*one)->hex_id(), Made(*other)->hex_id());
}

TEST(WorldIdTest, NegativeZeroIsZero) {
  const auto zero = Made(SmallSpecWith("base { fbm { offset: 0 } } sea_level_m: 0"));
  const auto negative = Made(SmallSpecWith("base { fbm { offset: -0.0 } } sea_level_m: -0.0"));
  EXPECT_EQ(zero->hex_id(), negative->hex_id());
}

TEST(WorldIdTest, NoSeaIsNotSeaAtZero) {
  EXPECT_NE(Made(SmallSpec())->hex_id(), Made(SmallSpecWith("sea_level_m: 0"))->hex_id());
}

// A part of the ground with default values is not the same as no such part.
TEST(WorldIdTest, AnEmptyPartChangesTheId) {
  const std::string rules = "rules { to_level: 4 stages { rivers { } } } rules { from_level: 5 ";
  const auto spec = [&](const std::string& parts) {
    v1::WorldSpec made = SmallSpecWith(absl::StrCat("levels: 8 cell_size_m: 64 sea_level_m: 0 ",
                                                    rules, "stages { ground { ", parts, " } } }"));
    made.mutable_rules()->DeleteSubrange(0, 1);
    return made;
  };
  std::set<std::string> ids = {Made(spec(""))->hex_id()};
  const auto& type = *v1::Ground::descriptor();
  int parts = 0;
  for (int i = 0; i < type.field_count(); ++i) {
    if (type.field(i)->message_type() == nullptr) continue;
    ++parts;
    ids.insert(Made(spec(absl::StrCat(type.field(i)->name(), " { }")))->hex_id());
  }
  EXPECT_GT(parts, 10);
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(parts + 1));
}

// A field of a later schema is left out if it has its default value, so that old worlds keep their
// ids.
TEST_F(RandomSpecTest, DefaultsAreLeftOut) {
  ForEachSpec([](const v1::WorldSpec& spec) {
    const auto world = Made(spec);
    ASSERT_NE(world, nullptr);
    v1::WorldSpec bare = world->spec();
    for (v1::LevelRule& rule : *bare.mutable_rules()) {
      v1::Stage* const stage = rule.add_stages();
      stage->mutable_thermal();
      v1::WorldSpec filled = bare;
      ASSERT_TRUE(text::Normalise(filled).ok());
      EXPECT_TRUE(CanonicalBytes(filled) == CanonicalBytes(bare));
      rule.mutable_stages()->RemoveLast();
    }
  });
}

TEST(WorldIdTest, ShortSpecificationsHaveShortBytes) {
  // Only SmallSpec's seed, levels, base and rules. A stage with default values is only its kind.
  EXPECT_LT(CanonicalBytes(Made(SmallSpec())->spec()).size(), 130u);
}

// Caches name tiles by these ids for ever. They may change only with the generator's version.
TEST(WorldIdTest, DoesNotChange) {
  ASSERT_EQ(kGeneratorVersion, 10u);
  EXPECT_EQ(Made(SmallSpec())->hex_id(), "1fe17e05fb4ee28e79e4f716c86e36ab");
  EXPECT_EQ(Made(SmallSpec())->id().size(), 16u);
}

// So an id never leads to data of another generator version: see proto/README.md.
TEST_F(RandomSpecTest, EveryVersionOfTheGeneratorHasItsOwnIds) {
  ForEachSpec([](const v1::WorldSpec& spec) {
    const auto world = Made(spec);
    ASSERT_NE(world, nullptr);
    EXPECT_EQ(WorldId(world->spec(), kGeneratorVersion), world->id());
    EXPECT_NE(WorldId(world->spec(), kGeneratorVersion + 1), world->id());
    EXPECT_NE(WorldId(world->spec(), kGeneratorVersion - 1), world->id());
  });
}

TEST(WorldTest, ReseededChangesOnlyTheSeed) {
  const auto world = Made(SmallSpec());
  v1::WorldSpec spec = SmallSpec();
  spec.set_seed(0x123456789abcdef0u);
  const auto reseeded = world->Reseeded(0x123456789abcdef0u);
  EXPECT_EQ(reseeded->hex_id(), Made(spec)->hex_id());
  EXPECT_NE(reseeded->hex_id(), world->hex_id());
  EXPECT_EQ(reseeded->level(2).seed_low, 0x9abcdef0u);
  EXPECT_EQ(reseeded->level(2).seed_high, 0x12345678u);
}

}  // namespace
}  // namespace thalweg::world
