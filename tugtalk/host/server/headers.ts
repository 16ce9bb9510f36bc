/** HTTP answers, each with the headers that restrict a browser to its intended use. */
import { type CommandAnswer, TextBody } from "../api/command.ts";
import type { PageFile } from "../page/page-files.ts";
import { REFUSAL_STYLE_SOURCE } from "./pages.ts";

function contentSecurityPolicy(styleSource: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styleSource}`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** The headers of every answer. */
export const SECURITY_HEADERS = {
  "content-security-policy": contentSecurityPolicy("'self'"),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

type Headers = Readonly<Record<string, string>>;

/** The answer of a command as a response. */
export function commandResponse({ status, body }: CommandAnswer, headers: Headers = {}): Response {
  if (body instanceof TextBody) return textResponse(status, body, headers);
  const json = new TextBody("application/json", JSON.stringify(body));
  return textResponse(status, json, headers);
}

/** A status without a body. */
export function emptyResponse(status: number): Response {
  return new Response(null, { status, headers: SECURITY_HEADERS });
}

/**
 * The policy of a page for people who are not let in: no file of ours is for them, and the style is in the
 * page.
 */
const REFUSAL_HEADERS = { "content-security-policy": contentSecurityPolicy(REFUSAL_STYLE_SOURCE) };

export function refusalPageResponse(status: number, html: string, headers: Headers = {}): Response {
  const body = new TextBody("text/html; charset=utf-8", html);
  return textResponse(status, body, { ...headers, ...REFUSAL_HEADERS });
}

/** A file of the page. The browser caches files that have a hash of their content in their name. */
export function assetResponse(file: PageFile, request: Request): Response {
  const { name, contentType, text } = file;
  const isPacked = request.headers.get("accept-encoding")?.includes("gzip") === true;
  const headers = {
    ...SECURITY_HEADERS,
    ...(name !== "" && { "cache-control": "private, max-age=31536000, immutable" }),
    ...(isPacked && { "content-encoding": "gzip" }),
    "content-type": contentType,
    vary: "accept-encoding",
  };
  return new Response(isPacked ? packed(file) : text, { headers });
}

const packedFiles = new WeakMap<PageFile, Uint8Array<ArrayBuffer>>();

/** The smallest gzip form of a file, made once. */
export function packed(file: PageFile): Uint8Array<ArrayBuffer> {
  const known = packedFiles.get(file);
  if (known !== undefined) return known;
  const made = Bun.gzipSync(file.text, { library: "libdeflate", level: 12 });
  packedFiles.set(file, made);
  return made;
}

/** A redirection to another path of ours. */
export function redirectResponse(location: string, headers: Headers = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { ...SECURITY_HEADERS, location, ...headers },
  });
}

function textResponse(status: number, body: TextBody, headers: Headers): Response {
  const all = { ...SECURITY_HEADERS, "content-type": body.contentType, ...headers };
  const { source } = body;
  const content = typeof source === "string" ? source : streamOf(source());
  return new Response(content, { status, headers: all });
}

/** Bun asks for the next piece when the client has taken the earlier ones. */
function streamOf(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const next = await iterator.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    cancel: () => void iterator.return?.(),
  });
}
