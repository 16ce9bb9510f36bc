/**
 * A scripted stand-in for the Messages API on loopback, so that a real `claude` runs without a
 * network. Replies are described in reply.ts and chosen by reply-script.ts.
 */
import {
  type ApiRequest,
  type MessagesBody,
  parseMessagesBody,
  routeRequest,
} from "./api-request.ts";
import { openEventBody, waitUnlessAborted } from "./event-body.ts";
import { buildMessage, buildSteps, type MessageIdentity } from "./message-stream.ts";
import { fromReply, type HttpReply, isHttpReply, type MessageReply, type Reply } from "./reply.ts";
import { createReplyScript, type ReplyScript, type ScriptEntry } from "./reply-script.ts";

/** The options of a stand-in. */
export type MessagesApiOptions = {
  readonly script?: readonly ScriptEntry[];
  /** The reply to helper requests that fit no entry of the script. */
  readonly helperReply?: Reply;
};

/** A running stand-in. */
export type MessagesApi = {
  /** The value of ANTHROPIC_BASE_URL. */
  readonly url: string;
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly ApiRequest[];
  /** Appends replies; each answers one request, in order. */
  script(...entries: ScriptEntry[]): void;
  /** The number of scripted replies without a request. */
  remaining(): number;
  /** The first request that fits, as soon as it arrives. Has no time-out of its own. */
  waitForRequest(fits: (request: ApiRequest) => boolean): Promise<ApiRequest>;
  /** Ends the server and every open stream. */
  stop(): Promise<void>;
};

/** The reply to a conversation without an entry in the script. */
export const UNSCRIPTED_TEXT = "The script of the stand-in API is empty.";

/** The reply to the CLI's own small requests. Titles have to be JSON. */
const HELPER_REPLY = JSON.stringify({ title: "Scripted", isNewTopic: false });

const INPUT_TOKENS = 2000;

type State = {
  readonly script: ReplyScript;
  readonly helperReply: Reply;
  readonly requests: ApiRequest[];
  readonly waiting: Set<(request: ApiRequest) => void>;
  readonly stopped: AbortController;
  messages: number;
  tools: number;
};

/** Starts a stand-in on a free port of 127.0.0.1. Stop it, or the process stays alive. */
export function startMessagesApi(options: MessagesApiOptions = {}): MessagesApi {
  const state: State = {
    script: createReplyScript(),
    helperReply: options.helperReply ?? HELPER_REPLY,
    requests: [],
    waiting: new Set(),
    stopped: new AbortController(),
    messages: 0,
    tools: 0,
  };
  state.script.add(options.script ?? []);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0, // A held stream is silent for as long as the test likes.
    development: false, // Otherwise a scripted cut is printed as a fault of the server.
    reusePort: false, // Otherwise the port is shared, where `development` is false.
    fetch: (request) => answer(state, request),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests: state.requests,
    script: (...entries) => state.script.add(entries),
    remaining: () => state.script.remaining(),
    waitForRequest: (fits) => waitForRequest(state, fits),
    async stop() {
      state.stopped.abort();
      await server.stop(true);
    },
  };
}

async function answer(state: State, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const body = parseMessagesBody(await request.text());
  const question = {
    kind: routeRequest(request.method, pathname, body),
    method: request.method,
    path: pathname,
    headers: Object.fromEntries(request.headers.entries()),
    body,
    receivedAtMs: Date.now(),
    signal: AbortSignal.any([request.signal, state.stopped.signal]),
  };
  const source = state.script.take(question);
  const recorded: ApiRequest = { ...question, answer: answerKind(question.kind, source) };
  record(state, recorded);
  const reply = typeof source === "function" ? await source(question) : source;
  return reply === undefined
    ? buildDefault(state, recorded)
    : sendReply(state, recorded, fromReply(reply));
}

function answerKind(kind: ApiRequest["kind"], source: unknown): ApiRequest["answer"] {
  if (source !== undefined) return "scripted";
  return kind === "main" ? "unscripted" : "default";
}

function record(state: State, request: ApiRequest): void {
  state.requests.push(request);
  for (const tell of [...state.waiting]) tell(request);
}

async function waitForRequest(
  state: State,
  fits: (request: ApiRequest) => boolean,
): Promise<ApiRequest> {
  const arrived = state.requests.find(fits);
  if (arrived !== undefined) return arrived;

  const { promise, resolve } = Promise.withResolvers<ApiRequest>();
  const tell = (request: ApiRequest) => {
    if (!fits(request)) return;
    state.waiting.delete(tell);
    resolve(request);
  };
  state.waiting.add(tell);
  return promise;
}

function buildDefault(state: State, request: ApiRequest): Response | Promise<Response> {
  switch (request.kind) {
    case "main":
      return sendReply(state, request, fromReply(UNSCRIPTED_TEXT));
    case "helper":
      return sendReply(state, request, fromReply(state.helperReply));
    case "count_tokens":
      return Response.json({ input_tokens: INPUT_TOKENS });
    case "other":
      return Response.json({}, { status: 404 });
  }
}

async function sendReply(
  state: State,
  { body, signal }: ApiRequest,
  reply: MessageReply | HttpReply,
): Promise<Response> {
  if (isHttpReply(reply)) {
    await waitUnlessAborted(reply.hold ?? Promise.resolve(), signal);
    return buildHttpResponse(reply);
  }
  for (const { at, until } of reply.holds ?? []) {
    if (at === undefined) await waitUnlessAborted(until, signal);
  }
  const identity = nextIdentity(state, body);
  if (!body.stream)
    return Response.json(buildMessage(reply, identity), { headers: { ...reply.headers } });
  const steps = buildSteps(reply, identity);
  return new Response(openEventBody(steps, { wireBytes: reply.wireBytes, signal }), {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      ...reply.headers,
    },
  });
}

function nextIdentity(state: State, { model }: MessagesBody): MessageIdentity {
  state.messages += 1;
  const nextToolId = () => {
    state.tools += 1;
    return `toolu_01Mock${fourDigits(state.tools)}`;
  };
  return { id: `msg_01Mock${fourDigits(state.messages)}`, model, nextToolId };
}

function fourDigits(count: number): string {
  return String(count).padStart(4, "0");
}

function buildHttpResponse({ status, message, body, headers }: HttpReply): Response {
  const init = { status, headers: { ...headers } };
  if (typeof body === "string") return new Response(body, init);
  return Response.json(body ?? buildApiError(status, message), init);
}

function buildApiError(status: number, message = "scripted error"): object {
  return { type: "error", error: { type: errorType(status), message } };
}

function errorType(status: number): string {
  const types: Record<number, string> = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
  };
  return types[status] ?? "api_error";
}
