/** The characters besides newlines at which JavaScript, Python and others end a line. JSON has them in strings alone. */
const lineEnds = /[\u0085\u2028\u2029]/g

/**
 * Returns the same JSON, in one line, with the characters escaped at which many readers end a line although JSON may
 * contain them: `node:readline` does at U+2028 and U+2029, `str.splitlines` of Python also at U+0085. For streams of lines
 * and of events, whose readers then see a part of a message.
 */
export function plainLine(line: string): string {
  // A text in Latin-1, as most are, has no U+2028: these are not searched for in it.
  const isPlain = !line.includes('\u2028') && !line.includes('\u2029') && !line.includes('\u0085')
  return isPlain ? line : line.replaceAll(lineEnds, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
