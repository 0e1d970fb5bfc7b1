import type { JsonObject } from '@junctor/jsonrpc'
import type { ParsedNodeConfig } from '@junctor/node'
import { check } from '../check/check.ts'

/** The tools that backends offer now, by backend, and why some did not say. */
export interface OfferedTools {
  readonly tools: ReadonlyMap<string, readonly JsonObject[]>
  readonly problems: Awaited<ReturnType<typeof check>>['problems']
}

/** A valid configuration, the backend that is asked (default: all), and how long it may take, in milliseconds. */
export interface AskedBackends {
  readonly file: string
  readonly parsed: Extract<ParsedNodeConfig, { kind: 'valid' }>
  readonly backend: string | undefined
  readonly timeoutMs: number
}

/** Starts or connects to backends, and asks for their tools, whatever was approved. Cleans up everything. */
export async function offeredTools({ file, parsed, backend, timeoutMs }: AskedBackends): Promise<OfferedTools> {
  const { config } = parsed
  const backends = config.backends.map((each) => ({ ...each, pins: undefined }))
  const checked = await check(file, { ...parsed, config: { ...config, backends } }, timeoutMs, () => {}, backend)
  const tools = checked.backends.flatMap((each) =>
    each.state === 'up' ? [[each.name, each.definitions] as const] : [],
  )
  const failed = new Set(checked.backends.flatMap(({ name, state }) => (state === 'up' ? [] : [name])))
  return { tools: new Map(tools), problems: checked.problems.filter((problem) => failed.has(problem.backend ?? '')) }
}
