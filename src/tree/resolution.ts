import type { Side } from "./conflict.ts";

/** How one region of a text is resolved: by the lines of a side, or by other whole lines. */
export type RegionResolution = Side | { readonly content: string };

/** How one conflict is resolved. It decides what is in conflict; what merged stays merged. */
export type Resolution =
  | {
      /** As this side has it; nothing where it has nothing. */
      readonly take: Side;
    }
  | {
      /** The whole new content: text, with the line ends and byte order mark of the current file as `write` keeps them, or bytes. */
      readonly content: string | Uint8Array;
    }
  | {
      /** The file goes. */
      readonly delete: true;
    }
  | {
      /** Every region of the conflict by its id. */
      readonly regions: Readonly<Record<string, RegionResolution>>;
    };

/** Resolutions by the `path` of the conflict. */
export type Resolutions = Readonly<Record<string, Resolution>>;
