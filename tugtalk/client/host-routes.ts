/**
 * The commands of the reference host: each is a route of HTTP and a `cmd` of its WebSocket. A part of the
 * path that begins with `:` is a field of the command; `:id` is the session, `s` on the WebSocket.
 */

export type HostRoute = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
};

function route(method: HostRoute["method"], path: string): HostRoute {
  return { method, path };
}

export const HOST_ROUTES = {
  sessions: route("GET", "/api/sessions"),
  create: route("POST", "/api/sessions"),
  session: route("GET", "/api/sessions/:id"),
  update: route("PATCH", "/api/sessions/:id"),
  delete: route("DELETE", "/api/sessions/:id"),
  snapshot: route("GET", "/api/sessions/:id/snapshot"),
  turns: route("GET", "/api/sessions/:id/turns"),
  message: route("POST", "/api/sessions/:id/message"),
  queue: route("GET", "/api/sessions/:id/queue"),
  edit_queued: route("PATCH", "/api/sessions/:id/queue/:message_id"),
  delete_queued: route("DELETE", "/api/sessions/:id/queue/:message_id"),
  send_queued: route("POST", "/api/sessions/:id/queue/:message_id/send"),
  returned: route("GET", "/api/sessions/:id/returned"),
  read_returned: route("GET", "/api/sessions/:id/returned/:message_id"),
  take_returned: route("POST", "/api/sessions/:id/returned/:message_id/take"),
  approve: route("POST", "/api/sessions/:id/approve"),
  answer: route("POST", "/api/sessions/:id/answer"),
  elicitation: route("POST", "/api/sessions/:id/elicitation"),
  dialog: route("POST", "/api/sessions/:id/dialog"),
  interrupt: route("POST", "/api/sessions/:id/interrupt"),
  stop_task: route("POST", "/api/sessions/:id/tasks/:task_id/stop"),
  pending: route("GET", "/api/sessions/:id/pending"),
  mode: route("POST", "/api/sessions/:id/mode"),
  model: route("POST", "/api/sessions/:id/model"),
  control: route("POST", "/api/sessions/:id/control"),
  rewind: route("POST", "/api/sessions/:id/rewind"),
  move: route("POST", "/api/sessions/:id/move"),
  fork: route("POST", "/api/sessions/:id/fork"),
  files: route("GET", "/api/sessions/:id/files"),
  export: route("GET", "/api/sessions/:id/export"),
  costs: route("GET", "/api/costs"),
  search: route("GET", "/api/search"),
  sizes: route("GET", "/api/sizes"),
  backup: route("POST", "/api/backup"),
  dirs: route("GET", "/api/dirs"),
  history: route("GET", "/api/history"),
  revoke: route("POST", "/api/revoke"),
  places: route("GET", "/api/places"),
  page: route("GET", "/api/page"),
  health: route("GET", "/api/health"),
} as const satisfies Readonly<Record<string, HostRoute>>;

export type HostCommand = keyof typeof HOST_ROUTES;
