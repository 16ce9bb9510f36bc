/** The end of a host from which nothing comes: a lost connection does not close the pipes. */
import { CHECK_INTERVAL_MS, type Clock } from "../base/clock.ts";
import type { Sink } from "../ipc.ts";
import type { ByteReader } from "./host-lines.ts";

/** The host's two pipes. */
export type HostPipes = {
  readonly input: ByteReader;
  readonly output: Sink & {
    /** A write that is pending no longer keeps the process alive. */
    readonly unref: () => void;
  };
};

/** How long the output of a host that is taken for gone may stay unread. */
const UNREAD_LIMIT_MS = 5_000;

/** Ends the input when no byte has come for `silentMs`, and then the output when nobody reads it. */
export function endWhenSilent({ input, output }: HostPipes, silentMs: number, clock: Clock) {
  const unread = limitUnread(output, Math.min(UNREAD_LIMIT_MS, silentMs), clock);
  const silence = watchSilence(silentMs, clock, () => {
    void input.cancel();
    unread.start();
  });
  const read = async () => {
    const result = await input.read();
    silence.record(result.done);
    return result;
  };
  return {
    input: { read, cancel: () => input.cancel() },
    output: { write: (chunk: string) => output.write(chunk), flush: unread.flush },
  };
}

/** Calls `onSilent` when nothing was noted for `silentMs`. */
function watchSilence(silentMs: number, clock: Clock, onSilent: () => void) {
  let heardAt = clock.now();
  const check = () => {
    const leftMs = heardAt + silentMs - clock.now();
    if (leftMs <= 0) onSilent();
    else timer = clock.setTimer(check, Math.min(leftMs, CHECK_INTERVAL_MS));
  };
  // A timer does not count while the machine sleeps, and the host does.
  let timer = clock.setTimer(check, Math.min(silentMs, CHECK_INTERVAL_MS));
  const record = (isLast: boolean) => {
    heardAt = clock.now();
    if (isLast) clock.clearTimer(timer);
  };
  return { record };
}

/** After `start`, a flush fails that takes `unreadMs`, and does not keep the process alive. */
function limitUnread(output: HostPipes["output"], unreadMs: number, clock: Clock) {
  let isLimited = false;
  let giveUp = (): void => {};
  let timer: unknown;
  const limit = () => {
    clock.clearTimer(timer);
    timer = clock.setTimer(() => giveUp(), unreadMs);
  };
  const start = () => {
    isLimited = true;
    limit();
  };
  const flush = () => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    giveUp = () => {
      output.unref();
      reject(new Error("the host is gone and does not read"));
    };
    if (isLimited) limit();
    const finish = () => {
      giveUp = () => {};
      clock.clearTimer(timer);
    };
    void Promise.resolve(output.flush()).finally(finish).then(resolve, reject);
    return promise;
  };
  return { start, flush };
}
