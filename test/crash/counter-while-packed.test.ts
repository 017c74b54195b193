import { Workspace } from "holdfast";
import { expect, test } from "vitest";
import { decodeRevisionEntry } from "../../src/history/revision-entry.ts";
import { DirectoryAdapter } from "../../src/storage/directory/directory-adapter.ts";
import { nodeHost } from "../../src/storage/directory/directory-host.ts";
import { loadNodeHashing } from "../../src/storage/directory/node-hashing.ts";
import { chainHash, firstPreviousHash } from "../../src/storage/log/chain-hash.ts";
import { startChild } from "../support/run-child.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const workers = 3;
const keysEach = 14;
const killsEach = 5;

/** Numbers below a bound, the same for the same seed. */
function randomFrom(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Runs one worker to its end; after each kill a new process begins at the key without an answer. @returns how often it was killed. */
async function runWorker(root: string, name: string, random: (bound: number) => number): Promise<number> {
  let next = 0;
  let kills = 0;
  for (let life = 0; life <= killsEach; life++) {
    const killAt = life === killsEach ? [] : [String(20 + random(500))];
    const idleMs = String(random(6));
    const child = startChild("count-while-packed", [
      root,
      name,
      String(next),
      String(keysEach),
      idleMs,
      ...killAt,
    ]);
    child.onLine((line) => (next = Number(line) + 1));
    const { code, signal, stderr } = await child.ended;
    expect(signal ?? code, stderr).toBeOneOf(["SIGKILL", 0]);
    if (signal !== null) kills += 1;
    else if (next === keysEach) return kills;
  }
  return kills;
}

/** Reads the whole history: the chain without a gap, each key once, each content by its hash. */
async function checkHistory(root: string): Promise<void> {
  const hashing = await loadNodeHashing();
  const storage = new DirectoryAdapter(nodeHost(), { root });
  const workspace = await Workspace.open(storage);
  const keys: string[] = [];
  let [sequence, hash] = [0, firstPreviousHash];
  for await (const entry of storage.readLog({})) {
    sequence += 1;
    hash = chainHash(hashing, sequence, hash, entry.bytes);
    expect(entry).toMatchObject({ sequence, hash });
    const { idempotencyKey, delta } = decodeRevisionEntry(entry.bytes);
    keys.push(idempotencyKey ?? "");
    const after = await workspace.outcome(idempotencyKey ?? "");
    expect(after).toMatchObject({ known: true, result: { files: [{ path: "counter.txt" }] } });
    const sha256 = hashing.sha256();
    sha256.update(new TextEncoder().encode(String(sequence)));
    let text = "";
    for await (const piece of storage.readChunks({ sha256: sha256.digest() }, {}))
      text += new TextDecoder().decode(piece);
    expect(text).toBe(String(sequence));
    expect([...delta.changes.keys()]).toEqual(["counter.txt"]);
  }
  const wanted = Array.from(
    { length: workers * keysEach },
    (_, index) => `${index % workers}-${Math.floor(index / workers)}`,
  );
  expect(keys.sort()).toEqual(wanted.sort());
  expect((await workspace.read("counter.txt")).text).toBe(String(workers * keysEach));
  await workspace.close();
}

test("a counter that processes count up while its history is sealed and packed, each killed again and again at any call, loses no entry", async () => {
  const seed = Number(process.env["HOLDFAST_SEED"] ?? Date.now() % 1_000_000);
  const folder = temporaryFolder("quick");
  try {
    const kills = await Promise.all(
      Array.from({ length: workers }, (_, worker) =>
        runWorker(folder.path, String(worker), randomFrom(seed * 31 + worker)),
      ),
    );
    expect(kills.reduce((sum, some) => sum + some, 0)).toBeGreaterThan(workers);
    await checkHistory(folder.path);
  } catch (error) {
    throw new Error(`With HOLDFAST_SEED=${seed}`, { cause: error });
  } finally {
    folder.remove();
  }
}, 120_000);
