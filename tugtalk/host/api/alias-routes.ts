/** HTTP routes of other hosts for prompts: they name the tool call instead of the request. */
import type { HostRoute } from "../../client/host-routes.ts";

export const ALIAS_ROUTES = {
  submit_answers: { method: "POST", path: "/api/sessions/:id/submit-answers" },
  deny_call: { method: "POST", path: "/api/sessions/:id/deny" },
} as const satisfies Readonly<Record<string, HostRoute>>;

export type AliasName = keyof typeof ALIAS_ROUTES;
