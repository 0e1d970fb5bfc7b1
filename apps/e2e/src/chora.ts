import { fileURLToPath } from 'node:url'
import { findPython } from '@junctor/testkit'

const modules = fileURLToPath(new URL('../fixtures/python', import.meta.url))

/** How long it may take, in milliseconds, to fetch a Python where there is none: for the hook that sees to it first. */
export const pythonPatienceMs = 120_000

/** The backend `chora-composer` of system A as a configuration has it: a real server in Python, as a child process. */
export async function chora(env: Readonly<Record<string, string>> = {}, entry: object = {}): Promise<object> {
  return {
    command: await findPython(),
    args: ['-m', 'chora_compose.mcp.server'],
    prefix: 'chora',
    env: { PYTHONPATH: modules, PYTHONDONTWRITEBYTECODE: '1', ...env },
    ...entry,
  }
}
