/**
 * `GET /api/ready`, for balancers. The answer is a status alone, so that it needs no name and no token. Pure.
 */

export const READY_PATH = "/api/ready";

/** Reads the path alone, since the URL may be invalid: its name comes from any `Host`, or is missing. */
export function isReadyPath({ method, url }: Pick<Request, "method" | "url">): boolean {
  const [path] = url.replace(/^\w+:\/\/[^/]*/, "").split("?");
  return path === READY_PATH && (method === "GET" || method === "HEAD");
}
