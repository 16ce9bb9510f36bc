/**
 * A gate on loopback: a request for its address waits until the test opens it, so that a test decides
 * how long a tool runs. The tools are those of mcp-server.ts, or a shell command.
 */

/** A closed gate; disposing of it removes it. */
export type Gate = Disposable & {
  readonly url: string;
  /** Resolves when a request waits. */
  readonly reached: Promise<void>;
  readonly open: () => void;
};

/** The answer to a request after the gate is open. */
export const THROUGH = "through the gate";

/** Starts a closed gate. */
export function startGate(): Gate {
  const arrival = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch() {
      arrival.resolve();
      await opening.promise;
      return new Response(THROUGH);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/`,
    reached: arrival.promise,
    open: opening.resolve,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** A shell command that waits at the gate. */
export function commandThrough({ url }: Gate): string {
  return `"${process.execPath}" -e "console.log(await (await fetch('${url}')).text())"`;
}
