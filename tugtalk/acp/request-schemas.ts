/** The parameters of the client's requests, as far as they are read; other fields are ignored. */
import { z } from "zod";
import { ABSOLUTE_PATH } from "../src/base/plain-value.ts";

const text = z.string();
const sessionId = text.describe("The session, by the id of `session/new` or `session/list`.");
const absolutePath = text.regex(ABSOLUTE_PATH, "must be an absolute path");

const NamedText = z.object({ name: text.min(1), value: text });
const Remote = { name: text.min(1), url: text.min(1), headers: z.array(NamedText) };

const McpServer = z.union([
  z.object({ type: z.literal("http"), ...Remote }),
  z.object({ type: z.literal("sse"), ...Remote }),
  z.object({
    type: z.undefined().optional(),
    name: text.min(1),
    command: text.min(1),
    args: z.array(text),
    env: z.array(NamedText),
  }),
]);
export type McpServer = z.infer<typeof McpServer>;

const place = {
  cwd: absolutePath,
  additionalDirectories: z.array(absolutePath).nullish(),
};

const Initialize = z.looseObject({
  protocolVersion: z.union([z.number(), text]),
  clientCapabilities: z.unknown().optional(),
});

const NewSession = z.object({ ...place, mcpServers: z.array(McpServer) });
export type NewSession = z.infer<typeof NewSession>;

const ExistingSession = z.object({
  ...place,
  sessionId,
  mcpServers: z.array(McpServer).nullish(),
});
export type ExistingSession = z.infer<typeof ExistingSession>;

const OfSession = z.object({ sessionId });

const ListSessions = z.object({ cwd: absolutePath.nullish(), cursor: text.nullish() });

const Resource = z.union([
  z.object({ uri: text, text, mimeType: text.nullish() }),
  z.object({ uri: text, blob: text, mimeType: text.nullish() }),
]);

const ContentBlock = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text }),
  z.object({ type: z.literal("image"), data: text, mimeType: text, uri: text.nullish() }),
  z.object({
    type: z.literal("resource_link"),
    uri: text,
    name: text,
    title: text.nullish(),
  }),
  z.object({ type: z.literal("resource"), resource: Resource }),
]);
export type ContentBlock = z.infer<typeof ContentBlock>;

const Prompt = z.object({
  sessionId,
  prompt: z.array(ContentBlock),
  _meta: z.looseObject({}).nullish(),
});

const SetMode = z.object({ sessionId, modeId: text });

const SetConfigOption = z.object({
  sessionId,
  configId: text,
  value: z.union([text, z.boolean()]),
});

/** The requests that the agent reads, by their names. */
export const REQUESTS = {
  initialize: Initialize,
  newSession: NewSession,
  existingSession: ExistingSession,
  ofSession: OfSession,
  listSessions: ListSessions,
  prompt: Prompt,
  setMode: SetMode,
  setConfigOption: SetConfigOption,
};
