import { expect, test } from "bun:test";
import { SerialQueue } from "../serial-queue.ts";

test("a failing onSettled is reported, and the next task runs", async () => {
  const failure = new Error("onSettled failed");
  const errors: unknown[] = [];
  const ran: string[] = [];
  const queue = new SerialQueue({
    onSettled: () => {
      if (ran.length === 1) throw failure;
    },
  });
  queue.add(
    () => void ran.push("first"),
    (error) => errors.push(error),
  );
  queue.add(
    () => void ran.push("second"),
    (error) => errors.push(error),
  );
  await queue.settled();
  expect(ran).toEqual(["first", "second"]);
  expect(errors).toEqual([failure]);
  expect(queue.isBusy).toBe(false);
});
