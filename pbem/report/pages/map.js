(function () {
  "use strict";
  var frames = JSON.parse(document.getElementById("frames").textContent);
  var stands = JSON.parse(document.getElementById("stands").textContent);
  var slide = document.getElementById("slide");
  var picture = document.getElementById("picture");
  var play = document.getElementById("play");
  var eyes = document.getElementById("eyes");
  var tracks = document.getElementById("slides");
  var calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  var timer = null;
  var SVG = "http://www.w3.org/2000/svg";

  function fill(list, entries, make) {
    list.textContent = "";
    entries.forEach(function (entry) {
      var line = document.createElement("li");
      if (make) { line.appendChild(make(entry)); } else { line.textContent = entry; }
      list.appendChild(line);
    });
  }
  function link(entry) {
    var made = document.createElement("a");
    made.href = entry.href;
    made.textContent = entry.text;
    return made;
  }
  function map_of(frame) { return eyes && eyes.value && frame.eyes[eyes.value] || frame.map; }
  function ahead(place) {
    if (frames[place]) { new Image().src = map_of(frames[place]); }
  }
  // counters go their ways over the map; where less motion is asked for the arrows alone tell
  function go(frame) {
    tracks.textContent = "";
    if (calm.matches || !tracks.animate || eyes && eyes.value) { return; }
    tracks.setAttribute("viewBox", "0 0 " + frame.slides.size.join(" "));
    frame.slides.tracks.forEach(function (track, number) {
      var one = document.createElementNS(SVG, "g"), box = document.createElementNS(SVG, "rect");
      var mark = document.createElementNS(SVG, "text");
      [["x", -13], ["y", -13], ["width", 26], ["height", 26], ["rx", 3], ["fill", track.fill], ["stroke", "#fff"]]
        .forEach(function (pair) { box.setAttribute(pair[0], pair[1]); });
      [["text-anchor", "middle"], ["y", 6], ["font-size", 16], ["font-weight", 700], ["fill", track.ink]]
        .forEach(function (pair) { mark.setAttribute(pair[0], pair[1]); });
      mark.textContent = track.mark;
      one.appendChild(box);
      one.appendChild(mark);
      tracks.appendChild(one);
      var steps = track.points.map(function (point) {
        return {transform: "translate(" + point[0] + "px," + point[1] + "px)"};
      });
      var done = one.animate(steps, {
        duration: 350 + 200 * steps.length, delay: Math.min(60 * number, 900), fill: "both", easing: "ease-in-out"
      });
      done.onfinish = function () { one.remove(); };
    });
  }
  // who stands where at a frame, and where each of them leads: to its career
  function hex_of(counter, place) {
    return counter.stays.reduce(function (found, stay) { return stay[0] <= place ? stay[1] : found; }, "");
  }
  function career(counter) { return {href: stands.careers + counter.id, text: counter.text}; }
  function standing(hex, place) {
    return stands.counters.filter(function (one) { return hex_of(one, place) === hex; }).map(career);
  }
  function nearest(event) {
    var box = picture.getBoundingClientRect(), size = frames[here()].slides.size;
    var x = (event.clientX - box.left) / box.width * size[0], y = (event.clientY - box.top) / box.height * size[1];
    var best = "", least = 45 * 45;
    Object.keys(stands.places).forEach(function (hex) {
      var dx = stands.places[hex][0] - x, dy = stands.places[hex][1] - y;
      if (dx * dx + dy * dy < least && standing(hex, here()).length) { least = dx * dx + dy * dy; best = hex; }
    });
    return best;
  }
  function point(hex) {
    var spot = document.getElementById("spot");
    spot.textContent = hex;
    spot.hidden = !hex;
    fill(document.getElementById("standing"), hex ? standing(hex, here()) : [], link);
  }
  function list_all() {
    var all = document.getElementById("on-map");
    if (!all || !all.open) { return; }
    var there = stands.counters.map(function (one) { return {one: one, hex: hex_of(one, here())}; });
    there = there.filter(function (each) { return each.hex; });
    there.sort(function (a, b) { return a.hex < b.hex ? -1 : a.hex > b.hex ? 1 : 0; });
    fill(document.getElementById("every"), there, function (each) {
      var made = document.createElement("span");
      made.textContent = each.hex + " ";
      made.appendChild(link(career(each.one)));
      return made;
    });
  }
  function turn_end(number, way) {
    for (var act = number + way; act >= 0 && act <= frames[frames.length - 1].act; act += way) {
      var found = frames.reduce(function (last, frame, place) { return frame.act === act ? place : last; }, -1);
      if (found >= 0 && (!frames[found].quiet || act === 0)) { return found; }
    }
    return way > 0 ? frames.length - 1 : 0;
  }
  function battle() {
    for (var place = here() + 1; place < frames.length; place += 1) {
      if (frames[place].battle) { return place; }
    }
    return -1;
  }
  function show(place, moving) {
    place = Math.max(0, Math.min(frames.length - 1, place));
    var frame = frames[place];
    slide.value = place;
    slide.setAttribute("aria-valuetext", frame.title + ": " + (frame.turn || frame.place));
    document.getElementById("now").textContent = frame.stage;
    picture.src = map_of(frame);
    picture.alt = picture.dataset.alt.replace("@", frame.stage);
    document.getElementById("where").textContent = frame.told;
    var page = document.getElementById("page");
    page.textContent = frame.title;
    page.href = frame.page;
    document.getElementById("place").textContent = frame.turn || frame.place;
    fill(document.getElementById("tracks"), frame.tracks);
    fill(document.getElementById("news"), frame.news);
    fill(document.getElementById("battles"), frame.battles, link);
    document.querySelectorAll("[data-step]").forEach(function (button) {
      var end = {first: 0, back: 0, on: frames.length - 1, last: frames.length - 1}[button.dataset.step];
      button.disabled = button.dataset.step === "battle" ? battle() < 0 : place === end;
    });
    try { history.replaceState(null, "", "#s" + frame.stage); } catch (error) { /* some viewers of files */ }
    point("");
    list_all();
    if (moving) { go(frame); } else { tracks.textContent = ""; }
    if (moving) { follow(frame); }
    ahead(place + 1);
    ahead(place - 1);
  }
  function here() { return Number(slide.value); }
  function stop() {
    if (timer !== null) { clearInterval(timer); timer = null; play.setAttribute("aria-pressed", "false"); }
  }
  function step(name) {
    stop();
    var act = frames[here()].act;
    if (name === "battle") {
      if (battle() >= 0) { show(battle(), true); }
    } else if (name === "on" || name === "back") {
      show(turn_end(act, name === "on" ? 1 : -1), name === "on");
    } else {
      show(name === "first" ? 0 : frames.length - 1);
    }
  }
  function from_address() {
    var found = /^#s([0-9]+)$/.exec(location.hash);
    var place = found ? frames.findIndex(function (frame) { return frame.stage === Number(found[1]); }) : -1;
    show(place < 0 ? here() : place);
  }

  // larger and smaller, dragged by the mouse; a large map is moved to where the counters go
  var frame = picture.closest(".map-frame"), box = picture.closest(".step-map"), tools = document.getElementById("map-tools");
  var wide = 1, held = null, dragged = false;
  function zoom(to) {
    var x = (frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth, y = (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight;
    wide = Math.max(1, Math.min(8, to));
    box.style.width = 100 * wide + "%";
    frame.classList.toggle("map-zooms", wide > 1);
    frame.scrollLeft = x * frame.scrollWidth - frame.clientWidth / 2;
    frame.scrollTop = y * frame.scrollHeight - frame.clientHeight / 2;
  }
  function follow(stage) {
    var track = stage.slides.tracks[0], goal = track && track.points[track.points.length - 1];
    if (wide === 1 || !goal) { return; }
    frame.scrollLeft = goal[0] / stage.slides.size[0] * box.clientWidth - frame.clientWidth / 2;
    frame.scrollTop = goal[1] / stage.slides.size[1] * box.clientHeight - frame.clientHeight / 2;
  }
  var does = {
    larger: function () { zoom(wide * 1.4); }, smaller: function () { zoom(wide / 1.4); }, fit: function () { zoom(1); }
  };
  Object.keys(does).forEach(function (name) {
    var button = document.createElement("button");
    button.type = "button";
    button.dataset.map = name;
    button.textContent = tools.dataset[name];
    button.addEventListener("click", does[name]);
    tools.appendChild(button);
  });
  tools.hidden = false;
  frame.addEventListener("wheel", function (event) {
    if (event.ctrlKey) { event.preventDefault(); zoom(wide * (event.deltaY < 0 ? 1.2 : 1 / 1.2)); }
  }, {passive: false});
  frame.addEventListener("pointerdown", function (event) {
    dragged = false;
    if (event.button === 0 && event.pointerType === "mouse" && wide > 1) { held = event; event.preventDefault(); }
  });
  window.addEventListener("pointermove", function (event) {
    if (!held) { return; }
    dragged = dragged || Math.abs(event.clientX - held.clientX) + Math.abs(event.clientY - held.clientY) > 3;
    frame.scrollLeft -= event.clientX - held.clientX;
    frame.scrollTop -= event.clientY - held.clientY;
    held = event;
  });
  window.addEventListener("pointerup", function () { held = null; });

  picture.addEventListener("click", function (event) {
    if (dragged) { return; }
    if (!eyes || !eyes.value) { point(nearest(event)); }
  });
  if (document.getElementById("on-map")) {
    document.getElementById("on-map").hidden = false;
    document.getElementById("on-map").addEventListener("toggle", list_all);
  }
  slide.addEventListener("input", function () { stop(); show(here()); });
  if (eyes) { eyes.addEventListener("change", function () { show(here()); }); }
  document.querySelectorAll("[data-step]").forEach(function (button) {
    button.addEventListener("click", function () { step(button.dataset.step); });
  });
  play.addEventListener("click", function () {
    if (timer !== null) { stop(); return; }
    play.setAttribute("aria-pressed", "true");
    if (here() === frames.length - 1) { show(0); }
    timer = setInterval(function () {
      if (here() === frames.length - 1) { stop(); } else { show(turn_end(frames[here()].act, 1), true); }
    }, 2200);
  });
  document.addEventListener("keydown", function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== document.body) { return; }
    var name = {ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", b: "battle"}[event.key];
    var size = {"+": "larger", "-": "smaller", "0": "fit"}[event.key];
    if (size) { event.preventDefault(); does[size](); }
    if (name) { event.preventDefault(); step(name); }
  });
  window.addEventListener("hashchange", from_address);
  document.getElementById("stepper").hidden = false;
  document.getElementById("hint").hidden = false;
  from_address();
})();
