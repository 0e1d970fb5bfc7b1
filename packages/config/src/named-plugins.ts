import { dirname, resolve } from 'node:path'
import { isJsonObject } from '@junctor/jsonrpc'
import { blankComments } from './document/blank-comments.ts'
import { readDocument } from './document/document.ts'
import { resolveReferences } from './document/references.ts'
import type { ParseOptions } from './parse-config.ts'

/**
 * Returns what the `plugin` of each own backend names, and is not built in: the packages and paths to load before `parseConfig`. Each once, in the order of the file, with references replaced. A file
 * that cannot be parsed names none. Servers in the sections of other programs name none either, because only the
 * gateway's own file may name code.
 */
export function namedPlugins(text: string, { file, plugins, env }: Omit<ParseOptions, 'loaded'>): readonly string[] {
  const read = readDocument(/\.jsonc?$/i.test(file) ? blankComments(text) : text)
  if (read.kind === 'unreadable') return []
  const { value } = resolveReferences(read.document.value, { env, folder: dirname(resolve(file)) })
  const backends = isJsonObject(value) ? value['backends'] : undefined
  if (!isJsonObject(backends)) return []
  const builtIn = plugins.map(({ name }) => name)
  const named = Object.values(backends).flatMap((backend) => {
    const word = isJsonObject(backend) ? backend['plugin'] : undefined
    return typeof word === 'string' && word !== '' && !builtIn.includes(word) ? [word] : []
  })
  return [...new Set(named)]
}
