import type { JsonObject } from '@junctor/jsonrpc'
import { resourceMetadataUrl } from '@junctor/protocol'
import { proofAlgorithms } from './proof-of-possession.ts'

/** What the endpoints of the gateway are as protected resources of an authorization server. */
export interface ResourceOptions {
  /** The public URL of the endpoint without a tenant, without a slash at its end: `https://gw.example.com/mcp`. */
  readonly base: string
  /** The name that people see. */
  readonly name: string
}

/** An endpoint as a protected resource (RFC 9728). */
export interface ProtectedResource {
  /** Its identifier, which tokens for it have as their audience (RFC 8707): the URL of the endpoint. */
  readonly id: string
  /** Where its metadata are. */
  readonly metadataUrl: string
  readonly metadata: JsonObject
}

/**
 * Returns the endpoint of a name as a resource. A name without an endpoint has a resource too, so that callers do not learn
 * which endpoints exist.
 *
 * @param name of a tenant, or of an endpoint of one backend (`mountName`); `undefined`: the endpoint without a tenant
 * @param path of the request, which may be one of HTTP+SSE. Clients refuse metadata of another URL than theirs (RFC 9728
 *   section 3.3)
 */
export type ProtectedResources = (name: string | undefined, path?: string) => ProtectedResource

/**
 * Creates the resources of a gateway.
 *
 * @param issuer the authorization server
 * @param scopes those that every token must have. Others are asked for when they are needed
 */
export function createProtectedResources(
  { base, name: shown }: ResourceOptions,
  issuer: string,
  scopes: readonly string[],
): ProtectedResources {
  const streamable = endpointAt(base)
  const sse = endpointAt(sseBase(base))
  return (name, requested) => {
    const endpoint = isSsePath(requested) ? sse : streamable
    const path = pathOf(name)
    const id = `${endpoint.url}${path}`
    const metadata: JsonObject = {
      resource: id,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: [...proofAlgorithms],
      ...(scopes.length > 0 && { scopes_supported: [...scopes] }),
      resource_name: shown,
    }
    return { id, metadataUrl: `${endpoint.metadataUrl}${path}`, metadata }
  }
}

/** The URLs of the endpoint without a tenant, behind which the paths of the others stand. */
function endpointAt(base: string): { readonly url: string; readonly metadataUrl: string } {
  const { origin, pathname } = new URL(base)
  return { url: `${origin}${pathname}`, metadataUrl: resourceMetadataUrl(base, '') }
}

/** The audiences of tokens for the endpoints: the same endpoints speak HTTP+SSE at URLs of their own. */
export function audiencesOf(base: string): readonly string[] {
  return [...new Set([base, sseBase(base)])]
}

/** The URL of the same endpoint over HTTP+SSE. An audience of another form stands for both. */
function sseBase(base: string): string {
  return base.replace(/\/mcp$/, '/sse')
}

/** Whether a path is one of HTTP+SSE, or of the metadata of one. The path of the public URL may be before it. */
function isSsePath(path = ''): boolean {
  return /\/(mcp|sse)(?=\/|$)/.exec(path)?.[1] === 'sse'
}

/** The path of an endpoint below the endpoint without a tenant. */
function pathOf(name: string | undefined): string {
  if (name === undefined) return ''
  const path = name.split('/').map(encodeURIComponent).join('/')
  return path.startsWith('/') ? path : `/${path}`
}
