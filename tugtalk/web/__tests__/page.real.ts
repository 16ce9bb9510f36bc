/** The page with real CLIs. */
import {
  listAlways,
  listMessage,
  listModel,
  listPermission,
  listPlan,
  listQuestion,
  listRetry,
  listStop,
  realPage,
} from "../../testing/real/real-page.ts";

realPage("2.1.197", listMessage, listPermission);
realPage(
  "2.1.330",
  listMessage,
  listPermission,
  listAlways,
  listQuestion,
  listPlan,
  listStop,
  listRetry,
  listModel,
);
