/** How full the context of the model is. Pure. */

import { type Fields, numberIn, numberOf, objectsOf, textOf } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type { ContextCategory, ContextGaugeData } from "../web-components.ts";

type Parts = Pick<ReducedSession, "context" | "cost" | "contextUsage">;

/**
 * The gauge; undefined before the first measurement. The tokens are from the latest model call. The
 * categories are from the latest `/context` or control request `get_context_usage`, which may be older.
 */
export function viewContext(parts: Parts): ContextGaugeData | undefined {
  const ofTurn = parts.cost.latest?.context;
  const call = parts.context ?? ofTurn;
  const window = call?.model === ofTurn?.model ? ofTurn?.window_tokens : undefined;
  const report = parts.contextUsage;
  const usedTokens = call?.used_tokens ?? numberIn(report, "totalTokens", "total_tokens");
  const totalTokens =
    call?.window_tokens ??
    window ??
    numberIn(report, "rawMaxTokens", "maxTokens", "raw_max_tokens");
  if (usedTokens === undefined || totalTokens === undefined || totalTokens <= 0) return undefined;
  return {
    model: call?.model ?? textOf(report?.["model"]),
    usedTokens,
    totalTokens,
    percentage: Math.min(100, Math.round((1000 * usedTokens) / totalTokens) / 10),
    categories: objectsOf(report?.["categories"]).flatMap(viewCategory),
  };
}

function viewCategory(category: Fields): ContextCategory[] {
  const name = textOf(category["name"]);
  const tokens = numberOf(category["tokens"]);
  if (name === undefined || tokens === undefined) return [];
  return [{ name, tokens, kind: kindOf(name, category) }];
}

const KINDS: ReadonlySet<unknown> = new Set(["used", "deferred", "buffer", "free"]);

function isKind(kind: unknown): kind is ContextCategory["kind"] {
  return KINDS.has(kind);
}

/** Only the newest CLIs name the kind; the others have it in the name. */
function kindOf(name: string, { kind, isDeferred }: Fields): ContextCategory["kind"] {
  if (isKind(kind)) return kind;
  if (name === "Free space") return "free";
  if (name.toLowerCase().includes("buffer")) return "buffer";
  return isDeferred === true || name.endsWith("(deferred)") ? "deferred" : "used";
}
