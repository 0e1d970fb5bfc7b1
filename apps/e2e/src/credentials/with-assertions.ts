import { type AlternatingProxy, startAlternatingProxy } from '@junctor/testkit'
import { createBackend, createTool, definePlugin, ToolResponse } from '@junctor/plugin-sdk'
import { onTestFinished } from 'vitest'
import * as z from 'zod'
import { startAssertionIssuer } from '../../fixtures/assertion-issuer.ts'
import { exchangeClient, type ExchangeAuthority, startExchangeAuthority } from '../../fixtures/exchange-authority.ts'
import { type Issuer, startIssuer } from '../../fixtures/issuer.ts'
import type { Cell } from '../cell.ts'
import { inGateway, type Scene } from '../in-gateway.ts'
import { createLogRecorder, type LogRecord } from '../log-recorder.ts'

/** The gateway as a client of the server's authorization server. */
export const assertionClient = { clientId: 'gateway-at-server', clientSecret: 'the secret at the server' } as const

/** A gateway with a backend `api`, whose authorization server takes identity assertions. */
export interface AssertionScene extends Scene {
  /** Issues the tokens of callers. */
  readonly issuer: Issuer
  /** Exchanges them for identity assertions. */
  readonly identityProvider: ExchangeAuthority
  /** The backend: a gateway of another organisation, with a login server of its own. */
  readonly server: Pick<AlternatingProxy, 'url' | 'received'>
  readonly records: readonly LogRecord[]
}

interface AssertionOptions {
  /** Options of the backend in addition. */
  readonly backend?: object
  /** Options of the server's login server in addition. */
  readonly login?: object
  /** The authorization server, if it is not the server's own. */
  readonly authorizationServer?: object
}

const config: z.ZodType<object> = z.strictObject({})

/** Its tool tells who calls. */
const whoami = definePlugin({
  name: 'whoami',
  key: 'plugin',
  config,
  create: (_config, { name, log }) =>
    createBackend({
      name,
      log,
      tools: [
        createTool({
          metadata: { name: 'whoami', description: 'Tells who calls', inputSchema: z.object({}) },
          handler: (_input, { exchange }) => ToolResponse.text(exchange.context.principal.subject),
        }),
      ],
    }),
})

/** Runs a gateway with such a backend; the backend is a second gateway, on one node. */
export async function withAssertions(
  cell: Cell,
  { backend = {}, login = {}, authorizationServer }: AssertionOptions,
  body: (scene: AssertionScene) => Promise<void>,
): Promise<void> {
  const issuer = await startIssuer()
  onTestFinished(() => issuer.close())
  const by = await startAssertionIssuer()
  onTestFinished(() => by.close())
  const assertions = { by, clientId: assertionClient.clientId }
  const identityProvider = await startExchangeAuthority({ trusts: issuer.url, assertions })
  onTestFinished(() => identityProvider.close())
  const server = await startAlternatingProxy()
  onTestFinished(() => server.close())
  const clients = { [assertionClient.clientId]: { secret: assertionClient.clientSecret, scopes: ['mcp'] } }
  const issuers = { corp: { issuer: identityProvider.url, jwksUri: by.entry.jwksUri } }
  const identityAssertion = {
    identityProvider: { issuer: identityProvider.url, ...exchangeClient },
    authorizationServer: authorizationServer ?? { issuer: server.url, ...assertionClient },
    scope: 'mcp',
  }
  const { log, records } = createLogRecorder()
  const alone: Cell = { way: 'http', nodes: 1, revision: cell.revision }
  await inGateway(
    alone,
    { own: { plugin: 'whoami', prefix: '' }, login: { authServer: { clients, issuers, ...login } } },
    async ({ gateway }) => {
      server.targets = gateway.urls.map((url) => new URL(url).origin)
      await inGateway(
        cell,
        { api: { url: `${server.url}/mcp`, auth: { identityAssertion }, ...backend } },
        (scene) => body({ ...scene, issuer, identityProvider, server, records }),
        { log, config: { auth: issuer.auth } },
      )
    },
    { plugins: [whoami], config: { publicUrl: server.url, auth: { server: 'login', scopes: ['mcp'] } } },
  )
}
