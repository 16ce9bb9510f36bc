/** `GET /api/ready`, for balancers: it tells nothing but its status, so that no name and no token is needed. Pure. */

export const READY_PATH = "/api/ready";

/** Its URL may be none: the name in it comes from any `Host`, or is missing. */
export function isReadyPath({ method, url }: Pick<Request, "method" | "url">): boolean {
  const [path] = url.replace(/^\w+:\/\/[^/]*/, "").split("?");
  return path === READY_PATH && (method === "GET" || method === "HEAD");
}
