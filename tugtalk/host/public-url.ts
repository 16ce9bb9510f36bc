/** The address at which a proxy serves the host, as `--public-url` names it. Pure. */
import { isIP } from "node:net";
import type { PublicUrl } from "./server/sites.ts";

const FORM = "expected https://name or https://name:port";

const MAX_NAME_CHARS = 253;

const NAME = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/;

/** The address, or the words that say what is wrong with it. */
export function parsePublicUrl(text: string): PublicUrl | { readonly problem: string } {
  const [, scheme, rest] = /^([a-z][a-z\d+.-]*):\/\/(.*)$/is.exec(text) ?? [];
  if (scheme === undefined || rest === undefined) return { problem: FORM };
  if (scheme.toLowerCase() !== "https")
    return { problem: `${FORM}; without TLS a name is for --allow-host` };
  if (rest.includes("@")) return { problem: `${FORM}, without a user and a password` };
  if (/[/?#\\]/.test(rest)) return { problem: `${FORM}, without a path and what follows it` };
  const [, name = "", port] = /^(\[.*\]|[^:]*)(?::(\d{1,5}))?$/.exec(rest.toLowerCase()) ?? [];
  const problem = problemOfName(name) ?? problemOfPort(port);
  return problem === undefined ? { name, port: Number(port ?? 443) } : { problem };
}

function problemOfName(name: string): string | undefined {
  if (name.includes("*")) return `${FORM}; each name is given by itself, without *`;
  if (/[^\0-\x7f]/.test(name))
    return `${FORM}; letters beyond ASCII are written as browsers send them, with xn--`;
  if (!NAME.test(name) || name.length > MAX_NAME_CHARS)
    return isIP(unbracketed(name)) ? NO_IP : FORM;
  // Browsers read a name whose last part is a number as an IPv4 address.
  const { hostname } = URL.parse(`https://${name}`) ?? {};
  if (hostname === undefined) return FORM;
  return isIP(hostname) === 0 && hostname === name ? undefined : NO_IP;
}

const NO_IP = `${FORM}; an IP address is no name`;

function unbracketed(name: string): string {
  return name.replace(/^\[(.*)\]$/, "$1");
}

function problemOfPort(port: string | undefined): string | undefined {
  if (port === undefined) return undefined;
  const number = Number(port);
  return number >= 1 && number <= 65_535 ? undefined : `${FORM}; ports are from 1 to 65535`;
}
