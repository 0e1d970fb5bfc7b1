import { andThen } from '@junctor/primitives'
import type { Scope } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Complete } from './completion.ts'
import { resourceContents, type ContentAnnotations, type ResourceContents } from './content.ts'
import { assertFunction, assertName, invalidAnswer } from './misused.ts'
import type { RequestContext } from './request-context.ts'
import { parseUriTemplate, type UriTemplate } from './uri-template.ts'

type VariableName<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | VariableName<Rest>
  : never

/** The variables of a URI template, read from its literal type. */
export type UriVariables<Template extends string> = string extends Template
  ? Readonly<Record<string, string>>
  : Readonly<Record<VariableName<Template>, string>>

/** What `read` returns: text, bytes, several parts, or `undefined` when the resource does not exist. */
export type ResourceData = string | Uint8Array | readonly ResourceContents[] | undefined

interface ResourceCommon<Template extends string> {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: ContentAnnotations
  readonly _meta?: JsonObject
  /** Reads it. `undefined` is answered as "no such resource". */
  readonly read: (
    uri: string,
    variables: UriVariables<Template>,
    context: RequestContext,
  ) => ResourceData | Promise<ResourceData>
  /**
   * Called when a client subscribes, once for each link and URI. Call `updated` each time the resource has changed for
   * that scope (its tenant is empty where all callers share one link). The function that `subscribe` returns is called
   * when the last subscription of the link to the URI ends. Not needed when the backend calls `updated(uri)` itself.
   */
  readonly subscribe?: (uri: string, updated: () => void, scope: Scope) => () => void
}

/** One resource, or all resources that match a URI template of simple expressions. */
export type ResourceDefinition<Template extends string> = ResourceCommon<Template> &
  (
    | { readonly uri: string; readonly uriTemplate?: never; readonly size?: number }
    | {
        readonly uri?: never
        readonly uriTemplate: Template
        /** Proposes values for variables (`completion/complete`). */
        readonly complete?: { readonly [Name in VariableName<Template>]?: Complete }
      }
  )

/** A resource or resource template, ready to be offered by a backend. */
export interface Resource {
  /** The URI, or the template as it was written. */
  readonly address: string
  /** `undefined` for a resource with one URI. */
  readonly template: UriTemplate | undefined
  /** What `resources/list` or `resources/templates/list` shows. */
  readonly listed: object
  readonly complete: Readonly<Record<string, Complete | undefined>>
  /** The contents; `undefined` when the resource does not exist. Throws what the author's function throws. */
  read(
    uri: string,
    variables: Readonly<Record<string, string>>,
    context: RequestContext,
  ): readonly ResourceContents[] | undefined | Promise<readonly ResourceContents[] | undefined>
  /** Watches a URI for one scope; `undefined` when the resource cannot be watched. */
  readonly subscribe: ((uri: string, updated: () => void, scope: Scope) => () => void) | undefined
}

/**
 * Makes a resource (with `uri`) or a template of resources (with `uriTemplate`).
 *
 * @throws Error when the template has expressions other than simple ones, there is no name or no `read` function, or not
 *   exactly one of `uri` and `uriTemplate`
 */
export function createResource<const Template extends string = never>(
  definition: ResourceDefinition<Template>,
): Resource {
  assertName('createResource({ name, uri, read })', definition)
  const { read, subscribe, complete, ...listed } = { complete: {}, ...definition }
  assertFunction(`resource ${listed.name}`, definition, 'read')
  const { uri: fixed, uriTemplate } = listed
  const address = fixed ?? uriTemplate
  if (address === undefined || (fixed !== undefined && uriTemplate !== undefined)) {
    const got = address === undefined ? 'neither' : 'both'
    throw new Error(`expected resource ${listed.name} to have "uri" or "uriTemplate", got ${got}`)
  }
  return {
    address,
    template: uriTemplate === undefined ? undefined : parseUriTemplate(uriTemplate),
    listed,
    complete,
    read: (uri, variables, context) =>
      andThen(read(uri, variables as UriVariables<Template>, context), (data) =>
        toContents(uri, data, listed.mimeType),
      ),
    subscribe,
  }
}

function toContents(
  uri: string,
  data: ResourceData,
  mimeType: string | undefined,
): readonly ResourceContents[] | undefined {
  if (typeof data === 'string' || data instanceof Uint8Array) return [resourceContents(uri, data, mimeType)]
  if (data === undefined || Array.isArray(data)) return data
  throw invalidAnswer(`resource ${uri}`, 'text, bytes, a list of contents or nothing', data)
}
