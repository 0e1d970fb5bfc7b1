/**
 * Replaces the comments in JSON with JavaScript comments (JSONC) by spaces, so that the rest keeps its line and column.
 * Commas before a closing bracket may stay, because YAML accepts them.
 */
export function blankComments(text: string): string {
  return text.replace(stringOrComment, (found) => (found.startsWith('"') ? found : found.replace(/[^\r\n]/g, ' ')))
}

/** Whether the name of a file says that it is JSON: `.json` or `.jsonc`. */
export function isJsonFile(file: string): boolean {
  return /\.jsonc?$/i.test(file)
}

/** Returns the text of a configuration as a parser of YAML can read it: JSON may have comments that YAML does not know. */
export function asYaml(text: string, file: string): string {
  return isJsonFile(file) ? blankComments(text) : text
}

/** Quoted text is matched first, so that text in it that looks like a comment stays. */
const stringOrComment = /"(?:\\.|[^"\\\r\n])*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g
