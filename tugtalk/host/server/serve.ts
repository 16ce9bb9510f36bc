/**
 * Serves the handler on sockets: one port of this machine, over IPv4 and IPv6, and a further address if
 * wanted.
 */
import { FrontProxy } from "./front-proxy.ts";
import type { Handler } from "./handler.ts";
import type { RequestHead } from "./request-head.ts";
import {
  type BehindOptions,
  MAX_HEAD_BYTES,
  type ServingBehind,
  serveBehind,
} from "./serve-behind.ts";

/** The handlers of a port. */
export type Served = {
  readonly answer: Handler;
  /** Whether the sender of a request is signed in. */
  readonly isSignedIn: (head: RequestHead) => boolean;
};

export type ServeOptions = Omit<BehindOptions, "answer"> & {
  /** The port; 0 for a free one. */
  readonly port: number;
  /** An address beside the loopback ones. */
  readonly listen?: string | undefined;
  /** Called with the port before the first request. */
  readonly openHandler: (port: number) => Served;
};

export type Serving = {
  readonly port: number;
  /** Ends every connection, and accepts new ones. */
  disconnect(): void;
  /** Ends every connection. */
  close(): Promise<void>;
};

/** How often another free port is tried if one is in use on another address. */
const ATTEMPTS = 20;

const LOOPBACK = ["127.0.0.1", "::1"];
const WILDCARDS = ["0.0.0.0", "::"];

/** Throws the error of the system if an address is not available, such as `EADDRINUSE`. */
export function serve(options: ServeOptions): Serving {
  // No request comes in before this function has returned.
  let served: Served | undefined;
  const behind = serveBehind({
    ...options,
    answer: async (request, peer) => served?.answer(request, peer),
  });
  const { path } = behind;
  const isSignedIn = (head: RequestHead) => served?.isSignedIn(head) === true;
  const proxy = new FrontProxy({ path, maxHeadBytes: MAX_HEAD_BYTES, isSignedIn });
  try {
    const listeners = bindPort(options, proxy);
    const port = listeners[0]?.port ?? options.port;
    served = options.openHandler(port);
    return {
      port,
      disconnect: () => proxy.disconnect(),
      close: () => close(listeners, proxy, behind),
    };
  } catch (error) {
    proxy.close();
    void behind.close();
    throw error;
  }
}

async function close(
  listeners: readonly Listener[],
  proxy: FrontProxy,
  behind: ServingBehind,
): Promise<void> {
  for (const listener of listeners) listener.stop(true);
  proxy.close();
  await behind.close();
}

type Listener = ReturnType<FrontProxy["listen"]>;

function bindPort(options: ServeOptions, proxy: FrontProxy): readonly Listener[] {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return bindAddresses(options, proxy);
    } catch (error) {
      // A port that one address has given may be in use on another one.
      const isRetried = options.port === 0 && attempt < ATTEMPTS;
      if (!isRetried || codeOf(error) !== "EADDRINUSE") throw error;
    }
  }
}

/** Binds all addresses. The first one decides on the port. */
function bindAddresses({ listen, port }: ServeOptions, proxy: FrontProxy): readonly Listener[] {
  const [first = "", ...others] = addressesOf(listen);
  const bound = [proxy.listen(first, port)];
  try {
    const taken = bound[0]?.port ?? port;
    for (const hostname of others) bound.push(...bindOther(proxy, hostname, taken));
    return bound;
  } catch (error) {
    for (const listener of bound) listener.stop(true);
    throw error;
  }
}

/** The addresses. A wildcard includes loopback. */
function addressesOf(listen: string | undefined): readonly string[] {
  if (listen === undefined) return LOOPBACK;
  return WILDCARDS.includes(listen) ? [listen] : [...new Set([...LOOPBACK, listen])];
}

/** No listener for IPv6 loopback on a machine without it. */
function bindOther(proxy: FrontProxy, hostname: string, port: number): readonly Listener[] {
  try {
    return [proxy.listen(hostname, port)];
  } catch (error) {
    if (hostname === "::1" && NO_SUCH_ADDRESS.includes(codeOf(error) ?? "")) return [];
    throw error;
  }
}

const NO_SUCH_ADDRESS = ["EADDRNOTAVAIL", "EAFNOSUPPORT"];

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
