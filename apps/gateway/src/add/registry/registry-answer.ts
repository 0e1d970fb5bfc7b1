import { isJsonObject, type JsonObject, memberOf, parseJson } from '@junctor/jsonrpc'
import { printable } from '@junctor/primitives'

/** A server as a registry describes it. */
export interface RegisteredServer {
  /** The `server.json`, as the registry has it. */
  readonly document: JsonObject
  /** The text of the publisher or the registry about a version that should not be used any more. */
  readonly warning: string | undefined
}

/** What a registry has answered, or what is wrong with it. */
export type JudgedRegistryAnswer =
  | { readonly kind: 'server'; readonly server: RegisteredServer }
  | { readonly kind: 'refused'; readonly why: string }

const officialKey = 'io.modelcontextprotocol.registry/official'

/**
 * Judges the body of `GET /v0.1/servers/{name}/versions/{version}`: it must be the server that was asked for, and must
 * not be deleted.
 *
 * @param version as it was asked for; `undefined`: the latest
 */
export function judgeRegistryAnswer(body: string, name: string, version: string | undefined): JudgedRegistryAnswer {
  const value = parseJson(body)
  if (value === undefined) return refused(`it is not JSON: ${JSON.stringify(body.slice(0, 40))}`)
  const document = memberOf(value, 'server')
  if (!isJsonObject(value) || !isJsonObject(document)) return refused('it has no member "server"')
  if (document['name'] !== name) return refused(`it is about ${JSON.stringify(document['name'])}`)
  if (version !== undefined && document['version'] !== version) {
    return refused(`it is about version ${JSON.stringify(document['version'])}`)
  }
  const { [officialKey]: own } = isJsonObject(value['_meta']) ? value['_meta'] : {}
  const { status, statusMessage } = isJsonObject(own) ? own : {}
  const suffix = typeof statusMessage === 'string' ? `: ${printable(statusMessage)}` : ''
  if (status === 'deleted') return refused(`the server is deleted${suffix}`)
  return {
    kind: 'server',
    server: { document, warning: status === 'deprecated' ? `the server is deprecated${suffix}` : undefined },
  }
}

/** The names in the body of `GET /v0.1/servers?search=…`, each once. Empty if it cannot be read. */
export function namesInList(body: string): readonly string[] {
  const servers = memberOf(parseJson(body), 'servers')
  const names = (Array.isArray(servers) ? servers : []).flatMap((entry): readonly string[] => {
    const server = memberOf(entry, 'server')
    const name = memberOf(server, 'name')
    return typeof name === 'string' ? [name] : []
  })
  return [...new Set(names)]
}

function refused(why: string): JudgedRegistryAnswer {
  return { kind: 'refused', why }
}
