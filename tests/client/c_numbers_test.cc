// The C header's constants equal those of the C++ header.
#include <gtest/gtest.h>

#include <utility>

#include "absl/status/status.h"
#include "thalweg/thalweg.h"
#include "thalweg/tile.h"

namespace thalweg {
namespace {

TEST(CNumbersTest, StatusesEqualTheStatusCodes) {
  for (const auto& [status, code] : {
           std::pair{THALWEG_OK, absl::StatusCode::kOk},
           std::pair{THALWEG_CANCELLED, absl::StatusCode::kCancelled},
           std::pair{THALWEG_UNKNOWN, absl::StatusCode::kUnknown},
           std::pair{THALWEG_INVALID_ARGUMENT, absl::StatusCode::kInvalidArgument},
           std::pair{THALWEG_DEADLINE_EXCEEDED, absl::StatusCode::kDeadlineExceeded},
           std::pair{THALWEG_NOT_FOUND, absl::StatusCode::kNotFound},
           std::pair{THALWEG_PERMISSION_DENIED, absl::StatusCode::kPermissionDenied},
           std::pair{THALWEG_RESOURCE_EXHAUSTED, absl::StatusCode::kResourceExhausted},
           std::pair{THALWEG_FAILED_PRECONDITION, absl::StatusCode::kFailedPrecondition},
           std::pair{THALWEG_OUT_OF_RANGE, absl::StatusCode::kOutOfRange},
           std::pair{THALWEG_UNIMPLEMENTED, absl::StatusCode::kUnimplemented},
           std::pair{THALWEG_INTERNAL, absl::StatusCode::kInternal},
           std::pair{THALWEG_UNAVAILABLE, absl::StatusCode::kUnavailable},
           std::pair{THALWEG_DATA_LOSS, absl::StatusCode::kDataLoss},
           std::pair{THALWEG_UNAUTHENTICATED, absl::StatusCode::kUnauthenticated},
       }) {
    EXPECT_EQ(static_cast<int>(status), static_cast<int>(code));
  }
}

TEST(CNumbersTest, TileSizesAreTheSame) {
  EXPECT_EQ(THALWEG_TILE_VERTICES, kTileVertices);
  EXPECT_EQ(THALWEG_TILE_VALUES, kTileVertices * kTileVertices);
}

}  // namespace
}  // namespace thalweg
