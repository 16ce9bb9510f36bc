/** The form of a new session, and the fields of `create` that are made of it. */
import { type Signal, signal } from "@preact/signals";
import type { SessionDefaults } from "./session-defaults.ts";
import { typedLimit } from "./session-text.ts";

type TextName =
  | ("place" | "dir" | "model" | "permission_mode" | "title" | "message")
  | ("limit" | "worktree");

export type NewSessionForm = Readonly<Record<TextName, Signal<string>>> & {
  /** Whether it goes on with a past conversation. */
  readonly isPast: Signal<boolean>;
  /** The folder is in a Git repository, so that Claude may have a worktree of its own there. */
  readonly inRepository: Signal<boolean>;
  /** Claude's id of the past conversation; empty before one is chosen. */
  readonly resume: Signal<string>;
  /** Whether the past conversation is continued in a copy. */
  readonly fork: Signal<boolean>;
  /** The host keeps the conversation too, so that the session can move. */
  readonly isMirrored: Signal<boolean>;
};

/** Begins with the defaults that a person has chosen for new sessions. */
export function emptyForm({ model, permissionMode }: SessionDefaults): NewSessionForm {
  return {
    place: signal(""),
    dir: signal(""),
    model: signal(model),
    permission_mode: signal(permissionMode),
    title: signal(""),
    message: signal(""),
    limit: signal(""),
    worktree: signal(""),
    inRepository: signal(false),
    isPast: signal(false),
    resume: signal(""),
    fork: signal(false),
    isMirrored: signal(false),
  };
}

/** The fields of `create`. */
export type CreateFields = Readonly<Record<string, string | number | boolean | object>>;

/** Empty fields are left to the host. */
export function createFields(form: NewSessionForm): CreateFields {
  const entered = Object.entries({
    place: form.place.value,
    dir: form.dir.value.trim(),
    model: form.model.value.trim(),
    permission_mode: form.permission_mode.value,
    title: form.title.value.trim(),
  }).filter(([, value]) => value !== "");
  const limit_usd = typedLimit(form.limit.value);
  const worktree = hasWorktree(form) ? form.worktree.value.trim() : "";
  return {
    ...Object.fromEntries(entered),
    ...(typeof limit_usd === "number" && { limit_usd }),
    ...(worktree !== "" && { options: { worktree } }),
    ...(form.isMirrored.value && { mirror: true }),
    ...(form.isPast.value && { resume: form.resume.value, fork: form.fork.value }),
  };
}

/** Whether a worktree can be asked for: a past conversation has its own folder. */
export function hasWorktree({ inRepository, isPast }: NewSessionForm): boolean {
  return inRepository.value && !isPast.value;
}

/** Whether all required fields are filled in, and none is wrong. */
export function isComplete({ limit, isPast, resume }: NewSessionForm): boolean {
  return typedLimit(limit.value) !== undefined && (!isPast.value || resume.value !== "");
}

/** The first message; a past conversation has its own. */
export function firstMessage({ isPast, message }: NewSessionForm): string {
  return isPast.value ? "" : message.value.trim();
}
