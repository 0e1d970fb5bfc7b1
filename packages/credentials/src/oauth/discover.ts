import { isJsonObject, type JsonValue, memberOf } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import { type AuthorizationServer, processDiscoveryResponse } from 'oauth4webapi'
import type { Challenge } from './challenge.ts'
import { coversServer } from './covers-server.ts'
import { judgeUrl } from './judge-url.ts'
import { authorizationServerUrls, resourceMetadataUrls } from './metadata-urls.ts'
import type { OAuthHttp } from './oauth-http.ts'
import { withoutFragment } from './without-fragment.ts'

/** A server that wants tokens, and who issues them. */
export interface ProtectedServer {
  /** Its identifier for the authorization server (RFC 8707). */
  readonly resource: string
  /** The scopes that it names, separated by spaces. */
  readonly scope: string | undefined
  /** The URL by which the authorization server was found. */
  readonly issuer: string
  readonly authorizationServer: AuthorizationServer
}

/**
 * The server whose authorization server is wanted, and what is known of it: the configuration, and its challenge (RFC
 * 9728, section 5.1).
 */
export interface DiscoveryOptions {
  /** The URL of the server. */
  readonly serverUrl: string
  /** The authorization server that the operator has configured. Default: the one that the server names. */
  readonly issuer: string | undefined
  readonly challenge: Challenge
}

interface ResourceMetadata {
  readonly resource: string
  readonly issuer: string
  readonly scope: string | undefined
}

/**
 * Finds the authorization server of a server (MCP authorization, "Authorization Server Discovery").
 *
 * @throws JunctorError `BACKEND_REFUSED` when a document is missing or cannot be trusted
 */
export async function discover(options: DiscoveryOptions, http: OAuthHttp): Promise<ProtectedServer> {
  const { serverUrl, issuer } = options
  const metadata = await readResourceMetadata(options, http)
  // Servers of 2025-03-26 are their own authorization servers.
  const found = metadata?.issuer ?? issuer ?? new URL(serverUrl).origin
  return {
    resource: metadata?.resource ?? withoutFragment(serverUrl),
    scope: metadata?.scope,
    issuer: found,
    authorizationServer: await readAuthorizationServer(found, serverUrl, http),
  }
}

async function readResourceMetadata(
  { serverUrl, issuer, challenge: { resourceMetadata } }: DiscoveryOptions,
  http: OAuthHttp,
): Promise<ResourceMetadata | undefined> {
  const urls = resourceMetadata === undefined ? resourceMetadataUrls(serverUrl) : [resourceMetadata]
  for (const url of urls) {
    if (judgeUrl(url, http.namedHosts) !== undefined) throw refused('the URL of its metadata cannot be used')
    const answer = await documentAt(url, http)
    if (answer !== undefined) return judgeResourceMetadata(await jsonOf(answer), serverUrl, issuer)
  }
  if (resourceMetadata !== undefined) throw refused('it names metadata that is not there')
  return undefined
}

/** Reads a document of the server itself: without this, its outage would be told as that of its authorization server. */
async function documentAt(url: string, http: OAuthHttp): Promise<Response | undefined> {
  try {
    return await http.document(url)
  } catch (cause) {
    throw new JunctorError('BACKEND_UNREACHABLE', 'The metadata of the server cannot be read', { cause })
  }
}

/** Reads a document of RFC 9728 for this server. That of another server would send tokens for that one here. */
function judgeResourceMetadata(
  document: JsonValue | undefined,
  serverUrl: string,
  configured: string | undefined,
): ResourceMetadata {
  if (!isJsonObject(document)) throw refused('its metadata is not a JSON object')
  const { resource, authorization_servers: servers, scopes_supported: scopes } = document
  if (typeof resource !== 'string' || !coversServer(resource, serverUrl))
    throw refused('its metadata is for another resource')
  const issuer = configured ?? (Array.isArray(servers) ? servers[0] : undefined)
  if (typeof issuer !== 'string') throw refused('its metadata names no authorization server: set issuer')
  const isList = Array.isArray(scopes) && scopes.length > 0 && scopes.every((scope) => typeof scope === 'string')
  return { resource, issuer, scope: isList ? scopes.join(' ') : undefined }
}

/**
 * Reads the metadata of an authorization server (RFC 8414).
 *
 * @param serverUrl the server that it issues tokens for
 * @throws JunctorError `BACKEND_REFUSED` when there is none, or it cannot be trusted
 */
export async function readAuthorizationServer(
  issuer: string,
  serverUrl: string,
  http: OAuthHttp,
): Promise<AuthorizationServer> {
  if (judgeUrl(issuer, http.namedHosts) !== undefined)
    throw refused('its authorization server has a URL that cannot be used')
  for (const url of authorizationServerUrls(issuer)) {
    const answer = await http.document(url)
    if (answer === undefined) continue
    const expected = (await ownIssuer(answer, issuer, serverUrl)) ?? issuer
    const server = await processDiscoveryResponse(new URL(expected), answer).catch(() => {
      throw refused('the metadata of its authorization server cannot be trusted')
    })
    for (const endpoint of endpoints) {
      const isBad = server[endpoint] !== undefined && judgeUrl(server[endpoint], http.namedHosts) !== undefined
      if (isBad) throw refused(`the ${endpoint} of its authorization server cannot be used`)
    }
    return server
  }
  if (issuer === new URL(serverUrl).origin) return withoutMetadata(issuer)
  throw refused('its authorization server has no metadata')
}

/**
 * The issuer that a server of 2025-03-26 names for itself. Nobody else has named one, so that it only has to be at the same
 * site.
 */
async function ownIssuer(answer: Response, issuer: string, serverUrl: string): Promise<string | undefined> {
  if (issuer !== new URL(serverUrl).origin) return undefined
  const document = await jsonOf(answer.clone())
  const named = memberOf(document, 'issuer')
  return typeof named === 'string' && URL.parse(named)?.origin === issuer ? named : undefined
}

/**
 * A server of 2025-03-26 that is its own authorization server and has no metadata ("Fallbacks for Servers without
 * Metadata").
 */
function withoutMetadata(issuer: string): AuthorizationServer {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
  }
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const

async function jsonOf(answer: Response): Promise<JsonValue | undefined> {
  try {
    return (await answer.json()) as JsonValue
  } catch {
    return undefined
  }
}

function refused(problem: string): JunctorError {
  return new JunctorError('BACKEND_REFUSED', `The server wants a token, but ${problem}`)
}
