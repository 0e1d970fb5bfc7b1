import type { Tool } from '@junctor/plugin-sdk'
import { JunctorError, type Log, settlesWithin } from '@junctor/plugin-sdk/link'
import { Component } from './component.ts'
import { fetchDocument } from './fetch-document.ts'
import { Poll } from './poll.ts'
import { readRegistry } from './read-registry.ts'
import type { Requests } from './requests.ts'
import { shownUrl, type Source } from './sources.ts'

/** How components are found. */
export interface DiscoveryOptions {
  readonly source: Source
  readonly requests: Requests
  readonly refreshMs: number
  readonly log: Log
  /** Called when the list of tools has changed. */
  readonly changed: (tools: readonly Tool[]) => void
}

/** How long to wait for components when some have answered already, in milliseconds. */
const othersTimeoutMs = 2_000

/** The components of a backend, as they come and go. */
export class Discovery {
  readonly #options: DiscoveryOptions
  readonly #poll: Poll | undefined
  #components: ReadonlyMap<string, Component> = new Map()
  #tools: readonly Tool[] = []
  #problem: string | undefined
  /** The last usable document of the registry, as text, and what is wrong in it. */
  #listed: { readonly text: string; readonly problem: string | undefined } | undefined

  constructor(options: DiscoveryOptions) {
    this.#options = options
    const { source, refreshMs } = options
    if (source.kind === 'listed') this.#use(source.urls)
    else this.#poll = new Poll((signal) => this.#readRegistry(source.url, signal), refreshMs)
  }

  /** What does not work now, one line each. */
  get problems(): readonly string[] {
    const { source } = this.#options
    const all = [...this.#components.values()]
    return [
      ...(this.#problem === undefined || source.kind === 'listed' ? [] : [`${shownUrl(source.url)}: ${this.#problem}`]),
      ...all.flatMap(({ problem }) => problem ?? []),
      ...hiddenAmong(all).map(({ url, tool }) => `${shownUrl(url)}: another component has the name ${tool?.name}`),
    ]
  }

  /**
   * Resolves when the tools are known, as far as components answer. One that does not answer delays the others only
   * briefly.
   *
   * @throws JunctorError when there is nothing to offer because nothing answers
   */
  async ready(): Promise<void> {
    if (this.#tools.length > 0) return
    await this.#poll?.now()
    const reading = [...this.#components.values()].map((component) => component.read())
    const all = Promise.all(reading)
    if (!(await settlesWithin(all, othersTimeoutMs)) && this.#tools.length === 0) await all
    const { problems } = this
    if (this.#tools.length === 0 && problems.length > 0) {
      throw new JunctorError('BACKEND_UNREACHABLE', `no component can be used: ${problems.slice(0, 5).join('; ')}`)
    }
  }

  stop(): void {
    this.#poll?.stop()
    for (const component of this.#components.values()) component.stop()
  }

  async #readRegistry(url: string, signal: AbortSignal): Promise<boolean> {
    const before = this.#problem
    this.#problem = await this.#findComponents(url, signal).catch((error: unknown) => (error as Error).message)
    if (this.#problem === undefined || signal.aborted) return true
    // A problem is logged once, although the registry is read again and again.
    if (this.#problem !== before) {
      const about = { url: shownUrl(url), error: this.#problem }
      this.#options.log.warn('a registry of components has a problem', about)
    }
    return false
  }

  /** Reads the registry. Returns why it cannot be used; then the components stay as they are. */
  async #findComponents(url: string, signal: AbortSignal): Promise<string | undefined> {
    const document = await fetchDocument(this.#options.requests, url, this.#listed?.text, signal)
    if (document.kind === 'unusable') return document.why
    if (document.kind === 'unchanged') return this.#listed?.problem
    const registry = readRegistry(document.value, url)
    if (registry.kind === 'unusable') return registry.why
    if (signal.aborted) return undefined
    this.#use(registry.urls)
    const { ignored } = registry
    const problem = ignored === 0 ? undefined : `${ignored} entries are no URLs of components`
    this.#listed = { text: document.text, problem }
    return problem
  }

  /** Keeps the components with these URLs, adds new ones, and forgets the others. */
  #use(urls: readonly string[]): void {
    const { requests, refreshMs, log } = this.#options
    const next = new Map(
      urls.map((url) => {
        const changed = (): void => this.#offer()
        return [url, this.#components.get(url) ?? new Component({ url, requests, refreshMs, log, changed })]
      }),
    )
    const before = this.#components
    this.#components = next
    for (const [url, component] of before) if (!next.has(url)) component.stop()
    for (const [url, component] of next) if (!before.has(url)) void component.read()
    this.#offer()
  }

  #offer(): void {
    const all = [...this.#components.values()]
    const hidden = hiddenAmong(all)
    const tools = all.filter((component) => !hidden.includes(component)).flatMap(({ tool }) => tool ?? [])
    if (tools.length === this.#tools.length && tools.every((tool, at) => tool === this.#tools[at])) return
    this.#tools = tools
    this.#options.changed(tools)
  }
}

/** The components whose tool has the name of an earlier one. */
function hiddenAmong(components: readonly Component[]): readonly Component[] {
  const names = new Set<string>()
  return components.filter(({ tool }) => {
    if (tool === undefined) return false
    const isTaken = names.has(tool.name)
    names.add(tool.name)
    return isTaken
  })
}
