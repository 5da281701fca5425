// A drawing as a page of its own: no network, light and dark, tips for mouse, touch and keyboard.
#include "draw/roles.hpp"
#include "logodds/draw/markup.hpp"
#include "logodds/draw/render.hpp"

namespace logodds::draw {

namespace {

/// "--ink:#1a1a1a;--muted:..."
std::string variables(bool dark) {
  std::string rules;
  for (const Role role : {Role::ink, Role::muted, Role::grid, Role::paper}) {
    rules += (rules.empty() ? "--" : ";--") + std::string(role_name(role)) + ":" +
             hex(role_color(role, dark));
  }
  return rules;
}

}  // namespace

// Text lets the pointer through to the mark that it stands on.
std::string_view page_style() {
  static const std::string style =
      ":root{color-scheme:light dark;" + variables(false) +
      "}\n@media(prefers-color-scheme:dark){:root{" + variables(true) + "}}\n" +
      R"(body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,'Segoe UI','Helvetica Neue',Arial,sans-serif}
svg{max-width:100%;height:auto;display:block}
svg text{pointer-events:none}
.tip:focus{outline:2px solid var(--ink)}
#tip{position:fixed;pointer-events:none;background:var(--ink);color:var(--paper);padding:.25rem .5rem;border-radius:.25rem;font-size:.85rem;max-width:20rem;z-index:9}
@media print{#tip{display:none}}
)";
  return style;
}

std::string_view page_script() {
  return R"((function(){
var box=document.createElement('div');box.id='tip';box.setAttribute('role','status');box.hidden=true;document.body.appendChild(box);
function show(mark,x,y){var title=mark.querySelector('title');if(title){mark.setAttribute('data-tip',title.textContent);title.remove()}
var text=mark.getAttribute('data-tip');if(!text)return;mark.setAttribute('aria-label',text);box.textContent=text;box.hidden=false;
var w=box.offsetWidth,h=box.offsetHeight;box.style.left=Math.max(4,Math.min(x+12,innerWidth-w-4))+'px';box.style.top=Math.max(4,y-h-10)+'px'}
function near(e){return e.target.closest?e.target.closest('.tip'):null}
document.addEventListener('pointermove',function(e){var m=near(e);if(m)show(m,e.clientX,e.clientY);else box.hidden=true});
document.addEventListener('pointerdown',function(e){var m=near(e);if(m)show(m,e.clientX,e.clientY)});
document.addEventListener('focusin',function(e){var m=near(e);if(!m)return;var r=m.getBoundingClientRect();show(m,r.left+r.width/2,r.top)});
document.addEventListener('focusout',function(){box.hidden=true});
document.addEventListener('keydown',function(e){if(e.key==='Escape')box.hidden=true});
})();
)";
}

std::string html(const Drawing& drawing) {
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>";
  append_escaped(page, drawing.title);
  page += "</title>\n<style>";
  page += page_style();
  // The picture shows its title; the heading is for who moves from one to the next.
  page +=
      "main{max-width:60rem;margin:1rem auto;padding:0 1rem}\n"
      "h1{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}"
      "</style></head>\n<body><main>\n<h1>";
  append_escaped(page, drawing.title);
  page += "</h1>\n";
  page += svg(drawing, Theme::page);
  page += "</main>\n<script>";
  page += page_script();
  page += "</script>\n</body></html>\n";
  return page;
}

}  // namespace logodds::draw
