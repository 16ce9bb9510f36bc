/**
 * The permission mode and the model in force, whoever changed them last, and the version of the CLI. Outlives a Claude process:
 * the next one is started with the same.
 */
import type { OutboundDraft } from "./types.ts";

export class LiveSettings {
  /** As the host chose it, or as Claude reported a change of its own; undefined: Claude's default. */
  mode: string | undefined;
  model: string | undefined;
  /** The version of the CLI, once any process of it has told. */
  claudeVersion: string | undefined;
  /** The full name that Claude gives the model, which the host's name for it may not be. */
  #reportedModel: string | undefined;
  /** The next name that Claude reports is that of the host's choice. */
  #awaitsReport = true;

  constructor(mode: string | undefined, model: string | undefined) {
    this.mode = mode;
    this.model = model;
  }

  /** The host's choice was accepted. */
  chooseMode(mode: string): OutboundDraft {
    this.mode = mode;
    return { type: "permission_mode_changed", mode, source: "host" };
  }

  /** The host's choice was accepted; null is Claude's default. */
  chooseModel(model: string | null): OutboundDraft {
    this.model = model ?? undefined;
    this.#awaitsReport = true;
    return { type: "model_changed", model, source: "host" };
  }

  /** Claude says which mode is in force. */
  noteMode(mode: string | undefined): OutboundDraft[] {
    if (mode === undefined || sameMode(mode, this.mode)) return [];
    this.mode = mode;
    return [{ type: "permission_mode_changed", mode, source: "claude" }];
  }

  /** Claude says which model is in force. */
  noteModel(model: string | undefined): OutboundDraft[] {
    const isExpected = this.#awaitsReport || model === this.#reportedModel;
    this.#awaitsReport = false;
    this.#reportedModel = model;
    if (model === undefined || isExpected) return [];
    this.model = model;
    return [{ type: "model_changed", model, source: "claude" }];
  }
}

/** `manual` is the newer name of `default`, and what a session starts with. */
function sameMode(reported: string, known = "default"): boolean {
  const plain = (mode: string) => (mode === "manual" ? "default" : mode);
  return plain(reported) === plain(known);
}
