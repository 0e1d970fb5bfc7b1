import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { printable } from '@junctor/primitives'
import { z } from 'zod'
import { createPaint } from '../report/paint.ts'

/** A backend in the answers of `/backends`. */
export interface ShownBackend {
  readonly name: string
  readonly source?: string | undefined
  readonly revision?: number | undefined
  readonly tenants?: readonly string[] | undefined
  /** As in the file, without secrets. */
  readonly backend?: JsonObject | undefined
  /** Why it is not served. */
  readonly problems?: readonly { readonly got: string; readonly expected: string }[] | undefined
  /** What a request has changed. */
  readonly change?: string | undefined
}

/** The schema of one backend. */
export const shownBackendSchema: z.ZodType<ShownBackend> = z.object({
  name: z.string(),
  source: z.string().optional(),
  revision: z.number().optional(),
  tenants: z.array(z.string()).optional(),
  backend: z.custom<JsonObject>(isJsonObject, 'an object').optional(),
  problems: z.array(z.object({ got: z.string(), expected: z.string() })).optional(),
  change: z.string().optional(),
})

/** The schema of the answer to `GET /backends`. */
export const shownBackendsSchema: z.ZodType<{ readonly backends: readonly ShownBackend[] }> = z.object({
  backends: z.array(shownBackendSchema),
})

/** The words that say where a backend is, in the order in which one of them is shown. */
const places = ['url', 'tool', 'openapi', 'command', 'wasm', 'plugin']

/** All backends, one line each, for people. */
export function backendsText(backends: readonly ShownBackend[], color: boolean): string {
  const paint = createPaint(color)
  if (backends.length === 0) return 'There are no backends.\n'
  const longest = Math.max(...backends.map(({ name }) => name.length))
  const lines = backends.map((one) => {
    const [problem] = one.problems ?? []
    const not = problem === undefined ? '' : `  not served: expected ${problem.expected}, got ${problem.got}`
    const tenants = one.tenants === undefined ? '' : `  for ${one.tenants.join(', ')}`
    const source = (one.source ?? '').padEnd('added'.length)
    return `${paint('bold', one.name.padEnd(longest))}  ${source}  ${printable(`${placeOf(one)}${tenants}${not}`)}\n`
  })
  return lines.join('')
}

function placeOf({ backend = {} }: ShownBackend): string {
  const word = places.find((each) => backend[each] !== undefined)
  if (word === undefined) return ''
  const value = backend[word]
  return `${word}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
}
