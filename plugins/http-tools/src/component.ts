import {
  createTool,
  type RequestContext,
  type StructuredResponse,
  type Tool,
  type ToolResponse,
} from '@junctor/plugin-sdk'
import { HttpRequestError } from '@junctor/plugin-sdk/http'
import type { Log } from '@junctor/plugin-sdk/link'
import { ExponentialBackoff, handleWhen, noop, retry } from 'cockatiel'
import { AttemptFailed, callComponent } from './call-component.ts'
import { fetchDocument } from './fetch-document.ts'
import { Poll } from './poll.ts'
import { isRepeatable, readMetadata, type ToolDescription } from './read-metadata.ts'
import type { Requests } from './requests.ts'
import { shownUrl } from './sources.ts'

/** How a component is read. */
export interface ComponentOptions {
  readonly url: string
  readonly requests: Requests
  /** How often its description is read again, in milliseconds. */
  readonly refreshMs: number
  readonly log: Log
  /** Called when its tool has changed, or when it begins or stops to work. */
  readonly changed: () => void
}

/**
 * For tools that may run twice: sends a call at most three times, within its deadline, while a proxy answers that the
 * component is unavailable. Calls whose connection was lost are retried by the gateway.
 */
const retryUnavailable = retry(
  handleWhen((error) => error instanceof AttemptFailed && error.isUnavailable),
  { maxAttempts: 2, backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 500 }) },
)

/** One tool behind a URL. It keeps its tool while it is down, so that callers learn that it is down. */
export class Component {
  readonly url: string
  readonly #options: ComponentOptions
  readonly #poll: Poll
  #tool: Tool | undefined
  /** The last usable description, as text. */
  #described: string | undefined
  #problem: string | undefined = 'not read yet'

  constructor(options: ComponentOptions) {
    this.url = options.url
    this.#options = options
    this.#poll = new Poll((signal) => this.#read(signal), options.refreshMs)
  }

  /** Its tool, as it was last described; `undefined`: it has never been. */
  get tool(): Tool | undefined {
    return this.#tool
  }

  /** Why it does not work now, in one line; `undefined`: it works. */
  get problem(): string | undefined {
    return this.#problem === undefined ? undefined : `${shownUrl(this.url)}: ${this.#problem}`
  }

  /** Reads its description. Never rejects. */
  read(): Promise<void> {
    return this.#poll.now()
  }

  stop(): void {
    this.#poll.stop()
  }

  async #read(signal: AbortSignal): Promise<boolean> {
    const problem = await this.#describe(signal).catch((error: unknown) => reasonOf(error))
    if (signal.aborted) return false
    this.#setProblem(problem)
    return problem === undefined
  }

  /** Reads the description. Returns why it cannot be used. */
  async #describe(signal: AbortSignal): Promise<string | undefined> {
    const document = await fetchDocument(this.#options.requests, this.url, this.#described, signal)
    if (document.kind === 'unusable') return document.why
    if (document.kind === 'unchanged') return undefined
    const metadata = readMetadata(document.value)
    if (metadata.kind === 'unusable') return metadata.why
    this.#tool = this.#toolOf(metadata.tool)
    this.#described = document.text
    this.#options.changed()
    return undefined
  }

  #toolOf(description: ToolDescription): Tool {
    const policy = isRepeatable(description) ? retryUnavailable : noop
    // The cast promises structured content to a tool with an output schema. `createTool` checks it.
    const handler = (input: object, context: RequestContext) =>
      policy.execute(() => this.#call(description.name, input, context), context.signal) as Promise<
        StructuredResponse<object>
      >
    return createTool({ metadata: description, exactNumbers: true, handler }, { log: this.#options.log })
  }

  async #call(tool: string, input: object, context: RequestContext): Promise<ToolResponse> {
    try {
      const result = await callComponent({ requests: this.#options.requests, url: this.url, tool, input, context })
      if (this.#problem !== undefined) this.#poll.again()
      return result
    } catch (error) {
      if (context.exchange.ended === undefined) this.#failed(tool, error)
      throw error
    }
  }

  /** A component that refuses a call may have another schema now, and one that cannot be reached may be down. */
  #failed(tool: string, error: unknown): void {
    const reason = reasonOf(error)
    this.#options.log.warn('a call of a component failed', { tool, url: shownUrl(this.url), error: reason })
    if (error instanceof AttemptFailed && (error.isUnavailable || error.loss !== undefined)) this.#setProblem(reason)
    this.#poll.again()
  }

  #setProblem(problem: string | undefined): void {
    if (problem === this.#problem) return
    this.#problem = problem
    const url = shownUrl(this.url)
    if (problem === undefined) this.#options.log.info('a component answers', { url })
    else this.#options.log.warn('a component does not work', { url, error: problem })
    this.#options.changed()
  }
}

function reasonOf(error: unknown): string {
  const { cause } = error instanceof AttemptFailed ? error : { cause: undefined }
  if (cause instanceof HttpRequestError) return cause.message
  return error instanceof Error ? error.message : 'unknown'
}
