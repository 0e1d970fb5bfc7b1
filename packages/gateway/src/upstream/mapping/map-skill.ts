import type { Payload } from '@junctor/jsonrpc'
import { edit, isJsonObject, items, member, payloadFromText, printPayload } from '@junctor/jsonrpc'
import { uriFor } from '@junctor/protocol'

/**
 * A skill with public URIs: its own and those of its files. All else is unchanged, because hosts compare it with what
 * they read: the frontmatter, digests and sizes (SEP-2640).
 */
export function mapSkill(skill: Payload, prefix: string): Payload {
  const files = member(skill, 'resources')
  const isList = Array.isArray(files?.value())
  const mapped = withPublicUri(skill, prefix)
  return files === undefined || !isList ? mapped : edit(mapped, { resources: mapResources(files, prefix) })
}

/** A list of resources with public URIs. */
export function mapResources(resources: Payload, prefix: string): Payload {
  const mapped = items(resources).map((one) => printPayload(withPublicUri(one, prefix)))
  return payloadFromText(`[${mapped.join(',')}]`)
}

function withPublicUri(item: Payload, prefix: string): Payload {
  const value = item.value()
  const uri = isJsonObject(value) ? value['uri'] : undefined
  return typeof uri !== 'string' || prefix === '' ? item : edit(item, { uri: uriFor(prefix, uri) })
}
