/**
 * Characters that a terminal, a log or a person could misinterpret: control characters (including ESC), bidirectional
 * formatting, all that show nothing (such as tags and variation selectors, which can hide a text in another one), line
 * separators, and unpaired surrogates. The two joiners and the two selectors that scripts and emoji need are excluded, but
 * not three in a row, because those spell a text too.
 */
const unprintable =
  /(?:\p{Join_Control}|[\ufe0e-\ufe0f]){3,}|(?!\p{Join_Control}|[\ufe0e-\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/** The default number of characters of a foreign text that one line shows. */
const usualCharacters = 300

/**
 * Formats a foreign text as one line for a terminal, a log line or a label: unprintable characters are written as
 * escapes (`\n`, `\u001b`, `\u202e`), and a long text is truncated.
 *
 * @param most the number of characters to show; default: 300
 */
export function printable(text: string, most: number = usualCharacters): string {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text
  return shown.replace(unprintable, escaped)
}

/**
 * Like `printable`, for a text with several lines, such as a result or formatted JSON. Line feeds and tabs stay, and
 * nothing is truncated.
 */
export function printableLines(text: string): string {
  return text.replace(unprintable, (found) => (found === '\n' || found === '\t' ? found : escaped(found)))
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Escapes in the syntax of JSON, so that JSON stays JSON. */
function escaped(found: string): string {
  const units = Array.from({ length: found.length }, (_, index) => found.charCodeAt(index))
  return short[found] ?? units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
