/** The request for a command of a host. Pure. */
import { HOST_ROUTES, type HostCommand } from "../../client/host-routes.ts";
import type { Fields } from "../../src/base/json.ts";

export type HostRequest = {
  readonly method: string;
  readonly path: string;
  readonly body?: Fields;
};

/** Fields that the path names go there, the others in the query or the body. */
export function requestOf(command: HostCommand, fields: Fields): HostRequest {
  const { method, path } = HOST_ROUTES[command];
  const rest = new Map(Object.entries(fields));
  const named = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest.get(name)));
    rest.delete(name);
    return value;
  });
  if (method !== "GET" && method !== "DELETE")
    return { method, path: named, body: Object.fromEntries(rest) };
  const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
  return { method, path: rest.size === 0 ? named : `${named}?${query}` };
}
