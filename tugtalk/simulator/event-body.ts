/**
 * Plays the steps of a reply into an HTTP body: writes, holds, pauses and cuts. message-stream.ts decides the
 * steps.
 */
import { setImmediate, setTimeout } from "node:timers/promises";
import { formatEvent, type StreamStep } from "./message-stream.ts";

/** The number of bytes of each write, and the signal that nobody reads any more. */
export type BodyOptions = { readonly wireBytes: number | undefined; readonly signal: AbortSignal };

/** Time for the reader to read the bytes before a cut. A test that must be sure holds at the same place. */
const BEFORE_CUT_MS = 10;

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** The body that plays these steps. It stops when the signal aborts. */
export function openEventBody(
  steps: readonly StreamStep[],
  options: BodyOptions,
): ReadableStream<Uint8Array> {
  const cancelled = new AbortController();
  const signal = AbortSignal.any([options.signal, cancelled.signal]);
  return new ReadableStream({
    start(controller) {
      // Not returned: the stream would not be read before its start has ended.
      void play(steps, controller, { ...options, signal });
    },
    // Writing to a cancelled stream would throw.
    cancel: () => cancelled.abort(),
  });
}

/** Settles with the promise or, without an error, when the signal aborts. */
export async function waitUnlessAborted(
  until: Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  signal.addEventListener("abort", done);
  if (signal.aborted) done();
  // A failing hold ends too: the test that owns the promise reports its failure.
  until.then(done, done);
  await promise;
  signal.removeEventListener("abort", done);
}

async function play(
  steps: readonly StreamStep[],
  controller: Controller,
  { wireBytes, signal }: BodyOptions,
): Promise<void> {
  for (const run of runsOfEvents(steps)) {
    for (const chunk of cutBytes(run.text, wireBytes)) {
      if (signal.aborted) return;
      controller.enqueue(chunk);
      // Chunks of one tick would leave as one write.
      if (wireBytes !== undefined) await setImmediate();
    }
    if (run.stop !== undefined) await stop(run.stop, controller, signal);
  }
  const endsOpen = !signal.aborted && steps.at(-1)?.kind !== "cut";
  if (endsOpen) controller.close();
}

type Stop = Exclude<StreamStep, { kind: "event" }>;

/** The events up to each stop, which must be on the wire whole before it. */
function* runsOfEvents(steps: readonly StreamStep[]): Generator<{ text: string; stop?: Stop }> {
  let text = "";
  for (const step of steps) {
    if (step.kind === "event") text += formatEvent(step.event);
    else {
      yield { text, stop: step };
      text = "";
    }
  }
  yield { text };
}

function cutBytes(text: string, size: number | undefined): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length === 0) return [];
  const step = size ?? bytes.length;
  const count = Math.ceil(bytes.length / step);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * step, (at + 1) * step));
}

async function stop(step: Stop, controller: Controller, signal: AbortSignal): Promise<void> {
  switch (step.kind) {
    case "hold":
      return waitUnlessAborted(step.until, signal);
    case "pause":
      return setTimeout(step.ms);
    case "cut":
      // A broken connection drops the bytes that are still queued at either end.
      await setTimeout(BEFORE_CUT_MS);
      if (!signal.aborted) cut(step.as, controller);
  }
}

function cut(as: Extract<Stop, { kind: "cut" }>["as"], controller: Controller): void {
  if (as === "abort") {
    controller.error(new Error("cut by the script"));
    return;
  }
  if (as !== "close") {
    const event = formatEvent({ type: "error", error: as });
    controller.enqueue(new TextEncoder().encode(event));
  }
  controller.close();
}
