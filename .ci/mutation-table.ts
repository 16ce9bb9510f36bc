/**
 * The faults that `npm run mutations` puts into the sources, one at a time. Each is a mistake that
 * somebody could make, and each breaks a behaviour that a host relies on. When a source changes,
 * `mutations.ts` names each text that no longer fits: adapt it here.
 */

/** One fault. */
export type Mutation = {
  /** A source file of the bridge, by its name alone; any other, by its path from `tugtalk`. */
  readonly file: string;
  /** A text that is in the file exactly once. */
  readonly text: string;
  readonly replacement: string;
  /** The behaviour that the fault breaks. */
  readonly breaks: string;
  /** The everyday tests that should notice it: names of files without `.test.ts`. */
  readonly tests: readonly string[];
};

const TURNS_AND_RECEIPTS: readonly Mutation[] = [
  {
    file: "tool-results.ts",
    text: "isEcho ? fromReplay(event) : fromText(event)",
    replacement: "fromReplay(event) ?? (isEcho ? undefined : fromText(event))",
    breaks: "a text that quotes the output of a local command is none",
    tests: ["tool-results"],
  },
  {
    file: "command-outputs.ts",
    text: "return isRepeated;",
    replacement: "return false;",
    breaks: "output that a compaction keeps is emitted once",
    tests: ["session-command-outputs"],
  },
  {
    file: "line-source.ts",
    text: 'if (raw["permissionMode"] !== undefined) return "prompt";',
    replacement: "",
    breaks: "a prompt of the history that quotes Claude is what the user wrote",
    tests: ["line-messages"],
  },
  {
    file: "turns.ts",
    text: "return this.#open.at(-1);",
    replacement: "return this.#open.at(0);",
    breaks: "of two open turns the newest one is current",
    tests: ["turns", "session-turns"],
  },
  {
    file: "turns.ts",
    text: '"failed", ...this.#inFlight.all',
    replacement: '"cancelled", ...this.#inFlight.all',
    breaks: "a message whose process exits is failed",
    tests: ["turns", "session-ends"],
  },
  {
    file: "in-flight-messages.ts",
    text: "this.of(turnId).length > 0",
    replacement: "this.of(turnId).length > 1",
    breaks: "a message that joins the turn of another one is merged",
    tests: ["turns", "session-deliveries"],
  },
  {
    file: "in-flight-messages.ts",
    text: "if (entry.isAnnounced) return [];",
    replacement: "",
    breaks: "the host is told once that a message has started",
    tests: ["turns", "session-turns", "session-deliveries"],
  },
  {
    file: "message-queue.ts",
    text: "count >= maxQueued",
    replacement: "count > maxQueued",
    breaks: "the queue takes max_queued messages and no more",
    tests: ["session", "session-deliveries"],
  },
  {
    file: "message-queue.ts",
    text: "this.#queued.length + inFlight.count",
    replacement: "this.#queued.length",
    breaks: "messages in flight that Claude has not started count as waiting",
    tests: ["session", "session-deliveries"],
  },
  {
    file: "message-queue.ts",
    text: "this.#size -= newest?.size ?? 0;",
    replacement: "",
    breaks: "a steered message frees its size in the queue",
    tests: ["message-queue", "session-deliveries"],
  },
  {
    file: "attachment-rejection.ts",
    text: "magic.test(atob(content.slice(0, 16)))",
    replacement: "atob(content.slice(0, 16)).length > 0",
    breaks: "an image that is not of its media type is refused",
    tests: ["user-message"],
  },
];

const PROMPTS: readonly Mutation[] = [
  {
    file: "permissions.ts",
    text: "this.#everSettled.add(requestId);",
    replacement: "",
    breaks: "an answer to a settled prompt is stale, not unknown",
    tests: ["permissions", "session-prompts"],
  },
  {
    file: "permissions.ts",
    text: "this.#open.size >= MAX_OPEN_PROMPTS",
    replacement: "this.#open.size > MAX_OPEN_PROMPTS",
    breaks: "no more prompts are open than the limit allows",
    tests: ["permissions", "session-prompts", "host-answers"],
  },
  {
    file: "permissions.ts",
    text: "endsTurn: interrupt === true",
    replacement: "endsTurn: false",
    breaks: "a denial with interrupt ends its turn as cancelled",
    tests: ["permissions", "session-prompts", "session-interrupts"],
  },
  {
    file: "permissions.ts",
    text: "Object.keys(updatedInput).length === 0 ? asked.request.input : updatedInput",
    replacement: "updatedInput",
    breaks: "an approval without an input lets the tool run with Claude's own",
    tests: ["permissions", "session-prompts"],
  },
  {
    file: "control.ts",
    text: "updatedInput, updatedPermissions });",
    replacement: "updatedInput });",
    breaks: "a permission suggestion that the host accepts reaches Claude",
    tests: ["control", "session-prompts"],
  },
  {
    file: "control.ts",
    text: 'isMulti.get(question) === true && typeof answer === "string" ? [answer] : answer',
    replacement: "answer",
    breaks: "one answer to a question with several choices reaches Claude as a list",
    tests: ["control", "session-prompts"],
  },
  {
    file: "tasks.ts",
    text: "task.isBackground || this.#outlivesTurn(this.#parentOf(taskId), depth - 1)",
    replacement: "task.isBackground",
    breaks: "an agent of a background agent runs in the background as well",
    tests: ["tasks", "session-background", "session-prompts"],
  },
  {
    file: "tasks.ts",
    text: "task.isBackground || this.#outlivesTurn(this.#parentOf(taskId), depth - 1)",
    replacement: "task.isBackground",
    breaks: "random sessions show that an agent of a background agent runs in the background",
    tests: ["properties"],
  },
  {
    file: "askers.ts",
    text: "caller !== null && !this.#tasks.isBackground(caller)",
    replacement: "caller !== null",
    breaks: "a prompt of a background agent belongs to no turn and outlives it",
    tests: ["session-prompts", "session-background"],
  },
  {
    file: "askers.ts",
    text: "...calls, ...nested,",
    replacement: "...calls,",
    breaks: "a form that an agent inside an agent may have asked for belongs to no turn",
    tests: ["session-forms"],
  },
  {
    file: "run.ts",
    text: "if (!this.isEnding) this.#prompts.refuseOrphans();",
    replacement: "",
    breaks: "a prompt is refused when everything that may have asked is over",
    tests: ["session-forms"],
  },
  {
    file: "tasks.ts",
    text: "isAsync === true ? agentId : undefined",
    replacement: "undefined",
    breaks: "a subagent that goes on after its result outlives its turn",
    tests: ["tasks", "session-prompts"],
  },
];

const BLOCKS_AND_ORDER: readonly Mutation[] = [
  {
    file: "blocks.ts",
    text: "broken === undefined ? [] : this.abandon()",
    replacement: "broken === undefined ? [] : []",
    breaks: "a block whose stream breaks off is abandoned when another message starts",
    tests: ["blocks", "message-blocks"],
  },
  {
    file: "message-blocks.ts",
    text: "this.#base = this.#nextIndex;",
    replacement: "",
    breaks: "blocks of a message that streams again have indices of their own",
    tests: ["message-blocks", "blocks"],
  },
  {
    file: "conversation.ts",
    text: "isBackground ? undefined : this.turns.openTurnId",
    replacement: "this.turns.openTurnId",
    breaks: "work in the background belongs to no turn",
    tests: ["session-background", "session-turns"],
  },
  {
    file: "run.ts",
    text: "    this.requests.failAll(error);\n    this.#emit(this.#conversation.cancel(reason));",
    replacement:
      "    this.#emit(this.#conversation.cancel(reason));\n    this.requests.failAll(error);",
    breaks: "the answer to an interrupt comes before the end of the turn that it names",
    tests: ["session-interrupts", "session-ends"],
  },
  {
    file: "ipc.ts",
    text: "stampedLine(message, seq + 1, channel);\n    seq += 1;",
    replacement: "stampedLine(message, (seq += 1), channel);",
    breaks: "a message that cannot be written leaves no gap in seq",
    tests: ["ipc"],
  },
  {
    file: "ipc.ts",
    text: "/[\\u2028\\u2029]/.test(text)",
    replacement: "/\\u2028/.test(text)",
    breaks: "U+2029 is escaped in every line for the host",
    tests: ["ipc"],
  },
  {
    file: "run.ts",
    text: "    this.#dispatcher.forgetRepeats();\n",
    replacement: "",
    breaks: "a line after any change of state is handled by itself",
    tests: ["run-repeats", "repeated-lines"],
  },
  {
    file: "repeats.ts",
    text: 'return literal === "" ? undefined :',
    replacement: "return",
    breaks: "a delta without text has no message, also among repeats",
    tests: ["repeated-lines"],
  },
  {
    file: "repeats.ts",
    text: `'"\\\\bfnrt'`,
    replacement: `'"\\\\bfnrt/u'`,
    breaks: "a text with unusual escapes is written for the host as its other texts are",
    tests: ["run-repeats", "repeated-lines"],
  },
  {
    file: "repeats.ts",
    text: "ESCAPED_FOR_HOSTS.test(joined) ? undefined : ",
    replacement: "",
    breaks: "U+2028 and U+2029 are escaped in repeats, too",
    tests: ["repeated-lines"],
  },
  {
    file: "line-template.ts",
    text: "|| Object.keys(delta).length !== 2",
    replacement: "",
    breaks: "every text of a delta with two texts is kept",
    tests: ["repeated-lines"],
  },
  {
    file: "lines.ts",
    text: "(this.at === 0 && isWithinLine) || ",
    replacement: "",
    breaks: "the rest of a line in the next chunk is not taken for a line",
    tests: ["repeated-lines"],
  },
  {
    file: "lines.ts",
    text: "|| this.#chunk.length > maxBytes",
    replacement: "",
    breaks: "a line over the limit is no repeat",
    tests: ["repeated-lines"],
  },
  {
    file: "lines.ts",
    text: "this.#size + lastPiece.length > this.#maxBytes",
    replacement: "this.#size > this.#maxBytes",
    breaks: "a line over the limit is dropped, also one that arrives in a single piece",
    tests: ["lines"],
  },
  {
    file: "lines.ts",
    text: "? line : line.slice()",
    replacement: "? line : line",
    breaks: "a line keeps its bytes when the next one is read",
    tests: ["lines"],
  },
];

const PROCESSES: readonly Mutation[] = [
  {
    file: "current-session.ts",
    text: "if (this.#isWritten) return { sessionId: this.#id, resumeAt };",
    replacement: "",
    breaks: "a restarted Claude resumes the current conversation",
    tests: ["current-session", "session-respawn"],
  },
  {
    file: "supervisor.ts",
    text: "settings.over(options)",
    replacement: "options",
    breaks: "folders that were added are passed to the next process",
    tests: ["session-respawn"],
  },
  {
    file: "live-settings.ts",
    text: 'update["destination"] !== "session"',
    replacement: 'update["destination"] === undefined',
    breaks: "only folders that were added for the session are passed on",
    tests: ["live-settings", "session-respawn"],
  },
  {
    file: "restart-policy.ts",
    text: "this.#restarts.length < RESTARTS",
    replacement: "this.#restarts.length <= RESTARTS",
    breaks: "Claude is started again three times in a minute and not more often",
    tests: ["restart-policy", "session-respawn"],
  },
  {
    file: "cost.ts",
    text: "total < baseline ? total : total - baseline",
    replacement: "total - baseline",
    breaks: "a total that starts again does not make a negative cost",
    tests: ["cost"],
  },
  {
    file: "lifecycle.ts",
    text: "this.current.isNew ? 0 : undefined",
    replacement: "0",
    breaks: "the earlier cost of a resumed conversation is not counted for its first turn",
    tests: ["cost", "session-turns"],
  },
  {
    file: "stall-detector.ts",
    text: "turnId !== undefined && isDue ? this",
    replacement: "turnId !== undefined ? this",
    breaks: "a turn in which a person is asked does not stall",
    tests: ["stall-detector"],
  },
  {
    file: "run.ts",
    text: "apply(line) || wasStalled)",
    replacement: "apply(line))",
    breaks: "a turn that stalled within a message is running again with its next text",
    tests: ["stall-detector"],
  },
  {
    file: "stall-detector.ts",
    text: "if (parent_tool_use_id == null) this.#heardAt",
    replacement: "this.#heardAt",
    breaks: "a repeat of a subagent is no sign of life of the main conversation",
    tests: ["run-repeats"],
  },
  {
    file: "stall-detector.ts",
    text: "if (!isHeard) return;",
    replacement: "",
    breaks: "output of a subagent does not hide that the main conversation stalls",
    tests: ["stall-detector"],
  },
  {
    file: "interrupts.ts",
    text: "if (isSame) this.#request();",
    replacement: "",
    breaks: "an interrupt before the start of its turn is sent again",
    tests: ["session-interrupts"],
  },
  {
    file: "deadline.ts",
    text: "if (subject === this.#subject) return;",
    replacement: "",
    breaks: "a second interrupt does not extend the deadline of the turn",
    tests: ["session-interrupts", "stall-detector"],
  },
  {
    file: "claude-process-port.ts",
    text: "timer = clock.setTimer(kill, graceMs);",
    replacement: "",
    breaks: "a Claude that ignores SIGTERM is killed",
    tests: ["claude-process-port"],
  },
  {
    file: "lifecycle.ts",
    text: "!this.#hasHost && this.run?.isAsking === true",
    replacement: "this.run?.isAsking === true",
    breaks: "a drain waits for the host's answer to a prompt",
    tests: ["drain"],
  },
];

const PRESSURE_AND_REQUESTS: readonly Mutation[] = [
  {
    file: "supervisor.ts",
    text: "if (room !== undefined) await this.#waitFor(room, current.run);",
    replacement: "",
    breaks: "Claude is not read while the host does not read",
    tests: ["session-lines", "stall-detector", "pressure"],
  },
  {
    file: "host-lines.ts",
    text: "if (unread <= MAX_UNREAD_ANSWERS) continue;",
    replacement: "if (unread >= 0) continue;",
    breaks: "the host is not read while it does not read its answers",
    tests: ["bridge", "pressure"],
  },
  {
    file: "clock.ts",
    text: "if (isBlocked || this.#wasBlocked) this.#startedAt = clock.now();",
    replacement: "",
    breaks: "a time limit of Claude starts again when the host reads again",
    tests: ["clock", "stall-detector"],
  },
  {
    file: "pending.ts",
    text: "this.#waiting.delete(id);",
    replacement: "",
    breaks: "a request ends once",
    tests: ["pending"],
  },
  {
    file: "host-requests.ts",
    text: "isInterrupt ? 2 * MAX_OPEN_REQUESTS : MAX_OPEN_REQUESTS",
    replacement: "MAX_OPEN_REQUESTS",
    breaks: "an interrupt gets through when Claude answers no request",
    tests: ["session-ends"],
  },
  {
    file: "inbound-line.ts",
    text: "{ fatal: true }",
    replacement: "{ fatal: false }",
    breaks: "a line of the host's that is not UTF-8 is refused",
    tests: ["inbound-line"],
  },
  {
    file: "claude-args.ts",
    text: 'text.trimStart().startsWith("{")',
    replacement: 'text.startsWith("{")',
    breaks: "settings that may hold secrets are not on the command line",
    tests: ["claude-args"],
  },
];

const PAST_AND_RECORDINGS: readonly Mutation[] = [
  {
    file: "mask-json.ts",
    text: "outer.isSecret || isSecretBag(outer.name)",
    replacement: "outer.isSecret",
    breaks: "every value of env is masked in a recording",
    tests: ["mask-json", "secrets"],
  },
  {
    file: "mask-json.ts",
    text: 'mask.learn(/^[A-Za-z]{1,12} (\\S+)$/.exec(text)?.[1] ?? "");',
    replacement: "",
    breaks: "the secret of a Bearer value is masked everywhere",
    tests: ["mask-json", "secrets"],
  },
  {
    file: "transcript-tree.ts",
    text: "this.#addParallel(included);",
    replacement: "",
    breaks: "parallel calls are all in the history",
    tests: ["transcript-tree", "session-history"],
  },
  {
    file: "transcript-page.ts",
    text: "turns === limit",
    replacement: "turns > limit",
    breaks: "a page of the history has no more turns than its limit",
    tests: ["transcript-page", "session-history"],
  },
];

/** For the check of each emitted line; the named tests read a process, a session in this process and a list. */
const EMITTED_LINES: readonly Mutation[] = [
  {
    file: "bridge.ts",
    text: "tugtalk_version: packageJson.version,",
    replacement: "tugtalk_version: packageJson.version, built_at: 0,",
    breaks: "a message of the process has no field that its schema does not declare",
    tests: ["secrets"],
  },
  {
    file: "supervisor.ts",
    text: "pid: process.pid, args",
    replacement: "pid: String(process.pid), args",
    breaks: "a field of a message of the session has the type of its schema",
    tests: ["session-respawn"],
  },
  {
    file: "session-list.ts",
    text: "updated_at: new Date(at).toISOString(),",
    replacement: "",
    breaks: "a session in a list has every field that its schema requires",
    tests: ["history-requests"],
  },
];

const CLIENT_KIT: readonly Mutation[] = [
  {
    file: "client/reducer/applied-messages.ts",
    text: "if (seq <= applied.seq) return { applied, messages: [] };",
    replacement: "",
    breaks: "a message that was applied before changes nothing",
    tests: ["capture-laws"],
  },
  {
    file: "client/reducer/prompts.ts",
    text: "prompts: state.prompts.filter((prompt) => prompt.requestId !== requestId),",
    replacement: "",
    breaks: "a closed prompt is not open",
    tests: ["capture-laws"],
  },
  {
    file: "client/reducer/turns.ts",
    text: 'kind: "turn", messageIds, trigger, status, end, ',
    replacement: 'kind: "turn", messageIds, trigger, end, ',
    breaks: "a turn that has ended is not running",
    tests: ["capture-laws"],
  },
  {
    file: "client/reducer/applied-messages.ts",
    text: "? applied.unacknowledged : [];",
    replacement: "? [] : [];",
    breaks: "errors of the next bridge are shown when its protocol_ack names it",
    tests: ["applied-messages"],
  },
  {
    file: "client/reducer/blocks.ts",
    text: "text: known.text + delta",
    replacement: "text: delta",
    breaks: "deltas of a block are joined",
    tests: ["transcript"],
  },
  {
    file: "client/reducer/blocks.ts",
    text: "const items = withoutRetry(list);",
    replacement: "const items = list;",
    breaks: "the notice of a retry goes away when the call succeeds",
    tests: ["transcript"],
  },
  {
    file: "client/reducer/endings.ts",
    text: ".filter((agent) => !goingOn.has(agent))",
    replacement: "",
    breaks: "the calls of a background agent go on after the turn of its start",
    tests: ["transcript"],
  },
  {
    file: "client/reducer/transcript.ts",
    text: "const settled = firstOpen === -1 ? openEntries.length : firstOpen;",
    replacement: "const settled = openEntries.length;",
    breaks: "an open turn stays among the open entries when another one starts",
    tests: ["transcript"],
  },
  {
    file: "client/reducer/session-messages.ts",
    text: "LEAVING.has(mode) ? withoutTranscript(state) : state",
    replacement: "state",
    breaks: "another conversation starts an empty transcript",
    tests: ["session-messages"],
  },
  {
    file: "client/reducer/turns.ts",
    text: "(ofTurn ?? total ?? 0)",
    replacement: "(total ?? 0)",
    breaks: "the costs of a session are the sum of its turns",
    tests: ["session-messages"],
  },
  {
    file: "client/entry-pages.ts",
    text: "page.entries.filter(({ key }) => !known.has(key))",
    replacement: "page.entries",
    breaks: "a page that was put in front before adds nothing",
    tests: ["entry-pages"],
  },
  {
    file: "client/answers.ts",
    text: 'decision: "allow", updatedPermissions, ...replyTo(request_id)',
    replacement: 'decision: "allow", ...replyTo(request_id)',
    breaks: "a suggestion that the user accepts is sent back",
    tests: ["answers"],
  },
  {
    file: "client/parse.ts",
    text: 'return typeof value.type === "string";',
    replacement: "return true;",
    breaks: "a line whose type is no text is no message",
    tests: ["parse"],
  },
  {
    file: "spawn/pending-answers.ts",
    text: 'if (message.type === "error") waiting.reject(new RequestError(message));',
    replacement: 'if (message.type === "error") waiting.resolve(message);',
    breaks: "a request that is answered by an error rejects",
    tests: ["spawn"],
  },
  {
    file: "spawn/pending-answers.ts",
    text: "else if (this.#waiting.has(key))",
    replacement: "else if (this.#waiting.size < 0)",
    breaks: "a second request with the id of one that waits is rejected",
    tests: ["spawn"],
  },
  {
    file: "spawn/running-tugtalk.ts",
    text: 'detached: process.platform !== "win32",',
    replacement: "detached: false,",
    breaks: "Ctrl-C in a terminal does not reach the bridge",
    tests: ["spawn"],
  },
];

const HOST: readonly Mutation[] = [
  {
    file: "host/server/request-guard.ts",
    text: 'sites.get(headers.get("host")?.toLowerCase() ?? "")',
    replacement: "[...sites.values()][0]",
    breaks: "a request by a foreign name is refused",
    tests: ["request-guard"],
  },
  {
    file: "host/server/sign-in.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text of the source.
    text: ".update(`cookie ${origin}`)",
    replacement: '.update("cookie")',
    breaks: "a cookie is bound to its name",
    tests: ["sign-in"],
  },
  {
    file: "host/server/host-proof.ts",
    text: 'isEqual(proof, proofOf(prover, nonce) ?? "") ?',
    replacement: 'proof !== "" ?',
    breaks: "another program at the port of a host gets no link",
    tests: ["impostor"],
  },
  {
    file: "host/server/request-guard.ts",
    text: "if (origin !== null && origin !== called.origin)",
    replacement: "if (origin !== null && origin === called.origin)",
    breaks: "a request of a foreign page is refused",
    tests: ["request-guard"],
  },
  {
    file: "host/server/request-guard.ts",
    text: 'if (isChange(head) && !head.headers.has("origin"))',
    replacement: 'if (isChange(head) && head.headers.has("no-origin"))',
    breaks: "a change by cookie needs our origin",
    tests: ["request-guard"],
  },
  {
    file: "host/server/sign-in.ts",
    text: "expiry <= now || this.#used.has(code)",
    replacement: "expiry <= now",
    breaks: "a code works once",
    tests: ["sign-in", "request-guard"],
  },
  {
    file: "host/stream/subscription.ts",
    text: "return epoch === end.epoch && seq >= start.seq && seq <= end.seq;",
    replacement: "return seq >= start.seq && seq <= end.seq;",
    breaks: "a cursor of another epoch is a gap",
    tests: ["subscription", "subscription-schedules"],
  },
  {
    file: "host/stream/subscription.ts",
    text: "if (this.#unreadChars > MAX_UNREAD_CHARS) this.#cutOff();",
    replacement: "",
    breaks: "a client that reads too slowly is cut off",
    tests: ["subscription", "subscription-schedules"],
  },
  {
    file: "host/sessions/prompt-answering.ts",
    text: "while (prompts.answering(requestId)) await prompts.answering(requestId);",
    replacement: "",
    breaks: "of two answers at once the first wins",
    tests: ["live-session", "rows-prompts"],
  },
  {
    file: "host/sessions/message-desk.ts",
    text: "isReady() && log.row.inFlight === undefined && !hasOpenTurn(log.state)",
    replacement: "isReady() && !hasOpenTurn(log.state)",
    breaks: "the bridge is given one message at a time",
    tests: ["messages", "rows-messages"],
  },
  {
    file: "host/sessions/message-replies.ts",
    text: "if (known.hash === hash) return known.receipt;",
    replacement: "return known.receipt;",
    breaks: "another message with the same client_msg_id is refused",
    tests: ["messages", "rows-messages"],
  },
  {
    file: "host/sessions/interrupting.ts",
    text: "unread.giveBack(cancelled);",
    replacement: "",
    breaks: "what Claude gives back is with the host before the interrupt is answered",
    tests: ["returned"],
  },
  {
    file: "host/sessions/unread-messages.ts",
    text: "this.returning(this.sent)",
    replacement: "this.returning([])",
    breaks: "what Claude has not read is returned when its bridge ends",
    tests: ["returned"],
  },
  {
    file: "host/sessions/message-queue.ts",
    text: "queue.map((other) => (other === replaced ? row : other))",
    replacement: "[...queue, row]",
    breaks: "a replace message takes the place of the one that waits",
    tests: ["host-queue"],
  },
  {
    file: "host/sessions/recovery.ts",
    text: "...cancelledTurns(state),",
    replacement: "",
    breaks: "a turn that a killed host has left open is ended",
    tests: ["recovery", "ends"],
  },
  {
    file: "host/prompts/answer-message.ts",
    text: String.raw`return /^\d+$/.test(key) ? questions[Number(key)]?.question : undefined;`,
    replacement: "return undefined;",
    breaks: "a question may be named by its index",
    tests: ["answer-message"],
  },
];

const CHANNELS: readonly Mutation[] = [
  {
    file: "channels.ts",
    text: "const stamp = openStamp(name);",
    replacement: "const stamp = this.#stamp;",
    breaks: "each message of a channel carries its name and its own number",
    tests: ["channels", "channel-properties"],
  },
  {
    file: "channels.ts",
    text: "this.#channels.size < maxChannels",
    replacement: "this.#channels.size <= maxChannels",
    breaks: "no more channels are open than --max-channels says",
    tests: ["channels"],
  },
  {
    file: "channels.ts",
    text: "if (open?.isEnding === true)",
    replacement: "if (open === undefined)",
    breaks: "a line for a channel that is ending is refused",
    tests: ["channels"],
  },
  {
    file: "channel.ts",
    text: "this.#ports.release();",
    replacement: "",
    breaks: "the files with secrets go with their channel",
    tests: ["channels"],
  },
];

/** All of them. */
export const MUTATIONS: readonly Mutation[] = [
  ...TURNS_AND_RECEIPTS,
  ...PROMPTS,
  ...BLOCKS_AND_ORDER,
  ...PROCESSES,
  ...PRESSURE_AND_REQUESTS,
  ...PAST_AND_RECORDINGS,
  ...EMITTED_LINES,
  ...CLIENT_KIT,
  ...HOST,
  ...CHANNELS,
];
