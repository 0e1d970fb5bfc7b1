/**
 * JSON with the comments of JavaScript in it, as editors have it (JSONC), with spaces in place of the comments: what is
 * left keeps its line and column. Commas before a closing bracket need nothing: YAML has them too.
 */
export function blankComments(text: string): string {
  return text.replace(stringOrComment, (found) => (found.startsWith('"') ? found : found.replace(/[^\r\n]/g, ' ')))
}

/** Text in quotes comes first, so that what looks like a comment in it stays. */
const stringOrComment = /"(?:\\.|[^"\\\r\n])*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g
