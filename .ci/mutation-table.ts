/**
 * The faults that `npm run mutations` puts into the sources, one at a time: those that a few tests only,
 * or a law over random sessions, can notice. When a source changes, `mutations.ts` names each text that no
 * longer fits: adapt it here.
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
  /** The everyday tests that should notice it: files without `.test.ts`, with folders where others have the name. */
  readonly tests: readonly string[];
};

export const MUTATIONS: readonly Mutation[] = [
  {
    file: "tasks.ts",
    text: "task.isBackground || this.#outlivesTurn(this.#parentOf(taskId), depth - 1)",
    replacement: "task.isBackground",
    breaks: "random sessions show that an agent of a background agent runs in the background",
    tests: ["properties"],
  },
  {
    file: "run.ts",
    text: "    this.#parts.openRequests.refuseOrphans();\n",
    replacement: "",
    breaks: "a prompt is refused when everything that may have asked is over",
    tests: ["session-forms"],
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
    text: "    this.requests.failAll(error);\n    this.#emit(this.#parts.conversation.cancel(reason));",
    replacement:
      "    this.#emit(this.#parts.conversation.cancel(reason));\n    this.requests.failAll(error);",
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
    file: "run.ts",
    text: "    this.#dispatcher.forgetRepeats();\n",
    replacement: "",
    breaks: "a line after any change of state is handled by itself",
    tests: ["run-repeats", "repeated-lines"],
  },
  {
    file: "lines.ts",
    text: "(this.at === 0 && isWithinLine) || ",
    replacement: "",
    breaks: "the rest of a line in the next chunk is not taken for a line",
    tests: ["repeated-lines"],
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
    text: "if (parent_tool_use_id == null) this.#heardAt",
    replacement: "this.#heardAt",
    breaks: "a repeat of a subagent is no sign of life of the main conversation",
    tests: ["run-repeats"],
  },
  {
    file: "interrupts.ts",
    text: "if (isSame) this.#request();",
    replacement: "",
    breaks: "an interrupt before the start of its turn is sent again",
    tests: ["session-interrupts"],
  },
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
    file: "host-requests.ts",
    text: "isInterrupt ? 2 * MAX_OPEN_REQUESTS : MAX_OPEN_REQUESTS",
    replacement: "MAX_OPEN_REQUESTS",
    breaks: "an interrupt gets through when Claude answers no request",
    tests: ["session-ends"],
  },
  {
    file: "claude-args.ts",
    text: 'text.trimStart().startsWith("{")',
    replacement: 'text.startsWith("{")',
    breaks: "settings that may hold secrets are not on the command line",
    tests: ["claude-args"],
  },
  {
    file: "claude-requests.ts",
    text: '    if (body.subtype === "interrupt") this.#events.onInterrupt();\n',
    replacement: "",
    breaks:
      "random sessions show that the hook of a message is answered before an interrupt is written",
    tests: ["properties"],
  },
  {
    file: "program-requests.ts",
    text: "    open.request.settle();\n",
    replacement: "",
    breaks:
      "random sessions show that Claude waits for no request that the host has been told is closed",
    tests: ["properties"],
  },
  {
    file: "open-requests.ts",
    text: '    for (const { cancel } of this.#open()) cancel("exited");',
    replacement: "",
    breaks: "random sessions show that a request is closed before the exit of its process",
    tests: ["properties"],
  },
  {
    file: "host-tools.ts",
    text: "!isInTurn && this.#deps.program.isIdle",
    replacement: "!isInTurn",
    breaks: "an older Claude does not lose the server of the tools while a call is open",
    tests: ["session-host-tools"],
  },
  {
    file: "message-queue.ts",
    text: "    this.#queued.unshift(queued);",
    replacement: "    this.#queued.push(queued);",
    breaks: "a message with delivery now goes before all that waits",
    tests: ["session-now"],
  },
  {
    file: "transcript-mirror.ts",
    text: "      await this.#ports.flush();\n",
    replacement: "",
    breaks: "the files of a conversation are not read while the host does not read",
    tests: ["transcript-mirror"],
  },
  {
    file: "staged-file.ts",
    text: "if (!known.equals(bytes.subarray(0, known.length)))",
    replacement: "if (known.length > bytes.length)",
    breaks: "lines that come again are those that came before",
    tests: ["transcript-restore"],
  },
  {
    file: "held-lines.ts",
    text: "this.#chars > MAX_HELD_CHARS ? this.#released : undefined",
    replacement: "undefined",
    breaks: "lines that wait for a restore have a bound",
    tests: ["held-lines"],
  },
  {
    file: "client/reducer/applied-messages.ts",
    text: "if (seq <= applied.seq) return { applied, messages: [] };",
    replacement: "",
    breaks: "a message that was applied before changes nothing",
    tests: ["reducer/__tests__/capture-laws"],
  },
  {
    file: "client/reducer/prompts.ts",
    text: "prompts: withoutRequest(state.prompts, permission.requestId),",
    replacement: "prompts: state.prompts,",
    breaks: "random sessions show that no prompt stays open after the end",
    tests: ["random-laws"],
  },
  {
    file: "client/reducer/turns.ts",
    text: 'kind: "turn", messageIds, trigger, status, end, ',
    replacement: 'kind: "turn", messageIds, trigger, end, ',
    breaks: "a turn that has ended is not running",
    tests: ["reducer/__tests__/capture-laws"],
  },
  {
    file: "client/stores/shared-store.ts",
    text: "this.#close ??= this.open();",
    replacement: "this.#close = this.open();",
    breaks: "readers of a store share one subscription at the host",
    tests: ["stores/__tests__/stores"],
  },
  {
    file: "host/server/request-guard.ts",
    text: 'if (!byToken && isChange(head) && !head.headers.has("origin"))',
    replacement: 'if (!byToken && isChange(head) && head.headers.has("no-origin"))',
    breaks: "a change by cookie needs our origin",
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
    text: 'isEqual(proof, proofOf(key, nonce) ?? "") ?',
    replacement: 'proof !== "" ?',
    breaks: "another program at the port of a host gets no link",
    tests: ["impostor"],
  },
  {
    file: "host/sessions/prompt-steps.ts",
    text: "  if (claim === undefined) send(draft, { sent: given, next: [] });",
    replacement: "  send(draft, { sent: given, next: [] });\n  if (claim === undefined) return;",
    breaks: "the first answer to a prompt wins, and the other is told who gave it",
    tests: ["live-session"],
  },
  {
    file: "host/sessions/usage-limit-steps.ts",
    text: "sendId: turn.sendId ?? sendId",
    replacement: "sendId",
    breaks: "what goes on after the usage limit keeps its id, whenever its host is killed",
    tests: ["usage-limit"],
  },
  {
    file: "channels.ts",
    text: "...openHostEnd(this.#writer, this.#ports.output, name),",
    replacement: "...openHostEnd(this.#writer, this.#ports.output),",
    breaks: "each message of a channel carries its name and its own number",
    tests: ["channels", "channel-properties"],
  },
  {
    file: "host/sessions/session-runner.ts",
    text: "    for (const { fail } of [...this.#taken, ...this.#inputs.splice(0)]) fail(why);\n",
    replacement: "",
    breaks: "commands that wait for the journal are refused when another host has the session",
    tests: ["lost"],
  },
  {
    file: "acp/updates/updates-of.ts",
    text: "OF_COMPACTION.has(message.type) ? [...ownTurns.keys()].at(-1) : undefined",
    replacement: "undefined",
    breaks: "ACP: a compaction in a turn of Claude's own is marked",
    tests: ["lives"],
  },
  {
    file: "acp/past-telling.ts",
    text: "new Set([...begun, ...live.streamed])",
    replacement: "live.streamed",
    breaks: "ACP: a block that streams during two loads is sent whole at its end",
    tests: ["lives"],
  },
  {
    file: "acp/updates/compaction-updates.ts",
    text: "live.compaction.isOpen && !isOver",
    replacement: "false",
    breaks: "ACP: a load tells the compaction under way",
    tests: ["retold"],
  },
  {
    file: "acp/updates/compaction-updates.ts",
    text: "live.compaction.isOpen && !isOver",
    replacement: "live.compaction.isOpen",
    breaks: "ACP: a compaction whose end a load has is over",
    tests: ["retold"],
  },
  {
    file: "acp/open-sessions.ts",
    text: "    await this.#closed(id);\n    await this.#ports.checkFolder",
    replacement: "    await this.#ports.checkFolder",
    breaks: "ACP: a load behind a close waits for it",
    tests: ["requests"],
  },
  {
    file: "acp/open-sessions.ts",
    text: "    if (this.#sessions.get(session.id) !== session) return this.load(wanted);\n",
    replacement: "",
    breaks: "ACP: a load behind a close that waits for a start begins the session again",
    tests: ["requests"],
  },
  {
    file: "acp/retold.ts",
    text: "(this.#counts.get(entry) ?? 0) + 1",
    replacement: "0",
    breaks: "ACP: of two blocks with the same text a load in the middle of the second loses none",
    tests: ["retold"],
  },
  {
    file: "acp/acp-session.ts",
    text: "    await this.#opened.bridge.end(false);\n    this.#prompts.end();\n",
    replacement: "    this.#prompts.end();\n    await this.#opened.bridge.end(false);\n",
    breaks: "ACP: a close answers a prompt behind the ends of its calls",
    tests: ["lives"],
  },
  {
    file: "acp/acp-session.ts",
    text: "if (settled === undefined) give();",
    replacement: "if (settled === undefined || true) give();",
    breaks: "ACP: a prompt after a cancel is not dropped with those before it",
    tests: ["lives"],
  },
  {
    file: "acp/open-prompts.ts",
    text: 'else if (status === "cancelled") this.#over(id);',
    replacement: 'else if (status === "cancelled") this.#answer(id, "cancelled");',
    breaks: "ACP: cancelled prompts are answered in order",
    tests: ["lives"],
  },
  {
    file: "acp/open-prompts.ts",
    text: "    if (this.#isInOwnTurn) return;\n",
    replacement: "",
    breaks: "ACP: a cancelled prompt is answered behind the turn that seemed to be its own",
    tests: ["lives"],
  },
  {
    file: "acp/open-prompts.ts",
    text: "    if (message_ids.length > 0) this.endHold();\n",
    replacement: "",
    breaks: "ACP: a held prompt is answered before a later one",
    tests: ["lives"],
  },
  {
    file: "acp/asking/asking.ts",
    text: "    open?.request?.withdraw();\n",
    replacement: "",
    breaks: "ACP: random lives show that no request to the client is left open",
    tests: ["lives"],
  },
  {
    file: "acp/asking/elicitation-step.ts",
    text: "url === undefined ? content : undefined",
    replacement: "url === undefined ? {} : undefined",
    breaks: "ACP: random lives show that a form is filled in as the client has done it",
    tests: ["lives"],
  },
  {
    file: "acp/asking/step.ts",
    text: 'if (action === "decline") return ends.decline();',
    replacement: 'if (action === "decline") return ends.accept({});',
    breaks: "ACP: random lives show that a form that is declined is not accepted",
    tests: ["lives"],
  },
  {
    file: "host/answers/session-answers.ts",
    text: '    queued: integer.describe("How many messages wait."),\n',
    replacement: "",
    breaks: "the answers of a host are held to its OpenAPI document, to the last field",
    tests: ["folder-routes"],
  },
];
