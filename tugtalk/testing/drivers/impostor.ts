/**
 * Another program that holds the port of a host while the host is down, and keeps the requests that it gets.
 */

export type Impostor = {
  readonly port: number;
  /** Each request with its address, headers and body, as text. */
  readonly requests: readonly string[];
  /** How it answers. */
  respond: (request: Request) => Response | Promise<Response>;
  readonly stop: () => Promise<void>;
};

/** On both addresses of loopback. */
export function startImpostor(port: number): Impostor {
  const requests: string[] = [];
  const impostor = {
    port,
    requests,
    respond: (_request: Request): Response | Promise<Response> => new Response("", { status: 401 }),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop(true)));
    },
  };
  const servers = ["127.0.0.1", "::1"].map((hostname) =>
    Bun.serve({
      hostname,
      port,
      reusePort: false,
      fetch: async (request) => {
        const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`);
        const lines = [`${request.method} ${request.url}`, ...headers, await request.text()];
        requests.push(lines.join("\n"));
        return await impostor.respond(request);
      },
    }),
  );
  return impostor;
}
