/** A text with the characters of HTML replaced, for contents and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const style =
  ':root{color-scheme:light dark}' +
  'body{overflow-wrap:anywhere;font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:4rem auto;padding:0 1rem;color:#1b1f24;background:#fff}' +
  'label,button,input{display:block;width:100%;box-sizing:border-box;font:inherit;margin:.25rem 0 .75rem}' +
  'input,button{padding:.5rem}button{cursor:pointer}dt{font-weight:600}dd{margin:0 0 .75rem}' +
  '.problem{color:#a40e26}@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}.problem{color:#ff7b72}}'

/** A whole page. The body is HTML whose foreign parts are escaped. */
export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
}

/** A form that is sent back to the page that it is on. */
export function form(token: string, fields: string): string {
  return `<form method="post" autocomplete="on"><input type="hidden" name="form" value="${escapeHtml(token)}">${fields}</form>`
}
