import { findConfig, loadConfig } from '@junctor/config'
import { plugins } from '../plugins.ts'
import type { Failure } from '../report/report.ts'

/** Where a running gateway is looked into. */
export interface AdminPlace {
  /** Without a slash at its end. */
  readonly url: string
  readonly token: string
}

export interface AdminOptions {
  readonly admin?: string
  readonly token?: string
  readonly config?: string
}

export type FoundAdmin =
  | { readonly kind: 'found'; readonly place: AdminPlace }
  | { readonly kind: 'unknown'; readonly failure: Failure }

/** What was said on the command line or in its variables, else what the configuration of the gateway says. */
export function findAdmin(options: AdminOptions, folder: string, env: NodeJS.ProcessEnv): FoundAdmin {
  const { admin, token } = options
  if (admin !== undefined && token !== undefined) return found(admin, token)
  const file = options.config ?? findConfig(folder)
  if (file === undefined) {
    const message = 'expected --admin and --token, or a configuration that has listen.admin'
    return unknown(message, 'Name the file that the gateway was started with: --config junctor.yaml')
  }
  const parsed = loadConfig(file, { plugins, env })
  if (parsed.kind === 'invalid') {
    return unknown(`${file} has ${parsed.problems.length} problems`, `See them with: junctor check --config ${file}`)
  }
  const listen = parsed.config.listen.admin
  if (listen === undefined) {
    return unknown(
      `${file} has no listen.admin`,
      'Add listen: { admin: { port: 3001, token: … } } and start the gateway again.',
    )
  }
  const known = token ?? listen.token
  if (known === undefined) {
    return unknown(
      `${file} has no listen.admin.token`,
      'Add one and start the gateway again: without it nothing but probes and metrics is served.',
    )
  }
  if (admin === undefined && listen.port === 0) {
    return unknown(
      `${file} lets the system choose the admin port`,
      'Name it with --admin: it is in the line that says "Ready".',
    )
  }
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host
  return found(admin ?? `http://${host}:${listen.port}`, known)
}

function found(url: string, token: string): FoundAdmin {
  return { kind: 'found', place: { url: url.replace(/\/+$/, ''), token } }
}

function unknown(message: string, next: string): FoundAdmin {
  return { kind: 'unknown', failure: { message, next } }
}
