import { textWithoutNulls } from '@junctor/credentials'
import { isJsonObject, parseJson } from '@junctor/plugin-sdk/link'
import type { AuthServerConfig } from '../config.ts'

/** The metadata of an accepted registration, or why it was refused. */
export type Registration =
  | { readonly kind: 'accepted'; readonly metadata: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'refused'
      readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'
      readonly description: string
    }

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Schemes of the web, and those that browsers handle themselves. */
const webSchemes = ['http', 'https', 'ws', 'wss', 'ftp', 'file', 'data', 'blob', 'about', 'javascript', 'vbscript']

/** Schemes with which a browser is told to open a page of any host: `microsoft-edge:example.com`. */
const browserSchemes = ['microsoft-edge', 'googlechrome', 'googlechromes', 'touch-http', 'touch-https', 'intent']

/** Schemes that no program on a person's machine can have as its own. */
const publicSchemes: ReadonlySet<string> = new Set([...webSchemes, ...browserSchemes].map((name) => `${name}:`))

/** A URL of the web within another one: `view-source:https://example.com`. */
const wrapped = /^[^:]+:https?:/i

/**
 * Judges the metadata with which a client registers itself (RFC 7591 section 2), before the library checks the rest. Adds
 * the type of older clients, which do not say that they run on the person's machine.
 */
export function judgeRegistration(text: string, { hosts }: AuthServerConfig['registration']): Registration {
  const sent = parseJson(textWithoutNulls(text))
  if (!isJsonObject(sent)) return refused('invalid_client_metadata', 'Expected a JSON object')
  const { redirect_uris: uris } = sent
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > 20) {
    return refused('invalid_redirect_uri', 'Expected a list of 1 to 20 redirect_uris')
  }
  const urls = uris.map(urlOf)
  if (!urls.every((url) => leadsBack(url, hosts))) {
    return refused(
      'invalid_redirect_uri',
      'Expected redirect_uris at https, at this machine, or at hosts that are allowed',
    )
  }
  const metadata = usedMetadata(sent)
  const kind = metadata['application_type'] ?? (urls.every(isHere) || urls.some(isOfProgram) ? 'native' : 'web')
  return { kind: 'accepted', metadata: { ...metadata, application_type: kind } }
}

/** What counts of what a client says of itself. Without `scope`, so that the client may ask for other scopes later. */
export function usedMetadata(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { scope: _, ...metadata } = sent
  return metadata
}

/** Whether people may be sent back to a URI with their codes: one with https, or on the person's own machine. */
export function mayRedirect(uri: unknown, hosts: readonly string[] | undefined): boolean {
  return leadsBack(urlOf(uri), hosts)
}

/**
 * Whether a URI is of a program on the machine of the person who opens it. One with https has a certificate, so it is of a
 * web page that is being developed there.
 */
export function isAtThisMachine(uri: unknown): boolean {
  return isHere(urlOf(uri))
}

/** The most characters of a redirect URI. */
const mostUri = 2048

function urlOf(uri: unknown): URL | null {
  return typeof uri === 'string' && uri.length <= mostUri ? URL.parse(uri) : null
}

function leadsBack(url: URL | null, hosts: readonly string[] | undefined): boolean {
  if (url === null || url.username !== '' || url.hash !== '') return false
  const { protocol, hostname } = url
  if (protocol === 'http:') return loopback.has(hostname)
  if (protocol !== 'https:') return isOfProgram(url)
  return hosts === undefined || loopback.has(hostname) || hosts.includes(hostname)
}

function isHere(url: URL | null): boolean {
  return url !== null && (isOfProgram(url) || (url.protocol === 'http:' && loopback.has(url.hostname)))
}

/** Whether a URL opens a program on the person's machine, by a scheme of its own (RFC 8252 section 7.1). */
function isOfProgram(url: URL | null): boolean {
  return url !== null && !publicSchemes.has(url.protocol) && !wrapped.test(url.href)
}

function refused(error: Extract<Registration, { kind: 'refused' }>['error'], description: string): Registration {
  return { kind: 'refused', error, description }
}
