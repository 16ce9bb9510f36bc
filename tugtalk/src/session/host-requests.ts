/**
 * The host's requests that Claude must accept. Each gets exactly one direct answer: a result or an
 * error. Contract: `control_result`.
 */
import type { Settlement } from "../claude/claude-requests.ts";
import type { ControlRequestBody } from "../control.ts";
import type { ControlResult } from "../messages/control-messages.ts";
import { maybeUnsupported, timeoutMsOf, unsupportedIn } from "../messages/control-support.ts";
import { replyTo } from "../messages/envelope.ts";
import { errorMessage } from "../messages/errors.ts";
import type { Run } from "../run/run.ts";
import type { OutboundDraft } from "../types.ts";

/** Timeout of a request that has none of its own, in ms. */
const CONTROL_TIMEOUT_MS = 30_000;

/** Requests that may be open at once; more are refused, since a hung Claude answers none. */
const MAX_OPEN_REQUESTS = 256;

/** A message of the host's that is answered directly. */
export type Replyable = { readonly id?: string | undefined };

/** How a request ended. */
export type Outcome = Pick<ControlResult, "ok" | "response" | "error">;

type Response = Readonly<Record<string, unknown>>;

export type RequestOptions = {
  /** The outcome, where Claude need not be asked. */
  readonly outcome?: Outcome | undefined;
  /** The request succeeds while no process runs. */
  readonly isFineWithoutClaude?: boolean;
  /** `subtype` of the result, where it is not Claude's name. */
  readonly resultSubtype?: string;
  /** Why a successful response still means failure. */
  readonly refusalIn?: (response: Response) => string | undefined;
  /** Fields of the result that depend on the response. */
  readonly fieldsFrom?: (
    response: Response,
  ) => Partial<Pick<ControlResult, "turn_id" | "still_queued" | "cancelled">>;
  readonly onAccepted?: (response: Response) => void;
};

/** A request, with the fields that its result needs. */
type Request = RequestOptions & { readonly subtype: string; readonly message: Replyable };

export class HostRequests {
  readonly #run: () => Run | undefined;
  readonly #emit: (message: OutboundDraft) => void;

  constructor(run: () => Run | undefined, emit: (message: OutboundDraft) => void) {
    this.#run = run;
    this.#emit = emit;
  }

  /** Sends a request to Claude for a message of the host's, and answers the message. */
  ask(body: ControlRequestBody, message: Replyable, options: RequestOptions = {}): void {
    const request = { ...options, subtype: body.subtype, message };
    const run = this.#run();
    if (options.outcome !== undefined) this.#reply(request, options.outcome);
    else if (run === undefined) this.#reply(request, withoutClaude(options));
    else this.#send(body, request, run);
  }

  #send(body: ControlRequestBody, request: Request, run: Run): void {
    const { subtype, message } = request;
    const unsupported = unsupportedError(subtype, run.claudeVersion);
    const overload = overloadError(run, subtype);
    if (unsupported !== undefined) this.#reply(request, { ok: false, error: unsupported });
    else if (overload !== undefined) this.#reject(message, overload);
    else
      run.requests.ask(body, timeoutOf(subtype, run.claudeVersion), (end) =>
        this.#reply(request, outcomeOf(end, request)),
      );
  }

  #reject(message: Replyable, error: string): void {
    this.#emit(errorMessage("control_rejected", error, replyTo(message)));
  }

  #reply(request: Request, outcome: Outcome): void {
    const { message, resultSubtype = request.subtype } = request;
    const { response = {} } = outcome;
    this.#emit({
      type: "control_result",
      subtype: resultSubtype,
      ...request.fieldsFrom?.(response),
      ...outcome,
      ...replyTo(message),
    });
    if (outcome.ok) request.onAccepted?.(response);
  }
}

function withoutClaude({ isFineWithoutClaude }: RequestOptions): Outcome {
  return isFineWithoutClaude === true
    ? { ok: true }
    : { ok: false, error: "claude is not running" };
}

function unsupportedError(subtype: string, version: string | undefined): string | undefined {
  const lack = unsupportedIn(subtype, version);
  if (lack === undefined) return undefined;
  const remedy = lack.has === undefined ? "no measured version has it" : `${lack.has} has it`;
  return `unsupported: claude ${version} does not know ${subtype}; ${remedy}`;
}

/** Why Claude can be sent no further request at this moment. An interrupt must always get through. */
function overloadError({ requests }: Run, subtype: string): string | undefined {
  const isInterrupt = subtype === "interrupt";
  const limit = isInterrupt ? 2 * MAX_OPEN_REQUESTS : MAX_OPEN_REQUESTS;
  if (requests.openCount >= limit) return `${requests.openCount} requests wait for Claude already`;
  return requests.isBackpressured && !isInterrupt
    ? "claude does not read what it was sent before"
    : undefined;
}

/** A CLI that does not know a request may never answer, so a long timeout needs a known version. */
function timeoutOf(subtype: string, version: string | undefined): number {
  const timeoutMs = timeoutMsOf(subtype) ?? CONTROL_TIMEOUT_MS;
  const isUnsure = version === undefined && maybeUnsupported(subtype) !== undefined;
  return isUnsure ? Math.min(timeoutMs, CONTROL_TIMEOUT_MS) : timeoutMs;
}

function outcomeOf(end: Settlement, { subtype, refusalIn }: Request): Outcome {
  if (end.kind === "timed_out") {
    const reason = maybeUnsupported(subtype);
    return { ok: false, error: ["control_timeout", reason].filter(Boolean).join(": ") };
  }
  if (end.kind === "failed") return { ok: false, error: end.error };
  if (end.answer.subtype === "error") return { ok: false, error: end.answer.error ?? "refused" };
  const response = end.answer.response ?? {};
  const error = refusalIn?.(response);
  return {
    ok: error === undefined,
    ...(error !== undefined && { error }),
    ...(end.answer.response != null && { response }),
  };
}
