const longestShown = 200;

/** Puts a path or name into quotes for a message: one line, control characters escaped, cut when it is very long. */
export function quotePath(path: string): string {
  const shown = path.length > longestShown ? `${path.slice(0, longestShown)}…` : path;
  // JSON leaves these as they are: C1 controls, what reorders text, and line separators.
  return JSON.stringify(shown).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
