// Drawings to files, and to the terminal. The same drawing gives the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/draw/drawing.hpp"

namespace logodds::draw {

enum class Format : std::uint8_t { svg, html, png, pdf };

/// By the ending of a file's name. Throws Error(usage) that names the endings there are.
[[nodiscard]] Format format_of(std::string_view path);

/// `fixed`: colors for white paper. `page`: roles are the variables --ink, --muted, --grid and
/// --paper of the page that holds it (page_style()), so that a dark page has a dark picture.
enum class Theme : std::uint8_t { fixed, page };

/// `id` stands before every identifier in it, so that several fit into one page.
[[nodiscard]] std::string svg(const Drawing& drawing, Theme theme = Theme::fixed,
                              std::string_view id = "p");
/// A page with this picture alone.
[[nodiscard]] std::string html(const Drawing& drawing);
/// What a page with pictures of Theme::page needs: rules for <style>, and a script that shows the
/// tips of marks to who points at them, touches them or comes to them by keyboard.
[[nodiscard]] std::string_view page_style();
[[nodiscard]] std::string_view page_script();

/// `scale` pixels to a page unit.
[[nodiscard]] std::string png(const Drawing& drawing, double scale = 2.0);
[[nodiscard]] std::string pdf(const Drawing& drawing);

/// Any of them.
[[nodiscard]] std::string render(const Drawing& drawing, Format format);

enum class TerminalColors : std::uint8_t {
  none,     ///< textures, shades and signs instead
  indexed,  ///< the nearest of xterm's 256
  full      ///< 24 bits
};
/// Of a terminal: a wide letter has two cells.
inline constexpr std::size_t kLeastColumns = 2;
struct TerminalStyle {
  std::size_t columns = 80;
  TerminalColors colors = TerminalColors::full;
};
/// Block characters, dots of braille and letters, lines ended by newlines. Text that has no room is
/// left out. Throws Error(usage) for less than kLeastColumns.
[[nodiscard]] std::string terminal(const Drawing& drawing, const TerminalStyle& style = {});

/// Pixels as a PNG file: what Image holds.
[[nodiscard]] std::string png_of_pixels(const Image& image);

}  // namespace logodds::draw
