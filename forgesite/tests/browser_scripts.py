"""What tests run in a page of the desk: a request as the page sends one, and faults that are to be measured."""

SEND = """async ([path, body]) => {
  const token = document.querySelector("meta[name=csrf-token]").content;
  const headers = { "X-CSRFToken": token, "Content-Type": "application/json" };
  return (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}"""
#: Colours go over into one another for a moment.
SETTLED = "() => Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => true)"
#: What is too faint. The checker is on the page since it was run there.
CONTRAST = """async () => {
  const found = await axe.run({ runOnly: { type: "rule", values: ["color-contrast"] } });
  return found.violations.flatMap((one) => one.nodes.map((node) => node.html.slice(0, 160)));
}"""
#: The buttons whose words are too faint while they have the focus, with the contrast that they have.
FOCUSED = """async () => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((one) => one / 255);
    const of = (one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * of(r) + 0.7152 * of(g) + 0.0722 * of(b) + 0.05;
  };
  const faint = [];
  for (const one of document.querySelectorAll("#content :is(.button, input[type=submit])")) {
    one.focus();
    await Promise.allSettled(one.getAnimations().map((each) => each.finished));
    const { color, backgroundColor } = getComputedStyle(one);
    const [low, high] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
    if (document.activeElement === one && high / low < 4.5) faint.push(`${one.textContent} ${high / low}`);
  }
  return faint;
}"""
#: Headings that leave out a level, a skip link that is not the first thing in reach, or leads nowhere.
OUTLINE = """() => {
  const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((one) => Number(one.tagName[1]));
  const wrong = levels.filter((one, at) => one > (at ? levels[at - 1] : 0) + 1).map((one) => `h${one} out of order`);
  const first = document.querySelector("a[href], button, input, select, textarea, summary");
  return first.hash && document.querySelector(first.hash) ? wrong : [...wrong, "no skip link"];
}"""
