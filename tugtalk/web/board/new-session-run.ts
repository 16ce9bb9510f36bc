/** Creates a session for the dialog: one at a time, the same request once, and with what has to be asked first. */
import { type Signal, signal } from "@preact/signals";
import type { FolderFindings } from "../../client/host-api.ts";
import { CommandError, type Transport } from "../../client/transports/transport.ts";
import { newId } from "../store/new-id.ts";
import { errorText } from "../store/toasts.ts";
import type { CreateFields } from "./new-session-fields.ts";

/** What the host wants to know of a person before it creates the session. */
export type StartQuestion =
  | {
      readonly kind: "trust";
      readonly place: string;
      readonly dir: string;
      /** It was trusted when it granted less. */
      readonly wasTrusted: boolean;
      /** Absent where the folder could not be looked into, as on another machine. */
      readonly config?: FolderFindings;
    }
  | { readonly kind: "in-use"; readonly reason: string; readonly session?: string };

/** The answer about a folder that was never used. On another machine nobody has looked into it. */
type Untrusted = {
  readonly place: string;
  readonly dir: string;
  readonly was_trusted: boolean;
} & (FolderFindings | object);

type Wanted = { readonly fields: CreateFields; readonly message: string };

export class NewSessionRun {
  readonly isBusy: Signal<boolean> = signal(false);
  readonly question: Signal<StartQuestion | undefined> = signal(undefined);
  readonly failure: Signal<string | undefined> = signal(undefined);
  readonly #transport: Transport;
  readonly #onCreated: (id: string, message: string) => void;
  #wanted: Wanted = { fields: {}, message: "" };
  /** The same for the same fields, so that what is repeated creates nothing more. */
  #request = { key: "", id: "" };

  constructor(transport: Transport, onCreated: (id: string, message: string) => void) {
    this.#transport = transport;
    this.#onCreated = onCreated;
  }

  create(fields: CreateFields, message: string): Promise<void> {
    this.#wanted = { fields, message };
    return this.#run();
  }

  /** The person has agreed to what was asked. */
  agree(): Promise<void> {
    const question = this.question.value;
    if (question === undefined) return Promise.resolve();
    const agreed = question.kind === "trust" ? { trust: true } : { force: true };
    this.#wanted = { ...this.#wanted, fields: { ...this.#wanted.fields, ...agreed } };
    return this.#run();
  }

  async #run(): Promise<void> {
    if (this.isBusy.value) return;
    this.isBusy.value = true;
    this.failure.value = undefined;
    const { fields, message } = this.#wanted;
    try {
      const request_id = this.#requestId(fields);
      const { id } = await this.#transport.command("create", { ...fields, request_id });
      this.#onCreated(String(id), message);
    } catch (error) {
      this.question.value = questionOf(error);
      if (this.question.value === undefined) this.failure.value = errorText(error);
    } finally {
      this.isBusy.value = false;
    }
  }

  #requestId(fields: CreateFields): string {
    const key = JSON.stringify({ ...fields, trust: undefined, force: undefined });
    if (key !== this.#request.key) this.#request = { key, id: newId() };
    return this.#request.id;
  }
}

function questionOf(error: unknown): StartQuestion | undefined {
  if (!(error instanceof CommandError)) return undefined;
  const { code, body, message } = error;
  if (code === "untrusted_dir") {
    const { place, dir, was_trusted: wasTrusted, ...config } = body as Untrusted;
    return { kind: "trust", place, dir, wasTrusted, ...("hooks" in config && { config }) };
  }
  if (code !== "in_use") return undefined;
  const session = typeof body["session"] === "string" ? { session: body["session"] } : {};
  return { kind: "in-use", reason: message, ...session };
}
