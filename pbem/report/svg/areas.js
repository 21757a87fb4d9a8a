// areas with shapes are one stop of the Tab key; arrows lead on to the area that fits their direction best
document.querySelectorAll(".m-spots[data-shapes]").forEach(function (group) {
  var all = Array.prototype.slice.call(group.children), ways = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
  function stop(one) { all.forEach(function (each) { each.setAttribute("tabindex", each === one ? "0" : "-1"); }); }
  function best(from, way) {
    var found = null, least = Infinity;
    all.forEach(function (one) {
      var x = one.dataset.x - from.dataset.x, y = one.dataset.y - from.dataset.y, far = Math.hypot(x, y);
      var fits = far ? (x * way[0] + y * way[1]) / far : 0, cost = far * (3 - 2 * fits);
      if (fits > 0.2 && cost < least) { least = cost; found = one; }
    });
    return found;
  }
  stop(all[0]);
  group.addEventListener("focusin", function (event) { var one = event.target.closest(".m-x"); if (one) { stop(one); } });
  group.addEventListener("keydown", function (event) {
    var one = event.target.closest(".m-x");
    var next = !one ? null : event.key === "Home" ? all[0] : event.key === "End" ? all[all.length - 1] : ways[event.key] && best(one, ways[event.key]);
    if (next) { event.preventDefault(); event.stopPropagation(); next.focus(); }
  });
});
