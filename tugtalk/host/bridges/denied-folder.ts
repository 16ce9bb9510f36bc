/** Starts bridges of this machine whose Claude has rules against a folder. */
import type { ProtocolInit } from "../../src/messages/protocol-init.ts";
import type { Bridge, BridgeStarter } from "./bridge.ts";
import { LOCAL } from "./places.ts";

type Options = NonNullable<ProtocolInit["options"]>;

/**
 * Characters that may have a meaning in a permission rule. The CLIs have no escape for them, so `?` replaces
 * each.
 */
const SPECIAL = /[^\p{L}\p{N}/._ -]/gu;

/** Bridges of other places are unchanged: the folder, a real path, is on this machine. */
export function denyFolder(start: BridgeStarter, folder: string): BridgeStarter {
  const rules = denyRules(folder);
  return async (place, signal) => {
    const bridge = await start(place, signal);
    return place === LOCAL ? withRules(bridge, rules) : bridge;
  };
}

/** Permission rules against reading and changing the files of a folder. */
export function denyRules(folder: string): readonly string[] {
  const files = `/${folder.replace(SPECIAL, "?")}/**`;
  return [`Read(${files})`, `Edit(${files})`];
}

function withRules(bridge: Bridge, rules: readonly string[]): Bridge {
  return {
    ...bridge,
    request: (message) =>
      bridge.request(
        message.type === "protocol_init"
          ? { ...message, options: withDenied(message.options, rules) }
          : message,
      ),
  };
}

/** Passed as arguments, since a client may name a file of settings. */
function withDenied(options: Options = {}, rules: readonly string[]): Options {
  return { ...options, disallowed_tools: [...(options.disallowed_tools ?? []), ...rules] };
}
