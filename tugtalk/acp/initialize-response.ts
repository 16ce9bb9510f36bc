/** The answer to `initialize`: name, capabilities and logins of the agent. */
import type { AuthMethod, InitializeResponse } from "@agentclientprotocol/sdk";
import packageJson from "../../package.json" with { type: "json" };
import type { ClientFeatures } from "./client-features.ts";

/** The only version of the protocol that is spoken; any other one is answered with it. */
export const PROTOCOL_VERSION = 1;

/** Capabilities of the draft of the protocol. A client that does not know them ignores them. */
const UNSTABLE: object = { fork: {} };

/** `command` starts this program. */
export function initializeResponse(
  features: ClientFeatures,
  command: () => readonly string[],
): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "tugtalk", title: "Claude Code (tugtalk)", version: packageJson.version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: {
        list: {},
        resume: {},
        close: {},
        delete: {},
        additionalDirectories: {},
        ...UNSTABLE,
      },
      auth: { logout: {} },
      _meta: { steering: { supported: true } },
    },
    authMethods: features.terminalLogin ? [terminalLogin(command())] : [],
  };
}

/** The client starts the agent once more, with these words after its own. */
const LOGIN_WORDS = ["--login"];

function terminalLogin([program = "", ...words]: readonly string[]): AuthMethod {
  const name = "Log in to Claude";
  return {
    id: "claude-login",
    type: "terminal",
    name,
    description: "With a Claude subscription or an account of the Claude Console",
    args: LOGIN_WORDS,
    // Older clients start this command instead.
    _meta: {
      "terminal-auth": { command: program, args: [...words, "acp", ...LOGIN_WORDS], label: name },
    },
  };
}
