import { isJsonObject, type JsonValue, memberOf } from '@junctor/plugin-sdk/link'
import { plainText } from '../document/plain-text.ts'
import { membersOf, textOf } from '../document/document.ts'

/** Where an API is, or why that is not known. */
export type ServerUrl = { readonly kind: 'url'; readonly url: URL } | { readonly kind: 'unknown'; readonly why: string }

/**
 * The URL of the first of a list of servers.
 *
 * @param values values for the variables in the URL; the others have their default
 * @param documentUrl where a relative URL starts; `undefined`: the document is a file
 */
export function serverUrl(
  servers: JsonValue | undefined,
  values: Readonly<Record<string, string>>,
  documentUrl: URL | undefined,
): ServerUrl {
  const first = Array.isArray(servers) ? servers[0] : undefined
  // "If the servers property is not provided … a Server Object with a url value of /" (OpenAPI 3.1, "OpenAPI Object").
  const server = isJsonObject(first) ? first : { url: '/' }
  const template = textOf(server['url']) ?? '/'
  const defaults = Object.fromEntries(
    membersOf(server['variables']).flatMap(([name, variable]) => {
      const value = memberOf(variable, 'default')
      return value === undefined || value === null ? [] : [[name, plainText(value)]]
    }),
  )
  const all: Readonly<Record<string, string>> = { ...defaults, ...values }
  const text = template.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => all[name] ?? whole)
  const missing = /\{([^{}]+)\}/.exec(text)?.[1]
  if (missing !== undefined) return { kind: 'unknown', why: `its server ${template} needs "variables" with ${missing}` }
  const url = URL.canParse(text, documentUrl?.href) ? new URL(text, documentUrl) : undefined
  if (url === undefined) return { kind: 'unknown', why: `the document names no server with a host (${text})` }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { kind: 'unknown', why: `its server ${text} is not http or https` }
  }
  if (url.username !== '' || url.password !== '') {
    const why = 'its server has a name and a password in its URL, which "auth" or "headers" must send instead'
    return { kind: 'unknown', why }
  }
  return { kind: 'url', url }
}
