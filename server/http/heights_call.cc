#include "server/http/heights_call.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/text/message_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"
#include "server/http/ask_later.h"
#include "server/http/document.h"
#include "server/http/find_world.h"
#include "server/http/parameters.h"
#include "server/http/profile.h"
#include "server/http/target.h"
#include "server/tile/height_sampling.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {
namespace {

using tile::HeightSampling;
using Coordinates = google::protobuf::RepeatedField<double>;

struct Question {
  v1::HeightsQuestion asked;
  bool as_csv = false;
};

absl::StatusOr<Question> ParseQuestion(const Exchange& exchange, const ParameterList& list) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters, Parameters::Parse(list, {"format"}));
  Question question;
  const std::string_view accept = exchange.Header("Accept");
  question.as_csv = absl::StartsWithIgnoreCase({accept.data(), accept.size()}, "text/csv");
  if (const std::string* const format = parameters.Find("format")) {
    if (*format != "json" && *format != "csv") {
      return InvalidText("format", "json or csv", *format);
    }
    question.as_csv = *format == "csv";
  }
  THALWEG_RETURN_IF_ERROR(text::FromJson(exchange.message().body(), question.asked));
  return question;
}

// A question under way, on the thread of its exchange.
class HeightsCall : public std::enable_shared_from_this<HeightsCall> {
 public:
  HeightsCall(const Site& site, ExchangePointer exchange, Question question,
              world::WorldPointer world)
      : tiles_(*site.engine.tiles),
        exchange_(std::move(exchange)),
        asked_(std::move(question.asked)),
        as_csv_(question.as_csv),
        world_(std::move(world)) {}

  void Start() {
    absl::StatusOr<tile::HeightSamples> samples = Prepare();
    if (!samples.ok()) return exchange_->Fail(samples.status());
    Ask(*std::move(samples));
  }

 private:
  // Finds the points, and bills their tiles.
  absl::StatusOr<tile::HeightSamples> Prepare() {
    const std::string levels = absl::StrCat("0 to ", world_->levels() - 1);
    if (!asked_.has_level()) return wire::Invalid("level", levels, "none");
    if (asked_.level() >= static_cast<std::uint32_t>(world_->levels())) {
      return wire::Invalid("level", levels, asked_.level(), absl::StatusCode::kOutOfRange);
    }
    if (asked_.has_profile()) {
      THALWEG_ASSIGN_OR_RETURN(profile_, ProfileOf(*world_, asked_));
    }
    const v1::HeightsQuestion& points = asked_.has_profile() ? profile_.points : asked_;
    request_.set_level(asked_.level());
    *request_.mutable_east_m() = points.east_m();
    *request_.mutable_south_m() = points.south_m();
    *request_.mutable_latitude_deg() = points.latitude_deg();
    *request_.mutable_longitude_deg() = points.longitude_deg();
    THALWEG_ASSIGN_OR_RETURN(tile::HeightSamples samples,
                             tile::HeightSamples::Parse(world_, request_));
    THALWEG_RETURN_IF_ERROR(exchange_->admission().Bill(samples.tile_query()));
    return samples;
  }

  void Ask(tile::HeightSamples samples) {
    const tile::HeightSamples again = samples;
    const auto sampling = HeightSampling::Make(
        tiles_, exchange_->admission().client(), std::move(samples),
        [call = shared_from_this(), again](absl::StatusOr<std::vector<std::int32_t>> heights) {
          call->exchange_->Run(
              [call, again, heights = std::move(heights)] { call->Take(heights, again); });
        });
    exchange_->OnCancel([sampling = std::weak_ptr(sampling)] {
      const auto held = sampling.lock();
      if (held != nullptr) held->Stop(absl::CancelledError("sample heights: cancelled"));
    });
    sampling->Start();
  }

  void Take(const absl::StatusOr<std::vector<std::int32_t>>& heights,
            const tile::HeightSamples& again) {
    if (!exchange_->is_cancelled()) {
      if (const auto delay = wire::RetryDelayOf(heights.status())) {
        return AskLater(exchange_, *delay, heights.status(),
                        [call = shared_from_this(), again] { call->Ask(again); });
      }
    }
    if (exchange_->is_cancelled() || !heights.ok()) return exchange_->Fail(heights.status());
    Answer(*heights);
  }

  void Answer(const std::vector<std::int32_t>& heights) {
    v1::HeightsAnswer answer;
    answer.set_world(world_->hex_id());
    answer.set_level(asked_.level());
    if (asked_.has_profile()) {
      answer.mutable_distance_m()->Add(profile_.distances_m.begin(), profile_.distances_m.end());
    }
    if (asked_.has_profile() || as_csv_) {
      *answer.mutable_east_m() = request_.east_m();
      *answer.mutable_south_m() = request_.south_m();
      *answer.mutable_latitude_deg() = request_.latitude_deg();
      *answer.mutable_longitude_deg() = request_.longitude_deg();
    }
    for (const std::int32_t height : heights) answer.add_height_m(height / 65536.0);
    auto text = as_csv_ ? absl::StatusOr<std::string>(CsvOf(answer)) : text::ToJsonLine(answer);
    if (!text.ok()) return exchange_->Fail(text.status());
    Response response{.status = 200,
                      .content_type = as_csv_ ? "text/csv; charset=utf-8" : "application/json",
                      .headers = "",
                      .body = BodyOf(*std::move(text))};
    response.Add("Cache-Control", "no-store").Add("Vary", "Accept");
    exchange_->Answer(std::move(response));
  }

  // A line for each point, after the columns' names.
  std::string CsvOf(const v1::HeightsAnswer& answer) const {
    std::vector<std::pair<const char*, const Coordinates*>> columns;
    if (asked_.has_profile()) columns.emplace_back("distance_m", &answer.distance_m());
    if (world_->spec().has_sphere()) {
      columns.emplace_back("latitude_deg", &answer.latitude_deg());
      columns.emplace_back("longitude_deg", &answer.longitude_deg());
    } else {
      columns.emplace_back("east_m", &answer.east_m());
      columns.emplace_back("south_m", &answer.south_m());
    }
    columns.emplace_back("height_m", &answer.height_m());
    std::string text = absl::StrJoin(
        columns, ",", [](std::string* out, const auto& column) { out->append(column.first); });
    for (int n = 0; n < answer.height_m_size(); ++n) {
      absl::StrAppend(&text, "\n",
                      absl::StrJoin(columns, ",", [n](std::string* out, const auto& column) {
                        out->append(PrintReal(column.second->Get(n)));
                      }));
    }
    return text + "\n";
  }

  tile::BoundedTiles& tiles_;
  const ExchangePointer exchange_;
  const v1::HeightsQuestion asked_;
  const bool as_csv_;
  const world::WorldPointer world_;
  Profile profile_;
  v1::SampleHeightsRequest request_;
};

}  // namespace

void HandleHeights(const Site& site, const HeightsRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters) {
  if (!CheckJsonBody(*exchange)) return;
  auto question = ParseQuestion(*exchange, parameters);
  if (!question.ok()) return exchange->Fail(question.status());
  FindWorld(site, route.world, exchange,
            [&site, exchange, question = *std::move(question)](world::WorldPointer world) mutable {
              std::make_shared<HeightsCall>(site, exchange, std::move(question), std::move(world))
                  ->Start();
            });
}

}  // namespace thalweg::http
