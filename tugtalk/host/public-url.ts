/** The address at which a proxy serves the host, from `--public-url`. Pure. */
import { isIP } from "node:net";
import type { PublicUrl } from "./server/sites.ts";

const FORM =
  "expected https://name or https://name:port, with no user and no path. The name is no IP address and has no *; " +
  "letters beyond ASCII are spelled as browsers send them, with xn--. A name without TLS belongs to --allow-host";

const MAX_NAME_CHARS = 253;

const NAME = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/;

/** The address, or a message that shows a valid one. */
export function parsePublicUrl(text: string): PublicUrl | { readonly problem: string } {
  const given = text.toLowerCase();
  // Browsers read a name whose last part is a number as an IP address.
  const { protocol, origin, hostname: name = "", port = "" } = URL.parse(given) ?? {};
  const isOrigin = given === origin || (port === "" && given === `${origin}:443`);
  const isName = NAME.test(name) && name.length <= MAX_NAME_CHARS && isIP(name) === 0;
  if (protocol !== "https:" || !isOrigin || !isName || port === "0") return { problem: FORM };
  return { name, port: Number(port || 443) };
}
