for (const list of document.querySelectorAll("ol.game")) {
  const steps = [...list.children];
  let at = steps.length - 1;
  let timer = 0;
  const show = (to) => {
    at = Math.max(0, Math.min(steps.length - 1, to));
    steps.forEach((step, place) => (step.hidden = place !== at));
    if (at === steps.length - 1) stop();
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
  };
  const bar = document.createElement("p");
  bar.className = "controls";
  const button = (words, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    made.onclick = act;
    bar.append(made);
  };
  button("start", () => {
    stop();
    show(0);
  });
  button("back", () => {
    stop();
    show(at - 1);
  });
  button("next", () => {
    stop();
    show(at + 1);
  });
  button("play", () => {
    if (timer) return stop();
    if (at === steps.length - 1) show(0);
    timer = setInterval(() => show(at + 1), 700);
  });
  button("all", () => {
    stop();
    steps.forEach((step) => (step.hidden = false));
  });
  list.before(bar);
  show(0);
}
