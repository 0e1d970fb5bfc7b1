import { JunctorError } from '@junctor/protocol'
import { isLoopbackHost, parseAuthority } from './admission-authority.ts'
import { type AdmissionRefusal, type AdmissionVerdict, admitted, quotedHeader } from './admission-verdict.ts'

/** What a listener admits. */
export interface AdmissionOptions {
  /**
   * Host names of this gateway, as `name` (any port) or `name:port`; IPv6 in brackets. Default, also for an empty list:
   * `localhost`, `127.0.0.1` and `[::1]`, any port. A list replaces the default.
   */
  readonly allowedHosts?: readonly string[]
  /**
   * Origins of web pages that may use this gateway, as browsers send them: `https://app.example.com`. Default, also for
   * an empty list: pages served by this machine, `http` or `https`, any port. A list replaces the default.
   */
  readonly allowedOrigins?: readonly string[]
  /** The names of the settings that hold the lists, for the message of a refusal. Default: those of `listen.http`. */
  readonly settings?: { readonly hosts: string; readonly origins?: string }
}

/** The rule that refuses foreign web pages (Streamable HTTP, security warning): DNS rebinding, foreign origins. */
export interface Admission {
  /** Judges the `Host` and `Origin` headers of one request of any method. `Origin` may be absent. */
  admit(host: string | undefined, origin: string | undefined): AdmissionVerdict
}

type Allowed = (value: string) => boolean

/**
 * Compiles the allow lists into the rule that all listeners share: HTTP, WebSocket, admin. Entries are literal: there
 * are no wildcards. Throws `CONFIG_INVALID` for an entry that can never match.
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const isAllowedHost = compileHosts(options.allowedHosts ?? [])
  const isAllowedOrigin = compileOrigins(options.allowedOrigins ?? [])
  // Almost every request repeats the headers of the previous request.
  const { settings = { hosts: 'listen.http.allowedHosts', origins: 'listen.http.allowedOrigins' } } = options
  let lastHost: string | undefined
  let lastOrigin: string | undefined

  return {
    admit(host, origin) {
      if (host === undefined) return refused('Host is missing')
      if (host !== lastHost) {
        if (!isAllowedHost(host)) {
          return refused(`Host ${quotedHeader(host)} is not one that this gateway serves: see ${settings.hosts}`)
        }
        lastHost = host
      }
      if (origin !== undefined && origin !== lastOrigin) {
        if (!isAllowedOrigin(origin)) {
          const way = settings.origins === undefined ? '' : `: see ${settings.origins}`
          return refused(`Origin ${quotedHeader(origin)} is not allowed${way}`)
        }
        lastOrigin = origin
      }
      return admitted
    },
  }
}

function compileHosts(entries: readonly string[]): Allowed {
  const allowed = new Set(entries.map(hostEntry))
  return (value) => {
    const authority = parseAuthority(value)
    if (authority === undefined) return false
    const { host, port } = authority
    if (allowed.size === 0) return isLoopbackHost(host)
    return allowed.has(host) || (port !== undefined && allowed.has(`${host}:${port}`))
  }
}

function hostEntry(entry: string): string {
  const authority = parseAuthority(entry)
  if (authority !== undefined) return entry.toLowerCase()
  throw new JunctorError('CONFIG_INVALID', `allowedHosts: expected "name" or "name:port", got ${quotedHeader(entry)}`)
}

function compileOrigins(entries: readonly string[]): Allowed {
  const allowed = new Set(entries.map(originEntry))
  return (value) => {
    if (allowed.size > 0) return allowed.has(normalOrigin(value) ?? '')
    const authority = webAuthority(value)
    return authority !== undefined && isLoopbackHost(authority.host)
  }
}

function originEntry(entry: string): string {
  const origin = normalOrigin(entry)
  if (origin !== undefined) return origin
  throw new JunctorError(
    'CONFIG_INVALID',
    `allowedOrigins: expected "scheme://host" or "scheme://host:port", got ${quotedHeader(entry)}`,
  )
}

const webOrigin = /^(https?):\/\/(.*)$/i
/** Applications that embed a browser use their own schemes and host formats: `vscode-webview://1a2b`. */
const otherOrigin = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+$/i

/**
 * Returns an origin in the canonical spelling for comparison: lower case, without the default port. Returns undefined
 * for a text that is not an origin.
 */
function normalOrigin(text: string): string | undefined {
  const [, scheme] = webOrigin.exec(text) ?? []
  if (scheme === undefined) return otherOrigin.test(text) ? text.toLowerCase() : undefined
  const authority = webAuthority(text)
  if (authority === undefined) return undefined
  const normalScheme = scheme.toLowerCase()
  const isDefaultPort = authority.port === undefined || authority.port === (normalScheme === 'https' ? '443' : '80')
  return `${normalScheme}://${authority.host}${isDefaultPort ? '' : `:${authority.port}`}`
}

function webAuthority(origin: string): ReturnType<typeof parseAuthority> {
  const [, , rest] = webOrigin.exec(origin) ?? []
  return rest === undefined ? undefined : parseAuthority(rest)
}

function refused(message: string): AdmissionRefusal {
  return { ok: false, situation: 'origin_refused', message }
}
