/** The page: makes its state, and draws it into the document. */
import { render } from "preact";
import { Shell } from "./shell/shell.tsx";
import { AppProvider, openApp } from "./store/app.ts";

const root = document.createElement("div");
root.id = "root";
document.body.replaceChildren(root);
render(
  <AppProvider value={openApp()}>
    <Shell />
  </AppProvider>,
  root,
);
