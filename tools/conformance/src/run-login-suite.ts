import { hashPassword } from '@junctor/plugin-auth-server'
import { freePort, PersonWithBrowser } from '@junctor/testkit'
import type { Findings } from './read-checks.ts'
import { runSuite } from './run-suite.ts'
import { startNodes } from './start-nodes.ts'
import type { Suite } from './suites.ts'

const password = 'correct horse battery'

/**
 * Runs the scenarios for authorization servers against the login server of a gateway: the suite is a client that has
 * registered, and names a page, where a person logs in and agrees. Rejects when the gateway does not start.
 */
export async function runLoginSuite(suite: Suite, scratch: string): Promise<Findings> {
  await using stack = new AsyncDisposableStack()
  const [port, callbackPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const users = { ada: { password: await hashPassword(password) } }
  const nodes = await startNodes(1, { authServer: { users } }, 'memory', {
    listen: { http: { port } },
    publicUrl: url,
    auth: { server: 'tested', scopes: ['mcp'] },
    tenants: { default: { backends: ['demo'] } },
  })
  stack.defer(() => nodes.close())
  const back = `http://127.0.0.1:${callbackPort}/callback`
  const id = await register(url, back)
  const visits: Promise<void>[] = []
  const see = (line: string): void => {
    if (line.startsWith(`${url}/oauth/authorize?`)) visits.push(visit(new URL(line), back))
  }
  const target = ['--url', url, '--resource', `${url}/mcp`, '--client-id', id, '--port', String(callbackPort)]
  const findings = await runSuite(suite, target, scratch, see)
  const failed = (await Promise.allSettled(visits)).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  return { ...findings, failures: [...findings.failures, ...failed.map(String)] }
}

/** Logs in and agrees at a page, and goes where the person is sent: the suite listens there. */
async function visit(page: URL, back: string): Promise<void> {
  await fetch(await new PersonWithBrowser('ada', password).authorize(page, back))
}

/** Registers the suite as a client without a secret. Resolves with its id. */
async function register(url: string, back: string): Promise<string> {
  const answer = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'The official suite',
      redirect_uris: [back],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    }),
  })
  const { client_id: id } = (await answer.json()) as { readonly client_id?: string }
  if (id === undefined) throw new Error(`Expected a client id, got status ${answer.status}`)
  return id
}
