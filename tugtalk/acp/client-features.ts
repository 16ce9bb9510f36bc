/** The capabilities of the client, as its `initialize` has them. Pure. */
import { type Fields, fieldsOf, isJsonObject } from "../src/base/json.ts";

export type ClientFeatures = {
  /** Shows `notice` updates. */
  readonly notices: boolean;
  /** Shows `compaction_update`. */
  readonly compaction: boolean;
  /** Shows agents as child sessions. */
  readonly subagents: boolean;
  /** Shows options that are on or off. */
  readonly booleanOptions: boolean;
  /** Asks by forms, and by pages to visit. */
  readonly forms: boolean;
  readonly urls: boolean;
  /** Starts the agent's command once more for a login. */
  readonly terminalLogin: boolean;
  /** Shows the output of commands as terminals. */
  readonly terminals: boolean;
  /** Takes the bridge's own messages for which ACP has no form. */
  readonly messages: boolean;
};

/** The client lacks a capability that is ill-formed. */
export function clientFeatures(capabilities: unknown): ClientFeatures {
  const { session, elicitation, auth, subagents, _meta } = fieldsOf(capabilities);
  const { notices, compaction, configOptions } = fieldsOf(session);
  const { form, url } = fieldsOf(elicitation);
  const meta = fieldsOf(_meta);
  return {
    notices: isJsonObject(notices),
    compaction: isJsonObject(compaction),
    subagents: isJsonObject(subagents),
    booleanOptions: isJsonObject(fieldsOf(configOptions)["boolean"]),
    forms: isJsonObject(form),
    urls: isJsonObject(url),
    // Older clients say it by a mark of their own.
    terminalLogin: isOn(fieldsOf(auth), "terminal") || isOn(meta, "terminal-auth"),
    terminals: isOn(meta, "terminal_output"),
    messages: isOn(fieldsOf(meta["tugtalk"]), "messages"),
  };
}

function isOn(fields: Fields, name: string): boolean {
  return fields[name] === true;
}
