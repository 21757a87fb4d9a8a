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
