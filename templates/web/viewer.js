"use strict";
// Steps through a game. The page holds the latest moment of each drawing (boards and panel) and, for every other moment,
// the patch that makes it of its parent: in the game the moment after it, in a variation the one before. Whoever goes
// somewhere walks up to where the two ways meet, taking patches back, and down again. pbem/web/patches.py writes patches.
(() => {
  const data = JSON.parse(document.getElementById("game").textContent);
  const last = data.last;
  const items = [];
  const names = [];
  for (const item of document.querySelectorAll("#moves li[data-frame]")) {
    items[Number(item.dataset.frame)] = item;
    names[Number(item.dataset.frame)] = item.id;
    item.removeAttribute("id"); // the board follows an address, not the list
  }
  const byName = new Map(names.map((name, frame) => [name, frame]));
  const stops = [...names.keys()].filter(frame => frame <= last && /^\d+$/.test(names[frame]));
  const rtl = document.documentElement.dir === "rtl";
  const slider = document.getElementById("slider");
  const announce = document.getElementById("announce");
  const now = document.getElementById("now");
  const board = document.getElementById("board");
  const list = document.getElementById("moves");
  const plot = document.querySelector(".plot");
  const playButton = document.querySelector("[data-go=play]");
  let frame = last;

  // Drawings: a patch is a list of [path, attributes] and [path, at, count, markup or numbers of it]; what undoes it
  // holds the nodes themselves.
  const find = (root, path) => {
    let node = root;
    if (path) for (const index of path.split(".")) node = node.childNodes[Number(index)];
    return node;
  };
  const parse = (parent, content) => {
    const holder = parent.cloneNode(false);
    holder.innerHTML = content.map(each => (typeof each === "string" ? each : data.nodes[each])).join("");
    return [...holder.childNodes];
  };
  const change = (root, [path, ...what]) => {
    const node = find(root, path);
    if (what.length === 1) {
      const back = {};
      for (const [name, value] of Object.entries(what[0])) {
        back[name] = node.getAttribute(name);
        if (value === null) node.removeAttribute(name);
        else node.setAttribute(name, value);
      }
      return [path, back];
    }
    const [at, count, content] = what;
    const nodes = content[0] instanceof Node ? content : parse(node, content);
    const taken = [...node.childNodes].slice(at, at + count);
    const next = node.childNodes[at + count] || null;
    for (const child of taken) child.remove();
    for (const child of nodes) node.insertBefore(child, next);
    return [path, at, nodes.length, taken];
  };
  const apply = (root, patch) => patch.map(each => change(root, each)).reverse();

  class Drawing {
    constructor(place) {
      this.place = place;
      this.root = place.firstElementChild;
      this.patches = data.patches[place.dataset.board];
      this.taken = []; // the way down from the latest moment: where, and what leads back
    }
    show(wanted) {
      const way = [];
      for (let at = wanted; at !== last; at = data.parents[at]) way.push(at);
      way.reverse();
      while (this.taken.length && way[this.taken.length - 1] !== this.taken.at(-1)[0]) apply(this.root, this.taken.pop()[1]);
      for (const at of way.slice(this.taken.length)) this.taken.push([at, apply(this.root, this.patches[at])]);
    }
    get visible() {
      return this.place.offsetParent !== null;
    }
  }
  const drawings = [...document.querySelectorAll("[data-board]")].map(place => new Drawing(place));
  const draw = () => drawings.filter(each => each.visible).forEach(each => each.show(frame));

  // Where one can go from a moment.
  const line = at => (at > last ? names[at].split(".")[0] : "");
  const on = at => (at === last || at + 1 >= items.length || line(at + 1) !== line(at) ? at : at + 1);
  const back = at => (at > last ? data.parents[at] : Math.max(0, at - 1));
  const trunk = at => {
    while (at > last) at = data.parents[at];
    return at;
  };
  const ways = {
    first: () => 0,
    last: () => last,
    on: () => on(frame),
    back: () => back(frame),
    "turn-on": () => stops.find(at => at > trunk(frame)) ?? last,
    "turn-back": () => stops.findLast(at => at < trunk(frame)) ?? 0,
  };

  const words = at => items[at].querySelector(".says").textContent;
  const tell = (before, quiet) => {
    const item = items[frame];
    now.replaceChildren();
    const said = document.createElement("p");
    said.append(...[...item.querySelector("a").childNodes].map(node => node.cloneNode(true)));
    now.append(said);
    for (const part of item.children) {
      if (part.matches(".comment")) now.append(part.cloneNode(true));
    }
    now.dataset.frame = frame;
    slider.value = trunk(frame);
    slider.setAttribute("aria-valuetext", said.textContent.trim());
    if (!quiet) {
      const isBack = frame === back(before) && before !== frame;
      announce.textContent = isBack ? announce.dataset.back + words(before) : said.textContent.trim();
    }
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = item.querySelector("a");
    link.setAttribute("aria-current", "step");
    if (list.scrollHeight > list.clientHeight) {
      list.scrollTop += item.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 3;
    }
    const standing = document.querySelector(".standing")?.textContent;
    if (standing) board.setAttribute("aria-label", standing);
    const cursor = plot?.querySelector(".cursor");
    if (cursor) {
      const { left, right, last: steps } = plot.dataset;
      const turn = Number.parseInt(names[trunk(frame)], 10);
      const x = Number(left) + ((right - left) * Math.min(turn, steps)) / Math.max(1, steps);
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    }
  };

  let waiting = 0;
  const go = (wanted, { quiet = false, keep = false } = {}) => {
    const before = frame;
    frame = wanted;
    draw();
    tell(before, quiet);
    if (keep) return;
    // Browsers refuse a page that writes its address too often.
    clearTimeout(waiting);
    waiting = setTimeout(() => history.replaceState(null, "", `#${names[frame]}`), 400);
  };

  // Playing by itself.
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    playButton.setAttribute("aria-pressed", "false");
  };
  const play = () => {
    if (timer) return stop();
    if (on(frame) === frame) go(0, { quiet: true });
    playButton.setAttribute("aria-pressed", "true");
    timer = setInterval(() => {
      go(on(frame), { quiet: true });
      if (on(frame) === frame) stop();
    }, 1100);
  };

  // What a name behind # leads to. `since-red` is the moment after red's last turn but the one that is going on.
  const since = seat => {
    let at = last;
    while (at > 0 && items[at].dataset.who !== seat) at -= 1;
    return at;
  };
  const follow = name => {
    const wanted = name.startsWith("since-") ? since(name.slice(6)) : byName.get(name);
    if (wanted === undefined) return false;
    stop();
    go(wanted);
    return true;
  };
  const named = () => decodeURIComponent(location.hash.slice(1));

  document.addEventListener("click", event => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!follow(decodeURIComponent(link.getAttribute("href").slice(1)))) return;
    event.preventDefault();
    board.scrollIntoView({ block: "nearest" });
  });
  for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => {
      if (button.dataset.go === "play") return play();
      stop();
      go(ways[button.dataset.go]());
    });
  }
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value));
  });
  document.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select, [tabindex]")) return;
    const forward = rtl ? "ArrowLeft" : "ArrowRight";
    const backward = rtl ? "ArrowRight" : "ArrowLeft";
    const way = {
      [forward]: event.shiftKey ? "turn-on" : "on",
      [backward]: event.shiftKey ? "turn-back" : "back",
      Home: "first",
      End: "last",
    }[event.key];
    if (!way) return;
    event.preventDefault();
    stop();
    go(ways[way]());
  });

  // A swipe over the board is one move; two fingers zoom.
  let touch = null;
  board.addEventListener("touchstart", event => {
    touch = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  board.addEventListener("touchend", event => {
    if (!touch) return;
    const [x, y] = [event.changedTouches[0].clientX - touch.clientX, event.changedTouches[0].clientY - touch.clientY];
    touch = null;
    if (Math.abs(x) < 40 || Math.abs(x) < 2 * Math.abs(y)) return;
    stop();
    go(ways[x < 0 !== rtl ? "on" : "back"]());
  }, { passive: true });

  plot?.addEventListener("click", event => {
    const box = plot.getBoundingClientRect();
    const { left, right, width, last: steps } = plot.dataset;
    const x = ((event.clientX - box.left) / box.width) * width;
    const turn = Math.round(((x - left) / (right - left)) * steps);
    stop();
    go(stops.find(at => Number(names[at]) >= Math.max(0, turn)) ?? last);
  });

  addEventListener("hashchange", () => follow(named()));
  addEventListener("resize", draw);
  document.querySelector(".controls").hidden = false;
  slider.hidden = false;
  document.documentElement.classList.add("steps");
  if (!follow(named())) go(last, { quiet: true, keep: true });
  else scrollTo(0, 0);
})();
