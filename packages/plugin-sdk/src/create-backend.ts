import { type Backend, type Link, type Log, silentLog } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { JunctorError, latestHandshake, listChanged } from '@junctor/protocol'
import { buildCatalogue, index, type Offer } from './catalogue.ts'
import type { Method } from './create-method.ts'
import { Lifecycle, type LifecycleHooks } from './lifecycle.ts'
import { openLink, type OpenLink } from './local-link.ts'

/** A backend that runs in this process. */
export interface BackendDefinition extends Offer, LifecycleHooks {
  /** The name in the configuration: `context.name` in a plugin. */
  readonly name: string
  /** `serverInfo`. Default: the backend's name, version 0.0.0. */
  readonly info?: JsonObject
  /** How a model should use the tools, resources and prompts together. */
  readonly instructions?: string
  /** Methods outside MCP. Callers use their names as they are. */
  readonly methods?: readonly Method[]
  /** Receives the failures of handlers: `context.log` in a plugin. Default: failures are not logged. */
  readonly log?: Log
}

/** A backend in this process that can change its offer while it runs. */
export interface LocalBackend extends Backend {
  /** Replaces everything of the kinds named in `offer`. Clients receive the list_changed notification of each kind. */
  replace(offer: Offer): void
  /** Notifies every client that has subscribed to the URI, in every tenant, that the resource has changed. */
  updated(uri: string): void
}

/**
 * Makes a backend of tools, resources, prompts and methods.
 *
 * @throws Error when two items of the same kind have the same name
 */
export function createBackend(definition: BackendDefinition): LocalBackend {
  const { name, info = { name, version: '0.0.0' }, instructions, log = silentLog } = definition
  let offer: Offer = pickOffer(definition)
  let catalogue = buildCatalogue(offer)
  const plain = index('method', definition.methods ?? [], ({ name: method }) => method)
  const links = new Set<OpenLink>()
  const server = { revision: latestHandshake, capabilities: capabilitiesOf(offer), info, instructions }
  const lifecycle = new Lifecycle(definition, log, (error) => {
    log.warn('the backend is not healthy any more', { error: error.message })
    for (const link of links) link.break(error)
  })
  let closing: Promise<void> | undefined

  function forget(link: OpenLink): void {
    links.delete(link)
    if (links.size === 0) lifecycle.rest()
  }

  async function close(): Promise<void> {
    await Promise.all([...links].map((link) => link.close()))
    await lifecycle.close()
  }

  return {
    name,
    correlates: true,
    ...(plain.size > 0 && { methods: [...plain.keys()] }),
    async open(scope, client, signal): Promise<Link> {
      // After its close, `start` would be called for nobody.
      if (closing === undefined) await lifecycle.ready()
      signal.throwIfAborted()
      if (closing !== undefined) throw new JunctorError('CLOSED', `Backend "${name}" is closed`)
      const link = openLink({ server, scope, client, log, logger: name, methods: plain, catalogue: () => catalogue })
      links.add(link)
      lifecycle.watch()
      void link.closed.then(() => forget(link))
      return link
    },
    drain: () => lifecycle.drain(),
    close: () => (closing ??= close()),
    replace(changed) {
      const next = { ...offer, ...pickOffer(changed) }
      catalogue = buildCatalogue(next)
      offer = next
      for (const method of changedLists(changed)) {
        for (const link of links) link.notifyClient({ method, params: undefined })
      }
    },
    updated(uri) {
      for (const link of links) link.updated(uri)
    },
  }
}

/** The offer without the members that are undefined: `replace` does not touch a kind that is not named. */
function pickOffer({ tools, resources, prompts }: Offer): Offer {
  return { ...(tools && { tools }), ...(resources && { resources }), ...(prompts && { prompts }) }
}

function changedLists(offer: Offer): readonly string[] {
  const kinds = ['tools', 'resources', 'prompts'] as const
  return kinds.filter((kind) => offer[kind]).map((kind) => listChanged[kind])
}

function capabilitiesOf({ tools, resources, prompts }: Offer): JsonObject {
  return {
    logging: {},
    ...(tools && { tools: { listChanged: true } }),
    ...(resources && { resources: { listChanged: true, subscribe: true } }),
    ...(prompts && { prompts: { listChanged: true } }),
    ...((resources ?? prompts) && { completions: {} }),
  }
}
