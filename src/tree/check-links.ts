import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { CheckedChange } from "./checked-changes.ts";
import { namedPaths } from "./named-paths.ts";
import { ancestorsOf } from "./path-parts.ts";
import { type PlanContext, refuse } from "./plan-context.ts";
import { quotePath } from "./quote-path.ts";

/**
 * Refuses changes of paths that go through a symbolic link, wherever it leads, and also when the batch takes the link away: what is behind it
 * belongs to another path. Assertions too: a commit looks at paths as they are, so it could not hold them to what a reading through the link gave.
 */
export function* checkLinks(context: PlanContext, changes: readonly CheckedChange[]): Steps<void> {
  const due = workCounter();
  for (const checked of changes) {
    const { change } = checked;
    if (due(16)) yield;
    for (const path of namedPaths(change)) {
      const link = ancestorsOf(path).find((folder) => context.view.file(folder)?.kind === "symlink");
      if (link === undefined) continue;
      const message = `${quotePath(path)} goes through the symbolic link ${quotePath(link)}, and writing through a link is refused; name the real path.`;
      refuse(context, checked, "SYMLINK_ESCAPE", path, message);
    }
  }
}
