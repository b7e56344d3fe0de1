// Text of JSON documents that are no Protobuf messages.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace thalweg::json {

// Returns a document in one line, without spaces. Whole numbers up to 2^53 have no decimal point;
// other numbers have the fewest digits that read back as the same double; infinity and NaN become
// null. What is no UTF-8 in a string becomes U+FFFD.
std::string TextOf(nlohmann::ordered_json document);

// Returns the nearest number with this many decimals, whose text is short.
double Rounded(double value, int decimals);

}  // namespace thalweg::json
