// Which key means what. Nothing here touches the page.

/** The key that was meant, lower case; empty where a person types, holds a modifier, or keys are off. */
export function keyOf({ key, ctrlKey, metaKey, altKey }, { typing, off }) {
  if (off || typing || ctrlKey || metaKey || altKey) return "";
  return key.length === 1 ? key.toLowerCase() : "";
}

// `states`: of each entry that is chosen, the words of its state: `live`, `pinned`, both or none.
const all = (states, word) => states.every((state) => state.split(" ").includes(word));

const ON_MANY = {
  a: () => "archive",
  r: (states) => (all(states, "live") ? "reaffirm" : "restore"),
  p: (states) => (all(states, "pinned") ? "unpin" : "pin"),
  f: () => "forget",
};

/** The action of the list that a key means for what is chosen; empty for none. */
export function actionOf(key, states) {
  return states.length && ON_MANY[key] ? `${ON_MANY[key](states)}_selected` : "";
}
