/** What an iteration asks of the storage that it belongs to. */
interface IterationHost {
  /** Runs one step as a call of its own; refuses when the storage is closed or the signal aborted. */
  step<T>(work: () => Promise<T>): Promise<T>;
  /** Takes note of an iteration that may hold something, so that closing can end it. */
  began(end: () => Promise<void>): void;
  /** Forgets it. */
  ended(end: () => Promise<void>): void;
}

/**
 * Walks what an adapter gives, each step as a call of its own: an iteration that its reader has left standing keeps nobody from closing, and
 * one that goes on after the closing is refused. Nothing is asked of the adapter before the first step.
 */
export function checkedIteration<T>(begin: () => AsyncIterable<T>, host: IterationHost): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => {
      let source: AsyncIterator<T> | undefined;
      const end = async () => {
        host.ended(end);
        await source?.return?.();
      };
      return {
        next: async () => {
          try {
            const result = await host.step(() => {
              if (source === undefined) {
                source = begin()[Symbol.asyncIterator]();
                host.began(end);
              }
              return source.next();
            });
            if (result.done === true) host.ended(end);
            return result;
          } catch (error) {
            // Readers do not return an iteration whose step failed; one that was refused before the adapter saw it still holds what it opened.
            await end().catch(() => undefined);
            throw error;
          }
        },
        return: async () => {
          await end();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
