/**
 * The operations of routes that are no commands: the page, the streams, and the routes for monitoring. Pure.
 */
import type { HostRoute } from "../../client/host-routes.ts";
import { PROOF_PATH } from "../server/host-proof.ts";
import { OTHER_ROUTES } from "../server/other-routes.ts";
import { PROMETHEUS_TYPE } from "../server/prometheus.ts";
import { READY_PATH } from "../server/ready.ts";
import type { RefusalStatus } from "./refusals.ts";

type Fields = Readonly<Record<string, unknown>>;

export type OtherOperation = HostRoute & {
  readonly operation: Fields;
  /** Absent if the route refuses nothing. */
  readonly refusals?: readonly RefusalStatus[];
};

const text = { type: "string" } as const;

function content(description: string, type: string, schema: Fields = text): Fields {
  return { description, content: { [type]: { schema } } };
}

const query = (name: string, description: string, schema: Fields = text) => ({
  name,
  in: "query",
  description,
  schema,
});

/** The security of routes without a token. */
const open = { security: [] };

const EVENT_STREAM = "text/event-stream";

export const OTHER_OPERATIONS: Readonly<
  Record<keyof typeof OTHER_ROUTES | "ready" | "proof", OtherOperation>
> = {
  home: {
    ...OTHER_ROUTES.home,
    operation: {
      summary: "Get the page, or sign a browser in with the code of a link",
      parameters: [query("code", "Works once, for ten minutes.")],
      responses: {
        200: content("The page.", "text/html"),
        303: {
          description: "The browser is signed in, and led to the page.",
          headers: { "Set-Cookie": { schema: text } },
        },
      },
    },
    refusals: [],
  },
  asset: {
    ...OTHER_ROUTES.asset,
    operation: {
      summary: "Get a file of the page",
      responses: { 200: { description: "The file, by its own type." } },
    },
    refusals: [404],
  },
  metrics: {
    ...OTHER_ROUTES.metrics,
    operation: {
      summary: "Read the figures of the host for Prometheus",
      responses: { 200: content("In its text format.", PROMETHEUS_TYPE) },
    },
    refusals: [],
  },
  openapi: {
    ...OTHER_ROUTES.openapi,
    operation: {
      summary: "Read this document",
      responses: { 200: content("OpenAPI 3.1.", "application/json", { type: "object" }) },
    },
    refusals: [],
  },
  events: {
    ...OTHER_ROUTES.events,
    operation: {
      summary: "Follow the journal of a session as server-sent events",
      description:
        "First `resume` says whether the entries after the cursor follow, or a `snapshot`. Each entry has its cursor as `id`, its type as `event`, and JSON as `data`. Types: `schema.json` and HOST.md, Events.",
      parameters: [
        query("after", "The cursor `<epoch>.<seq>`; 0 for the whole journal."),
        { name: "Last-Event-ID", in: "header", description: "Counts more.", schema: text },
      ],
      responses: { 200: content("A stream that ends with the session.", EVENT_STREAM) },
    },
    refusals: [404],
  },
  board: {
    ...OTHER_ROUTES.board,
    operation: {
      summary: "Follow all sessions as server-sent events",
      description: "First `sessions` with all sessions and open prompts, then each change.",
      responses: { 200: content("A stream without end.", EVENT_STREAM) },
    },
    refusals: [],
  },
  socket: {
    ...OTHER_ROUTES.socket,
    operation: {
      summary: "Open a WebSocket for commands and the entries of several sessions",
      description:
        "Commands are `{id, cmd, s?, …}`, with the operations here as `cmd`, and the id of the session as `s`; they are answered by `{id, ok, …}`. `subscribe {s, after?}` begins frames `{s, e, q, t, d}`.",
      responses: { 101: { description: "The connection is a WebSocket." } },
    },
    refusals: [426],
  },
  ready: {
    method: "GET",
    path: READY_PATH,
    operation: {
      ...open,
      summary: "Ask whether clients can be sent to this host; also by HEAD",
      responses: {
        200: { description: "They can." },
        503: { description: "They cannot. There is no body." },
      },
    },
  },
  proof: {
    method: "GET",
    path: PROOF_PATH,
    operation: {
      ...open,
      summary: "Let the host prove that it knows the token",
      parameters: [{ ...query("nonce", "22 to 64 letters and digits."), required: true }],
      responses: {
        200: content("An HMAC of the nonce.", "application/json", {
          type: "object",
          properties: { proof: text },
          required: ["proof"],
        }),
      },
    },
    refusals: [],
  },
};
