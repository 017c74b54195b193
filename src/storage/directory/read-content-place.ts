import { applyDelta, type ContentDelta, decodeDelta, deltaDepthLimit } from "../log/content-delta.ts";
import type { ContentPlace } from "../log/log-state.ts";
import { openIfThere, readFully } from "./file-bytes.ts";
import { damaged, type SegmentFilesHost } from "./segment-files.ts";
import { stateFile } from "./state-folder.ts";

/** Reads a content of the log, over the deltas that lead to it; `undefined` when its file is gone. Its hash is for the caller to check. */
export async function readContentPlace(
  host: SegmentFilesHost,
  place: ContentPlace,
): Promise<Uint8Array | undefined> {
  const { fileSystem, pause } = host;
  const descriptor = await openIfThere(fileSystem, stateFile(host.state, "log", place.file));
  if (descriptor === undefined) return undefined;
  try {
    const read = async ({ offset, length }: { readonly offset: number; readonly length: number }) => {
      const bytes = await readFully(fileSystem, descriptor, offset, length, pause);
      if (bytes.byteLength !== length) throw damaged(place.file);
      return bytes;
    };
    const deltas: ContentDelta[] = [];
    let at: Pick<ContentPlace, "offset" | "length" | "delta"> = place;
    while (at.delta) {
      const delta = decodeDelta(await read(at));
      if (delta === undefined || delta.base.offset >= at.offset || deltas.length > deltaDepthLimit)
        throw damaged(place.file);
      deltas.push(delta);
      at = delta.base;
    }
    let bytes = await read(at);
    for (const delta of deltas.reverse()) {
      const next = applyDelta(bytes, delta);
      if (next === undefined) throw damaged(place.file);
      bytes = next;
      await pause();
    }
    return bytes;
  } finally {
    fileSystem.close(descriptor);
  }
}
