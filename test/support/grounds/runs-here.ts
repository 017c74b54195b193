import { groundKind } from "./ground-kinds.ts";

/** How often a law is tried: so often in memory, a twentieth of it where each try makes files. */
export function runsHere(inMemory: number): number {
  return groundKind.startsWith("memory") ? inMemory : Math.ceil(inMemory / 20);
}
