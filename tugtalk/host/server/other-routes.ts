/** Routes of the host that are no commands. Pure. */
import type { HostRoute } from "../../client/host-routes.ts";

export const OTHER_ROUTES = {
  home: { method: "GET", path: "/" },
  asset: { method: "GET", path: "/assets/:name" },
  metrics: { method: "GET", path: "/metrics" },
  openapi: { method: "GET", path: "/api/openapi.json" },
  events: { method: "GET", path: "/api/sessions/:id/events" },
  board: { method: "GET", path: "/api/events" },
  socket: { method: "GET", path: "/ws" },
} as const satisfies Readonly<Record<string, HostRoute>>;
