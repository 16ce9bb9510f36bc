/** A command as a request of HTTP. Pure. */
import type { Fields } from "../claude-value.ts";
import { HOST_ROUTES, type HostCommand } from "../host-routes.ts";

export type CommandRequest = {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** JSON; absent for a method that has no body. */
  readonly body?: string;
};

/** Fields that the path does not name are in the query of GET and DELETE, and in the body of the others. */
export function commandRequest(name: HostCommand, fields: Fields): CommandRequest {
  const route = HOST_ROUTES[name];
  const rest = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
  const path = route.path.replace(/:(\w+)/g, (_, field: string) => {
    const value = rest.get(field);
    rest.delete(field);
    return encodeURIComponent(String(value ?? ""));
  });
  const { method } = route;
  if (method === "POST" || method === "PATCH")
    return { method, path, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams([...rest].map(([key, value]) => [key, String(value)]));
  return { method, path: query.size === 0 ? path : `${path}?${query}` };
}
