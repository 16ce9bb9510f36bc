/**
 * Settings that the host or Claude may change during a session: permission mode, model, thinking,
 * effort, added folders and others; and the version of the CLI. A new process starts with the same.
 */

import { BoundedMap, BoundedSet } from "../base/bounded-map.ts";
import { type Fields, isJsonObject } from "../base/json.ts";
import type { SessionOptions } from "../messages/options.ts";
import type { PermissionSuggestion } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";

/** The newest added folders are kept, since all must fit into a command line; and as many removed ones. */
const MAX_DIRS = 256;

/** The newest names of flag settings are kept. */
const MAX_FLAG_SETTINGS = 256;

/** Output of `/effort` (V330) for a level that lasts as long as the process. */
const EFFORT_SET =
  /^(?:Set effort level|Effort level set) to (low|medium|high|xhigh|max|auto) \(this session only\)/;

export class LiveSettings {
  /** Undefined: Claude's default. */
  mode: string | undefined;
  model: string | undefined;
  /** Undefined until a process has printed it. */
  claudeVersion: string | undefined;
  /** Settings accepted since the start (`apply_flag_settings`); null clears one. */
  readonly #flagSettings = new BoundedMap<string, unknown>(MAX_FLAG_SETTINGS);
  /** The host's choice since the start; null: Claude's default. */
  #maxThinkingTokens: number | null | undefined;
  #effort: string | null | undefined;
  readonly #addedDirs = new BoundedSet<string>(MAX_DIRS);
  readonly #removedDirs = new BoundedSet<string>(MAX_DIRS);
  /** Claude's full name of the model. The host may use another one. */
  #reportedModel: string | undefined;
  /** The conversation of that name. Undefined once the host chose another model. */
  #reportedFor: string | undefined;
  /** The next reported name belongs to the host's choice. */
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
    this.#reportedFor = undefined;
    this.#awaitsReport = true;
    return { type: "model_changed", model, source: "host" };
  }

  /** Claude accepted a request of the host, which may be a setting. */
  recordRequest({ subtype, ...fields }: { readonly subtype: string } & Fields): OutboundDraft[] {
    if (subtype === "set_max_thinking_tokens") this.#recordThinking(fields["max_thinking_tokens"]);
    return subtype === "apply_flag_settings" ? this.#recordFlagSettings(fields["settings"]) : [];
  }

  /** The host approved a tool with these updates. Claude saves those beyond the session. */
  recordUpdates(updates: readonly PermissionSuggestion[]): void {
    for (const update of updates) {
      if (!("directories" in update) || update["destination"] !== "session") continue;
      for (const dir of update.directories as readonly string[]) {
        if (update.type === "removeDirectories") this.#removedDirs.add(dir);
        if (update.type !== "addDirectories") continue;
        this.#addedDirs.add(dir);
        this.#removedDirs.delete(dir);
      }
    }
  }

  /**
   * The model for a process that resumes or forks this conversation. Without a choice of the host,
   * Claude finds the last model by itself, but without a suffix in brackets (`[1m]`, the long context).
   * Other names are left to Claude, since it reports another name than `opusplan` in its settings.
   */
  modelFor(conversation: string | undefined): string | undefined {
    if (this.model !== undefined || conversation === undefined) return this.model;
    const isFound =
      conversation !== this.#reportedFor || this.#reportedModel?.endsWith("]") !== true;
    return isFound ? undefined : this.#reportedModel;
  }

  /** These options, with the later changes over them. */
  over(options: SessionOptions): SessionOptions {
    const dirs = [...(options.add_dirs ?? []), ...this.#addedDirs];
    const kept = dirs.filter((dir) => !this.#removedDirs.has(dir));
    return {
      ...options,
      add_dirs: kept.length === 0 ? undefined : [...new Set(kept)],
      max_thinking_tokens: chosen(this.#maxThinkingTokens, options.max_thinking_tokens),
      effort: chosen(this.#effort, options.effort),
    };
  }

  /** The output of a slash command of the host, which may be a setting. */
  recordCommandOutput(text: string): void {
    const [, level] = EFFORT_SET.exec(text) ?? [];
    if (level === undefined) return;
    this.#effort = level === "auto" ? null : level;
    // Restored flag settings would override this level.
    this.#flagSettings.delete("effortLevel");
  }

  /** Settings to restore in the next process. Undefined where none changed. */
  get flagSettings(): Fields | undefined {
    return this.#flagSettings.size === 0 ? undefined : Object.fromEntries(this.#flagSettings);
  }

  #recordThinking(tokens: unknown): void {
    // Without a number the request is about how thinking is displayed.
    if (typeof tokens === "number" || tokens === null) this.#maxThinkingTokens = tokens;
  }

  #recordFlagSettings(settings: unknown): OutboundDraft[] {
    if (!isJsonObject(settings)) return [];
    // The model is kept apart, so that the newest choice counts.
    const { model, ...others }: Fields = { ...settings };
    for (const [name, value] of Object.entries(others)) this.#flagSettings.set(name, value);
    const effort = others["effortLevel"];
    if (typeof effort === "string" || effort === null) this.#effort = effort;
    return typeof model === "string" || model === null ? [this.chooseModel(model)] : [];
  }

  /** Claude reported its permission mode. */
  recordMode(mode: string | undefined): OutboundDraft[] {
    if (mode === undefined || sameMode(mode, this.mode)) return [];
    this.mode = mode;
    return [{ type: "permission_mode_changed", mode, source: "claude" }];
  }

  /** Claude reported its model in this conversation. */
  recordModel(model: string | undefined, conversation: string): OutboundDraft[] {
    if (model === undefined) return [];
    const isExpected = this.#awaitsReport || model === this.#reportedModel;
    // Another conversation may have another model, which Claude resumes with it.
    const isSetting = conversation === this.#reportedFor;
    this.#awaitsReport = false;
    this.#reportedModel = model;
    this.#reportedFor = conversation;
    if (isExpected) return [];
    if (isSetting) this.model = model;
    return [{ type: "model_changed", model, source: "claude" }];
  }
}

/** The later choice, if there was one; null is Claude's default. */
function chosen<Value>(
  since: Value | null | undefined,
  first: Value | undefined,
): Value | undefined {
  return since === undefined ? first : (since ?? undefined);
}

/** `manual` is the newer name of `default`, the mode of a new session. */
function sameMode(reported: string, known = "default"): boolean {
  const plain = (mode: string) => (mode === "manual" ? "default" : mode);
  return plain(reported) === plain(known);
}
