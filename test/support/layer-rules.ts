import type { SourceImport } from "./source-files.ts";

/** The floors, lowest first: a file imports from its own floor and from those before it. */
export const floors = [
  "base",
  "text",
  "tree",
  "schema",
  "storage",
  "history",
  "policy",
  "core",
  "mcp",
  "node",
] as const;

/** The testing floor stands beside core: it sees what core sees, and no floor sees it. */
const testingSees: readonly string[] = floors.slice(0, floors.indexOf("core"));

/** The only places of each third-party name. */
const thirdPartyPlaces: Readonly<Record<string, readonly RegExp[]>> = {
  zod: [/^src\/schema\//, /^src\/mcp\//],
  "xxhash-wasm": [/^src\/base\/hashing[^/]*\.ts$/],
  "@noble/hashes": [/^src\/base\/hashing[^/]*\.ts$/],
};

const nodePlaces = [/^src\/storage\/directory\//, /^src\/node\//, /^src\/node\.ts$/];

/** Adapters that may not know each other. */
const adapterFolders = ["memory", "directory"];

/** Says what is wrong with one import of one file; nothing when it keeps to the order of floors. */
export function importProblem(file: string, imported: SourceImport): string | undefined {
  if (imported.target === undefined) return packageProblem(file, imported);
  if (!imported.specifier.endsWith(".ts")) return `${imported.specifier} lacks its .ts`;
  return floorProblem(file, imported.target) ?? adapterProblem(file, imported.target);
}

function packageProblem(file: string, { specifier, names }: SourceImport): string | undefined {
  if (specifier.startsWith("node:")) {
    return nodePlaces.some((place) => place.test(file)) ? undefined : `${specifier} in a portable file`;
  }
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  const places = thirdPartyPlaces[name];
  if (places === undefined) return `${name} is no dependency of the sources`;
  if (!places.some((place) => place.test(file))) return `${name} outside its place`;
  if (name === "zod" && names.some((imported) => imported !== "*")) return "zod must be a namespace import";
  return undefined;
}

function floorProblem(file: string, target: string): string | undefined {
  if (!target.startsWith("src/")) return `${target} is outside of src`;
  const from = floorOf(file);
  const to = floorOf(target);
  if (to === undefined) return `${target} is an entry, and entries are imported by nobody`;
  if (from === undefined || from === to) return undefined;
  const sees =
    from === "testing" ? testingSees : floors.slice(0, floors.indexOf(from as (typeof floors)[number]));
  return (sees as readonly string[]).includes(to) ? undefined : `the floor ${from} may not import from ${to}`;
}

function adapterProblem(file: string, target: string): string | undefined {
  const from = adapterOf(file);
  const to = adapterOf(target);
  return from !== undefined && to !== undefined && from !== to
    ? `the ${from} adapter may not import from the ${to} adapter`
    : undefined;
}

/** Names the floor of a file; undefined for an entry. */
export function floorOf(file: string): string | undefined {
  return /^src\/([^/]+)\//.exec(file)?.[1];
}

function adapterOf(file: string): string | undefined {
  const folder = /^src\/storage\/([^/]+)\//.exec(file)?.[1];
  return adapterFolders.find((name) => name === folder);
}
