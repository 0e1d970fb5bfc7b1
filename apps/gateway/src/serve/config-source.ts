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

/** What the command line may say of the configuration. */
export type SourceOptions = Pick<ServeOptions, 'config' | 'host' | 'port' | 'adminPort' | 'stdio' | 'quiet'>

/** Where the demo's admin port is; a free one when the other port is to be free, too. */
const demoAdminPort = 3001

/** The file that was named, else the one of the folder, else the demo. */
export function chooseSource(options: SourceOptions, folder: string, env: NodeJS.ProcessEnv): ConfigSource {
  const file = options.config ?? findConfig(folder)
  if (file !== undefined) {
    return { file, read: () => adjusted(loadConfig(file, { plugins, env }), options, env), remove: () => {} }
  }
  const demo = createDemo(options.port === 0 ? 0 : demoAdminPort)
  // Nobody could be told the token where one client has both streams.
  const shown = { ...options, quiet: options.stdio ?? options.quiet }
  return {
    file,
    read: () => adjusted(parseConfig(demo.text, { file: 'demo', plugins, env }), shown, env),
    remove: () => demo.remove(),
  }
}

function adjusted(
  parsed: ParsedConfig,
  { host, port, adminPort, quiet }: { readonly [Name in keyof SourceOptions]?: SourceOptions[Name] | undefined },
  env: NodeJS.ProcessEnv,
): ParsedConfig {
  if (parsed.kind === 'invalid') return parsed
  const { listen } = parsed.config
  const http = { ...listen.http, host: host ?? listen.http.host, port: port ?? listen.http.port }
  const opened = { host: '127.0.0.1', port: 0, token: env['JUNCTOR_ADMIN_TOKEN'], allowedHosts: [] }
  const asked = adminPort === undefined ? listen.admin : { ...(listen.admin ?? opened), port: adminPort }
  const admin = quiet === true ? undefined : asked
  return { ...parsed, config: { ...parsed.config, listen: { ...listen, http, admin } } }
}
