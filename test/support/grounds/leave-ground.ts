const leaving: (() => unknown)[] = [];

/** Remembers what is to be done when the test that runs has ended. */
export function leaveLater(leave: () => unknown): void {
  leaving.push(leave);
}

/** Does it, the newest first. */
export async function leaveGround(): Promise<void> {
  for (const leave of leaving.splice(0).reverse()) await leave();
}
