/** The ports that a session gets from its agent. */
import type { Bridge } from "../src/edge/bridge.ts";
import type { HostEnd } from "../src/edge/host-end.ts";
import type { ClientEnd } from "./client-end.ts";
import type { ClientFeatures } from "./client-features.ts";
import type { HoldOptions } from "./open-prompts.ts";
import type { SessionConversations } from "./session-conversations.ts";

/** A bridge and the parts that end with it. */
export type OpenedBridge = { readonly bridge: Bridge; readonly release: () => void };

export type SessionPorts = {
  readonly client: ClientEnd;
  readonly features: ClientFeatures;
  readonly openBridge: (host: HostEnd) => OpenedBridge;
  readonly flush: HostEnd["flush"];
  readonly drained: HostEnd["drained"];
  readonly newId: () => string;
  readonly hold: HoldOptions;
  readonly conversations: SessionConversations;
};
