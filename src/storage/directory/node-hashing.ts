import { createHash } from "node:crypto";
import { type Hashing, loadXxh64 } from "../../base/hashing.ts";

/** Loads hashing with the platform's own SHA-256, several times as fast as a portable one. */
export async function loadNodeHashing(): Promise<Hashing> {
  return {
    xxh64: await loadXxh64(),
    sha256: () => {
      const state = createHash("sha256");
      return { update: (bytes) => void state.update(bytes), digest: () => state.digest("hex") };
    },
  };
}
