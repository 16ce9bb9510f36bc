/** A transport whose commands a test answers. */
import type { Fields } from "../../../../client/claude-value.ts";
import type { Transport } from "../../../../client/transports/transport.ts";
import { testTransport } from "../../../store/__tests__/support/test-transport.ts";

export type GivenCommand = {
  readonly name: string;
  readonly fields: Fields;
  readonly answer: (body: Fields) => void;
  readonly refuse: (error: unknown) => void;
};

/** The commands that it was given are in `commands`, oldest first. */
export function scriptedTransport(): Transport & { readonly commands: readonly GivenCommand[] } {
  const commands: GivenCommand[] = [];
  const { transport } = testTransport((name, fields) => {
    const { promise, resolve, reject } = Promise.withResolvers<Fields>();
    commands.push({ name, fields, answer: resolve, refuse: reject });
    return promise;
  });
  return { ...transport, commands };
}
