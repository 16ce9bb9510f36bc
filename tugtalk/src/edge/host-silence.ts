/** The end of a host from which nothing comes: a lost connection does not close the pipes. */
import type { Clock } from "../base/clock.ts";
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

/** Ends the input once no byte has come for so long, and then the output when it is not read. */
export function endWhenSilent({ input, output }: HostPipes, silentMs: number, clock: Clock) {
  const unreadMs = Math.min(UNREAD_LIMIT_MS, silentMs);
  let isGone = false;
  let giveUp = (): void => {};
  let unreadTimer: unknown;
  const limitFlush = () => {
    clock.clearTimer(unreadTimer);
    unreadTimer = clock.setTimer(() => giveUp(), unreadMs);
  };
  const end = () => {
    isGone = true;
    void input.cancel();
    limitFlush();
  };
  let silenceTimer = clock.setTimer(end, silentMs);
  const read = async () => {
    const result = await input.read();
    clock.clearTimer(silenceTimer);
    if (!result.done && !isGone) silenceTimer = clock.setTimer(end, silentMs);
    return result;
  };
  const flush = () => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    giveUp = () => {
      output.unref();
      reject(new Error("the host is gone and does not read"));
    };
    if (isGone) limitFlush();
    const finish = () => {
      giveUp = () => {};
      clock.clearTimer(unreadTimer);
    };
    void Promise.resolve(output.flush()).finally(finish).then(resolve, reject);
    return promise;
  };
  return {
    input: { read, cancel: () => input.cancel() },
    output: { write: (chunk: string) => output.write(chunk), flush },
  };
}
