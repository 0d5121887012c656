// Before the first paint: the theme a person chose, under the key and names Django's admin uses too.
(() => {
  const MODES = ["auto", "light", "dark"];
  const stored = () => {
    try {
      const mode = localStorage.getItem("theme");
      return MODES.includes(mode) ? mode : "auto";
    } catch {
      return "auto"; // storage is switched off: follow the system
    }
  };
  const apply = (mode) => {
    document.documentElement.dataset.theme = mode;
    for (const control of document.querySelectorAll("[data-theme-choice]")) {
      control.checked = control.value === mode;
    }
  };
  const choose = (mode) => {
    try {
      localStorage.setItem("theme", mode);
    } catch {
      // the choice holds for this page only
    }
    apply(mode);
  };
  const dark = () => {
    const mode = document.documentElement.dataset.theme;
    return mode === "dark" || (mode === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  };
  apply(stored());
  document.addEventListener("DOMContentLoaded", () => apply(stored()));
  addEventListener("storage", (event) => event.key === "theme" && apply(stored()));
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-theme-choice]")) choose(event.target.value);
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-theme-toggle]")) choose(dark() ? "light" : "dark");
  });
})();
