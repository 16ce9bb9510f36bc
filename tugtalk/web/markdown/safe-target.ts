/** Where links and images of a text may lead. */

/** Nothing but the web and mail: no script, no data, no file, and no path of this page. */
export function safeLink(href: string): string | undefined {
  return /^(?:https?:\/\/|mailto:)/i.test(href) ? href : undefined;
}

/** A picture that the text itself holds. SVG is left out, for it is a document. */
export function safeImage(href: string): string | undefined {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]+$/i.test(href) ? href : undefined;
}
