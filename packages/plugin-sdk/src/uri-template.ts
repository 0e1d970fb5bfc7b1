/** A URI with variables. */
export interface UriTemplate {
  readonly template: string
  readonly variables: readonly string[]
  /** The variables of a URI that matches the template, percent-decoded; `undefined` for other URIs. */
  readonly match: (uri: string) => Readonly<Record<string, string>> | undefined
}

const expression = /\{([^{}]*)\}/
const variableName = /^[A-Za-z0-9_]+$/
/** The characters that end a path segment: a variable never contains one. */
const delimiter = /[/?#]/

/**
 * Parses a URI template of simple expressions, such as `notes://{folder}/{name}` (RFC 6570 level 1).
 *
 * Matching takes each variable up to the next literal and never backtracks, so that it takes linear time for every URI.
 * That needs a literal between two variables.
 *
 * @throws Error for expressions with operators or several names, a name that is used twice, or two adjacent expressions
 */
export function parseUriTemplate(template: string): UriTemplate {
  // `split` by a pattern with one group: literals at even indexes, names at odd ones.
  const parts = template.split(expression)
  const literals = parts.filter((_, index) => index % 2 === 0)
  const variables = parts.filter((_, index) => index % 2 === 1)
  const fault = faultIn(literals, variables)
  if (fault !== undefined) throw new Error(`URI template ${JSON.stringify(template)}: ${fault}`)
  return { template, variables, match: (uri) => matchParts(literals, variables, uri) }
}

function faultIn(literals: readonly string[], variables: readonly string[]): string | undefined {
  const odd = variables.find((name) => !variableName.test(name))
  if (odd !== undefined) return `expected simple expressions such as {name}, got {${odd}}`
  if (new Set(variables).size !== variables.length) return 'expected each variable once'
  if (literals.slice(1, -1).includes('')) return 'expected text between two variables'
  return undefined
}

function matchParts(
  literals: readonly string[],
  variables: readonly string[],
  uri: string,
): Readonly<Record<string, string>> | undefined {
  const first = literals[0] ?? ''
  if (!uri.startsWith(first)) return undefined
  if (variables.length === 0) return uri === first ? {} : undefined
  const values: Record<string, string> = {}
  let position = first.length
  for (const [index, name] of variables.entries()) {
    const next = literals[index + 1] ?? ''
    const last = index === variables.length - 1
    const end = last ? uri.length - next.length : uri.indexOf(next, position + 1)
    if (end <= position || (last && !uri.endsWith(next))) return undefined
    const value = decode(uri.slice(position, end))
    if (value === undefined) return undefined
    values[name] = value
    position = end + next.length
  }
  return values
}

function decode(text: string): string | undefined {
  if (delimiter.test(text)) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
