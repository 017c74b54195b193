/** One running hash. */
export interface HashState {
  /** Adds bytes. */
  update(bytes: Uint8Array): void;
  /** Ends the hash. @returns lower-case hexadecimal digits. */
  digest(): string;
}

/**
 * The two hashes that the library uses, as incremental functions. xxh64 (seed 0, 16 digits) notices change and is quick; it can be forged, so
 * it authorises nothing. SHA-256 (FIPS 180-4, 64 digits) names contents and everything that is trusted.
 */
export interface Hashing {
  /** Begins a SHA-256. */
  sha256(): HashState;
  /** Begins an xxh64 with seed 0. */
  xxh64(): HashState;
}

/** Begins a hash of the named algorithm. */
export function hashState(hashing: Hashing, algorithm: "sha256" | "xxh64"): HashState {
  return algorithm === "sha256" ? hashing.sha256() : hashing.xxh64();
}

/** Hashes bytes at once with the named algorithm. */
export function hashBytes(hashing: Hashing, algorithm: "sha256" | "xxh64", bytes: Uint8Array): string {
  const state = hashState(hashing, algorithm);
  state.update(bytes);
  return state.digest();
}

const hexDigits = "0123456789abcdef";

function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += hexDigits.charAt(byte >> 4) + hexDigits.charAt(byte & 15);
  return text;
}

type Xxhash = import("xxhash-wasm").XXHashAPI;

let loading: Promise<Xxhash> | undefined;

async function loadXxhash(): Promise<Xxhash> {
  const { default: load } = await import("xxhash-wasm");
  return await load();
}

/** Loads the xxh64 function: WebAssembly, hence asynchronous, and the same for every caller. */
export async function loadXxh64(): Promise<Hashing["xxh64"]> {
  loading ??= loadXxhash();
  const xxhash = await loading;
  return () => {
    const state = xxhash.create64();
    return {
      update: (bytes) => void state.update(bytes),
      digest: () => state.digest().toString(16).padStart(16, "0"),
    };
  };
}

/** Loads hashing that runs wherever JavaScript and WebAssembly do. */
export async function loadPortableHashing(): Promise<Hashing> {
  const { sha256 } = await import("@noble/hashes/sha2.js");
  return {
    xxh64: await loadXxh64(),
    sha256: () => {
      const state = sha256.create();
      return {
        update: (bytes) => void state.update(bytes),
        digest: () => toHex(state.digest()),
      };
    },
  };
}
