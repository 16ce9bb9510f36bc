/** The names of the files of a conversation, below the folder of transcripts. Protocol reference §7. */

/** Files of agents may be in folders of their own. */
const AGENT_FILE =
  /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\/){0,3}agent-[A-Za-z0-9_-]{1,200}(?:\.jsonl|\.meta\.json)$/;

/** The file with the conversation itself. */
export function mainFileOf(sessionId: string): string {
  return `${sessionId}.jsonl`;
}

/** The folder of the files of its agents. */
export function agentFolderOf(sessionId: string): string {
  return `${sessionId}/subagents`;
}

/** Whether this is a name of the conversation itself or of one of its agents. None of them leads out of the folder. */
export function isFileOf(sessionId: string, name: string): boolean {
  const agents = `${agentFolderOf(sessionId)}/`;
  if (!name.startsWith(agents)) return name === mainFileOf(sessionId);
  return AGENT_FILE.test(name.slice(agents.length));
}

/** Whether it is a note that is written as a whole, and not line by line. */
export function isNote(name: string): boolean {
  return name.endsWith(".meta.json");
}
