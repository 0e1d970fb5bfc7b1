import type { Failure } from '../report/report.ts'

/** Why a call or a list failed, and what to do, for whoever runs the command. */
export function clientFailure(error: unknown, url: string | undefined): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  if (url === undefined) {
    return { message, next: 'Run "junctor check" to see whether the configuration and its backends are well.' }
  }
  const code = cause?.code ?? (error as { code?: unknown }).code
  if (code === 'ECONNREFUSED') {
    return { message: `nothing listens at ${url}`, next: 'Start a gateway with "junctor serve", or correct --url.' }
  }
  if (code === 401 || /\b401\b/.test(message)) {
    return { message: `${url} asks who calls`, next: 'Give a key with --key, or in the variable JUNCTOR_KEY.' }
  }
  if (code === 404 || /\b404\b/.test(message)) {
    return {
      message: `there is nothing for this caller at ${url}`,
      next: 'Check the path: /mcp, or /mcp/ and a tenant.',
    }
  }
  return { message: cause === undefined ? message : `${message}: ${cause.message}`, next: 'Check --url and --key.' }
}
