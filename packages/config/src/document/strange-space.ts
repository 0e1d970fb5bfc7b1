import { type Document, type Node, visit } from 'yaml'

/** Spaces that look like plain ones, as web pages and word processors write them. YAML takes them for letters. */
const spaces = '\\u00a0\\u1680\\u2000-\\u200b\\u202f\\u205f\\u3000\\ufeff'

/** Where such a space is a mistake: anywhere in a key; in a value at the start, also after the dash of a list. */
const inKey = new RegExp(`[${spaces}]`)
const inValue = new RegExp(`^-?[${spaces}]`)

/** The indentation of a line that has such a space in it. */
const indented = new RegExp(`^ *[${spaces}]`)

/** Finds the first space in a document that separates nothing, although it was meant to. Quoted text may have any. */
export function strangeSpace(document: Document, text: string): number | undefined {
  let found: number | undefined
  visit(document, {
    Scalar(place, scalar) {
      const [start, end] = rangeOf(scalar)
      if (scalar.type !== 'PLAIN') return undefined
      const match = mistakeAt(place).exec(text.slice(start, end))
      if (match === null) return undefined
      found = start + match.index + match[0].length - 1
      return visit.BREAK
    },
  })
  return found
}

/** Quotes the texts of a document that is to be printed in which such a space would be taken for a mistake. */
export function quoteStrangeSpaces(document: Document): void {
  visit(document, {
    Scalar(place, scalar) {
      if (typeof scalar.value === 'string' && mistakeAt(place).test(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
}

function mistakeAt(place: number | 'key' | 'value' | null): RegExp {
  return place === 'key' ? inKey : inValue
}

/** The same in the indentation of a line that cannot be parsed. */
export function strangeIndent(text: string, offset: number): number | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const match = indented.exec(text.slice(start))
  return match === null ? undefined : start + match[0].length - 1
}

function rangeOf(node: Node): readonly [number, number] {
  const [start = 0, end = start] = node.range ?? []
  return [start, end]
}
