import type { Backend, Link } from '@junctor/contracts'
import type { CallContext, Client } from '@junctor/exchange'
import { latestHandshake, mcpProfile, wireError } from '@junctor/protocol'
import * as z from 'zod'
import type { Plugin } from '../plugin.ts'
import type { ZodSchema } from '../schema/zod-schema.ts'
import { asSent } from './as-sent.ts'
import { createTestClient, type ReceivedNotification, type TestClient } from './test-client.ts'
import { createTestPluginContext } from './test-plugin-context.ts'

/** How a test opens a backend. */
export interface OpenOptions {
  /** The backend's options, for a plugin. Default: none. */
  readonly config?: unknown
  /**
   * The caller. Default: a client of tenant `default` at the newest handshake revision, with the capabilities for
   * forms, sampling and roots. Each call's `on…` functions decide whether it answers.
   */
  readonly context?: Partial<CallContext>
}

/**
 * Opens a backend, or the backend that a plugin makes, without a gateway and without a network: requests go directly to
 * the handlers.
 *
 * @throws Error when `config` does not match the plugin's schema
 */
export async function openBackend(subject: Backend | Plugin, options: OpenOptions = {}): Promise<TestClient> {
  const backend = await backendOf(subject, options)
  const { link, context, notifications } = await openLink(backend, options)
  return createTestClient(backend, link, context, notifications)
}

/** The backend, or the one that the plugin makes. */
export async function backendOf(subject: Backend | Plugin, { config = {} }: OpenOptions): Promise<Backend> {
  return 'create' in subject ? createFrom(subject, config) : subject
}

/** An open link, and what has arrived on it outside of requests. */
export interface OpenedLink {
  readonly link: Link
  readonly context: CallContext
  readonly notifications: readonly ReceivedNotification[]
}

/** Opens one link of a backend, as the gateway does for a client. */
export async function openLink(
  backend: Backend,
  options: OpenOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<OpenedLink> {
  const context = contextOf(options)
  const notifications: ReceivedNotification[] = []
  const client: Client = {
    context,
    notify: ({ method, params }) => void notifications.push({ method, params: asSent(params) }),
    ask: async ({ method }) => ({
      error: wireError(
        'ask_not_supported',
        { revision: context.revision, dialect: '2.0', profile: mcpProfile },
        { name: method },
      ),
    }),
  }
  const { tenant, principal, session, client: about } = context
  const scope = { tenant, principal: principal.key, session, capabilities: about.capabilities, key: `${tenant}/test` }
  return { link: await backend.open(scope, client, signal), context, notifications }
}

async function createFrom<Config extends ZodSchema>(plugin: Plugin<Config>, config: unknown): Promise<Backend> {
  return plugin.create(z.parse(plugin.config, config), createTestPluginContext())
}

function contextOf({ context }: OpenOptions): CallContext {
  return {
    tenant: 'default',
    principal: { issuer: 'local', subject: 'test', key: 'local test' },
    session: 'test',
    revision: latestHandshake,
    client: {
      info: { name: 'test', version: '0.0.0' },
      capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } },
    },
    trace: undefined,
    ...context,
  }
}
