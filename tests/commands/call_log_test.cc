#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>

#include "server/commands/logging.h"

namespace thalweg::commands {
namespace {

calls::CallReport ReportOf(const absl::Status& status, std::string_view token_name = "game") {
  return {.id = "frame-1",
          .method = calls::Method::kGetTile,
          .duration = std::chrono::microseconds(1'500),
          .peer = "ipv4:127.0.0.1:4711",
          .token_name = token_name,
          .status = status};
}

// The log of a call that ended with this status.
std::string Logged(const absl::Status& status, spdlog::level::level_enum level) {
  std::ostringstream text;
  const auto before = spdlog::default_logger();
  const auto logger = std::make_shared<spdlog::logger>(
      "test", std::make_shared<spdlog::sinks::ostream_sink_st>(text));
  logger->set_pattern("%l %v");
  logger->set_level(level);
  spdlog::set_default_logger(logger);
  CallLog().Ended(ReportOf(status));
  spdlog::set_default_logger(before);
  return text.str();
}

TEST(CallLogTest, ALineHasOneMeaning) {
  EXPECT_EQ(LineOf(ReportOf(absl::NotFoundError("no world"))),
            "call id=frame-1 method=GetTile code=NOT_FOUND ms=1.500 peer=ipv4:127.0.0.1:4711 "
            "token=game message=\"no world\"");
  EXPECT_EQ(LineOf(ReportOf(absl::NotFoundError("world 'a\"\nb': no"), "a \"b\"")),
            "call id=frame-1 method=GetTile code=NOT_FOUND ms=1.500 peer=ipv4:127.0.0.1:4711 "
            "token=\"a \\\"b\\\"\" message=\"world \\'a\\\"\\nb\\': no\"");
  EXPECT_NE(LineOf(ReportOf(absl::NotFoundError("x"), "")).find(" token=- "), std::string::npos);
}

TEST(CallLogTest, WarnsOfServerErrors) {
  EXPECT_EQ(Logged(absl::InternalError("broken"), spdlog::level::info).substr(0, 13),
            "warning call ");
  EXPECT_NE(Logged(absl::UnavailableError("lost"), spdlog::level::info), "");
  EXPECT_EQ(Logged(absl::NotFoundError("no"), spdlog::level::info), "");
  EXPECT_EQ(Logged(absl::NotFoundError("no"), spdlog::level::debug).substr(0, 11), "debug call ");
  EXPECT_EQ(Logged(absl::CancelledError("gone"), spdlog::level::debug), "");
  EXPECT_EQ(Logged(absl::OkStatus(), spdlog::level::debug), "");
}

}  // namespace
}  // namespace thalweg::commands
