/**
 * Replaces the comments in JSON with JavaScript comments (JSONC) by spaces, so that the rest keeps its line and column.
 * Commas before a closing bracket may stay, because YAML accepts them.
 */
export function blankComments(text: string): string {
  return text.replace(stringOrComment, (found) => (found.startsWith('"') ? found : found.replace(/[^\r\n]/g, ' ')))
}

/** Quoted text is matched first, so that text in it that looks like a comment stays. */
const stringOrComment = /"(?:\\.|[^"\\\r\n])*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g
