#include "client/tools/picture/label.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"

namespace thalweg::picture {
namespace {

// One glyph a line, ' ' to '~': nine rows of five dots from the top; the last two are descenders.
constexpr char kGlyphs[][54] = {
    "..... ..... ..... ..... ..... ..... ..... ..... .....",  // space
    "..#.. ..#.. ..#.. ..#.. ..#.. ..... ..#.. ..... .....",  // !
    ".#.#. .#.#. ..... ..... ..... ..... ..... ..... .....",  // "
    ".#.#. .#.#. ##### .#.#. ##### .#.#. .#.#. ..... .....",  // #
    "..#.. .#### #.#.. .###. ..#.# ####. ..#.. ..... .....",  // $
    "##..# ##..# ...#. ..#.. .#... #..## #..## ..... .....",  // %
    ".##.. #..#. #.#.. .#... #.#.# #..#. .##.# ..... .....",  // &
    "..#.. ..#.. ..... ..... ..... ..... ..... ..... .....",  // '
    "...#. ..#.. .#... .#... .#... ..#.. ...#. ..... .....",  // (
    ".#... ..#.. ...#. ...#. ...#. ..#.. .#... ..... .....",  // )
    "..... #.#.# .###. ##### .###. #.#.# ..... ..... .....",  // *
    "..... ..#.. ..#.. ##### ..#.. ..#.. ..... ..... .....",  // +
    "..... ..... ..... ..... ..... ..#.. ..#.. .#... .....",  // ,
    "..... ..... ..... .###. ..... ..... ..... ..... .....",  // -
    "..... ..... ..... ..... ..... ..... ..#.. ..... .....",  // .
    "....# ....# ...#. ..#.. .#... #.... #.... ..... .....",  // /
    ".##.. #..#. #..#. #..#. #..#. #..#. .##.. ..... .....",  // 0
    "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###. ..... .....",  // 1
    ".###. #...# ....# ..##. .#... #.... ##### ..... .....",  // 2
    "####. ....# ....# .###. ....# ....# ####. ..... .....",  // 3
    "...#. ..##. .#.#. #..#. ##### ...#. ...#. ..... .....",  // 4
    "##### #.... ####. ....# ....# #...# .###. ..... .....",  // 5
    "..##. .#... #.... ####. #...# #...# .###. ..... .....",  // 6
    "##### ....# ...#. ...#. ..#.. ..#.. ..#.. ..... .....",  // 7
    ".###. #...# #...# .###. #...# #...# .###. ..... .....",  // 8
    ".###. #...# #...# .#### ....# ...#. .##.. ..... .....",  // 9
    "..... ..... ..#.. ..... ..... ..#.. ..... ..... .....",  // :
    "..... ..... ..#.. ..... ..... ..#.. ..#.. .#... .....",  // ;
    "...#. ..#.. .#... #.... .#... ..#.. ...#. ..... .....",  // <
    "..... ..... ##### ..... ##### ..... ..... ..... .....",  // =
    ".#... ..#.. ...#. ....# ...#. ..#.. .#... ..... .....",  // >
    ".###. #...# ....# ..##. ..#.. ..... ..#.. ..... .....",  // ?
    ".###. #...# #.### #.#.# #.### #.... .###. ..... .....",  // @
    "..#.. .#.#. #...# #...# ##### #...# #...# ..... .....",  // A
    "####. #...# #...# ####. #...# #...# ####. ..... .....",  // B
    ".###. #...# #.... #.... #.... #...# .###. ..... .....",  // C
    "###.. #..#. #...# #...# #...# #..#. ###.. ..... .....",  // D
    "##### #.... #.... ####. #.... #.... ##### ..... .....",  // E
    "##### #.... #.... ####. #.... #.... #.... ..... .....",  // F
    ".###. #...# #.... #.### #...# #...# .#### ..... .....",  // G
    "#...# #...# #...# ##### #...# #...# #...# ..... .....",  // H
    ".###. ..#.. ..#.. ..#.. ..#.. ..#.. .###. ..... .....",  // I
    "..### ...#. ...#. ...#. ...#. #..#. .##.. ..... .....",  // J
    "#...# #..#. #.#.. ##... #.#.. #..#. #...# ..... .....",  // K
    "#.... #.... #.... #.... #.... #.... ##### ..... .....",  // L
    "#...# ##.## #.#.# #.#.# #...# #...# #...# ..... .....",  // M
    "#...# ##..# ##..# #.#.# #..## #..## #...# ..... .....",  // N
    ".###. #...# #...# #...# #...# #...# .###. ..... .....",  // O
    "####. #...# #...# ####. #.... #.... #.... ..... .....",  // P
    ".###. #...# #...# #...# #.#.# #..#. .##.# ..... .....",  // Q
    "####. #...# #...# ####. #.#.. #..#. #...# ..... .....",  // R
    ".#### #.... #.... .###. ....# ....# ####. ..... .....",  // S
    "##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#.. ..... .....",  // T
    "#...# #...# #...# #...# #...# #...# .###. ..... .....",  // U
    "#...# #...# #...# #...# .#.#. .#.#. ..#.. ..... .....",  // V
    "#...# #...# #...# #.#.# #.#.# ##.## #...# ..... .....",  // W
    "#...# #...# .#.#. ..#.. .#.#. #...# #...# ..... .....",  // X
    "#...# #...# .#.#. ..#.. ..#.. ..#.. ..#.. ..... .....",  // Y
    "##### ....# ...#. ..#.. .#... #.... ##### ..... .....",  // Z
    ".###. .#... .#... .#... .#... .#... .###. ..... .....",  // [
    "#.... #.... .#... ..#.. ...#. ....# ....# ..... .....",  // backslash
    ".###. ...#. ...#. ...#. ...#. ...#. .###. ..... .....",  // ]
    "..#.. .#.#. #...# ..... ..... ..... ..... ..... .....",  // ^
    "..... ..... ..... ..... ..... ..... ##### ..... .....",  // _
    ".#... ..#.. ..... ..... ..... ..... ..... ..... .....",  // `
    "..... ..... .###. ....# .#### #...# .#### ..... .....",  // a
    "#.... #.... ####. #...# #...# #...# ####. ..... .....",  // b
    "..... ..... .###. #.... #.... #.... .###. ..... .....",  // c
    "....# ....# .#### #...# #...# #...# .#### ..... .....",  // d
    "..... ..... .###. #...# ##### #.... .###. ..... .....",  // e
    "..##. .#... ####. .#... .#... .#... .#... ..... .....",  // f
    "..... ..... .#### #...# #...# #...# .#### ....# .###.",  // g
    "#.... #.... ####. #...# #...# #...# #...# ..... .....",  // h
    "..#.. ..... ..#.. ..#.. ..#.. ..#.. ..#.. ..... .....",  // i
    "...#. ..... ...#. ...#. ...#. ...#. ...#. ...#. .##..",  // j
    "#.... #.... #..#. #.#.. ##... #.#.. #..#. ..... .....",  // k
    ".##.. ..#.. ..#.. ..#.. ..#.. ..#.. ..##. ..... .....",  // l
    "..... ..... ##.#. #.#.# #.#.# #.#.# #.#.# ..... .....",  // m
    "..... ..... ####. #...# #...# #...# #...# ..... .....",  // n
    "..... ..... .###. #...# #...# #...# .###. ..... .....",  // o
    "..... ..... ####. #...# #...# #...# ####. #.... #....",  // p
    "..... ..... .#### #...# #...# #...# .#### ....# ....#",  // q
    "..... ..... #.##. ##... #.... #.... #.... ..... .....",  // r
    "..... ..... .#### #.... .###. ....# ####. ..... .....",  // s
    ".#... .#... ####. .#... .#... .#... ..##. ..... .....",  // t
    "..... ..... #...# #...# #...# #...# .#### ..... .....",  // u
    "..... ..... #...# #...# .#.#. .#.#. ..#.. ..... .....",  // v
    "..... ..... #...# #.#.# #.#.# #.#.# .#.#. ..... .....",  // w
    "..... ..... #...# .#.#. ..#.. .#.#. #...# ..... .....",  // x
    "..... ..... #...# #...# #...# #...# .#### ....# .###.",  // y
    "..... ..... ##### ...#. ..#.. .#... ##### ..... .....",  // z
    "...#. ..#.. ..#.. .#... ..#.. ..#.. ...#. ..... .....",  // {
    "..#.. ..#.. ..#.. ..#.. ..#.. ..#.. ..#.. ..... .....",  // |
    ".#... ..#.. ..#.. ...#. ..#.. ..#.. .#... ..... .....",  // }
    "..... ..... .#... #.#.# ...#. ..... ..... ..... .....",  // ~
};

constexpr char kBox[] = "##### #...# #...# #...# #...# #...# ##### ..... .....";

// Returns the glyph of a character; a box if it is not printable ASCII.
const char* GlyphOf(char c) { return c >= ' ' && c <= '~' ? kGlyphs[c - ' '] : kBox; }

bool Ink(const char* glyph, int column, int row) { return glyph[row * 6 + column] == '#'; }

// The first and the last column with ink; three empty columns for a space.
struct Extent {
  int first;
  int last;
};

Extent ExtentOf(const char* glyph) {
  Extent extent{5, -1};
  for (int row = 0; row < kFontHeight; ++row) {
    for (int column = 0; column < 5; ++column) {
      if (!Ink(glyph, column, row)) continue;
      extent.first = std::min(extent.first, column);
      extent.last = std::max(extent.last, column);
    }
  }
  return extent.last < 0 ? Extent{0, 2} : extent;
}

constexpr Color kPanel = {0.08F, 0.10F, 0.13F};
constexpr float kPanelShare = 0.62F;
constexpr Color kText = {0.95F, 0.96F, 0.96F};
constexpr Color kFaint = {0.45F, 0.49F, 0.53F};

// Sizes in dots of the font.
constexpr int kPadding = 6;
constexpr int kLineHeight = 12;
constexpr int kBarHeight = 3;
constexpr int kLongestBar = 110;
constexpr int kMargin = 6;
constexpr int kBarParts = 4;

// A panel from the pixel (left, top), where a dot is a square of `dot` pixels.
struct Panel {
  Image& image;
  int left;
  int top;
  int dot;

  void Fill(int x, int y, int width, int height, Color color, float share) const {
    for (int row = y * dot; row < (y + height) * dot; ++row) {
      for (int column = x * dot; column < (x + width) * dot; ++column) {
        const Color under = image.Get(left + column, top + row);
        image.Set(left + column, top + row, Mix(under, color, share));
      }
    }
  }

  void Text(int x, int y, std::string_view text, Color color) const {
    DrawText(text, [&](int column, int row) { Fill(x + column, y + row, 1, 1, color, 1); });
  }
};

// Draws the background of the label, with each corner cut by a dot.
void DrawBacking(const Panel& panel, int width, int height) {
  panel.Fill(1, 0, width - 2, 1, kPanel, kPanelShare);
  panel.Fill(0, 1, width, height - 2, kPanel, kPanelShare);
  panel.Fill(1, height - 1, width - 2, 1, kPanel, kPanelShare);
}

// Draws four parts, alternately light and dark. Their total length is exact to a pixel.
void DrawBar(const Panel& panel, int x, int y, int length_px) {
  const int left = panel.left + x * panel.dot;
  for (int column = 0; column < length_px; ++column) {
    const int part = column * kBarParts / length_px;
    for (int row = y * panel.dot; row < (y + kBarHeight) * panel.dot; ++row) {
      panel.image.Set(left + column, panel.top + row, part % 2 == 0 ? kText : kFaint);
    }
  }
}

}  // namespace

int TextWidth(std::string_view text) {
  int width = 0;
  for (const char c : text) {
    const Extent extent = ExtentOf(GlyphOf(c));
    width += extent.last - extent.first + 2;
  }
  return std::max(width - 1, 0);
}

void DrawText(std::string_view text, const std::function<void(int x, int y)>& dot) {
  int x = 0;
  for (const char c : text) {
    const char* glyph = GlyphOf(c);
    const Extent extent = ExtentOf(glyph);
    for (int row = 0; row < kFontHeight; ++row) {
      for (int column = extent.first; column <= extent.last; ++column) {
        if (Ink(glyph, column, row)) dot(x + column - extent.first, row);
      }
    }
    x += extent.last - extent.first + 2;
  }
}

double ScaleBarLengthM(double longest_m) {
  const double power = std::pow(10, std::floor(std::log10(longest_m)));
  for (const double factor : {5.0, 2.0}) {
    if (factor * power <= longest_m) return factor * power;
  }
  return power;
}

std::string LengthText(double length_m) {
  if (length_m >= 1000) return absl::StrFormat("%g km", length_m / 1000);
  return absl::StrFormat("%g m", length_m);
}

void DrawLabel(const Label& label, Image& image) {
  const int dot = std::max(1, std::min(image.width, image.height) / 480);
  const double bar_m = ScaleBarLengthM(kLongestBar * dot * label.cell_size_m);
  const int bar_px = std::max(1, static_cast<int>(std::lround(bar_m / label.cell_size_m)));
  const std::string bar_text = LengthText(bar_m);
  const int bar_dots = (bar_px + dot - 1) / dot;

  int inner = bar_dots + 5 + TextWidth(bar_text);
  for (const std::string& line : label.lines) inner = std::max(inner, TextWidth(line));
  const int width = inner + 2 * kPadding;
  const int lines = static_cast<int>(label.lines.size());
  const int height = lines * kLineHeight + kFontHeight + 2 * kPadding - 1;
  if ((width + 2 * kMargin) * dot > image.width ||
      (height + 2 * kMargin) * dot * 2 > image.height) {
    return;
  }

  const Panel panel{image, kMargin * dot, image.height - (height + kMargin) * dot, dot};
  DrawBacking(panel, width, height);
  for (int i = 0; i < lines; ++i) {
    panel.Text(kPadding, kPadding + i * kLineHeight, label.lines[static_cast<std::size_t>(i)],
               kText);
  }
  const int y = kPadding + lines * kLineHeight;
  DrawBar(panel, kPadding, y + 2, bar_px);
  panel.Text(kPadding + bar_dots + 5, y, bar_text, kText);
}

}  // namespace thalweg::picture
