#include "report/page.hpp"

#include "logodds/draw/markup.hpp"
#include "logodds/draw/render.hpp"
#include "logodds/report/page_head.hpp"

namespace logodds::report {

namespace {

using draw::escaped;

constexpr std::string_view kStyle = R"(main{max-width:72rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.2rem;margin:2.2rem 0 .6rem;border-bottom:1px solid var(--grid);padding-bottom:.2rem}
p{max-width:46rem;margin:.5rem 0}
a{color:inherit}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem;list-style:none;padding:0;font-size:.9rem}
.headlines{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;margin:1rem 0;padding:0}
.headlines div{min-width:8rem}
.headlines dt{font-size:.85rem;color:var(--muted)}
.headlines dd{margin:0;font-size:1.5rem;font-weight:600;font-variant-numeric:tabular-nums}
.headlines dd small{display:block;font-size:.8rem;font-weight:400;color:var(--muted)}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.2rem;margin:.5rem 0}
.facts dt{color:var(--muted)}.facts dd{margin:0;overflow-wrap:anywhere}
.warnings{border-left:4px solid #d55e00;padding:.3rem 0 .3rem 2rem;max-width:46rem}
.scroll{overflow-x:auto;margin:.8rem 0}
.scroll:focus{outline:2px solid var(--ink)}
table{border-collapse:collapse;font-size:.9rem}
caption{text-align:left;color:var(--muted);padding:.2rem 0;max-width:min(46rem,calc(100vw - 2rem))}
.roomy{width:max-content}
td small{display:block;font-size:.75rem;color:var(--muted)}
th,td{padding:.2rem .9rem .2rem 0;text-align:left;vertical-align:top}
thead th{border-bottom:1px solid var(--ink)}tbody tr{border-bottom:1px solid var(--grid)}
tbody th{font-weight:400;min-width:5.5rem}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td,tbody th{max-width:26rem;overflow-wrap:break-word}
pre{overflow-x:auto;border:1px solid var(--grid);padding:.6rem;font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1.2rem}
figure{margin:0;min-width:0}
.instead{align-self:start;border:1px solid var(--grid);color:var(--muted);padding:.8rem;overflow-wrap:anywhere}
footer{margin:2rem 0;color:var(--muted);font-size:.85rem}
@media print{nav{display:none}figure,table,.headlines{break-inside:avoid}h2{break-after:avoid}body{font-size:11pt}}
)";

/// What a cell shows.
std::string cell_content(const PageCell& cell) {
  if (cell.below.empty()) { return escaped(cell.text); }
  return escaped(cell.text) + " <small>" + escaped(cell.below) + "</small>";
}

}  // namespace

void Page::section(std::string_view title) {
  const std::string id = "s" + std::to_string(++sections_);
  contents_ += "<li><a href=\"#" + id + "\">" + escaped(title) + "</a></li>\n";
  body_ += "<h2 id=\"" + id + "\">" + escaped(title) + "</h2>\n";
}

void Page::paragraph(std::string_view text) { body_ += "<p>" + escaped(text) + "</p>\n"; }

void Page::list(const std::vector<std::string>& items, std::string_view kind) {
  body_ += kind.empty() ? "<ul>\n" : "<ul class=\"" + escaped(kind) + "\">\n";
  for (const std::string& item : items) { body_ += "<li>" + escaped(item) + "</li>\n"; }
  body_ += "</ul>\n";
}

void Page::code(const std::vector<std::string>& lines) {
  body_ += "<pre><code>";
  for (const std::string& line : lines) { body_ += escaped(line) + "\n"; }
  body_ += "</code></pre>\n";
}

void Page::facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  body_ += "<dl class=\"facts\">\n";
  for (const auto& [name, value] : facts) {
    body_ += "<dt>" + escaped(name) + "</dt><dd>" + escaped(value) + "</dd>\n";
  }
  body_ += "</dl>\n";
}

void Page::headlines(const std::vector<Headline>& headlines) {
  body_ += "<dl class=\"headlines\">\n";
  for (const Headline& one : headlines) {
    body_ += "<div><dt>" + escaped(one.name) + "</dt><dd>" + escaped(one.value) + "<small>" +
             escaped(one.detail) + "</small></dd></div>\n";
  }
  body_ += "</dl>\n";
}

void Page::table(const PageTable& table) {
  const auto numeric = [&](std::size_t column) {
    return table.numeric.empty() ? column > 0 : table.numeric[column];
  };
  // A wide table scrolls by itself, also by keyboard.
  body_ += "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" +
           escaped(table.caption) + "\"><table" + (table.roomy ? " class=\"roomy\"" : "") +
           "><caption>" + escaped(table.caption) + "</caption>\n<thead><tr>";
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    body_ += "<th scope=\"col\"" + std::string(numeric(c) ? " class=\"n\"" : "") + ">" +
             escaped(table.header[c]) + "</th>";
  }
  body_ += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    body_ += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string kind = numeric(c) ? " class=\"n\"" : "";
      const std::string tag = c == 0 ? "th scope=\"row\"" : "td";
      body_ += "<" + tag + kind + ">" + cell_content(row[c]) + "</" + tag.substr(0, 2) + ">";
    }
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void Page::figures(const std::vector<Figure>& figures) {
  body_ += "<div class=\"figures\">\n";
  for (const Figure& figure : figures) {
    if (const auto* const sentence = std::get_if<std::string>(&figure)) {
      body_ += "<p class=\"instead\">" + escaped(*sentence) + "</p>\n";
      continue;
    }
    const std::string id = "f" + std::to_string(++figures_);
    body_ += "<figure>\n" + draw::svg(std::get<draw::Drawing>(figure), draw::Theme::page, id) +
             "</figure>\n";
  }
  body_ += "</div>\n";
}

std::string Page::html() const {
  std::string style(draw::page_style());
  std::string page = page_head(title_, style += kStyle);
  page += "<body><main>\n<h1>" + escaped(title_) + "</h1>\n";
  page += "<nav aria-label=\"Sections\"><ul>\n" + contents_ + "</ul></nav>\n";
  page += body_;
  page += "</main>\n<script>";
  page += draw::page_script();
  page += "</script>\n</body></html>\n";
  return page;
}

}  // namespace logodds::report
