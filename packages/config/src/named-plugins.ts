import { dirname, resolve } from 'node:path'
import { isJsonObject, memberOf } from '@junctor/jsonrpc'
import { asYaml } from './document/blank-comments.ts'
import { readDocument } from './document/document.ts'
import { resolveReferences } from './document/references.ts'
import { runsInNode } from './backends/runs-in-node.ts'
import type { ParseOptions } from './parse-config.ts'

/** What the own backends of a file name in `plugin`, and is not built in, each once, in the order of the file. */
export interface NamedPlugins {
  /** Loaded in the node. */
  readonly inNode: readonly string[]
  /** Loaded in a process of their own, also to check their options. */
  readonly isolated: readonly string[]
}

/**
 * Returns the packages and paths to load before `parseConfig`, with references replaced. A file that cannot be parsed
 * names none. Servers in the sections of other programs name none either, because only the gateway's own file may name
 * code.
 */
export function namedPlugins(
  text: string,
  { file, folder = dirname(resolve(file)), plugins, env }: Omit<ParseOptions, 'loaded' | 'isolated'>,
): NamedPlugins {
  const read = readDocument(asYaml(text, file))
  if (read.kind === 'unreadable') return noPlugins
  const { value } = resolveReferences(read.document.value, { env, folder })
  const backends = memberOf(value, 'backends')
  if (!isJsonObject(backends)) return noPlugins
  const builtIn = plugins.map(({ name }) => name)
  const named = Object.values(backends).flatMap((backend) => {
    const word = memberOf(backend, 'plugin')
    const isNamed = typeof word === 'string' && word !== '' && !builtIn.includes(word)
    return isNamed ? [{ word, inNode: runsInNode(memberOf(backend, 'isolation')) }] : []
  })
  const words = (inNode: boolean): readonly string[] => [
    ...new Set(named.filter((one) => one.inNode === inNode).map(({ word }) => word)),
  ]
  return { inNode: words(true), isolated: words(false) }
}

const noPlugins: NamedPlugins = { inNode: [], isolated: [] }
