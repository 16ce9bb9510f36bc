/** The frames of an agent in a few words, one phrase for each, for a cell of the table. Pure. */
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import type { AcpFrame } from "../drivers/acp-client.ts";

/** The longest text that is quoted, option that is named, and digest, in characters. */
const [QUOTED, OPTION, LONGEST] = [60, 48, 400];

/** Left out of the digest: they come in every turn on both sides. */
const UNTOLD: ReadonlySet<unknown> = new Set(["usage_update", "available_commands_update"]);

export function digestOf(frames: readonly AcpFrame[]): string {
  const phrases: Phrase[] = [];
  for (const phrase of frames.flatMap(phraseOf)) {
    const last = phrases.at(-1);
    if (last?.text !== undefined && phrase.text !== undefined && last.word === phrase.word)
      phrases[phrases.length - 1] = { word: last.word, text: last.text + phrase.text };
    else phrases.push(phrase);
  }
  return collapsed(phrases.map(formatPhrase));
}

type Phrase = { readonly word: string; readonly text?: string };

function phraseOf(frame: AcpFrame): Phrase[] {
  const { method, params, result, error } = frame;
  if (method === "session/update") return updatePhrase(fieldsOf(fieldsOf(params)["update"]));
  if (method === "session/request_permission") return [{ word: permissionWord(fieldsOf(params)) }];
  if (method === "elicitation/create")
    return [{ word: `form ${quoted(fieldsOf(params)["message"])}` }];
  if (method === "$/cancel_request") return [{ word: "withdrawn" }];
  if (method !== undefined) return [{ word: String(method) }];
  if (error !== undefined) {
    const { code, message } = fieldsOf(error);
    return [{ word: `error ${code} ${quoted(message)}` }];
  }
  const { stopReason, modes, sessions } = fieldsOf(result);
  if (modes !== undefined) return [{ word: `mode ${fieldsOf(modes)["currentModeId"]}` }];
  if (Array.isArray(sessions)) return [{ word: `${sessions.length} sessions` }];
  return stopReason === undefined ? [] : [{ word: `**${stopReason}**` }];
}

function updatePhrase(update: Fields): Phrase[] {
  const { sessionUpdate, content, title, status, entries } = update;
  const chunk = /^(?:agent_)?(message|thought|user_message)_chunk$/.exec(String(sessionUpdate));
  if (chunk !== null) return [chunkPhrase(chunk[1] ?? "", fieldsOf(content))];
  if (UNTOLD.has(sessionUpdate)) return [];
  const state = [status, contentWords(content)].filter((word) => word !== undefined && word !== "");
  switch (sessionUpdate) {
    case "tool_call":
      return [{ word: `call ${quoted(title)} ${state.join(" ")}` }];
    case "tool_call_update": {
      const named = title === undefined || title === null ? [] : [quoted(title)];
      return state.length === 0 ? [] : [{ word: [...named, ...state].join(" ") }];
    }
    case "plan":
      return [{ word: `plan ${planWords(entries)}` }];
    case "session_info_update":
      return title === undefined ? [] : [{ word: `title ${quoted(title)}` }];
    case "current_mode_update":
      return [{ word: `mode ${update["currentModeId"]}` }];
    default:
      return [{ word: [sessionUpdate, status, title].filter(Boolean).join(" ") }];
  }
}

function chunkPhrase(kind: string, content: Fields): Phrase {
  const word = { message: "text", thought: "thought", user_message: "user" }[kind] ?? kind;
  if (content["type"] !== "text") return { word: `${word} ${content["type"]}` };
  return { word, text: String(content["text"]) };
}

function contentWords(content: unknown): string {
  const all = Array.isArray(content) ? content.map(fieldsOf) : [];
  return all.map(contentWord).join(" ");
}

function contentWord(content: Fields): string {
  const { type, oldText, newText } = content;
  if (type === "diff")
    return `diff ${oldText === null || oldText === undefined ? "new" : quoted(oldText)} → ${quoted(newText)}`;
  const inner = fieldsOf(content["content"]);
  return inner["type"] === "text" ? quoted(inner["text"]) : String(inner["type"] ?? type);
}

function planWords(entries: unknown): string {
  const all = Array.isArray(entries) ? entries.map(fieldsOf) : [];
  return all.map(({ content, status }) => `${content}: ${status}`).join(", ");
}

function permissionWord({ options }: Fields): string {
  const all = Array.isArray(options) ? options.map(fieldsOf) : [];
  return `asks [${all.map(({ name }) => shortened(String(name), OPTION)).join(" / ")}]`;
}

function formatPhrase({ word, text }: Phrase): string {
  return text === undefined ? word : `${word} ${quoted(text)}`;
}

function quoted(text: unknown): string {
  return JSON.stringify(shortened(String(text), QUOTED));
}

function shortened(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars)}…` : text;
}

/** The same phrase again is counted, not repeated. */
function collapsed(phrases: readonly string[]): string {
  const runs: { phrase: string; count: number }[] = [];
  for (const phrase of phrases) {
    const last = runs.at(-1);
    if (last?.phrase === phrase) last.count += 1;
    else runs.push({ phrase, count: 1 });
  }
  const text = runs
    .map(({ phrase, count }) => (count > 1 ? `${phrase} ×${count}` : phrase))
    .join(" · ");
  return shortened(text, LONGEST);
}
