import { mcpExtensions, originalUri } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { prefixIn } from '../../shared/prefix-in.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { CallerView } from '../../upstream/callers/caller-view.ts'
import { extensionsOf } from '../../upstream/catalogue/extension-union.ts'
import type { SkillList } from './skill-lists.ts'

/** A backend with a URI as the backend has it. */
export interface SkillOwner {
  readonly entry: BackendEntry
  readonly uri: string
}

/** The backends that have skills, as they declare. */
export function skillBackends({ view }: Pick<CallerView, 'view'>): readonly BackendEntry[] {
  return [...view.servers].flatMap(([entry, server]) =>
    extensionsOf({ server })[mcpExtensions.skills] === undefined ? [] : [entry],
  )
}

/**
 * The backends that may own a URI of a skill or of one of its files. A URI with a prefix belongs to one backend. URIs
 * without a prefix occur in the files of skills, which no gateway can change: such a URI belongs to each backend whose
 * skills have it, or to none.
 */
export function skillOwners(
  tenant: Pick<TenantEntry, 'tenant' | 'single'>,
  lists: readonly SkillList[],
  uri: string,
): readonly SkillOwner[] {
  for (const { entry, skills } of lists) {
    const prefix = prefixIn(tenant, entry)
    const name = prefix === '' ? undefined : originalUri(prefix, uri)
    // A skill's own URI may begin like one with its backend's prefix.
    if (name !== undefined) return [{ entry, uri: has(skills, uri) && !has(skills, name) ? uri : name }]
  }
  return lists.filter(({ skills }) => has(skills, uri)).map(({ entry }) => ({ entry, uri }))
}

function has(skills: SkillList['skills'], uri: string): boolean {
  return skills.some((skill) => skill.uri === uri || skill.files.some((file) => file.uri === uri))
}
