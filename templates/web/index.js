"use strict";
// Shows only the games that have all words of the search.
(() => {
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const games = [...document.querySelectorAll(".games li")].map(item => [item, item.textContent.toLowerCase()]);
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [item, text] of games) {
      item.hidden = !words.every(word => text.includes(word));
      shown += item.hidden ? 0 : 1;
    }
    found.textContent = shown || !games.length ? "" : found.dataset.none;
  };
  search.parentElement.hidden = false;
  search.addEventListener("input", show);
  show();
})();
