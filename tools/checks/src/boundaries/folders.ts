import { posix } from 'node:path'
import type { Violation } from '../violation.ts'

/**
 * Folders of a package's `src` that are layers, from the lowest up: each may import itself and those below. Files
 * beside them, such as the one that composes the package, may import all, and no folder imports them.
 */
export const folderLayers: Readonly<Record<string, readonly string[]>> = {
  'packages/fabric-nats': ['seal', 'bus', 'members', 'storage', 'queue', 'calls'],
  'packages/jsonrpc': ['json', 'payload', 'message', 'print', 'parse', 'peer'],
  'packages/gateway': ['shared', 'nodes', 'rates', 'upstream', 'jobs', 'sessions', 'stateless', 'router', 'front'],
}

/** An import of one file of a package by another, without tests. */
export interface FileImport {
  /** Relative to the package, for example `src/front/dispatch.ts`. */
  readonly file: string
  /** For example `../jobs/job-desk.ts`. */
  readonly specifier: string
}

/**
 * Finds wrong imports inside a package: imports of a higher layer, or two folders that import each other.
 *
 * @param where the package, for example `packages/gateway`
 * @param layers of its folders, from the lowest up
 */
export function judgeFolders(where: string, layers: readonly string[], imports: readonly FileImport[]): Violation[] {
  const edges = imports.flatMap(({ file, specifier }) => {
    const from = posix.dirname(file)
    const to = posix.dirname(posix.join(from, specifier))
    return specifier.startsWith('.') && from !== to ? [{ file, specifier, from, to }] : []
  })
  const rank = (folder: string): number => {
    const [, top = ''] = folder.split('/')
    return top === '' ? layers.length : layers.indexOf(top)
  }
  const upwards = edges.flatMap(({ file, specifier, from, to }) => {
    if (rank(from) === -1) return [{ where: `${where}/${file}`, what: `lies in no layer: ${layers.join(', ')}` }]
    if (rank(to) <= rank(from)) return []
    return [{ where: `${where}/${file}`, what: `imports ${specifier}, which lies above it: ${layers.join(' < ')}` }]
  })
  const known = new Set(edges.map(({ from, to }) => `${from} ${to}`))
  const pairs = [...known].filter((edge) => {
    const [from = '', to = ''] = edge.split(' ')
    return from < to && known.has(`${to} ${from}`)
  })
  return [
    ...upwards,
    ...pairs.map((pair) => ({ where, what: `two folders import each other: ${pair.replace(' ', ' and ')}` })),
  ]
}
