/** What the benchmarks of the host put load on: the host, and the floor that it is compared with. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHost } from "../testing/drivers/host-process.ts";
import type { StreamPlan } from "./streamed-turns.ts";

/** A server whose sessions have the stand-in of streaming-bridge.ts as their bridge. */
export type LoadTarget = {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** Creates a session; returns its id. */
  readonly open: () => Promise<string>;
  readonly stream: (session: string, plan: StreamPlan) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** The stand-in for the bridge. */
export const STREAMING_BRIDGE = join(import.meta.dir, "streaming-bridge.ts");

/** With these flags, such as `--isolate`. */
export async function startHostTarget(...args: readonly string[]): Promise<LoadTarget> {
  const host = await startHost({ args, env: { TUGTALK_BRIDGE: STREAMING_BRIDGE } });
  return {
    url: host.url,
    token: host.token,
    pid: host.pid,
    open: async () => (await host.createSession()).id,
    stream: async (id, plan) => {
      const { status, body } = await host.run("message", { id, message: JSON.stringify(plan) });
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    },
    end: () => host.kill(),
  };
}

export async function startRelayTarget(): Promise<LoadTarget> {
  const folder = mkdtempSync(join(tmpdir(), "relay-"));
  const listening = Promise.withResolvers<string>();
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "relay.ts"), folder, STREAMING_BRIDGE],
    {
      stdio: ["ignore", "inherit", "inherit"],
      ipc: (url: string) => listening.resolve(url),
      onExit: (_child, code) => listening.reject(new Error(`the relay exits with ${code}`)),
    },
  );
  const url = await listening.promise;
  const post = async (path: string, body: object) =>
    await (await fetch(url + path, { method: "POST", body: JSON.stringify(body) })).json();
  return {
    url,
    token: "none",
    pid: child.pid,
    open: async () => String((await post("api/sessions", {})).id),
    stream: async (id, plan) => {
      await post(`api/sessions/${id}/message`, { message: JSON.stringify(plan) });
    },
    end: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
