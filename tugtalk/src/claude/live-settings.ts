/**
 * What is in force and may change while a session runs, whoever changed it last: permission mode,
 * model, thinking, effort, added folders and other settings; and the version of the CLI. Outlives a
 * Claude process: the next one is started with the same.
 */

import { isJsonObject } from "../base/json.ts";
import type { SessionOptions } from "../messages/options.ts";
import type { PermissionSuggestion } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Added folders that are kept, the newest: all of them must fit into a command line. */
const MAX_ADDED_DIRS = 256;

/** What `/effort` answers (V330) when it has set what is forgotten with the process. */
const EFFORT_SET =
  /^(?:Set effort level|Effort level set) to (low|medium|high|xhigh|max|auto) \(this session only\)/;

export class LiveSettings {
  /** As the host chose it, or as Claude reported a change of its own; undefined: Claude's default. */
  mode: string | undefined;
  model: string | undefined;
  /** The version of the CLI, once any process of it has told. */
  claudeVersion: string | undefined;
  /** Settings that Claude has taken since the start (`apply_flag_settings`); null clears one. */
  #flagSettings: Fields = {};
  /** The host's choice since the start; null: Claude's default. */
  #maxThinkingTokens: number | null | undefined;
  #effort: string | null | undefined;
  #addedDirs: readonly string[] = [];
  #removedDirs: ReadonlySet<string> = new Set();
  /** The full name that Claude gives the model, which the host's name for it may not be. */
  #reportedModel: string | undefined;
  /** The conversation that this name is for; none once another model was asked for. */
  #reportedFor: string | undefined;
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
    this.#setModel(model);
    this.#awaitsReport = true;
    return { type: "model_changed", model, source: "host" };
  }

  /** Claude has accepted a request of the host's, which may be a setting. */
  noteRequest({ subtype, ...fields }: { readonly subtype: string } & Fields): void {
    if (subtype === "set_max_thinking_tokens") this.#noteThinking(fields["max_thinking_tokens"]);
    if (subtype === "apply_flag_settings") this.#noteFlagSettings(fields["settings"]);
  }

  /** The host has approved a tool along with these changes. Those beyond the session are Claude's to keep. */
  noteUpdates(updates: readonly PermissionSuggestion[]): void {
    for (const update of updates) {
      if (!("directories" in update) || update["destination"] !== "session") continue;
      const directories = update.directories as readonly string[];
      if (update.type === "addDirectories") this.#addDirs(directories);
      if (update.type === "removeDirectories") this.#removeDirs(directories);
    }
  }

  /**
   * The model for a process that goes on with this conversation, or branches off it. Where none was
   * chosen Claude finds the one that was in use there, but not what a name has in brackets (`[1m]`, the
   * long context). Plain names are left to Claude: `opusplan` in its settings is not the one it reports.
   */
  modelFor(conversation: string | undefined): string | undefined {
    if (this.model !== undefined || conversation === undefined) return this.model;
    const isFound =
      conversation !== this.#reportedFor || this.#reportedModel?.endsWith("]") !== true;
    return isFound ? undefined : this.#reportedModel;
  }

  /** The options that a session was opened with, with what has changed since laid over them. */
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

  /** Claude has carried out a command that the host gave as a message: some are settings. */
  noteCommandOutput(text: string): void {
    const [, level] = EFFORT_SET.exec(text) ?? [];
    if (level === undefined) return;
    this.#effort = level === "auto" ? null : level;
    // Given again, an older choice would be laid over this one.
    const { effortLevel: _older, ...others } = this.#flagSettings;
    this.#flagSettings = others;
  }

  /** Settings that the next process has to be asked to take; nothing where none were changed. */
  get flagSettings(): Fields | undefined {
    return Object.keys(this.#flagSettings).length === 0 ? undefined : this.#flagSettings;
  }

  #noteThinking(tokens: unknown): void {
    // Without a number the request is about how thoughts are shown, or asks for the default.
    if (typeof tokens === "number" || tokens === null) this.#maxThinkingTokens = tokens;
  }

  #noteFlagSettings(settings: unknown): void {
    if (!isJsonObject(settings)) return;
    // The model has a place of its own, where the newer choice counts, whichever way it was made.
    const { model, ...others }: Fields = { ...settings };
    if (typeof model === "string" || model === null) this.#setModel(model);
    this.#flagSettings = { ...this.#flagSettings, ...others };
    const effort = this.#flagSettings["effortLevel"];
    if (typeof effort === "string" || effort === null) this.#effort = effort;
  }

  #setModel(model: string | null): void {
    this.model = model ?? undefined;
    this.#reportedFor = undefined;
  }

  #addDirs(directories: readonly string[]): void {
    this.#addedDirs = [...new Set([...this.#addedDirs, ...directories])].slice(-MAX_ADDED_DIRS);
    this.#removedDirs = new Set([...this.#removedDirs].filter((dir) => !directories.includes(dir)));
  }

  #removeDirs(directories: readonly string[]): void {
    this.#removedDirs = new Set([...this.#removedDirs, ...directories]);
  }

  /** Claude says which mode is in force. */
  noteMode(mode: string | undefined): OutboundDraft[] {
    if (mode === undefined || sameMode(mode, this.mode)) return [];
    this.mode = mode;
    return [{ type: "permission_mode_changed", mode, source: "claude" }];
  }

  /** Claude says which model is in force in this conversation. */
  noteModel(model: string | undefined, conversation: string): OutboundDraft[] {
    if (model === undefined) return [];
    const isExpected = this.#awaitsReport || model === this.#reportedModel;
    // What another conversation was left with is its own: Claude takes that up along with it.
    const isSetting = conversation === this.#reportedFor;
    this.#awaitsReport = false;
    this.#reportedModel = model;
    this.#reportedFor = conversation;
    if (isExpected) return [];
    if (isSetting) this.model = model;
    return [{ type: "model_changed", model, source: "claude" }];
  }
}

/** A choice since the start, where there was one; null is Claude's own. */
function chosen<Value>(
  since: Value | null | undefined,
  first: Value | undefined,
): Value | undefined {
  return since === undefined ? first : (since ?? undefined);
}

/** `manual` is the newer name of `default`, and what a session starts with. */
function sameMode(reported: string, known = "default"): boolean {
  const plain = (mode: string) => (mode === "manual" ? "default" : mode);
  return plain(reported) === plain(known);
}
