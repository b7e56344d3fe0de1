#include "proto/base/message_text.h"

#include <gmock/gmock.h>
#include <google/protobuf/struct.pb.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "thalweg/v1/session.pb.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::text {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

template <typename Message>
std::string JsonError(const std::string& json) {
  Message message;
  const absl::Status status = FromJson(json, message);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << json;
  return std::string(status.message());
}

template <typename Message>
std::string TextError(const std::string& text) {
  Message message;
  const absl::Status status = FromText(text, message);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(status.message());
}

TEST(MessageTextTest, AnUnknownFieldHasAPlaceAndASuggestion) {
  EXPECT_EQ(JsonError<v1::WorldSpec>("{\n  \"name\": \"alps\",\n  \"sea_levl_m\": 3\n}"),
            "invalid JSON: line 3, column 3: WorldSpec has no field 'sea_levl_m'; did you mean "
            "'sea_level_m'?");
  EXPECT_EQ(TextError<v1::WorldSpec>("name: 'alps'\n\n  sea_levl_m: 3\n"),
            "invalid text: line 3, column 3: WorldSpec has no field 'sea_levl_m'; did you mean "
            "'sea_level_m'?");
}

TEST(MessageTextTest, AnUnknownFieldOfANestedMessageHasItsPath) {
  EXPECT_EQ(JsonError<v1::WorldSpec>(
                "{\"rules\": [{}, {\n\"stages\": [{\"droplet\": {\"inertai\": 0.5}}]}]}"),
            "invalid JSON: line 2, column 25: rules[1].stages[0].droplet: Droplet has no field "
            "'inertai'; did you mean 'inertia'?");
  EXPECT_EQ(TextError<v1::WorldSpec>("rules {}\nrules { stages { droplet { inertai: 0.5 } } }"),
            "invalid text: line 2, column 28: Droplet has no field 'inertai'; did you mean "
            "'inertia'?");
}

TEST(MessageTextTest, ShortListsOfFieldsAreShownIfNoNameIsNear) {
  constexpr char kFields[] = "OpenSession has no field 'colour'; it has world, layers, precision";
  EXPECT_EQ(JsonError<v1::SessionRequest>(R"({"open": {"colour": 3}})"),
            absl::StrCat("invalid JSON: line 1, column 11: open: ", kFields));
  EXPECT_EQ(TextError<v1::SessionRequest>("open { colour: 3 }"),
            absl::StrCat("invalid text: line 1, column 8: ", kFields));
  EXPECT_THAT(
      TextError<v1::WorldSpec>("colour: 3"),
      testing::AllOf(HasSubstr("WorldSpec has no field 'colour'; it has name, description, "),
                     EndsWith(", sphere, base_level")));
}

TEST(MessageTextTest, AnUnknownValueHasTheChoices) {
  constexpr char kChoices[] =
      "precision has no value 'PRECISION_EXCAT': expected one of PRECISION_UNSPECIFIED, "
      "PRECISION_LATTICE, PRECISION_EXACT; did you mean 'PRECISION_EXACT'?";
  EXPECT_EQ(JsonError<v1::OpenSession>(R"({"precision": "PRECISION_EXCAT"})"),
            absl::StrCat("invalid JSON: line 1, column 15: ", kChoices));
  EXPECT_EQ(TextError<v1::OpenSession>("precision: PRECISION_EXCAT"),
            absl::StrCat("invalid text: line 1, column 12: ", kChoices));
}

TEST(MessageTextTest, AnUnknownValueInANestedMessageHasTheChoices) {
  EXPECT_THAT(JsonError<v1::SessionRequest>(
                  "{\"open\": {\"layers\": [\"LAYER_HEIGHT\",\n\"LAYER_FLWO\"]}}"),
              testing::AllOf(StartsWith("invalid JSON: line 2, column 1: open.layers has no value "
                                        "'LAYER_FLWO': expected one of LAYER_UNSPECIFIED, "),
                             EndsWith("; did you mean 'LAYER_FLOW'?")));
  EXPECT_THAT(
      TextError<v1::SessionRequest>("open {\n  layers: LAYER_HEIGHT\n  layers: LAYER_FLWO\n}"),
      testing::AllOf(StartsWith("invalid text: line 3, column 11: layers has no value "
                                "'LAYER_FLWO': expected one of LAYER_UNSPECIFIED, "),
                     EndsWith("; did you mean 'LAYER_FLOW'?")));
}

TEST(MessageTextTest, AValueOfAWrongTypeHasAPlaceAndTheExpectedType) {
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"levels": "many"})"),
            "invalid JSON: line 1, column 12: levels: expected a whole number from 0 to "
            "4294967295, got 'many'");
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"levels": -1})"),
            "invalid JSON: line 1, column 12: levels: expected a whole number from 0 to "
            "4294967295, got -1");
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"levels": 1.5})"),
            "invalid JSON: line 1, column 12: levels: expected a whole number from 0 to "
            "4294967295, got 1.5");
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"name": 3})"),
            "invalid JSON: line 1, column 10: name: expected text in quotes, got 3");
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"sea_level_m": [3]})"),
            "invalid JSON: line 1, column 17: sea_level_m: expected a number, got a list");
  EXPECT_EQ(TextError<v1::WorldSpec>("levels: 'many'"),
            "invalid text: line 1, column 9: expected a whole number, got 'many'");
  EXPECT_EQ(TextError<v1::WorldSpec>("name: 3"),
            "invalid text: line 1, column 7: expected text in quotes, got 3");
}

TEST(MessageTextTest, AValueOfAWrongTypeInANestedMessageHasAPlace) {
  EXPECT_EQ(JsonError<v1::WorldSpec>(
                "{\"rules\": [\n {\"stages\": [{\"droplet\": {\"inertia\": \"much\"}}]}]}"),
            "invalid JSON: line 2, column 38: rules[0].stages[0].droplet.inertia: expected a "
            "number, got 'much'");
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"showplace": 5})"),
            "invalid JSON: line 1, column 15: showplace: expected an object in braces, got 5");
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"name": {"a": 5}})"),
            "invalid JSON: line 1, column 10: name: expected text in quotes, got an object");
  EXPECT_EQ(TextError<v1::WorldSpec>("rules {\n  stages { droplet { inertia: much } }\n}"),
            "invalid text: line 2, column 31: expected a number, got much");
}

TEST(MessageTextTest, WrongSyntaxHasAPlace) {
  EXPECT_EQ(JsonError<v1::WorldSpec>(""),
            "invalid JSON: line 1, column 1: expected an object in braces, got the end");
  EXPECT_EQ(JsonError<v1::WorldSpec>("[]"),
            "invalid JSON: line 1, column 1: expected an object in braces, got '['");
  EXPECT_EQ(JsonError<v1::WorldSpec>("{\n\"name\" \"alps\"}"),
            "invalid JSON: line 2, column 8: expected ':' after 'name', got text in quotes");
  EXPECT_EQ(JsonError<v1::WorldSpec>("{\"name\": \"alps\"\n \"levels\": 3}"),
            "invalid JSON: line 2, column 2: expected ',' or '}', got text in quotes");
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"rules": [{} {}]})"),
            "invalid JSON: line 1, column 15: expected ',' or ']', got '{'");
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"levels": 3, ]})"),
            "invalid JSON: line 1, column 15: expected a field in quotes, got ']'");
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"rules": [{},,]})"),
            "invalid JSON: line 1, column 15: rules[1]: expected a value, got ','");
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"levels": three})"),
            "invalid JSON: line 1, column 12: levels: expected a value, got 'three'");
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"name": "alps)"),
            "invalid JSON: line 1, column 10: the text that starts here has no closing quote");
  EXPECT_EQ(JsonError<v1::WorldSpec>(R"({"levels": 3} {})"),
            "invalid JSON: line 1, column 15: expected the end, got '{'");
}

TEST(MessageTextTest, ASecondKindIsAMistake) {
  EXPECT_EQ(JsonError<v1::SessionRequest>(R"({"open": {}, "view": {}})"),
            "invalid JSON: line 1, column 14: expected one kind of SessionRequest, got 'open' and "
            "'view'");
  EXPECT_THAT(TextError<v1::SessionRequest>("open {} view {}"),
              testing::AllOf(HasSubstr("line 1, column"), HasSubstr("request")));
}

// Whatever a field's value is, it ends no line and moves no cursor.
TEST(MessageTextTest, LongValuesAreCut) {
  const std::string digits(10'000, '7');
  const std::string shown(kMostShown, '7');
  EXPECT_THAT(JsonError<v1::WorldSpec>("{\"sea_level_m\": \"a" + digits + "\"}"),
              EndsWith("got 'a" + shown.substr(1) + "'"));
  EXPECT_THAT(JsonError<v1::WorldSpec>("{\"seed\": 0." + digits + "}"),
              EndsWith("got 0." + shown.substr(2)));
  EXPECT_THAT(TextError<v1::WorldSpec>("sea_level_m: a" + digits),
              EndsWith("got a" + shown.substr(1)));
}

TEST(MessageTextTest, NamesAreQuoted) {
  const std::string json = JsonError<v1::WorldSpec>("{\"a\x1b[31m\nb\": 3}");
  EXPECT_THAT(json, HasSubstr("has no field 'a\\x1b[31m\\nb'"));
}

TEST(MessageTextTest, ATabCountsAsInProtobuf) {
  EXPECT_THAT(TextError<v1::WorldSpec>("\tlevel: 3"), HasSubstr("line 1, column 9: "));
}

TEST(MessageTextTest, OpenMessagesMayHaveAnyField) {
  EXPECT_THAT(JsonError<google::protobuf::Struct>(R"({"a": {"b": [1, tru]}})"),
              HasSubstr("line 1, column 17: a.b[1]: expected a value, got 'tru'"));
}

}  // namespace
}  // namespace thalweg::text
