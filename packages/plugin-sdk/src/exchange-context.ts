import type { ClientDescription, Exchange } from '@junctor/exchange'
import { exactly, isJsonObject, type JsonObject, type Payload } from '@junctor/jsonrpc'
import { eraOf, mcpProfile, methods, reachesLevel, wireError, type LogLevel } from '@junctor/protocol'
import { assertFlatForm } from './assert-flat-form.ts'
import { exactMember, numberProblems } from './changed-numbers.ts'
import { ClientRefusal } from './client-refusal.ts'
import { exactPayload, printedPayload } from './printed-payload.ts'
import type { CallToolOptions, Elicited, RequestContext, Sampled } from './request-context.ts'
import { describeProblems } from './schema/schema-problem.ts'
import { compileSchema, type Schema, type SchemaOutput } from './schema/schema.ts'
import { ToolCallFailed } from './tool-call-failed.ts'
import { toolFetch } from './tool-fetch.ts'
import type { ToolResponse } from './tool-response.ts'

/** The log settings of a link. */
export interface Logging {
  /** Names the backend in each message. */
  readonly logger: string
  /** The lowest level to send; `undefined` until the client has set one, and then every message is sent. */
  readonly level: LogLevel | undefined
}

/**
 * A request context on an exchange. There is one object for each request; its members are computed when they are read, so
 * that its functions work without it.
 */
export class ExchangeContext implements RequestContext {
  readonly exchange: Exchange
  readonly #logging: Logging

  constructor(exchange: Exchange, logging: Logging) {
    this.exchange = exchange
    this.#logging = logging
  }

  get signal(): AbortSignal {
    return this.exchange.signal
  }

  get client(): ClientDescription {
    return this.exchange.context.client
  }

  get options(): JsonObject | undefined {
    return this.exchange.options
  }

  get progress(): RequestContext['progress'] {
    return (done, total, message) => {
      if (!this.exchange.wantsProgress) return
      this.exchange.progress({
        progress: done,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      })
    }
  }

  get log(): RequestContext['log'] {
    return (level, data) => {
      const { level: wanted, logger } = this.#logging
      if (wanted !== undefined && !reachesLevel(level, wanted)) return
      this.exchange.notify({ method: methods.notificationsMessage, params: printedPayload({ level, logger, data }) })
    }
  }

  get elicit(): RequestContext['elicit'] {
    return async (message, schema) => this.#elicit(message, schema)
  }

  get sample(): RequestContext['sample'] {
    return async (params) => {
      const given = await this.#ask('sampling', methods.samplingCreateMessage, params)
      const answer = objectIn(given, methods.samplingCreateMessage)
      if (answer['content'] === undefined) throw unreadable(methods.samplingCreateMessage)
      return answer as unknown as Sampled
    }
  }

  get roots(): RequestContext['roots'] {
    return async () => {
      const { roots } = objectIn(await this.#ask('roots', methods.rootsList, undefined), methods.rootsList)
      if (!Array.isArray(roots)) throw unreadable(methods.rootsList)
      return roots
    }
  }

  get callTool(): RequestContext['callTool'] {
    return async (name, input, options) => (await callTool(this.exchange, name, input, options)).value() as ToolResponse
  }

  get fetch(): typeof fetch {
    return toolFetch(async (name, input, options) => {
      const result = await callTool(this.exchange, name, input, options)
      return exactly(result) as ToolResponse
    })
  }

  async #elicit<S extends Schema>(message: string, schema: S): Promise<Elicited<SchemaOutput<S>>> {
    const form = compileSchema(schema, 'The schema of a form', 'input')
    const { properties } = form.json
    if (isJsonObject(properties)) assertFlatForm(properties)
    // Only these members are in every revision's schema of a form.
    const requestedSchema = {
      type: 'object',
      properties: properties ?? {},
      required: form.json['required'],
    }
    const given = await this.#ask('elicitation', methods.elicitationCreate, { message, requestedSchema })
    const answer = objectIn(given, methods.elicitationCreate)
    if (answer['action'] === 'decline' || answer['action'] === 'cancel') return { action: answer['action'] }
    if (answer['action'] !== 'accept') throw unreadable(methods.elicitationCreate)
    const problems = numberProblems(exactMember(given, 'content'), false)
    if (problems.length > 0) throw new Error(describeProblems('The form was sent back with lost numbers', problems))
    const checked = await form.check(answer['content'] ?? {})
    if (checked.kind === 'valid') return { action: 'accept', content: checked.value }
    throw new Error(describeProblems('The form was sent back with values that it does not allow', checked.problems))
  }

  async #ask(capability: string, method: string, params: JsonObject | undefined): Promise<Payload> {
    const { revision } = this.exchange.context
    // From 2026-07-28 on the gateway refuses it, and names to the client the capability that its call lacks.
    if (this.client.capabilities[capability] === undefined && eraOf(revision) === 'handshake') {
      const view = { revision, dialect: '2.0', profile: mcpProfile } as const
      throw new ClientRefusal(method, wireError('ask_not_supported', view))
    }
    const answer = await this.exchange.ask({ method, params: params && printedPayload(params) })
    if ('error' in answer) throw new ClientRefusal(method, answer.error)
    return answer.result
  }
}

function objectIn(answer: Payload, method: string): JsonObject {
  const value = answer.value()
  if (!isJsonObject(value)) throw unreadable(method)
  return value
}

function unreadable(method: string): Error {
  return new Error(`The client answered ${method} with something that the specification does not know`)
}

async function callTool(
  exchange: Exchange,
  name: string,
  input: object = {},
  { progress, ...options }: CallToolOptions = {},
): Promise<Payload> {
  // As in any request of MCP, a token asks for progress. Only the gateway reads it.
  const meta = progress === true ? { _meta: { progressToken: name } } : {}
  const answer = await exchange.callTool(exactPayload({ name, arguments: input as JsonObject, ...meta }), options)
  if ('error' in answer) throw new ToolCallFailed(name, answer.error)
  return answer.result
}
