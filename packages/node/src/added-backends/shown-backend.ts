import { showBackendNamed } from '@junctor/config'
import type { JsonObject } from '@junctor/jsonrpc'
import type { NodeConfig } from '../node-config.ts'
import type { AddedBackends } from './added-backends.ts'
import { problemsBody } from './admin-replies.ts'

function notCreated(got: string): JsonObject {
  const next = 'Change or remove it, or mend what it needs; it is tried again with the next change.'
  return { kind: 'not_created', path: '', got, expected: 'a backend that can be created', next }
}

/**
 * One backend as the admin port shows it: in the words of the file, with all defaults and without secrets. `undefined`:
 * there is none of this name.
 *
 * @param failure why it could not be created, without secrets
 */
export function shownBackend(
  name: string,
  file: NodeConfig,
  added: Pick<AddedBackends, 'addTo' | 'record'>,
  failure: string | undefined,
): JsonObject | undefined {
  const { config, unserved } = added.addTo(file)
  const { backends } = added.record
  const entry = Object.hasOwn(backends, name) ? backends[name] : undefined
  const backend = showBackendNamed(config, name)
  if (entry === undefined) return backend && { name, source: 'file', backend }
  const own = { name, source: 'added', revision: entry.revision }
  const problems = unserved.get(name)
  if (problems !== undefined) return { ...own, problems: problemsBody(problems) }
  if (failure !== undefined) return { ...own, problems: [notCreated(failure)] }
  const having = config.tenants.filter((tenant) => tenant.backends.includes(name))
  return { ...own, tenants: having.map((tenant) => tenant.name), ...(backend && { backend }) }
}
