/** Creates a session for the dialog: the same request only once, and after the questions of the host. */
import type { Transport } from "../../client/transports/transport.ts";
import { newId } from "../store/new-id.ts";
import type { CreateFields } from "./new-session-fields.ts";
import { StartRun } from "./start-run.ts";

export class NewSessionRun {
  readonly asked: StartRun = new StartRun();
  readonly #transport: Transport;
  readonly #onCreated: (id: string, message: string) => void;
  /** The same id for the same fields, so that a repeated request creates no second session. */
  #request = { key: "", id: "" };

  constructor(transport: Transport, onCreated: (id: string, message: string) => void) {
    this.#transport = transport;
    this.#onCreated = onCreated;
  }

  create(fields: CreateFields, message: string): Promise<void> {
    return this.asked.start(async (agreed) => {
      const request_id = this.#requestId(fields);
      const { id } = await this.#transport.command("create", { ...fields, ...agreed, request_id });
      this.#onCreated(id, message);
    });
  }

  #requestId(fields: CreateFields): string {
    const key = JSON.stringify(fields);
    if (key !== this.#request.key) this.#request = { key, id: newId() };
    return this.#request.id;
  }
}
