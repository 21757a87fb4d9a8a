(function () {
  "use strict";
  // what is pointed at or has the focus on a map is named below it
  document.querySelectorAll(".map-box").forEach(function (box) {
    var says = box.querySelector(".map-says");
    if (!says) { return; }
    says.textContent = says.dataset.hint;
    function name(event) {
      var spot = event.target.closest ? event.target.closest(".m-x") : null;
      if (spot) { says.textContent = spot.querySelector("title").textContent; }
    }
    box.addEventListener("focusin", name);
    box.addEventListener("mouseover", name);
  });
  // a stack is fanned out by a click, a tap or Enter; Escape, a second click or another hex closes it;
  // a second Enter goes on to the line that tells of it
  var SVG = "http://www.w3.org/2000/svg";
  document.querySelectorAll(".map-box").forEach(function (box) {
    var open = null, from = null;
    function close() { if (open) { open.classList.remove("m-open"); open = null; } }
    function fan(event, spot) {
      var hex = spot && spot.id.replace(/^.*?hex-/, "").replace(/["\\]/g, "");
      var found = hex && spot.ownerSVGElement.querySelector('.m-fan[data-fan="' + hex + '"]'), again = found && found === open;
      close();
      if (!found || again && event.detail === 0 && spot.localName === "a") { return; }
      event.preventDefault();
      if (again) { return; }
      found.classList.add("m-open");
      open = found;
      // on a phone the panel may lie beyond the edge of the window
      var frame = box.querySelector(".map-frame"), edge = frame.getBoundingClientRect();
      var panel = found.querySelector(".m-panel").getBoundingClientRect();
      frame.scrollLeft += Math.max(0, panel.right - edge.right) - Math.max(0, edge.left - panel.left);
      frame.scrollTop += Math.max(0, panel.bottom - edge.bottom) - Math.max(0, edge.top - panel.top);
    }
    box.addEventListener("pointerdown", function (event) { from = [event.clientX, event.clientY]; });
    box.addEventListener("click", function (event) {
      var dragged = event.detail && from && Math.abs(event.clientX - from[0]) + Math.abs(event.clientY - from[1]) > 6;
      if (event.defaultPrevented || dragged || event.ctrlKey || event.metaKey || event.target.closest(".m-fan, .map-tools")) { return; }
      fan(event, event.target.closest(".m-x"));
    });
    box.addEventListener("keydown", function (event) {
      var spot = event.target.closest && event.target.closest("g.m-x");
      if (event.key === "Enter" && spot) { fan(event, spot); }
    });
    document.addEventListener("keydown", function (event) { if (event.key === "Escape") { close(); } });
  });
  // a map can be made larger and smaller, dragged, and looked at where something happened
  document.querySelectorAll(".map-box").forEach(function (box) {
    var frame = box.querySelector(".map-frame"), tools = box.querySelector(".map-tools");
    var map = frame && frame.querySelector("svg");
    if (!map || !tools || !map.viewBox.baseVal.width) { return; }
    // made here: without a script, or without pictures, there is nothing that they could do
    ["larger", "smaller", "fit", "action"].forEach(function (name) {
      var button = document.createElement("button");
      button.type = "button";
      button.dataset.map = name;
      button.textContent = tools.dataset[name];
      tools.appendChild(button);
    });
    var whole = map.viewBox.baseVal, LEAST = 40, GOOD = 60, MOST = 160, HEX = 80;
    function size() { return HEX * map.getBoundingClientRect().width / whole.width; }
    function fitting() { return HEX * frame.clientWidth / whole.width; }
    // while a wheel turns the picture is only stretched; it is drawn anew when the wheel rests
    var turning = null;
    function stretch(factor, at) {
      var shown = map.getBoundingClientRect();
      if (!turning) {
        turning = {hex: size(), x: at.clientX, y: at.clientY, by: 1};
        map.style.transformOrigin = (at.clientX - shown.left) + "px " + (at.clientY - shown.top) + "px";
        map.style.willChange = "transform";
      }
      clearTimeout(turning.timer);
      turning.by = Math.max(Math.min(fitting(), GOOD) / turning.hex, Math.min(MOST / turning.hex, turning.by * factor));
      map.style.transform = "scale(" + turning.by + ")";
      turning.timer = setTimeout(function () {
        var end = turning;
        turning = null;
        map.style.transform = map.style.willChange = "";
        zoom(end.hex * end.by, end);
      }, 140);
    }
    function zoom(hex, at) {
      var before = map.getBoundingClientRect(), edge = frame.getBoundingClientRect();
      var x = at ? at.x : edge.left + frame.clientWidth / 2, y = at ? at.y : edge.top + frame.clientHeight / 2;
      var across = (x - before.left) / before.width, down = (y - before.top) / before.height;
      map.style.minWidth = "0";
      map.style.width = Math.round(Math.max(Math.min(fitting(), GOOD), Math.min(MOST, hex)) * whole.width / HEX) + "px";
      var after = map.getBoundingClientRect();
      frame.scrollLeft += after.left + across * after.width - x;
      frame.scrollTop += after.top + down * after.height - y;
      overview();
    }
    function centre(part) {
      var inner = part.getBoundingClientRect(), edge = frame.getBoundingClientRect();
      frame.scrollLeft += inner.left + inner.width / 2 - edge.left - frame.clientWidth / 2;
      frame.scrollTop += inner.top + inner.height / 2 - edge.top - frame.clientHeight / 2;
    }
    // where the first card of a battle says that it was fought, else the first sign on the map
    function happened() {
      var card = document.querySelector(".battle h3 a[href^='#']"), spot = card && document.getElementById(card.hash.slice(1));
      return spot && map.contains(spot) ? spot : map.querySelector(".m-L-battles > *") || map.querySelector(".m-L-moves > *");
    }
    function hidden(part) {
      var inner = part.getBoundingClientRect(), edge = frame.getBoundingClientRect();
      return inner.bottom > edge.bottom || inner.right > edge.right || inner.top < edge.top || inner.left < edge.left;
    }
    // a large map has two drawings: the situation, and close up; which one is shown follows from the width of a hex
    var whole_map = box.querySelector(".map-whole"), FAR = 20;
    function close_up(yes) {
      if (whole_map) { whole_map.hidden = yes; frame.parentNode.hidden = !yes; }
    }
    function fit() {
      if (whole_map) { close_up(false); return; }
      map.style.width = "100%"; map.style.minWidth = "0"; overview();
    }
    function seen_close() { return !whole_map || whole_map.hidden; }
    function look(part) {
      close_up(true);
      if (size() < GOOD) { zoom(GOOD); }
      if (part) { centre(part); }
    }
    var does = {
      larger: function () { if (seen_close()) { zoom(size() * 1.4); } else { look(happened()); } },
      smaller: function () { if (whole_map && size() / 1.4 < FAR) { fit(); } else { zoom(size() / 1.4); } },
      fit: fit, action: function () { look(happened()); }
    };
    if (whole_map) {
      whole_map.addEventListener("click", function (event) {
        var link = event.target.closest("a[href^='#']"), part = link && document.getElementById(link.getAttribute("href").slice(1));
        if (part) { event.preventDefault(); look(part); frame.focus({preventScroll: true}); }
      });
      box.addEventListener("close-up", function () { look(null); });
    }
    tools.addEventListener("click", function (event) {
      var button = event.target.closest("button");
      if (button && does[button.dataset.map]) { does[button.dataset.map](); }
    });
    frame.addEventListener("wheel", function (event) {
      if (event.ctrlKey) { event.preventDefault(); stretch(event.deltaY < 0 ? 1.15 : 1 / 1.15, event); }
    }, {passive: false});
    var held = null;
    frame.addEventListener("pointerdown", function (event) {
      if (event.button === 0 && event.pointerType === "mouse") { held = {x: event.clientX, y: event.clientY}; }
    });
    window.addEventListener("pointermove", function (event) {
      if (!held) { return; }
      frame.scrollLeft -= event.clientX - held.x;
      frame.scrollTop -= event.clientY - held.y;
      held = {x: event.clientX, y: event.clientY};
    });
    window.addEventListener("pointerup", function () { held = null; });
    frame.addEventListener("keydown", function (event) {
      var name = {"+": "larger", "-": "smaller", "0": "fit"}[event.key];
      if (name && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); does[name](); }
    });
    // where the map is larger than its window, the whole of it lies small above it, with what is seen of it
    var inset = document.createElementNS(SVG, "svg"), seen = document.createElement("span"), corner = document.createElement("span");
    var units = map.querySelector(".m-L-units");
    inset.setAttribute("viewBox", "0 0 " + whole.width + " " + whole.height);
    corner.className = "map-inset";
    corner.setAttribute("aria-hidden", "true");
    map.querySelectorAll(".m-L-ground, .m-L-control").forEach(function (ground, n) {
      ground.id = ground.id || "inset-" + n + "-" + document.querySelectorAll(".map-inset").length;
      var copy = document.createElementNS(SVG, "use");
      copy.setAttribute("href", "#" + ground.id);
      inset.appendChild(copy);
    });
    // units as spots in the colour of their owners: to draw every counter twice takes as long as the map itself
    var spots = {};
    (units ? Array.from(units.querySelectorAll("[data-at] > use")) : []).forEach(function (one) {
      var at = /translate\((-?[\d.]+) (-?[\d.]+)\)/.exec(one.getAttribute("transform") || ""), colour = paint(one);
      if (at && colour) { spots[colour] = (spots[colour] || "") + "M" + (at[1] - 18) + " " + (at[2] - 18) + "h36v36h-36z"; }
    });
    Object.keys(spots).forEach(function (colour) {
      var path = document.createElementNS(SVG, "path");
      path.setAttribute("d", spots[colour]);
      path.setAttribute("fill", colour);
      inset.appendChild(path);
    });
    function paint(use) {
      var counter = document.getElementById(use.getAttribute("href").slice(1)), body = counter && counter.querySelector("use");
      var block = body && document.getElementById(body.getAttribute("href").slice(1)), edge = block && block.querySelector("[fill]");
      return edge ? edge.getAttribute("fill") : "";
    }
    seen.className = "map-seen";
    corner.appendChild(inset);
    corner.appendChild(seen);
    frame.parentNode.appendChild(corner);
    function overview() {
      var shown = map.getBoundingClientRect(), edge = frame.getBoundingClientRect();
      var part = edge.width < shown.width - 4 || edge.height < shown.height - 4;
      part = part && edge.width * edge.height < 0.8 * shown.width * shown.height;
      corner.style.display = part ? "" : "none";
      map.classList.toggle("map-far", size() < 34);
      if (!part) { return; }
      corner.style.width = Math.min(frame.clientWidth / 5, 140, 150 * whole.width / whole.height) + "px";
      var small = inset.clientWidth / shown.width;
      seen.style.transform = "translate(" + Math.max(0, (edge.left - shown.left) * small) + "px," +
        Math.max(0, (edge.top - shown.top) * small) + "px)";
      seen.style.width = Math.min(1, edge.width / shown.width) * inset.clientWidth + "px";
      seen.style.height = Math.min(1, edge.height / shown.height) * inset.clientHeight + "px";
    }
    corner.addEventListener("click", function (event) {
      var small = inset.getBoundingClientRect(), shown = map.getBoundingClientRect();
      frame.scrollLeft = (event.clientX - small.left) / small.width * shown.width - frame.clientWidth / 2;
      frame.scrollTop = (event.clientY - small.top) / small.height * shown.height - frame.clientHeight / 2;
    });
    frame.addEventListener("scroll", overview, {passive: true});
    window.addEventListener("resize", overview);
    tools.hidden = false;
    frame.classList.add("map-zooms");
    if (whole_map) { close_up(false); } else if (fitting() < LEAST) { look(happened()); } else if (happened() && hidden(happened())) { centre(happened()); }
    overview();
  });
  // on paper nothing is folded; what an address leads to is not folded either
  function open(parent) {
    parent.querySelectorAll("details").forEach(function (one) {
      if (!one.classList.contains("how")) { one.open = true; }
    });
  }
  function reveal() {
    var goal = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var one = goal; one; one = one.parentElement) { if (one.tagName === "DETAILS") { one.open = true; } }
    var away = goal && goal.closest(".map-window[hidden]");
    if (away) { away.parentNode.dispatchEvent(new Event("close-up")); }
    if (goal && goal.focus && goal.classList.contains("m-x")) { goal.focus({preventScroll: true}); }
    if (goal && goal.scrollIntoView) { goal.scrollIntoView({block: "nearest", inline: "nearest"}); }
  }
  // paper shows a large map page by page: of the drawing, each page has what lies on it
  function inside(node, box, boxes) {
    var copy = node.cloneNode(false);
    copy.removeAttribute("id");
    for (var child = node.firstElementChild; child; child = child.nextElementSibling) {
      if (child.tagName === "g") {
        var group = inside(child, box, boxes);
        if (group.firstChild) { copy.appendChild(group); }
      } else if (boxes.has(child)) {
        var at = boxes.get(child);
        if (at.right > box.left && at.left < box.right && at.bottom > box.top && at.top < box.bottom) {
          copy.appendChild(child.cloneNode(true)).removeAttribute("id");
        }
      }
    }
    return copy;
  }
  // printers make a picture of what a pattern fills: on paper the signs of terrain are single signs, cut to its outline
  function signs(sheet, map, sides) {
    sheet.querySelectorAll("use[fill^='url(#']").forEach(function (filled, number) {
      var pattern = map.querySelector(filled.getAttribute("fill").slice(4, -1)), area = filled.getBBox();
      var wide = pattern.width.baseVal.value, high = pattern.height.baseVal.value, sign = pattern.firstElementChild;
      var right = Math.min(area.x + area.width, sides[0] + sides[2]), bottom = Math.min(area.y + area.height, sides[1] + sides[3]);
      var all = drawn("g"), clip = drawn("clipPath");
      clip.id = "cut-" + sides.join("-") + "-" + number;
      clip.appendChild(filled.cloneNode(false)).removeAttribute("fill");
      all.setAttribute("clip-path", "url(#" + clip.id + ")");
      all.setAttribute("class", filled.getAttribute("class"));
      for (var x = Math.floor(Math.max(area.x, sides[0]) / wide) * wide; x < right; x += wide) {
        for (var y = Math.floor(Math.max(area.y, sides[1]) / high) * high; y < bottom; y += high) {
          var one = all.appendChild(drawn("g"));
          one.setAttribute("transform", "translate(" + x + " " + y + ")");
          one.appendChild(sign.cloneNode(true));
        }
      }
      filled.parentNode.insertBefore(clip, filled);
      filled.replaceWith(all);
    });
  }
  // a row of hex numbers is one path: a page has the letters that lie on it
  function letters(sheet, map, sides) {
    sheet.querySelectorAll(".m-no use").forEach(function (row) {
      var all = map.querySelector(row.getAttribute("href")).cloneNode(true), x = row.x.baseVal.value, y = row.y.baseVal.value;
      all.removeAttribute("id");
      all.setAttribute("transform", "translate(" + x + " " + y + ")");
      all.querySelectorAll("path[d]").forEach(function (path) {
        var to = path.transform.baseVal.consolidate().matrix;
        path.setAttribute("d", path.getAttribute("d").split(/(?=M)/).filter(function (letter) {
          var at = letter.slice(1).match(/-?[\d.]+/g), left = x + to.e + to.a * at[0] - sides[0], top = y + to.f + to.d * at[1] - sides[1];
          return left > -40 && left < sides[2] + 40 && top > -40 && top < sides[3] + 40;
        }).join(""));
      });
      row.replaceWith(all);
    });
  }
  function drawn(name) { return document.createElementNS("http://www.w3.org/2000/svg", name); }
  function pages() {
    document.querySelectorAll(".map-window[data-pages]").forEach(function (part) {
      var map = part.querySelector("svg.map"), boxes = new Map(), kept = {part: part, hidden: part.hidden};
      kept.far = map.classList.contains("map-far");
      part.hidden = false;
      map.classList.remove("map-far");
      var edge = map.getBoundingClientRect(), scale = edge.width / map.viewBox.baseVal.width;
      map.querySelectorAll("*").forEach(function (one) {
        var box = one.tagName !== "g" && one.getBoundingClientRect();
        if (box && (box.width || box.height)) { boxes.set(one, box); }
      });
      kept.scroll = [part.firstElementChild.scrollLeft, part.firstElementChild.scrollTop];
      part.dataset.pages.split(";").forEach(function (rect, number) {
        var page = document.createElement("div"), sides = rect.split(" ").map(function (n) { return n * scale; });
        var left = edge.left + sides[0], top = edge.top + sides[1];
        var sheet = inside(map, {left: left, top: top, right: left + sides[2], bottom: top + sides[3]}, boxes);
        page.className = "map-page";
        sheet.setAttribute("viewBox", rect);
        // what the drawings share: the first page has it while the map itself is away
        if (!number) { map.querySelectorAll("defs,style").forEach(function (one) { sheet.insertBefore(one.cloneNode(true), sheet.firstChild); }); }
        page.appendChild(sheet);
        part.parentNode.insertBefore(page, part);
        signs(sheet, map, rect.split(" ").map(Number));
        letters(sheet, map, rect.split(" ").map(Number));
      });
      kept.place = document.createComment("map");
      part.replaceWith(kept.place);
      printing.push(kept);
    });
  }
  var printing = [];
  window.addEventListener("beforeprint", function () { open(document); pages(); });
  window.addEventListener("afterprint", function () {
    document.querySelectorAll(".map-page").forEach(function (page) { page.remove(); });
    printing.splice(0).forEach(function (kept) {
      kept.place.replaceWith(kept.part);
      kept.part.hidden = kept.hidden;
      kept.part.querySelector("svg.map").classList.toggle("map-far", kept.far);
      kept.part.firstElementChild.scrollTo(kept.scroll[0], kept.scroll[1]);
    });
  });
  window.addEventListener("hashchange", reveal);
  reveal();
})();
