import { type Config, findConfig, loadConfig, parseConfig, type ParsedConfig } from '@junctor/config'
import { plugins } from '../plugins.ts'
import { createDemo } from './demo.ts'
import type { ServeOptions } from './serve-options.ts'

/** The configuration to serve. */
export interface ChosenConfig {
  readonly parsed: ParsedConfig
  /** There was no file, so this is the demo. */
  readonly isDemo: boolean
  /** Removes what was made for it. */
  remove(): void
}

/** The file that was named, else the one of the folder, else the demo; with what the command line says on top. */
export function chooseConfig(
  options: Pick<ServeOptions, 'config' | 'host' | 'port'>,
  folder: string,
  env: NodeJS.ProcessEnv,
): ChosenConfig {
  const file = options.config ?? findConfig(folder)
  if (file !== undefined) {
    return { parsed: adjusted(loadConfig(file, { plugins, env }), options), isDemo: false, remove: () => {} }
  }
  const demo = createDemo()
  const parsed = parseConfig(demo.text, { file: 'demo', plugins, env })
  return { parsed: adjusted(parsed, options), isDemo: true, remove: () => demo.remove() }
}

function adjusted(parsed: ParsedConfig, { host, port }: Pick<ServeOptions, 'host' | 'port'>): ParsedConfig {
  if (parsed.kind === 'invalid') return parsed
  const { http } = parsed.config.listen
  const config: Config = {
    ...parsed.config,
    listen: { ...parsed.config.listen, http: { ...http, host: host ?? http.host, port: port ?? http.port } },
  }
  return { ...parsed, config }
}
