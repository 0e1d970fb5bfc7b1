import { hash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import {
  exchangeClient,
  type ExchangeAuthority,
  type ExchangeAuthorityOptions,
  startExchangeAuthority,
} from '../../fixtures/exchange-authority.ts'
import { type Issuer, startIssuer } from '../../fixtures/issuer.ts'
import { type ProtectedServer, startProtectedServer } from '../../fixtures/protected-server.ts'
import type { Cell } from '../cell.ts'
import { inGateway, type Scene } from '../in-gateway.ts'
import { createLogRecorder, type LogRecord } from '../log-recorder.ts'

/** A gateway with a backend `api`, for which it exchanges the tokens of its callers. */
export interface ExchangeScene extends Scene {
  /** Issues the tokens of callers. */
  readonly issuer: Issuer
  readonly authority: ExchangeAuthority
  readonly server: ProtectedServer
  readonly records: readonly LogRecord[]
}

interface ExchangeOptions extends Omit<ExchangeAuthorityOptions, 'trusts'> {
  /** Options of the backend in addition. */
  readonly backend?: (server: ProtectedServer, authority: ExchangeAuthority) => object
  /** The authorization server that the backend names. Default: the one that exchanges. */
  readonly named?: string
  /** Options of `auth` in addition. */
  readonly auth?: object
}

/** The headers of a caller with a token. */
export const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

/** The configuration of an API key. */
export const apiKey = (key: string): object => ({ hash: `sha256:${hash('sha256', key, 'hex')}` })

/** Runs a gateway whose backend wants tokens of an authorization server that exchanges those of the callers' issuer. */
export async function withExchange(
  cell: Cell,
  { backend = () => ({}), named, auth = {}, ...options }: ExchangeOptions,
  body: (scene: ExchangeScene) => Promise<void>,
): Promise<void> {
  const issuer = await startIssuer()
  onTestFinished(() => issuer.close())
  const authority = await startExchangeAuthority({ trusts: issuer.url, ...options })
  onTestFinished(() => authority.close())
  const server = await startProtectedServer(authority.url, named)
  onTestFinished(() => server.close())
  const { log, records } = createLogRecorder()
  const tokenExchange = { issuer: authority.url, ...exchangeClient }
  await inGateway(
    cell,
    { api: { url: server.url, auth: { tokenExchange }, ...backend(server, authority) } },
    (scene) => body({ ...scene, issuer, authority, server, records }),
    { log, config: { auth: { ...issuer.auth, ...auth } } },
  )
}
