/** What the lines look like: kinds of repetition. */
export const shapes = {
  unique: (random, line) => `const value_${line} = compute(${Math.floor(random() * 1e6)}, "x");`,
  source: (random, line) => {
    const kind = random();
    if (kind < 0.15) return "";
    if (kind < 0.33) return `${"  ".repeat(Math.floor(random() * 3))}}`;
    return kind < 0.36 ? "  return;" : `  const value_${line} = compute(${Math.floor(random() * 1e6)});`;
  },
  "half blank": (random, line) => (line % 2 === 0 ? "" : `  call(${line}, ${Math.floor(random() * 1e6)});`),
  "100 lines": (random) => `  line ${Math.floor(random() * 100)};`,
  "10 lines": (random) => `  line ${Math.floor(random() * 10)};`,
  "all equal": () => "}",
};

/** Which edits each side makes: none, five, or a tenth of the lines. */
export const amounts = ["none", "few", "many"];

/**
 * Three texts, and the text with the edits of both sides. Between edits of the two sides stands an untouched line, so
 * that the right merge is known; where lines repeat, no line merge can tell that it is the right one.
 */
export function makeTexts(shape, amount, count) {
  const random = randomFrom(count * 31 + Object.keys(shapes).indexOf(shape) * 7 + amounts.indexOf(amount));
  const lines = Array.from({ length: count }, (_, line) => shapes[shape](random, line));
  const texts = { base: [], current: [], incoming: [], truth: [] };
  const block = amount === "many" ? 10 : Math.floor(count / 5);
  for (const [line, text] of lines.entries()) {
    const at = line % block;
    const own = { current: [text], incoming: [text] };
    if (amount !== "none" && at === Math.floor(block / 5))
      own.current = edited(random, text, `current ${line}`);
    if (amount !== "none" && at === Math.floor((block * 7) / 10))
      own.incoming = edited(random, text, `incoming ${line}`);
    texts.base.push(text);
    texts.current.push(...own.current);
    texts.incoming.push(...own.incoming);
    texts.truth.push(...(own.current.length === 1 && own.current[0] === text ? own.incoming : own.current));
  }
  return Object.fromEntries(
    Object.entries(texts).map(([name, all]) => [name, Buffer.from(all.map((text) => `${text}\n`).join(""))]),
  );
}

/** A line replaced, joined by a new one, or gone. */
function edited(random, text, name) {
  const kind = random();
  if (kind < 0.5) return [`edited by ${name}`];
  return kind < 0.8 ? [`added by ${name}`, text] : [];
}

function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
