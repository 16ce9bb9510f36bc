/** Who may write a conversation of Claude's: at most one session at a time, whichever host holds it. */
import type { PostgresReader } from "../journal/postgres/postgres-reader.ts";

/** A start is seen in the row of its session after less than this. */
const STARTS_WITHIN_SECONDS = 10;

/**
 * Gives the conversation to the session, unless another one that has it may be writing. Gives the one that has
 * it then. One that lost its host is not at work, since its Claude has ended.
 */
export async function claimConversation(
  reader: Pick<PostgresReader, "query">,
  conversation: string,
  session: string,
): Promise<string> {
  const [claimed] = await reader.query<{ session: string }>(CLAIM, [conversation, session]);
  if (claimed !== undefined) return claimed.session;
  const statement = "SELECT session FROM conversations WHERE conversation = $1";
  const [holder] = await reader.query<{ session: string }>(statement, [conversation]);
  return holder?.session ?? session;
}

/** Without what PostgreSQL refuses to read: escapes of NUL and of half a character. */
const PLAIN_ROW = String.raw`regexp_replace(sessions.row, '\\.', 'x', 'g')`;

const CLAIM = `
  INSERT INTO conversations VALUES ($1, $2, clock_timestamp())
  ON CONFLICT (conversation) DO UPDATE SET session = excluded.session, claimed_at = excluded.claimed_at
  WHERE conversations.session = excluded.session OR NOT EXISTS (
    SELECT 1 FROM sessions JOIN hosts ON hosts.id = sessions.host WHERE sessions.id = conversations.session
    AND (
      ${PLAIN_ROW}::json -> 'summary' ->> 'state' NOT IN ('exited', 'failed', 'disconnected')
      OR conversations.claimed_at
        > greatest(changed_at, clock_timestamp() - ${STARTS_WITHIN_SECONDS} * interval '1 second')
    )
  )
  RETURNING session`;
