/** One tail of waiting work a root, shared by all copies of the package in this process. */
const queues = Symbol.for("holdfast.directory-queues");

function tails(): Map<string, Promise<unknown>> {
  const holder = globalThis as { [queues]?: Map<string, Promise<unknown>> };
  holder[queues] ??= new Map();
  return holder[queues];
}

/** Runs work of one root after the work that was queued before it. */
export async function inProcessQueue<T>(root: string, run: () => Promise<T>): Promise<T> {
  const waiting = tails();
  const turn = (waiting.get(root) ?? Promise.resolve()).then(run, run);
  const tail = turn.catch(() => undefined);
  waiting.set(root, tail);
  try {
    return await turn;
  } finally {
    if (waiting.get(root) === tail) waiting.delete(root);
  }
}
