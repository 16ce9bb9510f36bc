/** The one session that may write a conversation of Claude's at a time, whichever host holds it. */
import type { PostgresReader } from "../journal/postgres/postgres-reader.ts";

/** The row of a session shows a start within this time. */
const STARTS_WITHIN_SECONDS = 10;

/**
 * Gives the conversation to the session, unless another session that has it may be writing it. Returns the
 * session that has it then. A session that has lost its host is not at work, since its Claude has ended.
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

/** The row without the escapes that PostgreSQL refuses to read: of NUL and of half a character. */
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
