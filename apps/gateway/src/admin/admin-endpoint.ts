import { type AdminListenConfig, findConfig } from '@junctor/config'
import type { Failure } from '@junctor/command'
import { type ExitCode, exitCodes } from '@junctor/command/exit'
import { urlHost } from '@junctor/primitives'
import { problemsText } from '../report/problems-text.ts'
import { findRunningGateways } from '../running/running-gateway.ts'
import { readWithoutPlugins } from '../running/read-without-plugins.ts'

/** The admin port of a running gateway. */
export interface AdminEndpoint {
  /** Without a slash at its end. */
  readonly url: string
  readonly token: string
}

/** The words of a command line that name an admin port. Without `config`, the configuration in the folder is used. */
export interface AdminEndpointOptions {
  readonly admin?: string
  readonly token?: string
  readonly config?: string
}

/** What the user typed for a command that queries a running gateway. */
export interface AdminCommandOptions extends AdminEndpointOptions {
  readonly json?: true
}

/** Where the admin port is, or why it is not known. */
export type FoundAdmin =
  /** `note`: what the user must know about how the gateway was found. */
  | { readonly kind: 'found'; readonly place: AdminEndpoint; readonly note?: string }
  /** `code`: whether the command line or the configuration must be corrected, or a gateway started. */
  | { readonly kind: 'unknown'; readonly failure: Failure; readonly code: ExitCode; readonly note?: string }

/**
 * Finds the admin port of a running gateway. First from the command line or its variables; then from the state file of
 * a gateway that runs with the configuration, also when that configuration is invalid now; then from the configuration.
 * Of several gateways, the one at the configured port comes first, then the newest.
 */
export function findAdmin(options: AdminEndpointOptions, folder: string, env: NodeJS.ProcessEnv): FoundAdmin {
  const notes: string[] = []
  const admin = lookFor(options, folder, env, (text) => notes.push(text))
  if (admin.note !== undefined) notes.push(admin.note)
  return notes.length === 0 ? admin : { ...admin, note: notes.join('; ') }
}

function lookFor(
  options: AdminEndpointOptions,
  folder: string,
  env: NodeJS.ProcessEnv,
  note: (text: string) => void,
): FoundAdmin {
  const { admin, token } = options
  if (admin !== undefined && token !== undefined) return found(admin, token)
  const file = options.config ?? findConfig(folder)
  const parsed = file === undefined ? undefined : readWithoutPlugins(file, env)
  const running = findRunningGateways(file, folder, env, note).flatMap((gateway) => gateway.admin ?? [])
  const configured = parsed?.kind === 'valid' ? parsed.config.listen.admin : undefined
  const named = admin?.replace(/\/+$/, '') ?? (configured && urlOf(configured))
  const known = running.find(({ url }) => url === named) ?? (admin === undefined ? running[0] : undefined)
  if (known !== undefined) {
    const place = { url: known.url, token: token ?? known.token }
    if (file === undefined || parsed?.kind !== 'invalid') return { kind: 'found', place }
    const asked = `${file} ${problemsText(parsed.problems)}; the gateway that runs with it is asked at ${known.url}`
    return { kind: 'found', place, note: asked }
  }
  if (file === undefined || parsed === undefined) return unknown(exitCodes.usage, ...withoutFile(options))
  if (parsed.kind === 'invalid') {
    const next = `See them all with: junctor check --config ${file}. Without the file: --admin http://127.0.0.1:3001 --token TOKEN.`
    return unknown(exitCodes.config, `${file} ${problemsText(parsed.problems)}`, next)
  }
  const listen = parsed.config.listen.admin
  if (listen === undefined) {
    const next =
      'Add listen: { admin: { port: 3001, token: "${env:JUNCTOR_ADMIN_TOKEN}" } } and start the gateway again.'
    return unknown(exitCodes.config, `${file} has no listen.admin`, next)
  }
  const proof = token ?? listen.token
  if (proof === undefined) {
    return unknown(
      exitCodes.config,
      `${file} has no listen.admin.token`,
      'Add one and start the gateway again: without it nothing but probes and metrics is served.',
    )
  }
  if (admin === undefined && listen.port === 0) {
    // Most often, no gateway runs with it.
    return unknown(
      exitCodes.failed,
      `${file} lets the system choose the admin port`,
      'Name it with --admin: "junctor serve" prints it when it is ready.',
    )
  }
  return found(admin ?? urlOf(listen), proof)
}

function urlOf({ host, port }: AdminListenConfig): string {
  return `http://${urlHost(host)}:${port}`
}

function withoutFile({ admin, token }: AdminEndpointOptions): readonly [message: string, next: string] {
  if (admin !== undefined) {
    return ['expected a token, got none', 'Give it with --token, or in the variable JUNCTOR_ADMIN_TOKEN.']
  }
  if (token !== undefined) {
    return ['expected the address of the admin port, got none', 'Give it with --admin http://127.0.0.1:3001.']
  }
  const message = 'expected --admin and --token, or a configuration that has listen.admin'
  return [message, 'Name the file that the gateway was started with: --config junctor.yaml.']
}

function found(url: string, token: string): FoundAdmin {
  return { kind: 'found', place: { url: url.replace(/\/+$/, ''), token } }
}

function unknown(code: ExitCode, message: string, next: string): FoundAdmin {
  return { kind: 'unknown', failure: { message, next }, code }
}
