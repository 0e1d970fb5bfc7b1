/** The lines of a text below a title, with an empty line before it. Empty: there are no lines. */
export function textSection(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]
}
