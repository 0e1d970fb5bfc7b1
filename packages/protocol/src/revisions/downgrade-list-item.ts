import { edit, isJsonObject, type Payload } from '@junctor/jsonrpc'
import type { Revision } from '../revision.ts'
import { allows, type Feature } from './gates.ts'
import { plainToolSchemas } from './plain-tool-schemas.ts'

/** Members of list items that only some revisions have, and the feature that each belongs to. */
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

/** The kinds of items that servers list. */
export type ListedKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts'

/**
 * Removes the members of a list item that this revision does not have, and gives schemas the form that its clients take.
 * Returns the same payload when nothing changes.
 */
export function downgradeListItem(kind: ListedKind, item: Payload, revision: Revision): Payload {
  const known = withoutForeign(kind, item, revision)
  return kind === 'tools' && !allows(revision, 'anyStructuredContent') ? plainToolSchemas(known) : known
}

function withoutForeign(kind: ListedKind, item: Payload, revision: Revision): Payload {
  const foreign = Object.entries(memberFeatures[kind]).filter(([, feature]) => !allows(revision, feature))
  if (foreign.length === 0) return item
  const value = item.value()
  if (!isJsonObject(value)) return item
  const present = foreign.filter(([member]) => value[member] !== undefined)
  return present.length === 0 ? item : edit(item, Object.fromEntries(present.map(([member]) => [member, undefined])))
}
