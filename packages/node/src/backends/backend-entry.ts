import type { BackendConfig } from '@junctor/config'
import {
  type Backend,
  type Emit,
  type Fabric,
  type Log,
  openCallerToken,
  type ProcessGuard,
  type Seal,
} from '@junctor/contracts'
import { createAccountOffer } from '@junctor/credentials/accounts'
import { type BackendEntry, remoteBackend } from '@junctor/gateway'
import type { GatewaySite, Plugin, PluginContext } from '@junctor/plugin-sdk'
import { createCounter } from '@junctor/plugin-sdk/link'
import { settlesWithin } from '@junctor/primitives'
import { JunctorError } from '@junctor/protocol'
import { backendAddress } from './backend-address.ts'
import type { BackendOffers } from './backend-offers.ts'
import type { PluginErrors } from '../telemetry/plugin-errors.ts'
import { isIsolated } from '../plugins/isolated/is-isolated.ts'
import { refusedIsolation } from './refused-isolation.ts'
import { checkedBackend } from '../plugins/checked-backend.ts'

/** What backends are created with. */
export interface BackendParts {
  /** The kind of the node. On a gateway, links to backends that run on workers are remote links. */
  readonly node: 'gateway' | 'worker'
  readonly fabric: Fabric
  readonly processes: ProcessGuard
  readonly log: Log
  readonly emit: Emit
  readonly blame: Pick<PluginErrors, 'within' | 'backend'>
}

/** Where a backend is. */
export interface BackendPlace {
  /** The folder from which relative paths in its options start. */
  readonly folder: string
  readonly site: GatewaySite
}

/** A backend, and what it offers beside its links. */
export interface CreatedBackend {
  readonly entry: BackendEntry
  readonly offers: BackendOffers
}

/** What a plugin offers while it makes a backend. */
type Offered = { -readonly [Member in keyof BackendOffers]: BackendOffers[Member] }

/**
 * Creates a configured backend with its plugin. Nothing is opened yet. Rejects with the error of the plugin.
 *
 * @param place where its gateway is
 */
export async function createBackendEntry(
  backend: BackendConfig<Plugin>,
  { folder, site }: BackendPlace,
  parts: BackendParts,
): Promise<CreatedBackend> {
  const { name, plugin } = backend
  // The schema of this plugin has checked the options; the type of the list of plugins does not express it.
  const within = parts.blame.within(name)
  const offered: Offered = { pages: [], tokens: undefined, accounts: undefined }
  const context: PluginContext = {
    name,
    log: withBackend(parts.log, name),
    emit: parts.emit,
    folder,
    site,
    servePages(pages) {
      offered.pages = [...offered.pages, pages]
    },
    issueTokens(issuer) {
      offered.tokens = issuer
    },
    showAccounts(accounts) {
      offered.accounts = accounts
      return createAccountOffer(parts.fabric, site.publicUrl ?? '')
    },
    processes: parts.processes,
    counter: (counter) => createCounter(name, counter, parts.emit),
    store: (store, ttlMs) => parts.fabric.store(`plugin ${name} ${store}`, ttlMs),
    seal: sealOf(name, parts.fabric.seal),
    openCallerToken: (owner, sealed) => openCallerToken(parts.fabric.seal, owner, sealed),
  }
  const create = async (): Promise<Backend> =>
    backend.process === undefined || !isIsolated(plugin)
      ? plugin.create(backend.options, context)
      : plugin.createIn({ ...backend.process, isolation: backend.isolation }, backend.options, context)
  const created = parts.blame.backend(name, await madeInTime(within.runInAsyncScope(create)), within)
  const refused = created.isPersonal === true ? refusedIsolation(backend.isolation) : undefined
  if (refused !== undefined) {
    await created.close()
    throw refused
  }
  if (created.takesCallerToken === true && created.isPersonal !== true) {
    await created.close()
    throw new JunctorError('CONFIG_INVALID', 'Expected a personal backend, because it takes the tokens of its callers')
  }
  if (parts.node === 'worker' || backend.runsOn === 'gateways')
    return { entry: toEntry(backend, created), offers: offered }
  // What is known without a link is known now: workers hold the processes.
  if (isIsolated(plugin)) await created.close()
  return { entry: { ...toEntry(backend, remoteBackend(created, parts.fabric)), remote: true }, offers: offered }
}

/** How long a plugin may take to make a backend, in milliseconds: a node starts when it has all of them. */
const madeMs = 30_000

async function madeInTime(making: Promise<Backend>): Promise<Backend> {
  if (!(await settlesWithin(making, madeMs))) {
    void making.then((late) => late.close()).catch(() => {})
    throw new Error(`its plugin has not made it after ${madeMs / 1_000} s`)
  }
  return checkedBackend(await making)
}

function toEntry(config: BackendConfig, backend: Backend): BackendEntry {
  const { prefix, isolation, timeoutMs, askTimeoutMs, maxLinks, concurrency, queue, retry, idleMs, appDomain, pins } =
    config
  return {
    backend,
    address: backendAddress(config),
    prefix,
    isolation,
    timeoutMs,
    askTimeoutMs,
    maxLinks,
    concurrency,
    queue,
    retry,
    idleMs,
    appDomain,
    pins,
  }
}

/** A seal that opens nothing of other backends. */
function sealOf(backend: string, seal: Seal): Seal {
  const placeOf = (place: string): string => JSON.stringify(['plugin', backend, place])
  return {
    close: (place, data) => seal.close(placeOf(place), data),
    open: (place, sealed) => seal.open(placeOf(place), sealed),
  }
}

function withBackend(log: Log, backend: string): Log {
  return {
    debug: (message, fields) => log.debug(message, { backend, ...fields }),
    info: (message, fields) => log.info(message, { backend, ...fields }),
    warn: (message, fields) => log.warn(message, { backend, ...fields }),
    error: (message, fields) => log.error(message, { backend, ...fields }),
  }
}
