import { edit, isJsonObject, type Payload } from '@junctor/jsonrpc'
import type { Revision } from '../revision.ts'
import { allows, type Feature } from './gates.ts'

/** Members of list items that not every revision has, and the feature that they belong to. */
const memberFeatures: Readonly<Record<ListedKind, Readonly<Record<string, Feature>>>> = {
  tools: {
    annotations: 'toolAnnotations',
    outputSchema: 'structuredContent',
    title: 'titles',
    icons: 'icons',
    execution: 'tasks',
  },
  resources: { title: 'titles', icons: 'icons' },
  resourceTemplates: { title: 'titles', icons: 'icons' },
  prompts: { title: 'titles', icons: 'icons' },
}

/** What servers list. */
export type ListedKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts'

/** An item of a list without the members that this revision does not have; the same payload when it has none. */
export function downgradeListItem(kind: ListedKind, item: Payload, revision: Revision): Payload {
  const foreign = Object.entries(memberFeatures[kind]).filter(([, feature]) => !allows(revision, feature))
  if (foreign.length === 0) return item
  const value = item.value()
  if (!isJsonObject(value)) return item
  const present = foreign.filter(([member]) => value[member] !== undefined)
  return present.length === 0 ? item : edit(item, Object.fromEntries(present.map(([member]) => [member, undefined])))
}
