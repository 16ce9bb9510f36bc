/** A notice of the transcript as a short sentence. Pure. */

import { entryIn, present } from "../claude-value.ts";
import type { NoticeData } from "../entry-models.ts";
import type { Notice } from "../transcript-models.ts";
import { firstLine, showHidden } from "./visible-text.ts";

type Of<Kind extends Notice["kind"]> = Extract<Notice, { kind: Kind }>;
type Said = Omit<NoticeData, "kind">;

/** A notice as a page shows it. */
export function viewNotice(notice: Notice): NoticeData {
  const { text, detail, ...said } = describe(notice);
  const more = present({ detail: detail && showHidden(detail) });
  return { kind: notice.kind, ...said, text: showHidden(text), ...more };
}

function describe(notice: Notice): Said {
  switch (notice.kind) {
    case "retry":
      return describeRetry(notice);
    case "rate_limit":
      return describeRateLimit(notice);
    case "compaction":
      return describeCompaction(notice);
    case "model_fallback":
      return describeFallback(notice);
    case "permission_denied":
      return {
        severity: "warning",
        text: `${notice.toolName} was refused`,
        detail: notice.message,
      };
    case "task":
      return describeTask(notice);
    case "session":
      return {
        severity: "info",
        text: entryIn(SESSIONS, notice.mode) ?? `Session: ${notice.mode}`,
      };
    case "exit":
      return describeExit(notice);
    case "rewind":
      return describeRewind(notice);
    case "message":
      return describeMessage(notice);
    case "error":
      return describeError(notice);
    case "text":
      return { severity: severityOf(notice.level), text: notice.text };
  }
}

function describeRetry({ attempt, maxRetries, delayMs, errorStatus, error }: Of<"retry">): Said {
  const seconds = (delayMs / 1000).toFixed(1);
  const failure = describeApiFailure(error, errorStatus ?? undefined);
  return {
    severity: "warning",
    text: `${failure}; retry ${attempt} of ${maxRetries} follows in ${seconds} s`,
  };
}

/** That a call of the model has failed, and why, as far as that is known. */
export function describeApiFailure(error?: string, status?: number): string {
  const words = error === undefined ? [] : [asWords(error)];
  const causes = status === undefined ? words : [...words, `status ${status}`];
  return `The API failed${causes.length === 0 ? "" : ` (${causes.join(", ")})`}`;
}

function describeRateLimit({ status, limit, resetsAt, utilization }: Of<"rate_limit">): Said {
  const name = limit === undefined ? "rate limit" : `${asWords(limit)} limit`;
  const percent = utilization === undefined ? undefined : `${Math.round(utilization * 100)} %`;
  // Claude gives seconds.
  const until = present({ until: resetsAt === undefined ? undefined : resetsAt * 1000 });
  if (status === "rejected") return { severity: "error", text: `The ${name} is reached`, ...until };
  const used = percent === undefined ? `The ${name} is near` : `${percent} of the ${name} is used`;
  const isAllowed = status === "allowed";
  return {
    severity: isAllowed ? "info" : "warning",
    text: isAllowed && percent === undefined ? `Within the ${name}` : used,
    ...until,
  };
}

function describeCompaction({ trigger, preTokens, postTokens, error }: Of<"compaction">): Said {
  if (error !== undefined)
    return { severity: "warning", text: "The conversation was not summarised", detail: error };
  const how = trigger === "auto" ? " because the context was full" : "";
  const tokens =
    preTokens === undefined || postTokens === undefined
      ? ""
      : `: ${formatCount(preTokens)} tokens became ${formatCount(postTokens)}`;
  return { severity: "info", text: `The conversation so far was summarised${how}${tokens}` };
}

function describeFallback({ from, to, reason }: Of<"model_fallback">): Said {
  const detail = present({ detail: reason });
  return to === undefined
    ? { severity: "error", text: `The model ${from} refused to answer`, ...detail }
    : { severity: "warning", text: `The model ${to} answers in place of ${from}`, ...detail };
}

/** A summary is one sentence, which has the title in it where there is one, or the report of an agent. */
function describeTask({ status, title, summary: given }: Of<"task">): Said {
  // Claude gives the title as the summary of a task that was stopped.
  const summary = given === title ? undefined : given;
  const severity = status === "failed" ? "error" : status === "completed" ? "info" : "warning";
  if (summary !== undefined && isSentence(summary, title)) return { severity, text: summary };
  const name = title === undefined ? "" : `: ${firstLine(title)}`;
  const text = `Background task ${asWords(status)}${name}`;
  return { severity, text, ...present({ report: summary }) };
}

function isSentence(summary: string, title: string | undefined): boolean {
  return !summary.includes("\n") && (title === undefined || summary.includes(title));
}

const SESSIONS: Readonly<Record<string, string>> = {
  new: "A new conversation begins",
  resume: "The conversation is continued",
  continue: "The conversation is continued",
  fork: "A branch of the conversation begins",
  clear: "The conversation was cleared",
};

function describeExit({ exitCode, signal, willRestart, stderrTail }: Of<"exit">): Said {
  const how = signal ?? `exit code ${exitCode}`;
  const next = willRestart ? "the next message starts it again" : "it is not started again";
  return {
    severity: "error",
    text: `Claude ended by itself (${how}); ${next}`,
    ...present({ detail: stderrTail.trim() || undefined }),
  };
}

function describeRewind({ text, files, isForgotten }: Of<"rewind">): Said {
  const count = files?.paths.length ?? 0;
  const put = `${count === 1 ? "1 file was" : `${count || "no"} files were`} put back`;
  const done = [
    ...(files === undefined ? [] : [put]),
    ...(isForgotten ? ["Claude no longer knows what followed"] : []),
  ];
  return {
    severity: "info",
    text: `Back to before “${firstLine(text)}”: ${done.join(", and ")}`,
    ...present({ detail: count === 0 ? undefined : files?.paths.join("\n") }),
  };
}

function describeMessage({ status, text, reason }: Of<"message">): Said {
  const what = status === "failed" ? "Claude ended before it answered" : asWords(status);
  const why = reason === undefined ? "" : ` (${asWords(reason)})`;
  return {
    severity: "warning",
    text: `A message was not answered: ${what}${why}`,
    ...present({ detail: text }),
  };
}

function describeError({ code, message, recoverable, reason }: Of<"error">): Said {
  if (code === "stale_request")
    return {
      severity: "info",
      text: "An answer came after its prompt was closed",
      detail: `${code}: ${message}`,
    };
  const detail = reason === undefined ? code : `${code}: ${reason}`;
  return { severity: recoverable ? "warning" : "error", text: message, detail };
}

function severityOf(level: string): NoticeData["severity"] {
  return level === "error" || level === "warning" ? level : "info";
}

/** `five_hour` as `five hour`. */
function asWords(name: string): string {
  return name.replaceAll("_", " ");
}

function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
