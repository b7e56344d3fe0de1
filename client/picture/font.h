// A small proportional bitmap font for the labels of pictures.
#pragma once

#include <functional>
#include <string_view>

namespace thalweg::picture {

// Rows of dots in a line of text: seven above the baseline, two below.
inline constexpr int kFontHeight = 9;

// Returns the width in dots of a line of printable ASCII.
int TextWidth(std::string_view text);

// Calls `dot` for each dot of the text; (0, 0) is its upper left corner. Characters that are not
// printable ASCII become boxes.
void DrawText(std::string_view text, const std::function<void(int x, int y)>& dot);

}  // namespace thalweg::picture
