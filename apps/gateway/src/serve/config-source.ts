import { findConfig, loadConfig, parseConfig, type ParsedConfig } from '@junctor/config'
import { plugins } from '../plugins.ts'
import { createDemo } from './demo.ts'
import type { ServeOptions } from './serve-options.ts'

/** Where the configuration comes from. */
export interface ConfigSource {
  /** `undefined`: there is no file, so the demo is served. */
  readonly file: string | undefined
  /** Reads it as it is now, with what the command line says on top. */
  read(): ParsedConfig
  /** Removes what was made for it. */
  remove(): void
}

/** The file that was named, else the one of the folder, else the demo. */
export function chooseSource(
  options: Pick<ServeOptions, 'config' | 'host' | 'port'>,
  folder: string,
  env: NodeJS.ProcessEnv,
): ConfigSource {
  const file = options.config ?? findConfig(folder)
  if (file !== undefined) {
    return { file, read: () => adjusted(loadConfig(file, { plugins, env }), options), remove: () => {} }
  }
  const demo = createDemo()
  return {
    file,
    read: () => adjusted(parseConfig(demo.text, { file: 'demo', plugins, env }), options),
    remove: () => demo.remove(),
  }
}

function adjusted(parsed: ParsedConfig, { host, port }: Pick<ServeOptions, 'host' | 'port'>): ParsedConfig {
  if (parsed.kind === 'invalid') return parsed
  const { listen } = parsed.config
  const http = { ...listen.http, host: host ?? listen.http.host, port: port ?? listen.http.port }
  return { ...parsed, config: { ...parsed.config, listen: { ...listen, http } } }
}
