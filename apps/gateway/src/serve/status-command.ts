import type { Config } from '@junctor/config'

export interface StatusSubject {
  /** The root of the admin port. */
  readonly url: string
  readonly config: Pick<Config, 'listen'>
  /** Absent: the demo. */
  readonly file: string | undefined
}

/**
 * A command, for another terminal, that looks inside the gateway; `undefined` where no token lets it. The token of the
 * demo, which is made for one run, stands in it; that of a file is read from there.
 */
export function statusCommand({ url, config, file }: StatusSubject): string | undefined {
  const token = config.listen.admin?.token
  if (token === undefined) return undefined
  const proof = file === undefined ? `--token ${token}` : `--config ${/\s/.test(file) ? JSON.stringify(file) : file}`
  return `junctor status --admin ${url} ${proof}`
}
