/** One session as signals. */
import { computed, signal } from "@preact/signals";
import { lostCommands } from "../../client/rewound-entries.ts";
import { SessionStore as FollowedStore } from "../../client/stores/session-store.ts";

export class SessionStore extends FollowedStore {
  /** Changes once per painted frame at most, however many messages came. */
  readonly #shown = signal(this.get());
  readonly phase = computed(() => this.#shown.value.phase);
  readonly state = computed(() => this.#shown.value.state);
  readonly entries = computed(() => this.state.value.entries);
  readonly openEntries = computed(() => this.state.value.openEntries);
  readonly prompts = computed(() => this.state.value.prompts);
  readonly queue = computed(() => this.state.value.queue);
  readonly returned = computed(() => this.state.value.returned);
  readonly status = computed(() => this.state.value.status);
  readonly mcpServers = computed(() => this.state.value.mcpServers);
  readonly taskList = computed(() => this.state.value.taskList);
  readonly backgroundTasks = computed(() => this.state.value.backgroundTasks);
  readonly lostCommands = computed(() => lostCommands(this.state.value));
  /** Nothing was said in it. */
  readonly isEmpty = computed(
    () =>
      this.phase.value === "open" &&
      this.entries.value.length + this.openEntries.value.length === 0,
  );
  /** Ends the subscription. */
  readonly close = this.subscribe(() => {
    this.#shown.value = this.get();
  });
}
