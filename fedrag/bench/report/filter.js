document.documentElement.classList.add("js");
for (const form of document.querySelectorAll(".filter")) {
  const all = [...document.getElementById(form.dataset.of).querySelectorAll(".q")];
  const [words, arm, state] = form.querySelectorAll("input,select");
  const count = form.querySelector("output");
  const apply = () => {
    const wanted = words.value.trim().toLowerCase();
    let shown = 0;
    for (const one of all) {
      const marks = one.dataset.v.split(" ");
      const fits = !state.value || (arm.value
        ? marks.includes(arm.value + ":" + state.value)
        : marks.some((mark) => mark.endsWith(":" + state.value)));
      one.hidden = !(fits && (!wanted || one.textContent.toLowerCase().includes(wanted)));
      shown += !one.hidden;
    }
    count.textContent = shown + " of " + all.length + " shown";
  };
  for (const field of [words, arm, state]) field.addEventListener("input", apply);
  apply();
}
