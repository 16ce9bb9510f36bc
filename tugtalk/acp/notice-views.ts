/** The words for notices and failures, loaded with the first of them. */
export function noticeViews() {
  return require("../client/views/notice-view.ts") as typeof import("../client/views/notice-view.ts");
}
