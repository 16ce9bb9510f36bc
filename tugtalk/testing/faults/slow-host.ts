/**
 * A host whose lines arrive byte by byte: the next byte is sent when the bridge has read the last one.
 * Its pipe is a named one, since the system counts the reads of named pipes only.
 */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { startBridge, UNDER_TEST } from "../drivers/bridge-process.ts";
import { folder } from "../drivers/written-conversation.ts";
import type { Line } from "./fault-scenes.ts";

/** A line that was sent: its length, and how many reads the bridge needed. */
type SlowLine = { readonly bytes: number; readonly reads: number };

export type SlowHost = Line & { readonly sent: readonly SlowLine[] };

let pipes = 0;

/** Starts a bridge that gets its input byte by byte. */
export function startSlowly(env: Readonly<Record<string, string>>): SlowHost {
  const path = join(folder, `stdin-${pipes++}`);
  Bun.spawnSync(["mkfifo", path]);
  // Open for reading and writing: for writing only, opening would wait for the reader.
  const pipe = openSync(path, "r+");
  const command = ["sh", "-c", 'exec "$@" < "$0"', path, ...UNDER_TEST];
  const bridge = startBridge({ env, command });
  const sent: SlowLine[] = [];
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(pipe);
    isOpen = false;
  };
  const type = async (bytes: Uint8Array) => {
    const before = readsOf(bridge.pid);
    for (let at = 0; at < bytes.length && isOpen; at += 1) {
      const reads = readsOf(bridge.pid);
      writeSync(pipe, bytes.subarray(at, at + 1));
      while (isOpen && readsOf(bridge.pid) === reads) await Bun.sleep(0);
    }
    sent.push({ bytes: bytes.length, reads: readsOf(bridge.pid) - before });
  };
  let typing = Promise.resolve();
  const sendRaw = (bytes: string | Uint8Array) => {
    // A bridge that has ended does not read: `exited` reports the end, and the line does not count as sent.
    typing = typing.then(() => type(Buffer.from(bytes))).catch(close);
  };
  return {
    ...bridge,
    sent,
    sendRaw,
    send: (message) => sendRaw(`${JSON.stringify(message)}\n`),
    closeInput: () => {
      typing = typing.then(close);
    },
    kill: () => {
      close();
      bridge.kill();
    },
  };
}

/** How often a process has read a file or a named pipe. */
function readsOf(pid: number): number {
  return Number(/syscr: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
}
