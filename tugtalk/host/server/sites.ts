/** The names by which clients may call the host, and the origins of its pages. Pure. */

/** One origin of our page. */
export type Site = {
  /** In the form that browsers send. */
  readonly origin: string;
  /** The cookie of a signed-in browser; undefined if browsers cannot sign in at this site. */
  readonly cookieName?: string;
};

/** The sites by the value of `Host`. */
export type Sites = ReadonlyMap<string, Site>;

/** The address at which a proxy serves the host over TLS. */
export type PublicUrl = { readonly name: string; readonly port: number };

export type SiteNames = {
  /** A name that no other program has. Without it, browsers sign in by the names of loopback. */
  readonly ownName?: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly publicUrls: readonly PublicUrl[];
};

/** Names that always mean this machine. */
const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

const DEFAULT_PORTS = { http: 80, https: 443 } as const;

type Scheme = keyof typeof DEFAULT_PORTS;

export function sitesOf({ ownName, allowedHosts, publicUrls }: SiteNames, port: number): Sites {
  const loopback = LOOPBACK_NAMES.flatMap((name) => entriesOf("http", { name, port }));
  const own = ownName === undefined ? LOOPBACK_NAMES : [ownName];
  const plain = [...own, ...allowedHosts].flatMap((name) => entriesOf("http", { name, port }));
  const secure = publicUrls.flatMap((url) => entriesOf("https", url));
  return new Map([
    ...loopback.map(([host, { origin }]) => [host, { origin }] as const),
    ...plain,
    ...secure,
  ]);
}

/** An origin in the form that browsers send: without a default port. */
export function originOf(scheme: Scheme, { name, port }: PublicUrl): string {
  const suffix = port === DEFAULT_PORTS[scheme] ? "" : `:${port}`;
  return `${scheme}://${name.toLowerCase()}${suffix}`;
}

/** The name with its port, and also without it if browsers leave it out. */
function entriesOf(scheme: Scheme, address: PublicUrl): readonly (readonly [string, Site])[] {
  const origin = originOf(scheme, address);
  const site = { origin, cookieName: cookieName(scheme, address.port) };
  const named = `${address.name.toLowerCase()}:${address.port}`;
  return [named, origin.slice(`${scheme}://`.length)].map((host) => [host, site]);
}

/**
 * Browsers send cookies to every port, so the cookie of each port has a name of its own. A browser accepts a
 * name with the prefix only with `Secure` and for this host name alone.
 */
function cookieName(scheme: Scheme, port: number): string {
  return scheme === "https" ? `__Host-tugtalk_${port}` : `tugtalk_${port}`;
}
