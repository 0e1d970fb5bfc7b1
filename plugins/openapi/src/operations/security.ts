import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '@junctor/plugin-sdk/link'
import { itemsOf, membersOf, objectIn, type OpenApiDocument, textOf } from '../document/document.ts'
import { DocumentProblem, orProblem } from '../document/document-problem.ts'
import { pointerTo } from '../document/json-pointer.ts'

/** Where a security scheme's secret is sent. */
export type SecurityScheme =
  /** `authorization: Bearer …`; also OAuth 2 and OpenID Connect, whose access token the operator configures. */
  | { readonly kind: 'bearer' }
  | { readonly kind: 'basic' }
  | { readonly kind: 'apiKey'; readonly place: 'query' | 'header' | 'cookie'; readonly name: string }
  /** Junctor cannot do it: mutual TLS, digest. */
  | { readonly kind: 'other'; readonly what: string }

/** The security schemes of a document, by their names. Schemes that cannot be read are left out. */
export function readSchemes(document: OpenApiDocument): ReadonlyMap<string, SecurityScheme> {
  const { components } = document.root
  const given = memberOf(components, 'securitySchemes')
  return new Map(
    membersOf(given).flatMap(([name, value]) => {
      const scheme = orProblem(() => objectIn(document, value, pointerTo('/components/securitySchemes', name)))
      return scheme instanceof DocumentProblem ? [] : [[name, toScheme(scheme.value)] as const]
    }),
  )
}

function toScheme(value: JsonObject): SecurityScheme {
  const { type, scheme } = value
  if (type === 'oauth2' || type === 'openIdConnect') return { kind: 'bearer' }
  if (type === 'http' && typeof scheme === 'string') {
    const named = scheme.toLowerCase()
    return named === 'bearer' || named === 'basic' ? { kind: named } : { kind: 'other', what: `http ${named}` }
  }
  const name = textOf(value['name'])
  const place = (['query', 'header', 'cookie'] as const).find((one) => one === value['in'])
  if (type === 'apiKey' && name !== undefined && place !== undefined) return { kind: 'apiKey', place, name }
  return { kind: 'other', what: typeof type === 'string' ? type : 'no type' }
}

/** The alternatives of a security requirement: any one of them is enough, with all of its schemes. */
export type Security = readonly (readonly string[])[]

/** The security of an operation: its own, else that of the document. `[]`: none is needed. */
export function readSecurity({ root }: OpenApiDocument, own: JsonValue | undefined): Security {
  return itemsOf(own ?? root['security'])
    .filter((requirement) => isJsonObject(requirement))
    .map((requirement) => Object.keys(requirement))
}
