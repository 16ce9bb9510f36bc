/** Code that is loaded when it is needed first. */
import { expect, test } from "bun:test";
import { testTransport } from "../../store/__tests__/support/test-transport.ts";
import { openHostStore } from "../../store/host-store.ts";
import { Toasts } from "../../store/toasts.ts";
import { withCode } from "../lazy.tsx";

const openApp = () => ({
  host: openHostStore(testTransport().transport),
  close: () => {},
  toasts: new Toasts(),
});

/** Code that is loaded when `arrive` is called. */
function lateCode(name: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { load: () => promise, arrive: () => resolve(name) };
}

test("the second action of a person is done second, also if its code is there first", async () => {
  const app = openApp();
  const done: string[] = [];
  const first = lateCode("first");
  const over = Promise.withResolvers<void>();
  withCode(app, first.load, (name) => done.push(name));
  withCode(
    app,
    async () => "second",
    (name) => done.push(name),
  );
  withCode(
    app,
    async () => "last",
    () => over.resolve(),
  );
  // Longer than the second one needs without the first one.
  await new Promise(setImmediate);
  expect(done).toEqual([]);
  first.arrive();
  await over.promise;
  expect(done).toEqual(["first", "second"]);
});
