import { isScalar, LineCounter, type Node, parseDocument, type ParsedNode, visit, YAMLParseError } from 'yaml'

/** The most aliases of a text: to find what one stands for takes as long as there are others. */
const mostAliases = 10_000

/**
 * Parses a text in YAML, in time that is nearly linear: the library compares each key of a map with all others.
 *
 * @throws YAMLParseError with the line, when the text is not YAML, or a map has a key twice
 * @throws Error for too many aliases, or too deep a text
 */
export function parseYaml(text: string): unknown {
  const lineCounter = new LineCounter()
  // Authors share parts with merge keys (`<<`). Warnings would be printed to the console.
  const options = { merge: true, logLevel: 'error', uniqueKeys: false, lineCounter } as const
  const document = parseDocument(text, options)
  const [error] = document.errors
  if (error !== undefined) throw error
  let aliases = 0
  visit(document, {
    Alias() {
      if (++aliases > mostAliases) throw new Error(`more than ${mostAliases} aliases`)
    },
    Map(_key, { items }) {
      const twice = findTwice(items.map(({ key }) => key as ParsedNode | null))
      if (twice !== undefined) throw keyTwice(twice, lineCounter)
    },
  })
  return document.toJS()
}

/** The first key that is there a second time. */
function findTwice(keys: readonly (Node | null)[]): Node | undefined {
  const seen = new Set<unknown>()
  for (const key of keys) {
    if (!isScalar(key)) continue
    if (seen.has(key.value)) return key
    seen.add(key.value)
  }
  return undefined
}

function keyTwice({ range }: Node, lines: LineCounter): YAMLParseError {
  const [start = 0, end = 0] = range ?? []
  const at = lines.linePos(start)
  const message = `Map keys must be unique at line ${at.line}, column ${at.col}`
  const error = new YAMLParseError([start, end], 'DUPLICATE_KEY', message)
  error.linePos = [at]
  return error
}
