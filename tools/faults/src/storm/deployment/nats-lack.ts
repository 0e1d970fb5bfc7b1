import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { serverProblem } from '@junctor/fabric-nats'
import { findNatsServer } from '@junctor/testkit'

/** Why the nats-server of this machine cannot store values on this number of servers, and what to do; or `undefined`. */
export async function natsLack(servers: number): Promise<string | undefined> {
  const problem = serverProblem(await natsVersion(), servers)
  return problem && `${problem}: name the path of a newer one in NATS_SERVER_BIN`
}

/** The version of the nats-server that tests use, for example `2.9.10`. */
export async function natsVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)(await findNatsServer(), ['--version'])
  const [, version = '0.0.0'] = /v(\d+\.\d+\.\d+)/u.exec(stdout) ?? []
  return version
}
