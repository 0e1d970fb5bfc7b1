/**
 * What a terminal, a log or a person could take for something else than the text that it is: control characters (ESC
 * among them), bidirectional and other invisible formatting, separators of lines, and halves of characters. Not the two
 * joiners that scripts and emoji are written with.
 */
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu

/** Characters of a text of others that one line shows, unless said otherwise. */
const usualCharacters = 300

/**
 * Text of others as one line that a terminal, a log line or a label can be given: what is unprintable is written as an
 * escape (`\n`, `\u001b`, `\u202e`), and a long text is cut.
 *
 * @param most characters that are shown
 */
export function printable(text: string, most: number = usualCharacters): string {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text
  return shown.replace(unprintable, escaped)
}

/** The same of a text that may have many lines, such as a result or JSON that is spread out: nothing is cut. */
export function printableLines(text: string): string {
  return text.replace(unprintable, (found) => (found === '\n' || found === '\t' ? found : escaped(found)))
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** As JSON has it, so that JSON stays JSON. */
function escaped(found: string): string {
  const units = Array.from({ length: found.length }, (_, index) => found.charCodeAt(index))
  return short[found] ?? units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
