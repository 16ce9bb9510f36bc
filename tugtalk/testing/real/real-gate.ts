/**
 * A door on loopback: whoever asks for its address waits there until the test opens it. With it a
 * tool runs for exactly as long as a test likes. The tools are those of mcp-server.ts, or a shell
 * command.
 */

/** A closed door; disposing of it takes it away. */
export type Gate = Disposable & {
  readonly url: string;
  /** Somebody waits at the door. */
  readonly reached: Promise<void>;
  readonly open: () => void;
};

/** What those hear who come through. */
export const THROUGH = "through the gate";

/** Puts up a closed door. */
export function putUpGate(): Gate {
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

/** A shell command that waits at the door. */
export function commandThrough({ url }: Gate): string {
  return `"${process.execPath}" -e "console.log(await (await fetch('${url}')).text())"`;
}
