(function () {
  "use strict";
  // what is pointed at or has the focus on a map is named below it
  document.querySelectorAll(".map-box").forEach(function (box) {
    var says = box.querySelector(".map-says");
    if (!says) { return; }
    says.textContent = says.dataset.hint;
    function name(event) {
      var spot = event.target.closest ? event.target.closest(".m-x") : null;
      if (spot) { says.textContent = spot.getAttribute("aria-label"); }
    }
    box.addEventListener("focusin", name);
    box.addEventListener("mouseover", name);
  });
  // a map can be made larger and smaller, dragged, and looked at where something happened
  document.querySelectorAll(".map-box").forEach(function (box) {
    var frame = box.querySelector(".map-frame"), tools = box.querySelector(".map-tools");
    var map = frame && frame.querySelector("svg");
    if (!map || !tools || !map.viewBox.baseVal.width) { return; }
    var whole = map.viewBox.baseVal, LEAST = 28, GOOD = 46, MOST = 160, HEX = 80;
    function size() { return HEX * map.getBoundingClientRect().width / whole.width; }
    function fitting() { return HEX * frame.clientWidth / whole.width; }
    function zoom(hex, at) {
      var before = map.getBoundingClientRect(), edge = frame.getBoundingClientRect();
      var x = at ? at.x : edge.left + frame.clientWidth / 2, y = at ? at.y : edge.top + frame.clientHeight / 2;
      var across = (x - before.left) / before.width, down = (y - before.top) / before.height;
      map.style.minWidth = "0";
      map.style.width = Math.round(Math.max(Math.min(fitting(), GOOD), Math.min(MOST, hex)) * whole.width / HEX) + "px";
      var after = map.getBoundingClientRect();
      frame.scrollLeft += after.left + across * after.width - x;
      frame.scrollTop += after.top + down * after.height - y;
    }
    function centre(part) {
      var inner = part.getBoundingClientRect(), edge = frame.getBoundingClientRect();
      frame.scrollLeft += inner.left + inner.width / 2 - edge.left - frame.clientWidth / 2;
      frame.scrollTop += inner.top + inner.height / 2 - edge.top - frame.clientHeight / 2;
    }
    function action() {
      var part = map.querySelector(".m-L-battles > *") || map.querySelector(".m-L-moves > *");
      if (size() < GOOD) { zoom(GOOD); }
      if (part) { centre(part); }
    }
    function fit() { map.style.width = "100%"; map.style.minWidth = "0"; }
    var does = {
      larger: function () { zoom(size() * 1.4); }, smaller: function () { zoom(size() / 1.4); }, fit: fit, action: action
    };
    tools.addEventListener("click", function (event) {
      var button = event.target.closest("button");
      if (button && does[button.dataset.map]) { does[button.dataset.map](); }
    });
    frame.addEventListener("wheel", function (event) {
      if (event.ctrlKey) { event.preventDefault(); zoom(size() * (event.deltaY < 0 ? 1.15 : 1 / 1.15), event); }
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
    tools.hidden = false;
    frame.classList.add("map-zooms");
    if (fitting() < LEAST) { action(); }
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
    if (goal && goal.focus && goal.classList.contains("m-x")) { goal.focus({preventScroll: true}); }
    if (goal && goal.scrollIntoView) { goal.scrollIntoView({block: "nearest", inline: "nearest"}); }
  }
  window.addEventListener("beforeprint", function () { open(document); });
  window.addEventListener("hashchange", reveal);
  reveal();
})();
