import { describe, expect, it } from "vitest";
import { EventBuffer } from "../../../src/base/event-buffer.ts";

function numbers(capacity = 3): EventBuffer<number | string> {
  return new EventBuffer<number | string>({ capacity, overflow: (missed) => `missed ${missed}` });
}

async function rest<E>(events: AsyncIterable<E>): Promise<E[]> {
  const all: E[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe("EventBuffer", () => {
  it("keeps what is published after the subscription, also before anything is asked for", async () => {
    const buffer = numbers();
    buffer.publish(1);
    const events = buffer.subscribe();
    buffer.publish(2);
    buffer.publish(3);
    buffer.close();
    expect(await rest(events)).toEqual([2, 3]);
  });

  it("gives every subscriber every event", async () => {
    const buffer = numbers();
    const first = buffer.subscribe();
    const second = buffer.subscribe();
    buffer.publish(1);
    buffer.close();
    expect(await rest(first)).toEqual([1]);
    expect(await rest(second)).toEqual([1]);
  });

  it("drops the oldest events of a slow subscriber and says how many, without hurting a quick one", async () => {
    const buffer = numbers(3);
    const slow = buffer.subscribe();
    const quick = buffer.subscribe();
    const seen: unknown[] = [];
    for (let event = 1; event <= 10; event++) {
      buffer.publish(event);
      seen.push((await quick.next()).value);
    }
    buffer.close();
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await rest(slow)).toEqual(["missed 7", 8, 9, 10]);
  });

  it("keeps and counts only what the subscriber wants", async () => {
    const buffer = numbers(2);
    const even = buffer.subscribe({ wants: (event) => Number(event) % 2 === 0 });
    for (let event = 1; event <= 5; event++) buffer.publish(event);
    expect((await even.next()).value).toBe(2);
    for (let event = 6; event <= 10; event++) buffer.publish(event);
    buffer.close();
    expect(await rest(even)).toEqual(["missed 2", 8, 10]);
  });

  it("counts anew after an overflow was told", async () => {
    const buffer = numbers(1);
    const events = buffer.subscribe();
    for (const event of [1, 2, 3]) buffer.publish(event);
    expect((await events.next()).value).toBe("missed 2");
    for (const event of [4, 5]) buffer.publish(event);
    buffer.close();
    expect(await rest(events)).toEqual(["missed 2", 5]);
  });

  it("hands events to calls that wait, in their order", async () => {
    const buffer = numbers();
    const events = buffer.subscribe();
    const waiting = [events.next(), events.next()];
    buffer.publish(1);
    buffer.publish(2);
    expect((await Promise.all(waiting)).map(({ value }) => value)).toEqual([1, 2]);
  });

  it("ends waiting calls on close, and subscriptions made after it at once", async () => {
    const buffer = numbers();
    const waiting = buffer.subscribe().next();
    buffer.close();
    buffer.close();
    buffer.publish(1);
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await rest(buffer.subscribe())).toEqual([]);
  });

  it("ends at once when the signal aborts, and lets the signal go when it ends otherwise", async () => {
    const buffer = numbers();
    const stopped = new AbortController();
    const events = buffer.subscribe({ signal: stopped.signal });
    buffer.publish(1);
    stopped.abort();
    expect(await rest(events)).toEqual([]);
    expect(await rest(buffer.subscribe({ signal: stopped.signal }))).toEqual([]);

    const listeners: string[] = [];
    const signal = new AbortController().signal;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...parameters: Parameters<typeof addEventListener>) => {
      listeners.push("added");
      addEventListener.apply(signal, parameters);
    };
    signal.removeEventListener = (...parameters: Parameters<typeof removeEventListener>) => {
      listeners.push("removed");
      removeEventListener.apply(signal, parameters);
    };
    buffer.subscribe({ signal });
    buffer.close();
    expect(listeners).toEqual(["added", "removed"]);
  });

  it("forgets a consumer that stops", async () => {
    const buffer = numbers();
    const events = buffer.subscribe();
    buffer.publish(1);
    buffer.publish(2);
    for await (const event of events) if (event === 1) break;
    buffer.publish(3);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});
