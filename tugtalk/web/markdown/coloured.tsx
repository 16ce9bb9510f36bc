/** Coloured code as elements, made when the browser has time for it. */
import type { ComponentChildren } from "preact";
import { type CodePiece, highlight } from "./highlight.ts";

/** Longer code is left plain. */
const MAX_CHARS = 50_000;

/** For a browser that does not tell when it is idle. */
const DELAY_MS = 200;

type ColouredCode = {
  readonly code: string;
  readonly language: string;
  /** Aborted when nobody wants it any more. */
  readonly signal: AbortSignal;
};

/** Nothing is shown of a language that is not known. */
export async function drawColoured(
  { code, language, signal }: ColouredCode,
  show: (children: ComponentChildren) => void,
): Promise<void> {
  if (code.length > MAX_CHARS) return;
  await idle();
  if (signal.aborted) return;
  const pieces = await highlight(code, language);
  if (pieces !== undefined && !signal.aborted) show(draw(pieces));
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, DELAY_MS);
  });
}

function draw(pieces: readonly CodePiece[]): ComponentChildren {
  return pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const drawn = draw(piece.pieces);
    return piece.scope === undefined ? drawn : <span class={`hl-${piece.scope}`}>{drawn}</span>;
  });
}
