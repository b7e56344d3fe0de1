#include "server/access/access_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"
#include "tests/access/temporary_folder.h"
#include "tests/access/token_line.h"

namespace thalweg::access {
namespace {

using ::testing::HasSubstr;

class AccessControlTest : public testing::Test {
 protected:
  void Open(const std::string& text) {
    ReloadOptions options;
    options.clock = [this] { return now_; };
    options.listener = [this](const std::string&, const absl::Status& outcome) {
      outcomes_.push_back(outcome);
    };
    options.warn = [this](const std::string& line) { warnings_.push_back(line); };
    auto control = AccessControl::OfFile(folder_.Put("tokens", text), options);
    ASSERT_TRUE(control.ok()) << control.status();
    control_ = *std::move(control);
  }
  // The caller of a call that it begins.
  absl::StatusOr<CallerPointer> Enter(const std::optional<std::string_view>& token, Scope scope,
                                      const std::string& address = "") {
    THALWEG_ASSIGN_OR_RETURN(CallerPointer caller, control_->CallerOf(token, scope, address));
    THALWEG_RETURN_IF_ERROR(caller->Enter(CallKind::kSingle));
    return caller;
  }
  absl::StatusCode CodeOf(const std::optional<std::string_view>& token, Scope scope) {
    return Enter(token, scope).status().code();
  }
  void Pass(std::chrono::milliseconds time) { now_ += time; }

  TemporaryFolder folder_;
  sharing::Time now_{};
  std::vector<absl::Status> outcomes_;
  std::vector<std::string> warnings_;
  std::unique_ptr<AccessControl> control_;
};

TEST_F(AccessControlTest, AdmitsTokensOfTheFile) {
  Open(LineOf("game", "t1", "read") + LineOf("farm", "t2", "read,bake"));
  const auto game = Enter("t1", Scope::kRead);
  ASSERT_TRUE(game.ok()) << game.status();
  EXPECT_EQ((*game)->grant().name, "game");
  EXPECT_FALSE((*game)->Has(Scope::kBake));
  EXPECT_EQ(CodeOf("t1", Scope::kBake), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf("t2", Scope::kBake), absl::StatusCode::kOk);
  for (const char* wrong : {"", "t", "t11", "T1"}) {
    EXPECT_EQ(CodeOf(wrong, Scope::kRead), absl::StatusCode::kUnauthenticated) << wrong;
  }
  EXPECT_EQ(CodeOf(std::nullopt, Scope::kRead), absl::StatusCode::kUnauthenticated);
}

TEST_F(AccessControlTest, AnonymousCallersHaveTheScopesOfTheFile) {
  Open("anonymous { scopes: READ }");
  EXPECT_EQ(CodeOf(std::nullopt, Scope::kRead), absl::StatusCode::kOk);
  EXPECT_EQ(CodeOf(std::nullopt, Scope::kCreateWorlds), absl::StatusCode::kPermissionDenied);
  // A caller with a wrong token is refused, although callers without one are not.
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kUnauthenticated);
}

TEST_F(AccessControlTest, WithoutAFileEveryoneMayDoEverything) {
  const auto control = AccessControl::OfEveryone();
  for (const Scope scope : {Scope::kRead, Scope::kBake, Scope::kCreateWorlds, Scope::kAdmin}) {
    EXPECT_TRUE(control->CallerOf(std::nullopt, scope, "").ok());
    EXPECT_TRUE(control->CallerOf("whatever", scope, "").ok());
  }
}

TEST_F(AccessControlTest, WithoutAFileScopesCanBeLimited) {
  const auto control = AccessControl::OfEveryone(*ScopeSet::Parse("read,bake"));
  EXPECT_TRUE(control->CallerOf(std::nullopt, Scope::kBake, "").ok());
  for (const std::optional<std::string_view> token : {std::optional<std::string_view>(), {"x"}}) {
    const absl::Status refused = control->CallerOf(token, Scope::kCreateWorlds, "").status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kPermissionDenied);
    EXPECT_EQ(refused.message(),
              "expected the scope create-worlds, which a caller without a token does not have");
  }
}

// Each address has its own budgets.
TEST_F(AccessControlTest, CallersWithoutATokenAreDistinguishedByAddress) {
  Open("anonymous { scopes: READ calls_per_s: 1 cells_per_s: 1000 }");
  const auto admit = [this](const std::string& address) {
    return Enter(std::nullopt, Scope::kRead, address);
  };
  const auto greedy = admit("192.0.2.1");
  ASSERT_TRUE(greedy.ok());
  (*greedy)->ChargeCells(1'000'000);
  EXPECT_EQ(admit("192.0.2.1").status().code(), absl::StatusCode::kResourceExhausted);
  const auto other = admit("192.0.2.2");
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_TRUE((*other)->MayGenerate().ok());
  // The debt stays when another line of the file changes.
  folder_.Put("tokens", "anonymous { scopes: READ calls_per_s: 1 cells_per_s: 1000 }" +
                            LineOf("a", "t", "read"));
  Pass(std::chrono::seconds(2));
  EXPECT_EQ(CodeOf("t", Scope::kRead), absl::StatusCode::kOk);
  const auto again = admit("192.0.2.1");
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE((*again)->MayGenerate().ok());
}

TEST_F(AccessControlTest, CountsCallsByToken) {
  Open(LineOf("a", "t1", "read", 2) + LineOf("b", "t2", "read", 2));
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kOk);
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kOk);
  const absl::Status refused = Enter("t1", Scope::kRead).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("token 'a' makes too many calls (max 2 a second)"));
  const auto delay = wire::RetryDelayOf(refused);
  ASSERT_TRUE(delay.has_value());
  EXPECT_EQ(CodeOf("t2", Scope::kRead), absl::StatusCode::kOk);
  Pass(*delay);
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kOk);
}

// Unchanged callers get no notice.
TEST_F(AccessControlTest, NotifiesCallersWhoseTokenIsRevoked) {
  const std::string stays = LineOf("stays", "t1", "read");
  Open(stays + LineOf("goes", "t2", "read") + LineOf("changes", "t3", "read") +
       "anonymous { scopes: READ }");
  std::map<std::string, absl::StatusCode> told;
  std::vector<CallerPointer> callers;
  std::vector<Revocation::Watch> watches;
  for (const char* token : {"t1", "t2", "t3", ""}) {
    const std::string name = token;
    callers.push_back(
        *Enter(name.empty() ? std::nullopt : std::optional<std::string_view>(token), Scope::kRead));
    watches.push_back(callers.back()->revocation().OnRevoke(
        [&told, name](const absl::Status& why) { told[name] = why.code(); }));
  }
  folder_.Put("tokens", stays + LineOf("changes", "t3", "read", 5));
  control_->Refresh();
  EXPECT_TRUE(told.empty());
  Pass(std::chrono::seconds(1));
  control_->Refresh();
  EXPECT_EQ(told,
            (std::map<std::string, absl::StatusCode>{{"", absl::StatusCode::kUnauthenticated},
                                                     {"t2", absl::StatusCode::kUnauthenticated},
                                                     {"t3", absl::StatusCode::kUnavailable}}));
  // A changed caller still gets a notice when it is removed.
  const CallerPointer changed = *Enter("t3", Scope::kRead);
  const auto watch =
      changed->revocation().OnRevoke([&told](const absl::Status& why) { told["t3"] = why.code(); });
  folder_.Put("tokens", stays);
  Pass(std::chrono::seconds(1));
  control_->Refresh();
  EXPECT_EQ(told["t3"], absl::StatusCode::kUnauthenticated);
  EXPECT_FALSE(told.contains("t1"));
}

// If the file can't be parsed, no caller is removed.
TEST_F(AccessControlTest, AnInvalidFileRevokesNoCaller) {
  Open(LineOf("game", "t1", "read"));
  const CallerPointer caller = *Enter("t1", Scope::kRead);
  int told = 0;
  const auto watch = caller->revocation().OnRevoke([&told](const absl::Status&) { ++told; });
  folder_.Put("tokens", "garbage");
  Pass(std::chrono::seconds(1));
  control_->Refresh();
  EXPECT_EQ(outcomes_.size(), 1U);
  EXPECT_EQ(told, 0);
}

TEST_F(AccessControlTest, ACallerWithADebtOfCellsMustWait) {
  Open(LineOf("a", "t1", "read", 0, 1'000));
  const CallerPointer caller = *Enter("t1", Scope::kRead);
  EXPECT_TRUE(caller->MayGenerate().ok());
  caller->ChargeCells(5'000);
  const absl::Status refused = caller->MayGenerate();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(wire::RetryDelayOf(refused), std::chrono::milliseconds(4'001));
  Pass(std::chrono::milliseconds(4'001));
  EXPECT_TRUE(caller->MayGenerate().ok());
}

TEST_F(AccessControlTest, ReadsAChangedFileWithinASecond) {
  Open(LineOf("a", "t1", "read"));
  folder_.Put("tokens", LineOf("b", "t2", "read"));
  // The file was read just now, so it is not read again yet.
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kOk);
  Pass(std::chrono::seconds(1));
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(CodeOf("t2", Scope::kRead), absl::StatusCode::kOk);
  ASSERT_EQ(outcomes_.size(), 1U);
  EXPECT_TRUE(outcomes_[0].ok());
}

TEST_F(AccessControlTest, ABrokenOrMissingFileChangesNothing) {
  Open(LineOf("a", "t1", "read"));
  folder_.Put("tokens", "tokn {");
  for (int k = 0; k < 3; ++k) {
    Pass(std::chrono::seconds(1));
    EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kOk);
  }
  std::filesystem::remove(folder_.Path("tokens"));
  Pass(std::chrono::seconds(1));
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kOk);
  // Each problem is reported once.
  ASSERT_EQ(outcomes_.size(), 2U);
  EXPECT_THAT(std::string(outcomes_[0].message()), HasSubstr("line 1"));
  EXPECT_THAT(std::string(outcomes_[1].message()), HasSubstr("No such file"));
}

// The opening of a pipe waits for a writer, and nothing would be read again.
TEST_F(AccessControlTest, APipeInPlaceOfTheFileChangesNothing) {
  Open(LineOf("a", "t1", "read"));
  folder_.PutPipe("tokens");
  for (int k = 0; k < 3; ++k) {
    Pass(std::chrono::seconds(1));
    EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kOk);
  }
  ASSERT_EQ(outcomes_.size(), 1U);
  EXPECT_THAT(std::string(outcomes_[0].message()),
              HasSubstr("tokens: expected a regular file, got a named pipe"));
  folder_.Put("tokens", LineOf("b", "t2", "read"));
  Pass(std::chrono::seconds(1));
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(CodeOf("t2", Scope::kRead), absl::StatusCode::kOk);
}

TEST_F(AccessControlTest, AnEmptiedFileRevokesAllAndLogsAWarning) {
  for (const char* text : {"", "# none\n"}) {
    Open(LineOf("a", "t1", "read"));
    warnings_.clear();
    absl::Status why;
    const CallerPointer caller = *Enter("t1", Scope::kRead);
    const auto watch = caller->revocation().OnRevoke([&why](const absl::Status& w) { why = w; });
    folder_.Put("tokens", text);
    for (int k = 0; k < 3; ++k) {
      Pass(std::chrono::seconds(1));
      EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kUnauthenticated);
    }
    EXPECT_EQ(why.code(), absl::StatusCode::kUnauthenticated);
    ASSERT_EQ(warnings_.size(), 1U);
    EXPECT_THAT(warnings_[0], HasSubstr("has no tokens any more: all tokens are revoked"));
  }
}

TEST_F(AccessControlTest, AnEmptyFileAtTheStartLogsAWarning) {
  Open("");
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kUnauthenticated);
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_THAT(warnings_[0], HasSubstr("has no tokens: nobody is let in"));
  warnings_.clear();
  Open("anonymous { scopes: READ }");
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(AccessControlTest, LookNowReadsTheFileAtOnce) {
  Open(LineOf("a", "t1", "read"));
  folder_.Put("tokens", LineOf("b", "t2", "read"));
  control_->LookNow();
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(CodeOf("t2", Scope::kRead), absl::StatusCode::kOk);
}

// Otherwise each edit of the file would give a token its burst again.
TEST_F(AccessControlTest, UsedBudgetSurvivesAReload) {
  Open(LineOf("a", "t1", "read", 1));
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kOk);
  Pass(std::chrono::milliseconds(999));
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kOk);
  folder_.Put("tokens", LineOf("b", "t2", "read") + LineOf("a", "t1", "read", 1));
  Pass(std::chrono::milliseconds(1));
  EXPECT_EQ(CodeOf("t1", Scope::kRead), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CodeOf("t2", Scope::kRead), absl::StatusCode::kOk);
}

TEST_F(AccessControlTest, AMissingFileAtTheStartIsAnError) {
  const auto control = AccessControl::OfFile(folder_.Path("nowhere"));
  EXPECT_EQ(control.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(control.status().message()), HasSubstr("nowhere"));
}

}  // namespace
}  // namespace thalweg::access
