import type { ListKind } from '@junctor/contracts'
import type { Payload } from '@junctor/jsonrpc'
import type { Prompt } from './create-prompt.ts'
import type { Resource } from './create-resource.ts'
import type { Tool } from './create-tool.ts'
import { kindOf } from './misused.ts'
import { printedPayload } from './printed-payload.ts'

/**
 * What a backend offers. A kind that is left out is not a capability of the backend; an empty list may be filled later.
 */
export interface Offer {
  readonly tools?: readonly Tool[]
  /** Resources and templates together. */
  readonly resources?: readonly Resource[]
  readonly prompts?: readonly Prompt[]
}

/** A resource that matches a URI, and the values that the URI gives to the template's variables. */
export interface FoundResource {
  readonly resource: Resource
  readonly variables: Readonly<Record<string, string>>
}

/** A prepared offer: tables to look up names in, and lists that are ready to be sent. */
export interface Catalogue {
  readonly tools: ReadonlyMap<string, Tool>
  readonly prompts: ReadonlyMap<string, Prompt>
  readonly resources: ReadonlyMap<string, Resource>
  /** In the order in which they are tried. */
  readonly templates: readonly Resource[]
  readonly lists: Readonly<Record<ListKind, readonly Payload[]>>
}

/**
 * Prepares an offer.
 *
 * @throws Error when two tools, prompts or resources have the same name or URI, or were not made with the SDK
 */
export function buildCatalogue({ tools = [], resources = [], prompts = [] }: Offer): Catalogue {
  assertMade('tools', tools, 'createTool')
  assertMade('resources', resources, 'createResource')
  assertMade('prompts', prompts, 'createPrompt')
  const fixed = resources.filter(({ template }) => template === undefined)
  const templates = resources.filter(({ template }) => template !== undefined)
  return {
    tools: index('tool', tools, ({ name }) => name),
    prompts: index('prompt', prompts, ({ name }) => name),
    resources: index('resource', fixed, ({ address }) => address),
    templates: [...index('resource template', templates, ({ address }) => address).values()],
    lists: {
      tools: tools.map(toPayload),
      resources: fixed.map(toPayload),
      resourceTemplates: templates.map(toPayload),
      prompts: prompts.map(toPayload),
    },
  }
}

/** The resource for a URI: the resource with exactly that URI, else the first template that matches it. */
export function findResource({ resources, templates }: Catalogue, uri: string): FoundResource | undefined {
  const resource = resources.get(uri)
  if (resource !== undefined) return { resource, variables: {} }
  for (const candidate of templates) {
    const variables = candidate.template?.match(uri)
    if (variables !== undefined) return { resource: candidate, variables }
  }
  return undefined
}

/**
 * A table of items by name.
 *
 * @param what the kind of item, for the message of the error
 * @throws Error when two items have the same name
 */
export function index<Item>(
  what: string,
  items: readonly Item[],
  nameOf: (item: Item) => string,
): ReadonlyMap<string, Item> {
  const table = new Map<string, Item>()
  for (const item of items) {
    const name = nameOf(item)
    if (table.has(name)) throw new Error(`expected every ${what} once, got ${JSON.stringify(name)} twice`)
    table.set(name, item)
  }
  return table
}

function toPayload({ listed }: { readonly listed: object }): Payload {
  return printedPayload(listed)
}

/** Authors without types give anything. */
function assertMade(word: string, items: unknown, maker: string): void {
  if (!Array.isArray(items)) throw new Error(`expected "${word}" to be a list, got ${kindOf(items)}`)
  const wrong = items.findIndex((item: unknown) => typeof item !== 'object' || item === null || !('listed' in item))
  if (wrong !== -1) throw new Error(`expected "${word}" to be made with ${maker}, got ${kindOf(items[wrong])}`)
}
