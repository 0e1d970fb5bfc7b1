import type { Config } from '@junctor/config'

/** The gateway that the command is for. */
export interface StatusSubject {
  /** The root of the admin port. */
  readonly url: string
  readonly config: Pick<Config, 'listen'>
  /** Absent: the demo. */
  readonly file: string | undefined
  /** How one types this program. */
  readonly program: string
}

/**
 * A command for another terminal that shows the status of the gateway. `undefined`: no token allows it. For the demo,
 * the command contains the token, which is valid for one run; for a file, the command reads the token from the file.
 */
export function statusCommand({ url, config, file, program }: StatusSubject): string | undefined {
  const token = config.listen.admin?.token
  if (token === undefined) return undefined
  const proof = file === undefined ? `--token ${token}` : `--config ${/\s/.test(file) ? JSON.stringify(file) : file}`
  return `${program} status --admin ${url} ${proof}`
}
