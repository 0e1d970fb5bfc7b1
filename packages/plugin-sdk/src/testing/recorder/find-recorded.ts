import { keyText, likeness, type RequestKey, requestKey } from './request-key.ts'
import type { RecordedExchange, Recording } from './read-recording.ts'

/** The recorded exchange for a request, or why there is none. */
export type FoundRecorded =
  | { readonly kind: 'found'; readonly exchange: RecordedExchange }
  | { readonly kind: 'missing'; readonly message: string }

/** The most characters of a request in a message. */
const mostCharacters = 300

/** Returns a function that finds recorded requests: equal requests get what was recorded for them, one after the other. */
export function createFinder({ calls }: Recording, file: string): (key: RequestKey) => FoundRecorded {
  const known = calls.map((exchange) => {
    const key = requestKey(exchange.request.method, exchange.request.params)
    return { exchange, key, text: keyText(key) }
  })
  const used = new Map<string, number>()
  return (key) => {
    const text = keyText(key)
    const equal = known.filter((entry) => entry.text === text)
    const count = used.get(text) ?? 0
    const next = equal[count]
    if (next !== undefined) {
      used.set(text, count + 1)
      return { kind: 'found', exchange: next.exchange }
    }
    if (equal.length > 0) {
      const lines = equal.map(({ exchange }) => exchange.line).join(', ')
      const times = equal.length === 1 ? 'once' : `${equal.length} times`
      return missing(`${shown(text)} was recorded ${times} in ${file} (line ${lines}), and this is one more`)
    }
    const [nearest] = known.toSorted((a, b) => likeness(b.key, key) - likeness(a.key, key))
    const hint =
      nearest === undefined
        ? 'it has no requests'
        : `the nearest is ${shown(nearest.text)} in line ${nearest.exchange.line}`
    return missing(`${shown(text)} was not recorded in ${file}; ${hint}`)
  }
}

function missing(message: string): FoundRecorded {
  return { kind: 'missing', message }
}

function shown(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}
