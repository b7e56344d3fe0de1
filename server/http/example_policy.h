// What the pages of client/examples may load.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::http {

// Header lines for a page ("/cesium/index.html") of this text: only the scripts and styles that it
// names by their addresses and those that stand in it, answers of this server, and of the library
// no more than that needs.
std::string ExampleHeaders(std::string_view name, std::string_view html);

}  // namespace thalweg::http
