/** What a transcript has besides its texts, loaded together: nearly every one needs most of it at once. */
import { Attachments } from "./attachments.tsx";
import { FoldedTurn } from "./folded-turn.tsx";
import { Foot } from "./foot.tsx";
import { MessageActions } from "./message-actions.tsx";
import { NotAnswered } from "./not-answered.tsx";
import { Older } from "./older.tsx";
import { Surroundings } from "./surroundings.tsx";
import { TurnFooter } from "./turn-footer.tsx";

export const PARTS = {
  Older,
  Foot,
  Surroundings,
  TurnFooter,
  FoldedTurn,
  MessageActions,
  Attachments,
  NotAnswered,
} as const;
