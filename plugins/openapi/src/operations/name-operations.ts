import { createHash } from 'node:crypto'
import type { OperationEntry } from './operation-entry.ts'

/** The longest name of a tool (2025-11-25, Tools, "Tool Names"). */
const longestName = 128

/**
 * The tool's name of each operation: its `operationId`, else its method and path, with `_` for characters that names
 * may not have. Names do not depend on the order of the document: where several operations would have the same name,
 * it belongs to the one whose `operationId` is exactly that, and others get a hash of method and path.
 */
export function nameOperations(entries: readonly OperationEntry[]): ReadonlyMap<OperationEntry, string> {
  const wanted = entries.map((entry) => ({ entry, ...wantedName(entry) }))
  const counts = countsOf(wanted.map(({ name }) => name))
  const exact = countsOf(wanted.flatMap(({ name, isExact }) => (isExact ? [name] : [])))
  return new Map(
    wanted.map(({ entry, name, isExact }) => {
      const isFree = counts.get(name) === 1 || (isExact && exact.get(name) === 1)
      return [entry, isFree && name.length <= longestName ? name : hashedName(name, entry)]
    }),
  )
}

function wantedName({ operationId, method, path }: OperationEntry): { name: string; isExact: boolean } {
  const text = operationId ?? `${method.toLowerCase()}${path}`
  const name = text
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return { name: name === '' ? method.toLowerCase() : name, isExact: name === operationId }
}

function hashedName(name: string, { method, path }: OperationEntry): string {
  const hash = createHash('sha256').update(`${method} ${path}`).digest('hex').slice(0, 8)
  return `${name.slice(0, longestName - hash.length - 1)}_${hash}`
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
