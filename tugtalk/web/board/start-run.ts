/** A command of a dialog that starts a Claude: one at a time, and after the questions of the host. */
import { type Signal, signal } from "@preact/signals";
import type { FolderFindings, UntrustedFolder } from "../../client/host-api.ts";
import { CommandError } from "../../client/transports/transport.ts";
import { errorText } from "../store/toasts.ts";

/** The questions of the host to a person before it starts Claude. */
export type StartQuestion =
  | {
      readonly kind: "trust";
      readonly place: string;
      readonly dir: string;
      /** The person has trusted the folder when it granted less. */
      readonly wasTrusted: boolean;
      /** Absent if the host cannot read the folder, for example on another machine. */
      readonly config?: FolderFindings;
    }
  | { readonly kind: "in-use"; readonly reason: string; readonly session?: string }
  /** Claude's work at the present place would end. */
  | { readonly kind: "at-work" }
  /** The host does not have the whole conversation that Claude would go on with. */
  | { readonly kind: "incomplete"; readonly reason: string };

/** The consent of a person, as fields of the command. */
export type Agreed = { readonly trust?: true; readonly force?: true };

type Give = (agreed: Agreed) => Promise<void>;

export class StartRun {
  readonly isBusy: Signal<boolean> = signal(false);
  readonly question: Signal<StartQuestion | undefined> = signal(undefined);
  readonly failure: Signal<string | undefined> = signal(undefined);
  #give: Give = () => Promise.resolve();
  #agreed: Agreed = {};

  /** `give` gives the command, again with each thing that the person has agreed to. */
  start(give: Give): Promise<void> {
    if (this.isBusy.value) return Promise.resolve();
    this.#give = give;
    this.#agreed = {};
    return this.#run();
  }

  /** The person has answered yes to the question. */
  agree(): Promise<void> {
    const question = this.question.value;
    if (question === undefined || this.isBusy.value) return Promise.resolve();
    const agreed = question.kind === "trust" ? { trust: true as const } : { force: true as const };
    this.#agreed = { ...this.#agreed, ...agreed };
    return this.#run();
  }

  async #run(): Promise<void> {
    this.isBusy.value = true;
    this.failure.value = undefined;
    try {
      await this.#give(this.#agreed);
      this.question.value = undefined;
    } catch (error) {
      this.question.value = questionOf(error, this.#agreed);
      if (this.question.value === undefined) this.failure.value = errorText(error);
    } finally {
      this.isBusy.value = false;
    }
  }
}

function questionOf(error: unknown, { force }: Agreed): StartQuestion | undefined {
  if (!(error instanceof CommandError)) return undefined;
  const { code, body, message: reason } = error;
  switch (code) {
    case "untrusted_dir":
      return trustQuestion(body as UntrustedFolder);
    case "in_use": {
      const session = typeof body["session"] === "string" ? { session: body["session"] } : {};
      return { kind: "in-use", reason, ...session };
    }
    case "at_work":
      return force ? undefined : { kind: "at-work" };
    case "mirror_incomplete":
      return force ? undefined : { kind: "incomplete", reason };
    default:
      return undefined;
  }
}

function trustQuestion({ place, dir, was_trusted: wasTrusted, ...config }: UntrustedFolder) {
  return { kind: "trust", place, dir, wasTrusted, ...("hooks" in config && { config }) } as const;
}
