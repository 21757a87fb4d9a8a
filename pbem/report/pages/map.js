(function () {
  "use strict";
  var frames = JSON.parse(document.getElementById("frames").textContent);
  var slide = document.getElementById("slide");
  var picture = document.getElementById("picture");
  var play = document.getElementById("play");
  var timer = null;

  function fill(list, texts) {
    list.textContent = "";
    texts.forEach(function (text) {
      var line = document.createElement("li");
      line.textContent = text;
      list.appendChild(line);
    });
  }
  function ahead(place) {
    if (frames[place]) { new Image().src = frames[place].map; }
  }
  function show(place) {
    place = Math.max(0, Math.min(frames.length - 1, place));
    var frame = frames[place];
    slide.value = place;
    slide.setAttribute("aria-valuetext", frame.title + ": " + frame.place);
    document.getElementById("now").textContent = frame.stage;
    picture.src = frame.map;
    picture.alt = picture.dataset.alt.replace("@", frame.stage);
    var page = document.getElementById("page");
    page.textContent = frame.title;
    page.href = frame.page;
    document.getElementById("place").textContent = frame.place;
    fill(document.getElementById("tracks"), frame.tracks);
    fill(document.getElementById("news"), frame.news);
    document.querySelectorAll("[data-step]").forEach(function (button) {
      var back = button.dataset.step === "first" || button.dataset.step === "back";
      button.disabled = place === (back ? 0 : frames.length - 1);
    });
    try { history.replaceState(null, "", "#s" + frame.stage); } catch (error) { /* some viewers of files */ }
    ahead(place + 1);
    ahead(place - 1);
  }
  function here() { return Number(slide.value); }
  function stop() {
    if (timer !== null) { clearInterval(timer); timer = null; play.setAttribute("aria-pressed", "false"); }
  }
  function step(name) {
    stop();
    show({first: 0, back: here() - 1, on: here() + 1, last: frames.length - 1}[name]);
  }
  function from_address() {
    var found = /^#s([0-9]+)$/.exec(location.hash);
    var place = found ? frames.findIndex(function (frame) { return frame.stage === Number(found[1]); }) : -1;
    show(place < 0 ? here() : place);
  }

  slide.addEventListener("input", function () { stop(); show(here()); });
  document.querySelectorAll("[data-step]").forEach(function (button) {
    button.addEventListener("click", function () { step(button.dataset.step); });
  });
  play.addEventListener("click", function () {
    if (timer !== null) { stop(); return; }
    play.setAttribute("aria-pressed", "true");
    if (here() === frames.length - 1) { show(0); }
    timer = setInterval(function () {
      if (here() === frames.length - 1) { stop(); } else { show(here() + 1); }
    }, 1500);
  });
  document.addEventListener("keydown", function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== document.body) { return; }
    var name = {ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last"}[event.key];
    if (name) { event.preventDefault(); step(name); }
  });
  window.addEventListener("hashchange", from_address);
  document.getElementById("stepper").hidden = false;
  document.getElementById("hint").hidden = false;
  from_address();
})();
