import type { OpenApiConfig, OperationPatterns } from '../config.ts'
import type { OperationEntry } from './operation-entry.ts'

/** The operations that the options `include` and `exclude` leave. */
export function chooseOperations(
  entries: readonly OperationEntry[],
  { include, exclude }: Pick<OpenApiConfig, 'include' | 'exclude'>,
): readonly OperationEntry[] {
  const included = testsOf(include)
  const excluded = testsOf(exclude)
  return entries.filter(
    (entry) => included.every((matches) => matches(entry)) && !excluded.some((matches) => matches(entry)),
  )
}

type Test = (entry: OperationEntry) => boolean

/** One test for each list of patterns that is present. */
function testsOf({ tags, methods, paths, operations }: OperationPatterns): readonly Test[] {
  return [
    testOf(tags, (entry) => entry.tags),
    testOf(methods, ({ method }) => [method], 'i'),
    testOf(paths, ({ path }) => [path]),
    testOf(operations, ({ operationId }) => (operationId === undefined ? [] : [operationId])),
  ].flat()
}

function testOf(
  patterns: readonly string[] | undefined,
  textsOf: (entry: OperationEntry) => readonly string[],
  flags?: string,
): readonly Test[] {
  if (patterns === undefined) return []
  const tests = patterns.map((pattern) => new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, flags))
  return [(entry) => textsOf(entry).some((text) => tests.some((test) => test.test(text)))]
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}

/** The most tags that a message names. */
const mostTags = 12

/** The tags of operations with the number of operations, the largest first: `repos (201), issues (55)`. */
export function describeTags(entries: readonly OperationEntry[]): string {
  const counts = new Map<string, number>()
  for (const tag of entries.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const tags = [...counts].toSorted(([, a], [, b]) => b - a).map(([tag, count]) => `${tag} (${count})`)
  const more = tags.length - mostTags
  return [...tags.slice(0, mostTags), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
