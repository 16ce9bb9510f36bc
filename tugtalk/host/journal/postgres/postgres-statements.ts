/** The statements of the journal in PostgreSQL. Numbers come as numbers: none is beyond 2⁵³. */

const HEAD_COLUMNS = [
  "number",
  "epoch",
  "seq",
  "start_seq",
  "bytes",
  "start_bytes",
  "turn",
  "start_turn",
  "turn_bytes",
  "start_turn_bytes",
];
const NUMBERS = HEAD_COLUMNS.map((name) => `${name}::float8 AS ${name}`).join(", ");
/** The columns of a session that the host needs after a commit. */
const WRITTEN =
  "epoch::float8 AS epoch, (bytes - start_bytes + turn_bytes - start_turn_bytes)::float8 AS kept";

/**
 * The part of a commit for lines of Claude's own files, before its end: the deleted spans, and the new rows.
 */
const LINES = `,
  spans AS (SELECT file, low, high FROM unnest($27::text[], $28::bigint[], $29::bigint[]) AS one(file, low, high)),
  lines AS (SELECT file, start, line FROM unnest($30::text[], $31::bigint[], $32::text[]) AS one(file, start, line)),
  lines_dropped AS (
    DELETE FROM transcript_lines AS kept USING head, spans
    WHERE session = head.number AND kept.file = spans.file AND start >= low AND start < high
    AND NOT EXISTS (SELECT 1 FROM lines WHERE lines.file = kept.file AND lines.start = kept.start)
  ),
  lines_written AS (
    INSERT INTO transcript_lines SELECT number, file, start, line FROM head, lines
    ON CONFLICT (session, file, start) DO UPDATE SET line = excluded.line
    WHERE transcript_lines.line <> excluded.line
  )`;

/**
 * The part of a commit that takes the numbers of its entries and turns: `head` has the session's numbers
 * before and after.
 */
const HEAD = `
  WITH target AS (SELECT number FROM sessions WHERE id = $1 AND fence = $25 AND commits = $26 FOR UPDATE),
  added AS (
    SELECT type, data, place, sum(size) OVER (ORDER BY place) AS total
    FROM unnest($3::text[], $4::text[], $5::bigint[]) WITH ORDINALITY AS one(type, data, size, place)
  ),
  given AS (
    SELECT key, data, size, place
    FROM unnest($6::text[], $7::text[], $8::bigint[]) WITH ORDINALITY AS one(key, data, size, place)
  ),
  fresh AS (
    SELECT key, data, row_number() OVER (ORDER BY place) AS place, sum(size) OVER (ORDER BY place) AS total
    FROM given WHERE NOT EXISTS (
      SELECT 1 FROM turns, target WHERE turns.session = target.number AND turns.key = given.key
    )
  ),
  head AS (
    UPDATE sessions SET row = coalesce($2, row),
      changed_at = CASE WHEN $2::text IS NULL THEN changed_at ELSE clock_timestamp() END,
      commits = commits + 1,
      seq = seq + (SELECT count(*) FROM added),
      bytes = bytes + (SELECT coalesce(max(total), 0) FROM added),
      turn = turn + (SELECT count(*) FROM fresh),
      turn_bytes = turn_bytes + (SELECT coalesce(max(total), 0) FROM fresh)
    WHERE number = (SELECT number FROM target)
    RETURNING row, ${HEAD_COLUMNS.join(", ")},
      seq - (SELECT count(*) FROM added) AS seq_before,
      bytes - (SELECT coalesce(max(total), 0) FROM added) AS bytes_before,
      turn - (SELECT count(*) FROM fresh) AS turn_before,
      turn_bytes - (SELECT coalesce(max(total), 0) FROM fresh) AS turn_bytes_before
  )`;

/** The part of a commit that writes the rows with these numbers. */
const ROWS = `,
  entries_written AS (
    INSERT INTO entries SELECT number, seq_before + place, type, data, bytes_before + total FROM head, added
  ),
  turns_written AS (
    INSERT INTO turns SELECT number, turn_before + place, key, data, turn_bytes_before + total FROM head, fresh
  ),
  turns_changed AS (
    UPDATE turns SET data = given.data FROM head, given WHERE turns.session = head.number AND turns.key = given.key
  ),
  attached_written AS (
    INSERT INTO attached SELECT number, id, data FROM head, unnest($9::text[], $10::text[]) AS one(id, data)
    ON CONFLICT (session, message_id) DO UPDATE SET data = excluded.data
  ),
  detached AS (
    DELETE FROM attached USING head WHERE session = head.number AND message_id = ANY($11::text[])
  ),
  ends_written AS (
    INSERT INTO message_ends SELECT number, id, status FROM head, unnest($12::text[], $13::text[]) AS one(id, status)
    ON CONFLICT (session, message_id) DO UPDATE SET status = excluded.status
  ),
  replies_written AS (
    INSERT INTO replies SELECT number, id, reply FROM head, unnest($14::text[], $15::text[]) AS one(id, reply)
    ON CONFLICT (session, client_id) DO UPDATE SET row = excluded.row
  ),
  snapshot_written AS (
    INSERT INTO snapshots SELECT number, seq, $16::text FROM head WHERE $16::text IS NOT NULL
    ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, state = excluded.state
  ),
  cost_written AS (
    INSERT INTO costs SELECT $17::bigint, number, $18::float8 FROM head WHERE $17::bigint IS NOT NULL
    ON CONFLICT (slot, session) DO UPDATE SET usd = costs.usd + excluded.usd
  ),
  texts_written AS (
    INSERT INTO texts (session, entry, item, kind, at, text, words)
    SELECT number, entry, item, kind, at, one.text, words::tsvector FROM head,
      unnest($19::text[], $20::text[], $21::text[], $22::bigint[], $23::text[], $24::text[])
      AS one(entry, item, kind, at, text, words)
    ON CONFLICT (session, entry, item, kind) DO UPDATE SET text = excluded.text, words = excluded.words
  )`;

/**
 * One commit: takes the numbers, and writes all parts. `$1` is the session, `$2` its new row or null. Then,
 * each column an array: the entries, the turns, the attachments, the removed ones, the ended messages and the
 * replies. Then the snapshot or null, the slot and the amount of a cost or null, and the texts. At last the
 * fence and the number of the commit before. If one of these two differs, nothing is written and no row is
 * given, so that a late commit undoes nothing. A known turn keeps its place.
 */
export const COMMIT = `${HEAD}${ROWS}
  SELECT ${WRITTEN} FROM head`;
/** The same commit with `LINES`. */
export const COMMIT_WITH_LINES = `${HEAD}${ROWS}${LINES}
  SELECT ${WRITTEN} FROM head`;

/**
 * Commits that bring entries alone, of many sessions: `$1` to `$5` are their sessions, fences, commits
 * before, and how many entries and bytes they add. Then for each entry the place of its commit, its place in
 * that commit, its type, its data and the bytes up to it. A session with another fence or another commit
 * before is not written, and gets no head.
 */
export const COMMIT_ENTRIES = `
  WITH head AS (
    UPDATE sessions SET commits = sessions.commits + 1, seq = seq + one.added, bytes = bytes + one.size
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
      WITH ORDINALITY AS one(id, fence, commits, added, size, commit)
    WHERE sessions.id = one.id AND sessions.fence = one.fence AND sessions.commits = one.commits
    RETURNING one.commit, number, epoch, seq - one.added AS seq_before,
      bytes, bytes - one.size AS bytes_before, start_bytes, turn_bytes, start_turn_bytes
  ),
  entries_written AS (
    INSERT INTO entries SELECT number, seq_before + place, type, data, bytes_before + total
    FROM head JOIN unnest($6::bigint[], $7::bigint[], $8::text[], $9::text[], $10::bigint[])
      AS one(commit, place, type, data, total) USING (commit)
  )
  SELECT commit::float8 AS place, ${WRITTEN} FROM head`;

export const SELECT_HEAD = `
  SELECT row, ${NUMBERS}, fence::float8 AS fence, commits::float8 AS commits FROM sessions WHERE id = $1`;

/** The most rows of entries that are read for one page. */
const PAGE_ROWS = 500;

/**
 * Of each session in `$1` the entries after the number in `$2`, until the earlier ones exceed the
 * characters in `$3`.
 */
export const ENTRIES_AFTER = `
  SELECT asked.place::float8 AS place, head.epoch::float8 AS epoch, head.seq::float8 AS seq,
    head.start_seq::float8 AS start_seq, entry.seq::float8 AS entry, entry.type, entry.data
  FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS asked(id, after, chars, place)
  JOIN sessions AS head ON head.id = asked.id
  LEFT JOIN LATERAL (
    SELECT seq, type, data, sum(length(data)) OVER (ORDER BY seq) - length(data) AS before FROM (
      SELECT seq, type, data FROM entries WHERE session = head.number AND seq > after ORDER BY seq LIMIT ${PAGE_ROWS}
    ) AS page
  ) AS entry ON entry.before <= asked.chars
  ORDER BY asked.place, entry.seq`;

/** One more than `$3` turns before the turn with the key `$2`, or the latest turns. */
export const TURNS_BEFORE = `
  SELECT one.key, one.data FROM sessions AS head, LATERAL (
    SELECT turn, key, data FROM turns WHERE session = head.number AND turn > head.start_turn
    AND ($2::text IS NULL OR turn < (SELECT turn FROM turns WHERE session = head.number AND key = $2))
    ORDER BY turn DESC LIMIT $3 + 1
  ) AS one WHERE head.id = $1 ORDER BY one.turn`;

/**
 * The lines of the file `$2` and of the files in the folder `$3`, after the line `$5` of `$4`, until the
 * earlier ones exceed `$6` characters.
 */
export const TRANSCRIPT_AFTER = `
  SELECT file, start::float8 AS start, line FROM (
    SELECT file, start, line, sum(length(line)) OVER (ORDER BY file, start) - length(line) AS before FROM (
      SELECT file, start, line FROM transcript_lines
      WHERE session = (SELECT number FROM sessions WHERE id = $1) AND (file, start) > ($4, $5::bigint)
      AND (file = $2 OR starts_with(file, $3)) ORDER BY file, start LIMIT ${PAGE_ROWS}
    ) AS page
  ) AS sized WHERE before <= $6 ORDER BY file, start`;

export const SIZES = `
  SELECT id, (seq - start_seq)::float8 AS entries,
    (bytes - start_bytes + turn_bytes - start_turn_bytes + octet_length(row)
    + coalesce((SELECT octet_length(state) FROM snapshots WHERE session = number), 0)
    + (SELECT coalesce(sum(octet_length(data)), 0) FROM attached WHERE session = number)
    + (SELECT coalesce(sum(octet_length(row)), 0) FROM replies WHERE session = number)
    + (SELECT coalesce(sum(octet_length(line)), 0) FROM transcript_lines WHERE session = number))::float8 AS bytes
  FROM sessions ORDER BY number`;

/**
 * Gives the session `$1` to the host `$2` with the next fence. Nobody may have it, or the host `$3`, or this
 * host, which did not get the answer. The old Claude is gone if the row of its host is.
 */
export const TAKE = `
  UPDATE sessions SET host = $2, fence = fence + 1, changed_at = clock_timestamp()
  WHERE id = $1 AND (host IS NULL OR host IN ($2, $3) OR NOT EXISTS (SELECT 1 FROM hosts WHERE hosts.id = sessions.host))
  RETURNING fence::float8 AS fence, seq::float8 AS seq, commits::float8 AS commits, row`;

/** Releases the session `$1` if it still has the fence `$2`. */
export const RELEASE = `
  UPDATE sessions SET host = NULL, changed_at = clock_timestamp() WHERE id = $1 AND fence = $2`;

const TABLES = [
  "texts",
  "entries",
  "turns",
  "snapshots",
  "attached",
  "message_ends",
  "replies",
  "transcript_lines",
];

/** Deletes a session. Only its cost remains, without its id. */
export const DELETE = `
  WITH gone AS (DELETE FROM sessions WHERE id = $1 AND fence = $2 RETURNING number)
  ${TABLES.map((table) => `, of_${table} AS (DELETE FROM ${table} USING gone WHERE session = gone.number)`).join("\n")}
  , of_conversations AS (DELETE FROM conversations WHERE session = $1 AND EXISTS (SELECT 1 FROM gone))
  , of_costs AS (DELETE FROM costs USING gone WHERE session = gone.number RETURNING slot, usd),
  kept AS (
    INSERT INTO costs SELECT slot, -1, usd FROM of_costs
    ON CONFLICT (slot, session) DO UPDATE SET usd = costs.usd + excluded.usd
  )
  SELECT number::float8 AS number FROM gone`;

/** The costs by quarters of an hour, from the slot `$1` on. */
export const COSTS = `
  SELECT slot::float8 AS slot, id, usd FROM costs LEFT JOIN sessions ON number = session
  WHERE slot >= $1 ORDER BY slot, session`;
