/**
 * The host's requests that Claude has to accept. Each gets exactly one direct answer: a result or an
 * error. Contract: `control_result`.
 */
import type { Answer } from "../claude/claude-requests.ts";
import type { Settlement } from "../claude/pending.ts";
import type { ControlRequestBody } from "../control.ts";
import type { ControlResult } from "../messages/control-messages.ts";
import { maybeUnsupported, unsupportedIn } from "../messages/control-subtypes.ts";
import { replyTo } from "../messages/envelope.ts";
import type { Run } from "../run/run.ts";
import type { OutboundDraft } from "../types.ts";

/** How long Claude may take to answer a request that has no time of its own, in ms. */
const CONTROL_TIMEOUT_MS = 30_000;

/** Requests that may be open at once; more are refused, since a hung Claude answers none. */
const MAX_OPEN_REQUESTS = 256;

/** A message of the host's that is answered directly. */
export type Replyable = { readonly id?: string | undefined };

/** How a request is dealt with beside being sent. */
export type RequestHandling = {
  /** Fields of the result that are known without Claude. */
  readonly known?: { readonly turn_id?: string };
  /** Why Claude is not even asked. */
  readonly refusal?: string | undefined;
  /** There is nothing that Claude would have to do: it is not even asked. */
  readonly isGranted?: boolean;
  /** Without a process the request is granted as it stands. */
  readonly isFineWithoutClaude?: boolean;
  readonly onAccepted?: (response: Response) => void;
  /** Fields of the result that Claude's answer decides. */
  readonly fieldsFrom?: (
    response: Response,
  ) => Partial<Pick<ControlResult, "still_queued" | "cancelled">>;
  /** Says why an answer that Claude calls a success is none. */
  readonly refusalIn?: (response: Response) => string | undefined;
  /** The name in the result, where it is not Claude's. */
  readonly resultSubtype?: string;
  readonly timeoutMs?: number;
};

type Response = Readonly<Record<string, unknown>>;

export class HostRequests {
  readonly #run: () => Run | undefined;
  readonly #emit: (message: OutboundDraft) => void;

  constructor(run: () => Run | undefined, emit: (message: OutboundDraft) => void) {
    this.#run = run;
    this.#emit = emit;
  }

  /** Asks Claude for something on the host's behalf. */
  ask(body: ControlRequestBody, asking: Replyable, handling: RequestHandling = {}): void {
    if (handling.refusal !== undefined) {
      this.#settle(body, asking, handling, { ok: false, error: handling.refusal });
      return;
    }
    if (handling.isGranted === true) {
      this.#settle(body, asking, handling, { ok: true });
      return;
    }
    const run = this.#run();
    if (run === undefined) {
      this.#settle(body, asking, handling, withoutClaude(handling));
      return;
    }
    const lack = unsupportedIn(body.subtype, run.claudeVersion);
    if (lack !== undefined) {
      const error = unsupported(body.subtype, run.claudeVersion, lack.has);
      this.#settle(body, asking, handling, { ok: false, error });
      return;
    }
    const excess = excessOf(run, body.subtype);
    if (excess !== undefined) {
      this.#emit({
        type: "error",
        code: "control_rejected",
        message: excess,
        recoverable: true,
        ...replyTo(asking),
      });
      return;
    }
    // A CLI that does not know a request may never answer, and which CLI it is may not be known yet.
    const isUnsure =
      run.claudeVersion === undefined && maybeUnsupported(body.subtype) !== undefined;
    const { timeoutMs: given = CONTROL_TIMEOUT_MS } = handling;
    const timeoutMs = isUnsure ? Math.min(given, CONTROL_TIMEOUT_MS) : given;
    run.requests.ask(body, timeoutMs, (end) =>
      this.#settle(
        body,
        asking,
        handling,
        outcomeOf(end, handling, maybeUnsupported(body.subtype)),
      ),
    );
  }

  #settle(
    { subtype }: ControlRequestBody,
    asking: Replyable,
    { known = {}, onAccepted, fieldsFrom, resultSubtype = subtype }: RequestHandling,
    outcome: Pick<ControlResult, "ok" | "response" | "error">,
  ): void {
    const { turn_id } = known;
    const isOpen = turn_id !== undefined && turn_id === this.#run()?.turns.openTurnId;
    this.#emit({
      type: "control_result",
      subtype: resultSubtype,
      ...(isOpen && { turn_id }),
      ...fieldsFrom?.(outcome.response ?? {}),
      ...outcome,
      ...replyTo(asking),
    });
    if (outcome.ok) onAccepted?.(outcome.response ?? {});
  }
}

type Outcome = Pick<ControlResult, "ok" | "response" | "error">;

function withoutClaude({ isFineWithoutClaude }: RequestHandling): Outcome {
  return isFineWithoutClaude === true
    ? { ok: true }
    : { ok: false, error: "claude is not running" };
}

/** Why Claude can be asked nothing more at this moment. */
function excessOf(run: Run, subtype: string): string | undefined {
  // An interrupt must always get through.
  const isInterrupt = subtype === "interrupt";
  const limit = isInterrupt ? 2 * MAX_OPEN_REQUESTS : MAX_OPEN_REQUESTS;
  const { openCount, isBackpressured } = run.requests;
  if (openCount >= limit) return `${openCount} requests wait for Claude already`;
  return isBackpressured && !isInterrupt
    ? "claude does not read what it was sent before"
    : undefined;
}

function unsupported(
  subtype: string,
  version: string | undefined,
  has: string | undefined,
): string {
  const remedy = has === undefined ? "no measured version has it" : `${has} has it`;
  return `unsupported: claude ${version} does not know ${subtype}; ${remedy}`;
}

function outcomeOf(
  end: Settlement<Answer>,
  { refusalIn }: RequestHandling,
  lack: string | undefined,
): Outcome {
  if (end.kind === "timed_out") {
    return {
      ok: false,
      error: lack === undefined ? "control_timeout" : `control_timeout: ${lack}`,
    };
  }
  if (end.kind === "failed") return { ok: false, error: end.error };
  const { subtype, response, error } = end.answer;
  if (subtype === "error") return { ok: false, error: error ?? "refused" };
  const refusal = refusalIn?.(response ?? {});
  const outcome = refusal === undefined ? { ok: true } : { ok: false, error: refusal };
  return { ...outcome, ...(response != null && { response }) };
}
