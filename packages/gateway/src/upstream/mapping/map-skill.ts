import {
  edit,
  isJsonObject,
  items,
  member,
  memberOf,
  type Payload,
  payloadFromText,
  payloadOf,
  printPayload,
} from '@junctor/jsonrpc'
import { uriFor } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'

/** The member of `_meta` that names the backend of a skill, at endpoints where skills of several backends meet (SEP-2640). */
const backendMeta = 'junctor/backend'

/**
 * A skill with public URIs: its own and those of its files; and with the name of its backend, so that a host can see whose
 * it is. All else is unchanged, because hosts compare it with what they read: the frontmatter, digests and sizes (SEP-2640).
 *
 * @param backend `undefined`: the endpoint has one backend
 */
export function mapSkill(skill: Payload, prefix: string, backend: string | undefined): Payload {
  const files = member(skill, 'resources')
  const isList = Array.isArray(files?.value())
  const mapped = withPublicUri(skill, prefix)
  const changes: Record<string, Payload> = {}
  if (files !== undefined && isList) changes['resources'] = mapResources(files, prefix)
  if (backend !== undefined) {
    const meta = member(skill, '_meta')
    const own = meta !== undefined && isJsonObject(meta.value()) ? meta : payloadOf({})
    changes['_meta'] = edit(own, { [backendMeta]: backend })
  }
  return edit(mapped, changes)
}

/** The name of a backend for `mapSkill`, at an endpoint. */
export function provenanceOf({ single }: Pick<TenantEntry, 'single'>, { backend }: BackendEntry): string | undefined {
  return single === true ? undefined : backend.name
}

/** A list of resources with public URIs. */
export function mapResources(resources: Payload, prefix: string): Payload {
  const mapped = items(resources).map((one) => printPayload(withPublicUri(one, prefix)))
  return payloadFromText(`[${mapped.join(',')}]`)
}

function withPublicUri(item: Payload, prefix: string): Payload {
  const uri = memberOf(item.value(), 'uri')
  return typeof uri !== 'string' || prefix === '' ? item : edit(item, { uri: uriFor(prefix, uri) })
}
