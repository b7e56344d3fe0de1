// Worlds that callers create and delete.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "proto/base/temporary.h"
#include "server/world/kept_worlds.h"
#include "server/world/world_library.h"
#include "tests/child/writing_process.h"
#include "tests/proto/base/watched_sync.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::world {
namespace {

constexpr std::size_t kPresets = 16;

using testing::HasSubstr;

const Owner kAnn{.token = "ann"};
const Owner kBob{.token = "bob"};
// A caller without a token.
const Owner kSomebody{.client = 7};

v1::WorldSpec Named(const std::string& name, std::uint64_t seed) {
  v1::WorldSpec spec = SmallSpec();
  spec.set_name(name);
  spec.set_seed(seed);
  return spec;
}

class CreatedWorldsTest : public testing::Test {
 protected:
  CreatedWorldsTest() {
    std::string path = testing::TempDir() + "/createdXXXXXX";
    if (mkdtemp(path.data()) == nullptr) std::abort();
    folder_ = path;
  }
  ~CreatedWorldsTest() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<WorldLibrary> Open(std::size_t max = 64) const {
    auto library = WorldLibrary::Open(folder_, {.max_created = max});
    EXPECT_TRUE(library.ok()) << library.status();
    return *std::move(library);
  }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  std::filesystem::path folder_;
  const std::unique_ptr<WorldLibrary> library_ = WorldLibrary::OfPresets();
};

TEST_F(CreatedWorldsTest, AreFoundListedAndDeleted) {
  const auto created = library_->Create(Named("dales", 5), {}, kAnn);
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_TRUE(created->is_new);
  EXPECT_EQ(*library_->Find("dales"), created->world);
  EXPECT_EQ(*library_->Find(created->world->hex_id()), created->world);
  EXPECT_EQ(library_->worlds().size(), kPresets + 1);
  const auto held = *library_->Find("dales@9");
  EXPECT_TRUE(library_->Delete("dales", kAnn).ok());
  EXPECT_EQ(library_->Find("dales").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(library_->Delete("dales", kAnn).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(library_->worlds().size(), kPresets);
  // Pointers to deleted worlds stay valid.
  EXPECT_EQ(created->world->name(), "dales");
  EXPECT_EQ(held->spec().seed(), 9U);
}

TEST_F(CreatedWorldsTest, TheSameWorldIsNotCreatedTwice) {
  const auto first = library_->Create(Named("dales", 5), {}, kAnn);
  ASSERT_TRUE(first.ok());
  const auto again = library_->Create(Named("dales", 5), {}, kBob);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_FALSE(again->is_new);
  EXPECT_FALSE(again->has_replaced);
  EXPECT_EQ(again->world, first->world);
  const auto hills = *library_->Find("hills");
  const auto preset = library_->Create(hills->spec(), {}, kAnn);
  ASSERT_TRUE(preset.ok()) << preset.status();
  EXPECT_FALSE(preset->is_new);
  EXPECT_EQ(preset->world, hills);
}

TEST_F(CreatedWorldsTest, TheSameTerrainMayHaveSeveralNames) {
  const auto first = library_->Create(Named("dales", 5), {}, kAnn);
  const auto second = library_->Create(Named("moors", 5), {}, kBob);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_TRUE(second->is_new);
  EXPECT_EQ(second->world->name(), "moors");
  EXPECT_EQ(second->world->hex_id(), first->world->hex_id());
  EXPECT_TRUE(library_->Delete("dales", kAnn).ok());
  EXPECT_EQ(*library_->Find(first->world->hex_id()), second->world);
}

TEST_F(CreatedWorldsTest, NamesAreUnique) {
  ASSERT_TRUE(library_->Create(Named("dales", 5), {}, kAnn).ok());
  for (const char* name : {"dales", "hills"}) {
    const auto clash = library_->Create(Named(name, 6), {}, kAnn);
    EXPECT_EQ(clash.status().code(), absl::StatusCode::kAlreadyExists) << name;
  }
}

v1::WorldSpec ShownFrom(double east_m, const v1::WorldSpec& spec) {
  v1::WorldSpec shown = spec;
  shown.mutable_showplace()->set_east_m(east_m);
  return shown;
}

TEST_F(CreatedWorldsTest, WhatDoesNotDecideTheTerrainIsChanged) {
  const auto library = Open();
  const auto first = library->Create(Named("dales", 5), {.keep = true}, kAnn);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto changed = library->Create(ShownFrom(700, Named("dales", 5)), {}, kAnn);
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_FALSE(changed->is_new);
  EXPECT_TRUE(changed->has_replaced);
  EXPECT_EQ(changed->world->hex_id(), first->world->hex_id());
  EXPECT_EQ((*library->Find("dales"))->spec().showplace().east_m(), 700);
  // The next run of the server knows it too.
  EXPECT_EQ((*Open()->Find("dales"))->spec().showplace().east_m(), 700);
  EXPECT_TRUE(library->Delete("dales", kAnn)->is_gone);
  EXPECT_TRUE(Files().empty());
}

TEST_F(CreatedWorldsTest, OthersKeepWhatTheyUse) {
  const auto hills = (*library_->Find("hills"))->spec();
  const auto refusal = [&](const v1::WorldSpec& spec, const Owner& owner) {
    const auto made = library_->Create(ShownFrom(700, spec), {.replace = true}, owner);
    EXPECT_EQ(made.status().code(), absl::StatusCode::kAlreadyExists);
    return std::string(made.status().message());
  };
  EXPECT_EQ(refusal(hills, kAnn),
            "world 'hills': the server has a world of its own with this name: choose another "
            "name");
  ASSERT_TRUE(library_->Create(Named("dales", 5), {}, kAnn).ok());
  EXPECT_EQ(refusal(Named("dales", 5), kBob),
            "world 'dales': others use a world of this name: choose another name");
  EXPECT_EQ(refusal(Named("dales", 6), kSomebody),
            "world 'dales': others use a world of this name: choose another name");
  ASSERT_TRUE(library_->Create(Named("dales", 5), {}, kBob).ok());
  EXPECT_THAT(refusal(Named("dales", 5), kAnn), HasSubstr("others use a world of this name"));
  const auto by_admin =
      library_->Create(Named("dales", 6), {.replace = true, .is_administrator = true}, kSomebody);
  EXPECT_TRUE(by_admin.ok()) << by_admin.status();
}

TEST_F(CreatedWorldsTest, AreReplacedWhenAsked) {
  const auto library = Open();
  const auto first = library->Create(Named("dales", 5), {.keep = true}, kAnn);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(std::string(library->Create(Named("dales", 6), {}, kAnn).status().message()),
            "world 'dales': another world has this name: choose another name, or replace "
            "that world (--replace, ?replace=true)");
  const auto second = library->Create(Named("dales", 6), {.replace = true}, kAnn);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_TRUE(second->is_new);
  EXPECT_TRUE(second->has_replaced);
  EXPECT_FALSE(library->Find(first->world->hex_id()).ok());
  // It is kept as the old one was.
  EXPECT_EQ((*Open()->Find("dales"))->hex_id(), second->world->hex_id());
  // With nothing to replace it is an ordinary creation.
  const auto other = library->Create(Named("moors", 6), {.replace = true}, kAnn);
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE(other->has_replaced);
}

// Callers without a token can't be told apart safely, but may lose worlds that are not kept anyway.
TEST_F(CreatedWorldsTest, CallersWithoutATokenReplaceOnlyWhatIsNotKept) {
  const auto library = Open();
  ASSERT_TRUE(library->Create(Named("a", 5), {}, kSomebody).ok());
  EXPECT_TRUE(library->Create(Named("a", 6), {.replace = true}, kSomebody).ok());
  EXPECT_FALSE(library->Create(Named("a", 7), {.replace = true}, {.client = 8}).ok());
  ASSERT_TRUE(library->Create(Named("b", 5), {.keep = true}, kSomebody).ok());
  EXPECT_EQ(
      std::string(library->Create(Named("b", 6), {.replace = true}, kSomebody).status().message()),
      "world 'b': a kept world has this name, which only callers with a token can replace: "
      "choose another name");
}

TEST_F(CreatedWorldsTest, InvalidWorldsAreRefused) {
  v1::WorldSpec spec = Named("dales", 5);
  spec.set_levels(99);
  EXPECT_THAT(std::string(library_->Create(spec, {}, kSomebody).status().message()),
              HasSubstr("invalid levels: expected 1 to 21, got 99"));
  EXPECT_EQ(library_->Create(Named("../dales", 5), {}, kSomebody).status().code(),
            absl::StatusCode::kInvalidArgument);
  // A world with this name would hide the world with this id.
  const auto hidden =
      library_->Create(Named((*library_->Find("hills"))->hex_id(), 5), {}, kSomebody);
  EXPECT_EQ(hidden.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(hidden.status().message()),
              HasSubstr("': it looks like the id of a world"));
}

// The fields of a newer client would be lost, and the world would be another one.
TEST_F(CreatedWorldsTest, UnknownFieldsAreRefused) {
  v1::WorldSpec spec = Named("dales", 5);
  v1::LevelRule& rule = *spec.mutable_rules(0);
  v1::LevelRule::GetReflection()->MutableUnknownFields(&rule)->AddVarint(999, 1);
  const auto created = library_->Create(spec, {}, kSomebody);
  EXPECT_EQ(created.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(created.status().message()),
              HasSubstr(" has fields that this server does not know"));
}

TEST_F(CreatedWorldsTest, OldWorldsMakeRoomForNewOnes) {
  const auto library = Open(3);
  ASSERT_TRUE(library->Create(Named("a", 5), {}, kAnn).ok());
  const auto held = library->Create(Named("b", 6), {}, kAnn);
  ASSERT_TRUE(library->Create(Named("kept", 7), {.keep = true}, kAnn).ok());
  // A use of "a" makes "b" the least recently used world. A use of "a@4" is a use of "a".
  ASSERT_TRUE(library->Find("a@4").ok());
  const auto newest = library->Create(Named("c", 8), {}, kAnn);
  ASSERT_TRUE(newest.ok()) << newest.status();
  EXPECT_TRUE(newest->is_new);
  EXPECT_EQ(library->Find("b").status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(library->Find("a").ok());
  EXPECT_TRUE(library->Find("kept").ok());
  // A pointer to the removed world stays valid. If it is created again, it is the same world.
  EXPECT_EQ(held->world->name(), "b");
  const auto again = library->Create(Named("b", 6), {}, kAnn);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(again->is_new);
  EXPECT_EQ(again->world->hex_id(), held->world->hex_id());
  EXPECT_FALSE(library->Find("c").ok());
}

TEST_F(CreatedWorldsTest, MarkUsedKeepsAWorldInUse) {
  const auto library = Open(2);
  ASSERT_TRUE(library->Create(Named("a", 5), {}, kAnn).ok());
  ASSERT_TRUE(library->Create(Named("b", 6), {}, kAnn).ok());
  library->MarkUsed("a@9");
  library->MarkUsed("nowhere");
  ASSERT_TRUE(library->Create(Named("c", 7), {}, kAnn).ok());
  EXPECT_TRUE(library->Find("a").ok());
  EXPECT_FALSE(library->Find("b").ok());
}

// However many worlds an owner creates, other owners keep their share.
TEST_F(CreatedWorldsTest, PlacesAreSharedBetweenOwners) {
  const auto library = Open(6);
  ASSERT_TRUE(library->Create(Named("ann-1", 1), {}, kAnn).ok());
  ASSERT_TRUE(library->Create(Named("ann-2", 2), {}, kAnn).ok());
  for (std::uint64_t n = 0; n < 20; ++n) {
    const auto flood = library->Create(Named(absl::StrCat("bob-", n), 100 + n), {}, kBob);
    ASSERT_TRUE(flood.ok()) << flood.status();
  }
  EXPECT_TRUE(library->Find("ann-1").ok());
  EXPECT_TRUE(library->Find("ann-2").ok());
  // A new world of an owner below its share replaces one of the owner with the most worlds.
  ASSERT_TRUE(library->Create(Named("ann-3", 3), {}, kAnn).ok());
  for (const char* name : {"ann-1", "ann-2", "ann-3", "bob-17", "bob-18", "bob-19"}) {
    EXPECT_TRUE(library->Find(name).ok()) << name;
  }
  EXPECT_EQ(library->worlds().size(), kPresets + 6U);
}

TEST_F(CreatedWorldsTest, KeptWorldsStayAndTakeHalfAtMost) {
  const auto library = Open(4);
  ASSERT_TRUE(library->Create(Named("a", 5), {.keep = true}, kAnn).ok());
  ASSERT_TRUE(library->Create(Named("b", 6), {.keep = true}, kAnn).ok());
  const auto refused = library->Create(Named("c", 7), {.keep = true}, kBob).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(std::string(refused.message()),
            "world 'c': the server has no room for more kept worlds (2 of max 2): delete a "
            "kept world, or create this one without keep");
  EXPECT_FALSE(library->Find("c").ok());
  for (std::uint64_t n = 0; n < 10; ++n) {
    ASSERT_TRUE(library->Create(Named(absl::StrCat("bob-", n), 100 + n), {}, kBob).ok());
  }
  EXPECT_TRUE(library->Find("a").ok());
  EXPECT_TRUE(library->Find("b").ok());
  EXPECT_EQ(library->worlds().size(), kPresets + 4U);
}

TEST_F(CreatedWorldsTest, AreRefusedIfNothingCanMakeRoom) {
  {
    const auto library = Open(4);
    ASSERT_TRUE(library->Create(Named("a", 5), {.keep = true}, kAnn).ok());
    ASSERT_TRUE(library->Create(Named("b", 6), {.keep = true}, kAnn).ok());
  }
  // In the server's next run, kept worlds still count.
  const auto next = Open(2);
  const auto refused = next->Create(Named("d", 8), {}, kAnn).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(std::string(refused.message()),
            "world 'd': the server is full of created worlds that must stay (2 of max 2): "
            "delete one of yours, or a kept one");
  // Creating an existing world takes a claim too.
  EXPECT_EQ(next->Create(Named("a", 5), {}, kAnn).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Open(0)->Create(Named("d", 8), {}, kAnn).status().code(),
            absl::StatusCode::kResourceExhausted);
}

// If a world has two owners, it is removed with its last claim, its file with the last kept claim.
TEST_F(CreatedWorldsTest, StayWhileSomebodyHasAClaim) {
  const auto library = Open();
  ASSERT_TRUE(library->Create(Named("dales", 5), {}, kAnn).ok());
  ASSERT_TRUE(library->Create(Named("dales", 5), {.keep = true}, kBob).ok());
  EXPECT_THAT(Files(), testing::ElementsAre("dales.created.json"));
  const auto first = library->Delete("dales", kAnn);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_FALSE(first->is_gone);
  EXPECT_TRUE(library->Find("dales").ok());
  EXPECT_THAT(Files(), testing::ElementsAre("dales.created.json"));
  // ann has no claim any more.
  EXPECT_EQ(library->Delete("dales", kAnn).status().code(), absl::StatusCode::kPermissionDenied);
  const auto last = library->Delete("dales", kBob);
  ASSERT_TRUE(last.ok()) << last.status();
  EXPECT_TRUE(last->is_gone);
  EXPECT_FALSE(library->Find("dales").ok());
  EXPECT_TRUE(Files().empty());
}

TEST_F(CreatedWorldsTest, LoseTheirFileWithTheLastKeeper) {
  const auto library = Open();
  ASSERT_TRUE(library->Create(Named("dales", 5), {.keep = true}, kAnn).ok());
  ASSERT_TRUE(library->Create(Named("dales", 5), {.keep = true}, kBob).ok());
  ASSERT_TRUE(library->Create(Named("dales", 5), {}, kSomebody).ok());
  EXPECT_FALSE(library->Delete("dales", kAnn)->is_gone);
  EXPECT_THAT(Files(), testing::ElementsAre("dales.created.json"));
  EXPECT_FALSE(library->Delete("dales", kBob)->is_gone);
  EXPECT_TRUE(Files().empty());
  EXPECT_TRUE(library->Find("dales").ok());
  // An administrator removes all claims.
  EXPECT_TRUE(library->Delete("dales", std::nullopt)->is_gone);
}

// The limit is on claims, not on worlds. Otherwise one world could have any number of owners.
TEST_F(CreatedWorldsTest, TheLimitCountsClaims) {
  const auto library = Open(3);
  ASSERT_TRUE(library->Create(Named("ann", 5), {}, kAnn).ok());
  for (std::uint64_t client = 1; client < 20; ++client) {
    ASSERT_TRUE(library->Create(Named("dales", 6), {}, {.client = client}).ok());
  }
  EXPECT_TRUE(library->Find("ann").ok());
  ASSERT_TRUE(library->Create(Named("bob-1", 7), {}, kBob).ok());
  ASSERT_TRUE(library->Create(Named("bob-2", 8), {}, kBob).ok());
  // The world "dales" still has one claim.
  EXPECT_TRUE(library->Find("ann").ok());
  EXPECT_TRUE(library->Find("dales").ok());
  EXPECT_FALSE(library->Find("bob-1").ok());
}

// The server can't tell a damaged file from one of a later version, so it stays.
TEST_F(CreatedWorldsTest, ADamagedFileIsReportedAndStays) {
  ASSERT_TRUE(Open()->Create(Named("dales", 5), {.keep = true}, kAnn).ok());
  const std::string zeros(500, '\0');
  std::ofstream(folder_ / "dales.created.json", std::ios::binary) << zeros;
  const auto library = Open();
  ASSERT_EQ(library->problems().size(), 1U);
  EXPECT_EQ(library->problems()[0].file_name, "dales.created.json");
  EXPECT_EQ(library->Find("dales").status().code(), absl::StatusCode::kNotFound);
  const auto kept = library->Create(Named("dales", 5), {.keep = true}, kAnn);
  EXPECT_EQ(kept.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(kept.status().message()),
              testing::AllOf(HasSubstr("dales.created.json"), HasSubstr("remove the file"),
                             testing::Not(HasSubstr(folder_.string()))));
  EXPECT_THAT(Files(), testing::ElementsAre("dales.created.json"));
  EXPECT_EQ(std::filesystem::file_size(folder_ / "dales.created.json"), zeros.size());
  EXPECT_TRUE(library->Create(Named("dales", 5), {}, kAnn).ok());
}

// A power cut after the answer neither loses a kept world nor brings a deleted one back.
TEST_F(CreatedWorldsTest, AreKeptAndDeletedOnTheDisk) {
  const auto library = Open();
  const std::filesystem::path folder = std::filesystem::canonical(folder_);
  std::vector<std::string> on_disk = {"nothing synced"};
  const files::WatchedSync watch([&](const std::filesystem::path& path) {
    if (path == folder) on_disk = Files();
  });
  ASSERT_TRUE(library->Create(Named("dales", 5), {.keep = true}, kAnn).ok());
  EXPECT_THAT(on_disk, testing::ElementsAre("dales.created.json"));
  ASSERT_TRUE(library->Delete("dales", kAnn).ok());
  EXPECT_THAT(on_disk, testing::IsEmpty());
}

TEST_F(CreatedWorldsTest, CanBeDeletedByTheirOwners) {
  ASSERT_TRUE(library_->Create(Named("a", 5), {}, kAnn).ok());
  ASSERT_TRUE(library_->Create(Named("n", 6), {}, kSomebody).ok());
  EXPECT_EQ(library_->Delete("a", kBob).status().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(library_->Delete("a", kSomebody).status().code(), absl::StatusCode::kPermissionDenied);
  // A caller without a token may not delete, since such callers can't be told apart.
  EXPECT_EQ(library_->Delete("n", kSomebody).status().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE(library_->Delete("a", std::nullopt).ok());
  EXPECT_TRUE(library_->Delete((*library_->Find("n"))->hex_id(), std::nullopt).ok());
  EXPECT_EQ(library_->Delete("hills", std::nullopt).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(CreatedWorldsTest, AreKeptInTheFolder) {
  std::string id;
  {
    const auto library = Open();
    const auto kept = library->Create(Named("dales", 5), {.keep = true}, kAnn);
    ASSERT_TRUE(kept.ok()) << kept.status();
    id = kept->world->hex_id();
    ASSERT_TRUE(library->Create(Named("moors", 6), {}, kAnn).ok());
    // First created, later kept.
    ASSERT_TRUE(library->Create(Named("fells", 7), {}, kAnn).ok());
    ASSERT_TRUE(library->Create(Named("fells", 7), {.keep = true}, kAnn).ok());
    ASSERT_TRUE(library->Create(Named("fells", 7), {.keep = true}, kAnn).ok());
  }
  EXPECT_THAT(Files(), testing::UnorderedElementsAre("dales.created.json", "fells.created.json"));
  const auto next = Open();
  EXPECT_TRUE(next->problems().empty());
  EXPECT_EQ((*next->Find("dales"))->hex_id(), id);
  EXPECT_EQ(next->Find("moors").status().code(), absl::StatusCode::kNotFound);
  // In the new run the kept world has no owner.
  EXPECT_EQ(next->Delete("dales", kAnn).status().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE(next->Delete("dales", std::nullopt).ok());
  EXPECT_THAT(Files(), testing::ElementsAre("fells.created.json"));
}

TEST_F(CreatedWorldsTest, KeepingWorldsNeedsAFolder) {
  EXPECT_EQ(library_->Create(Named("dales", 5), {.keep = true}, kAnn).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_FALSE(library_->Find("dales").ok());
  const auto library = Open();
  std::filesystem::remove_all(folder_);
  EXPECT_FALSE(library->Create(Named("dales", 5), {.keep = true}, kAnn).ok());
  EXPECT_FALSE(library->Find("dales").ok());
}

TEST_F(CreatedWorldsTest, DoNotTouchOtherFilesOfTheFolder) {
  std::ofstream(folder_ / "mine.json") << *text::ToJson(Named("mine", 5));
  // This file is not a world, but has the name that the world's file would have.
  std::ofstream(folder_ / "dales.created.json") << "{}";
  const auto library = Open();
  EXPECT_EQ(library->Delete("mine", std::nullopt).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(library->Create(Named("dales", 6), {.keep = true}, kAnn).status().code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(Files(), testing::UnorderedElementsAre("mine.json", "dales.created.json"));
}

// Reseeded worlds of a deleted world must not be found for a new world with the same name.
TEST_F(CreatedWorldsTest, ANewWorldWithAnOldNameHasNoOldSeeds) {
  ASSERT_TRUE(library_->Create(Named("dales", 5), {}, kAnn).ok());
  const auto old = *library_->Find("dales@9");
  ASSERT_TRUE(library_->Delete("dales", kAnn).ok());
  v1::WorldSpec other = Named("dales", 6);
  other.set_levels(2);
  ASSERT_TRUE(library_->Create(other, {}, kAnn).ok());
  EXPECT_NE((*library_->Find("dales@9"))->hex_id(), old->hex_id());
}

// Worlds are found, created and deleted at the same time. This is for ThreadSanitizer.
TEST_F(CreatedWorldsTest, CanBeCreatedAndDeletedWhileOthersAreFound) {
  std::atomic<bool> stop = false;
  std::vector<std::thread> readers;
  for (int k = 0; k < 2; ++k) {
    readers.emplace_back([&] {
      while (!stop) {
        EXPECT_TRUE(library_->Find("hills").ok());
        if (const auto found = library_->Find("dales@3"); found.ok()) {
          EXPECT_EQ((*found)->name(), "dales");
        }
        EXPECT_GE(library_->worlds().size(), kPresets);
      }
    });
  }
  std::vector<std::thread> writers;
  for (std::uint64_t k = 0; k < 2; ++k) {
    writers.emplace_back([&, k] {
      for (std::uint64_t n = 0; n < 100; ++n) {
        (void)library_->Create(Named("dales", 10 + (n + k) % 3), {}, kAnn);
        (void)library_->Delete("dales", kAnn);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  stop = true;
  for (std::thread& reader : readers) reader.join();
  (void)library_->Delete("dales", kAnn);
  EXPECT_EQ(library_->worlds().size(), kPresets);
}

// A server that is killed while it keeps a world leaves a file; one that lives goes on with its
// own.
TEST_F(CreatedWorldsTest, TheNextServerRemovesUnfinishedFiles) {
  const std::string path = (folder_ / KeptFileName("dales")).string();
  const auto begin = [&] {
    auto file = files::TemporaryFile::Create(path, {.may_be_nameless = false});
    return file.ok() ? *std::move(file) : nullptr;
  };
  child::WritingProcess dead(begin);
  child::WritingProcess living(begin);
  ASSERT_TRUE(dead.has_begun() && living.has_begun());
  std::ofstream(folder_ / "notes.0123456789abcdef.tmp") << "somebody's";
  dead.Kill();
  Open();
  EXPECT_EQ(Files().size(), 2U);
  living.Kill();
  Open();
  EXPECT_THAT(Files(), testing::ElementsAre("notes.0123456789abcdef.tmp"));
}

TEST(KeptWorldsTest, AreRecognisedByTheirFileNames) {
  EXPECT_TRUE(IsKeptFile(KeptFileName("dales")));
  EXPECT_FALSE(IsKeptFile("dales.json"));
  EXPECT_FALSE(IsKeptFile("created.json"));
}

}  // namespace
}  // namespace thalweg::world
