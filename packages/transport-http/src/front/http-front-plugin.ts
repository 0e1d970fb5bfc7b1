import type { FastifyPluginCallback } from 'fastify'
import {
  type AdmissionOptions,
  createAdmission,
  type StreamShares,
  type TrustedProxiesOptions,
} from '@junctor/connection'
import type { Front, Log } from '@junctor/contracts'
import type { HttpLimits } from '../options.ts'
import { mountEndpoint } from './endpoint.ts'
import { createServing } from './serving/serving.ts'

/** What the endpoint needs from the program that mounts it. */
export interface HttpFrontPluginOptions extends AdmissionOptions, TrustedProxiesOptions {
  /** The gateway. */
  readonly front: Front
  /** Only the limits that differ from `defaultHttpLimits`. The server sets those of connections and headers itself. */
  readonly limits?: Partial<HttpLimits>
  readonly log: Log
  /** The streams of the node, by client. Default: those of this front alone. */
  readonly shares?: StreamShares | undefined
  /**
   * The URL under which clients reach this endpoint, without a trailing slash, for the URLs that they receive. Default:
   * the local address of their connection.
   */
  readonly publicUrl?: string | undefined
}

/**
 * The MCP endpoint for your own Fastify server: `await server.register(httpFrontPlugin, { front, ... })`. It adds the
 * paths below `/mcp`, `/sse` and `/.well-known/oauth-protected-resource`, and changes nothing else of the server. When the
 * server closes, it ends streams and waits for pending answers.
 */
export const httpFrontPlugin: FastifyPluginCallback<HttpFrontPluginOptions> = (app, options, done) => {
  const { front, limits, log, publicUrl, shares, trustedProxies } = options
  const { prefix } = app
  const admission = createAdmission(options)
  mountEndpoint(app, createServing({ front, admission, trustedProxies, limits, log, publicUrl, shares, prefix }))
  done()
}
