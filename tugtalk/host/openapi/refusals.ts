/** The statuses of the host's refusals, and the codes of each, as in the table of HOST.md. Pure. */

export const REFUSALS = {
  400: {
    description: "A field or the body is wrong: `error` begins with its name.",
    codes: [
      ...["bad_request", "bad_json", "not_absolute", "no_such_dir", "no_repository", "not_a_dir"],
      ...["data_in_dir", "attachment_rejected", "no_history"],
    ],
  },
  401: { description: "Nobody is signed in.", codes: ["unauthorized"] },
  403: {
    description: "The request is for another name or from another site.",
    codes: ["foreign_host", "foreign_origin", "cross_site", "origin_required"],
  },
  404: {
    description: "There is no such thing.",
    codes: [
      ...["not_found", "unknown_command", "unknown_session", "unknown_request"],
      ...["unknown_message", "unknown_task", "unknown_place"],
    ],
  },
  405: { description: "`Allow` has the methods of the path.", codes: ["wrong_method"] },
  409: {
    description: "It cannot be done as things are, or the bridge or Claude has refused it.",
    codes: [
      ...["already_resolved", "client_msg_id_used", "already_taken", "untrusted_dir", "in_use"],
      ...["over_limit", "archived", "at_work", "resume_failed", "not_mirrored"],
      ...["mirror_incomplete", "already_there", "restore_refused", "not_running", "refused"],
    ],
  },
  413: { description: "The body is too large.", codes: ["too_large"] },
  415: { description: "The body is not `application/json`.", codes: ["not_json"] },
  426: { description: "An upgrade is needed.", codes: ["upgrade_required"] },
  429: {
    description: "A limit is reached.",
    codes: ["queue_full", "too_many", "too_many_sessions"],
  },
  500: {
    description: "The host has failed.",
    codes: ["internal_error", "journal_failed", "session_damaged"],
  },
  501: {
    description: "The files of another machine cannot be listed.",
    codes: ["unsupported_on_place"],
  },
  503: {
    description: "It cannot be done now.",
    codes: [
      ...["no_claude", "no_bridge", "start_failed", "bridge_runs", "place_unreachable", "closing"],
      ...["database_away", "search_too_slow", "host_changed", "no_answer"],
    ],
  },
  504: {
    description: "The host that has the session may have done it.",
    codes: ["outcome_unknown"],
  },
} as const;

export type RefusalStatus = keyof typeof REFUSALS;
