import { fileURLToPath } from 'node:url'
import { findPython } from '@junctor/testkit'

const modules = fileURLToPath(new URL('../fixtures/python', import.meta.url))

/** How long the download of a Python may take, in milliseconds: the timeout of the hook that needs it first. */
export const pythonTimeoutMs = 120_000

/**
 * The configuration of the backend `chora-composer` in the document of the profile `n8n`: a real server in Python, as a
 * child process.
 */
export async function chora(env: Readonly<Record<string, string>> = {}): Promise<object> {
  return {
    command: await findPython(),
    args: ['-m', 'chora_compose.mcp.server'],
    prefix: 'chora',
    env: { PYTHONPATH: modules, PYTHONDONTWRITEBYTECODE: '1', ...env },
  }
}
