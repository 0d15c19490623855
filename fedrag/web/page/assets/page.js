// What the page does beyond its links and forms: progress, cards, zoom, filters, copies.
// Everything here is an addition: the page is whole, and usable, without it.
"use strict";

(() => {
  const main = document.getElementById("content");
  const progress = document.getElementById("progress");
  const status = document.getElementById("status");
  const question = document.getElementById("q");
  const kept = new Map(); // address → page, so that Back asks nobody again
  const narrow = matchMedia("(max-width: 48rem)");
  const all = (selector, root = main) => [...root.querySelectorAll(selector)];

  // --- asking ---------------------------------------------------------------------------------

  let running = null;

  function say(line, ended = false) {
    progress.hidden = !line;
    progress.classList.toggle("ended", ended);
    document.getElementById("stop").hidden = ended;
    status.textContent = line;
  }

  async function ask(address) {
    running?.abort();
    const mine = (running = new AbortController());
    hideCard();
    say("Asking …");
    main.setAttribute("aria-busy", "true");
    try {
      const reply = await fetch(address, {
        headers: { Accept: "text/event-stream" }, signal: mine.signal, cache: "no-store",
      });
      if (!(reply.headers.get("content-type") || "").startsWith("text/event-stream")) {
        location.assign(address); // refused, or a page: the browser shows it
        return;
      }
      const told = await outcome(reply.body);
      history.pushState(null, "", told.address);
      keep(told);
      show(told);
      say("");
      window.scrollTo(0, 0);
      main.focus({ preventScroll: true });
    } catch (error) {
      if (mine.signal.aborted) return;
      say(`The service did not answer: ${error.message}`, true);
    } finally {
      if (running === mine) {
        running = null;
        main.removeAttribute("aria-busy");
      }
    }
  }

  async function outcome(body) {
    for await (const { kind, data } of events(body)) {
      if (kind === "progress") say(data.line);
      else if (kind === "answer") return data;
      else if (kind === "error") throw new Error(data.error.message);
    }
    throw new Error("the connection ended early");
  }

  async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
      const parts = text.split("\n\n");
      text = parts.pop();
      for (const part of parts) {
        const field = (name) => part.split("\n").find((line) => line.startsWith(name))?.slice(name.length);
        const data = field("data: ");
        if (data) yield { kind: field("event: "), data: JSON.parse(data) };
      }
    }
  }

  function show(page) {
    main.innerHTML = page.html; // the service's own markup, escaped there
    document.title = page.title;
    question.value = new URL(location.href).searchParams.get("q") || "";
    dress();
  }

  function keep(page) {
    kept.set(location.href.split("#")[0], page);
    if (kept.size > 20) kept.delete(kept.keys().next().value);
  }

  function addressOf(form) {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) fields.append(name, value);
    return `./?${fields}`;
  }

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-ask]")) return;
    event.preventDefault();
    if (new FormData(event.target).get("q")?.trim()) ask(addressOf(event.target));
  });

  document.getElementById("stop").addEventListener("click", () => {
    running?.abort();
    say("Stopped; nothing more is asked.", true);
    main.removeAttribute("aria-busy");
  });

  let here = location.href.split("#")[0];
  window.addEventListener("popstate", () => {
    const address = location.href.split("#")[0];
    if (address === here) return; // only the key in the address has changed
    here = address;
    const page = kept.get(address);
    if (page) show(page);
    else location.reload();
  });

  // --- cards ----------------------------------------------------------------------------------

  const card = document.body.appendChild(document.createElement("div"));
  card.className = "card";
  card.id = "card";
  card.tabIndex = -1;
  card.hidden = true;
  let owner = null;
  let pinned = false;
  let timer = 0;

  const keyOf = (node) => {
    const key = node?.closest?.("a.key");
    return key && main.contains(key) && !key.closest(".item .head") ? key : null;
  };

  function fill(item) {
    const parts = [item.querySelector(".sentence"), ...all(".edge", item)];
    card.replaceChildren(...parts.map((part) => part.cloneNode(true)));
    for (const node of all("[id]", card)) node.removeAttribute("id");
    for (const node of all(".passport", card)) node.remove();
    const bar = document.createElement("p");
    bar.className = "bar";
    const jump = document.createElement("a");
    jump.href = `#${item.id}`;
    jump.textContent = `${item.id} in the list`;
    const close = document.createElement("button");
    close.type = "button";
    close.className = "quiet";
    close.textContent = "Close";
    close.addEventListener("click", () => hideCard(true));
    jump.addEventListener("click", () => {
      item.hidden = false;
      hideCard();
    });
    bar.append(jump, close);
    card.append(bar);
  }

  function showCard(key, pin) {
    const item = document.getElementById(key.getAttribute("href").slice(1));
    if (!item) return;
    clearTimeout(timer);
    if (owner !== key) {
      hideCard();
      owner = key;
      fill(item);
      card.hidden = false;
      stand(key);
      key.classList.add("on");
    }
    pinned = pinned || pin;
    card.setAttribute("role", pinned ? "dialog" : "tooltip");
    card.setAttribute("aria-label", `Evidence ${item.id}`);
    key.setAttribute("aria-describedby", "card");
    light([item.id]);
  }

  function stand(key) {
    const sheet = narrow.matches;
    card.classList.toggle("sheet", sheet);
    card.style.left = card.style.top = "";
    if (sheet) return;
    const at = key.getBoundingClientRect();
    const size = card.getBoundingClientRect();
    const left = Math.min(Math.max(12, at.left), innerWidth - size.width - 12);
    const under = at.bottom + 8 + size.height < innerHeight;
    card.style.left = `${left}px`;
    card.style.top = `${under ? at.bottom + 8 : Math.max(8, at.top - size.height - 8)}px`;
  }

  function hideCard(back = false) {
    clearTimeout(timer);
    if (!owner) return;
    const key = owner;
    owner = null;
    pinned = false;
    card.hidden = true;
    key.classList.remove("on");
    key.removeAttribute("aria-describedby");
    light([]);
    if (back) {
      quiet = true; // focus that comes back must not open it again
      key.focus({ preventScroll: true });
      quiet = false;
    }
  }
  let quiet = false;

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse" || pinned) return;
    const key = keyOf(event.target);
    if (key) {
      clearTimeout(timer);
      timer = setTimeout(() => showCard(key, false), 100);
    } else if (card.contains(event.target)) clearTimeout(timer);
  });
  document.addEventListener("pointerout", (event) => {
    if (event.pointerType !== "mouse" || pinned) return;
    if (keyOf(event.target) || card.contains(event.target)) {
      clearTimeout(timer);
      timer = setTimeout(hideCard, 260);
    }
  });
  document.addEventListener("focusin", (event) => {
    const key = keyOf(event.target);
    if (key && !quiet && key.matches(":focus-visible")) showCard(key, false);
    else if (owner && !pinned && !key && !card.contains(event.target)) hideCard();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-ask]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      ask(link.getAttribute("href"));
      return;
    }
    const key = keyOf(event.target);
    if (key) {
      event.preventDefault();
      showCard(key, true);
      if (event.detail === 0) card.focus(); // by the keyboard: into the card
    } else if (owner && !card.contains(event.target)) hideCard();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && owner) hideCard(true);
  });

  // --- the graph ------------------------------------------------------------------------------

  let graph = null;

  function light(keys, boxes = null) {
    const svg = graph?.svg;
    if (!svg) return;
    const links = all(".link", svg).filter((link) => keys.includes(link.dataset.link));
    const ends = new Set(boxes || links.flatMap((link) => [link.dataset.from, link.dataset.to]));
    svg.classList.toggle("lit", keys.length > 0 || ends.size > 0);
    for (const link of all(".link", svg)) link.classList.toggle("on", links.includes(link));
    for (const box of all(".box", svg)) box.classList.toggle("on", ends.has(box.dataset.box));
    for (const label of all(".labels .key", svg)) label.classList.toggle("near", keys.includes(label.dataset.link));
  }

  function around(box) {
    const touching = all(".link", graph.svg).filter(
      (link) => link.dataset.from === box.dataset.box || link.dataset.to === box.dataset.box,
    );
    const ends = touching.flatMap((link) => [link.dataset.from, link.dataset.to]);
    light(touching.map((link) => link.dataset.link), [box.dataset.box, ...ends]);
  }

  function drawable(figure) {
    const pane = figure.querySelector(".pane");
    const svg = pane.querySelector("svg");
    const own = { width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
    graph = { svg, scale: 1 };
    const tallest = innerHeight * (narrow.matches ? 0.58 : 0.75); // under the pane's greatest height
    const fit = () => Math.min(1, pane.clientWidth / own.width, tallest / own.height);

    function zoom(scale, x = pane.clientWidth / 2, y = pane.clientHeight / 2) {
      const next = Math.min(4, Math.max(Math.min(fit(), 1) * 0.6, scale));
      const at = { x: (pane.scrollLeft + x) / graph.scale, y: (pane.scrollTop + y) / graph.scale };
      graph.scale = next;
      svg.classList.add("sized");
      svg.style.width = `${own.width * next}px`;
      svg.style.height = `${own.height * next}px`;
      pane.scrollLeft = at.x * next - x;
      pane.scrollTop = at.y * next - y;
    }

    const steps = { in: () => zoom(graph.scale * 1.3), out: () => zoom(graph.scale / 1.3), fit: () => zoom(fit()) };
    figure.querySelector(".tools").hidden = false;
    for (const button of all("[data-zoom]", figure)) button.addEventListener("click", steps[button.dataset.zoom]);
    pane.addEventListener("keydown", (event) => {
      const step = { "+": "in", "=": "in", "-": "out", 0: "fit" }[event.key];
      if (!step || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      steps[step]();
    });
    pane.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // plain wheels scroll
      event.preventDefault();
      const at = pane.getBoundingClientRect();
      zoom(graph.scale * Math.exp(-event.deltaY / 300), event.clientX - at.left, event.clientY - at.top);
    }, { passive: false });
    pane.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button || event.target.closest("a")) return;
      const start = { x: event.clientX + pane.scrollLeft, y: event.clientY + pane.scrollTop };
      const drag = (move) => {
        pane.classList.add("held");
        pane.scrollLeft = start.x - move.clientX;
        pane.scrollTop = start.y - move.clientY;
      };
      const drop = () => {
        pane.classList.remove("held");
        removeEventListener("pointermove", drag);
      };
      addEventListener("pointermove", drag);
      addEventListener("pointerup", drop, { once: true });
    });
    svg.addEventListener("pointerover", (event) => {
      const box = event.target.closest(".box");
      if (box) around(box);
    });
    svg.addEventListener("pointerout", (event) => {
      if (event.target.closest(".box") && !owner) light([]);
    });
    // On a phone the whole of it, to be looked over first; else so small that it is still read.
    zoom(narrow.matches ? fit() : Math.max(Math.min(1, pane.clientWidth / own.width), 0.75));
    const first = svg.querySelector(".box.r-given rect, .box rect");
    pane.scrollLeft = 0;
    pane.scrollTop = first ? (first.y.baseVal.value + 14) * graph.scale - pane.clientHeight / 2 : 0;
  }

  // --- filters --------------------------------------------------------------------------------

  function filter(form) {
    const chosen = new FormData(form);
    const sources = new Set(chosen.getAll("source"));
    const levels = new Set(chosen.getAll("level"));
    const least = Number(chosen.get("weight"));
    const hidden = new Set();
    for (const item of all(".item")) {
      let some = false;
      for (const edge of all(".edge", item)) {
        edge.hidden = !(sources.has(edge.dataset.source) && levels.has(edge.dataset.level));
        some ||= !edge.hidden;
      }
      item.hidden = !some || Number(item.dataset.weight) < least;
      if (item.hidden) hidden.add(item.id);
    }
    form.querySelector("[data-least]").textContent = least.toFixed(2);
    const total = all(".item").length;
    form.querySelector("[data-shown]").textContent = hidden.size ? `${total - hidden.size} of ${total} sentences shown` : "";
    thin(hidden);
  }

  function thin(hidden) {
    const live = new Set();
    for (const part of all("[data-link]", graph.svg)) {
      part.classList.toggle("off", hidden.has(part.dataset.link));
      if (part.dataset.from && !hidden.has(part.dataset.link)) live.add(part.dataset.from).add(part.dataset.to);
    }
    for (const box of all(".box", graph.svg)) box.classList.toggle("gone", !live.has(box.dataset.box));
  }

  // --- copies ---------------------------------------------------------------------------------

  async function put(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = document.body.appendChild(document.createElement("textarea")); // no https elsewhere
    area.value = text;
    area.select();
    document.execCommand("copy");
    area.remove();
  }

  async function copied(button, text) {
    const label = button.textContent;
    try {
      await put(await text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => (button.textContent = label), 1600);
  }

  async function fetched(address) {
    const reply = await fetch(address);
    if (!reply.ok) throw new Error(reply.statusText);
    return reply.text();
  }

  // --- every new content ----------------------------------------------------------------------

  function dress() {
    here = location.href.split("#")[0];
    graph = null;
    for (const figure of all("[data-graph]")) drawable(figure);
    for (const form of all("[data-filters]")) {
      form.hidden = false;
      form.addEventListener("input", () => filter(form));
      form.addEventListener("submit", (event) => event.preventDefault());
    }
    const texts = {
      copy: (value) => fetched(value),
      copyLink: (value) => new URL(value, location.href).href,
      copyText: (value) => document.getElementById(value).textContent,
    };
    for (const [name, text] of Object.entries(texts)) {
      for (const button of all("button").filter((one) => name in one.dataset)) {
        button.hidden = false;
        button.addEventListener("click", () => copied(button, async () => text(button.dataset[name])));
      }
    }
  }

  keep({ html: main.innerHTML, title: document.title });
  dress();
})();
