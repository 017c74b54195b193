import fc from "fast-check";
import { expect, test } from "vitest";
import { CallOrder } from "../../src/core/call-order.ts";

const path = fc.constantFrom("a", "a/b", "a/b/c", "a/d", "e", "e/f");
const claims = fc.record({
  paths: fc.uniqueArray(path, { maxLength: 3 }),
  names: fc.uniqueArray(fc.constantFrom("key:1", "key:2"), { maxLength: 1 }),
  fails: fc.boolean(),
});

type Claims = (typeof claims extends fc.Arbitrary<infer C> ? C : never) & object;

function share(one: Claims, other: Claims): boolean {
  const touches = (a: string, b: string) => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
  return (
    one.paths.some((a) => other.paths.some((b) => touches(a, b))) ||
    one.names.some((a) => other.names.includes(a))
  );
}

test("calls that share something never run together and keep their order; every call gets its turn", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(claims, { maxLength: 12 }), fc.scheduler(), async (calls, scheduler) => {
      const order = new CallOrder();
      const running = new Set<number>();
      const ended: number[] = [];
      const work = async (index: number) => {
        const mine = calls[index] as Claims;
        for (const other of running) expect(share(mine, calls[other] as Claims)).toBe(false);
        for (let earlier = 0; earlier < index; earlier++)
          if (share(mine, calls[earlier] as Claims)) expect(ended).toContain(earlier);
        running.add(index);
        await scheduler.schedule(Promise.resolve(), `call ${index}`);
        running.delete(index);
        ended.push(index);
        if (mine.fails) throw new Error("failed");
      };
      const all = Promise.allSettled(calls.map((call, index) => order.run(call, () => work(index))));
      await scheduler.waitFor(all);
      const results = await all;
      expect(results.map(({ status }) => status === "rejected")).toEqual(calls.map(({ fails }) => fails));
      expect(ended).toHaveLength(calls.length);
    }),
    { numRuns: 500 },
  );
});

test("calls that share nothing with any earlier one begin at once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(claims, { maxLength: 8 }), async (calls) => {
      const order = new CallOrder();
      const begun: number[] = [];
      const never = new Promise<void>(() => undefined);
      calls.forEach((call, index) => {
        void order.run(call, () => {
          begun.push(index);
          return never;
        });
      });
      await new Promise<void>((resolve) => setImmediate(resolve));
      const free = calls.flatMap((call, index) =>
        calls.slice(0, index).some((earlier) => share(call, earlier)) ? [] : [index],
      );
      expect(begun).toEqual(free);
    }),
  );
});
