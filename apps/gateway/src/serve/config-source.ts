import { findConfig, parseConfig } from '@junctor/config'
import { type ParsedNodeConfig, readConfig } from '@junctor/node'
import { plugins } from '../plugins.ts'
import { createDemoConfig } from './demo.ts'
import type { ServeOptions } from './serve-options.ts'

/** The source of the configuration. */
export interface ConfigSource {
  /** `undefined`: there is no file, so the demo is served. */
  readonly file: string | undefined
  /** Reads the current configuration and loads its plugins. The command line overrides it. Never rejects. */
  read(): Promise<ParsedNodeConfig>
  /** Removes the files that were created for it. */
  remove(): void
}

/** The command line options that override the configuration. */
export type SourceOptions = Pick<ServeOptions, 'config' | 'folder' | 'host' | 'port' | 'adminPort' | 'stdio' | 'quiet'>

/** The demo's admin port. It is a free port when the client port is a free one as well. */
const demoAdminPort = 3001

/** The file that was named, else the default file of the folder, else the demo. */
export function chooseSource(options: SourceOptions, folder: string, env: NodeJS.ProcessEnv): ConfigSource {
  const file = options.config ?? findConfig(folder)
  if (file !== undefined) {
    return {
      file,
      read: async () =>
        adjusted(
          await readConfig(file, { ...(options.folder && { folder: options.folder }), plugins, env }),
          options,
          env,
        ),
      remove: () => {},
    }
  }
  const demo = createDemoConfig(options.port === 0 ? 0 : demoAdminPort)
  // With --stdio, the token could not be shown: the client has both streams.
  const shown = { ...options, quiet: options.stdio ?? options.quiet }
  return {
    file,
    read: async () => adjusted(parseConfig(demo.text, { file: 'demo', plugins, env }), shown, env),
    remove: () => demo.remove(),
  }
}

function adjusted(
  parsed: ParsedNodeConfig,
  { host, port, adminPort, quiet }: { readonly [Name in keyof SourceOptions]?: SourceOptions[Name] | undefined },
  env: NodeJS.ProcessEnv,
): ParsedNodeConfig {
  if (parsed.kind === 'invalid') return parsed
  const { listen } = parsed.config
  const http = { ...listen.http, host: host ?? listen.http.host, port: port ?? listen.http.port }
  const opened = { host: '127.0.0.1', port: 0, token: env['JUNCTOR_ADMIN_TOKEN'], allowedHosts: [] }
  const asked = adminPort === undefined ? listen.admin : { ...(listen.admin ?? opened), port: adminPort }
  const admin = quiet === true ? undefined : asked
  return { ...parsed, config: { ...parsed.config, listen: { ...listen, http, admin } } }
}
