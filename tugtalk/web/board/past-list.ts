/** Claude's own past conversations of a folder, a page at a time. */
import { type Signal, signal } from "@preact/signals";
import type { CommandAnswers } from "../../client/command-answers.ts";
import type { Transport } from "../../client/transports/transport.ts";
import { errorText } from "../store/toasts.ts";

export type PastConversation = {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly branch?: string;
};

type SessionSummary = CommandAnswers["history"]["sessions"][number];

type Folder = { readonly place: string; readonly dir: string };

export class PastConversations {
  readonly found: Signal<readonly PastConversation[]> = signal([]);
  readonly state: Signal<"loading" | "whole" | "more" | "failed"> = signal("loading");
  readonly failure: Signal<string | undefined> = signal(undefined);
  readonly #transport: Transport;
  #folder: Folder = { place: "", dir: "" };
  #next: string | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Begins anew with another folder. */
  open(folder: Folder): Promise<void> {
    this.#folder = folder;
    this.#next = undefined;
    this.found.value = [];
    return this.more();
  }

  async more(): Promise<void> {
    const folder = this.#folder;
    this.state.value = "loading";
    try {
      const before = this.#next;
      const page = await this.#transport.command("history", { ...fieldsOf(folder), before });
      if (folder !== this.#folder) return;
      this.#next = page.next;
      this.found.value = [...this.found.value, ...page.sessions.map(conversationOf)];
      this.state.value = this.#next === undefined ? "whole" : "more";
    } catch (error) {
      if (folder !== this.#folder) return;
      this.failure.value = errorText(error);
      this.state.value = "failed";
    }
  }
}

/** Empty fields are left to the host. */
function fieldsOf({ place, dir }: Folder): Partial<Folder> {
  return { ...(place !== "" && { place }), ...(dir !== "" && { dir }) };
}

function conversationOf({
  session_id,
  title,
  updated_at,
  git_branch: branch,
}: SessionSummary): PastConversation {
  return {
    id: session_id,
    title: title ?? "Untitled",
    updatedAt: Date.parse(updated_at),
    ...(branch !== undefined && { branch }),
  };
}
