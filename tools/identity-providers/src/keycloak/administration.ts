import { administrator } from './start-keycloak.ts'

/** The admin REST API of a Keycloak. */
export interface Administration {
  /** Reads JSON. @param path after `/admin/realms` */
  read(path: string): Promise<unknown>
  /** Creates a resource. Resolves with its id. */
  create(path: string, body: object): Promise<string>
  replace(path: string, body: object): Promise<void>
  /** The secret of a client. */
  secretOf(realm: string, id: string): Promise<string>
}

/** Every request has a token of its own, because they live for a minute. */
export function administrationAt(url: string): Administration {
  const ask = async (method: string, path: string, body?: object): Promise<Response> => {
    const answer = await fetch(`${url}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${await tokenAt(url)}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (answer.ok) return answer
    throw new Error(`Expected success of ${method} ${path}, got ${answer.status}: ${await answer.text()}`)
  }
  return {
    read: async (path) => (await ask('GET', path)).json(),
    async create(path, body) {
      const answer = await ask('POST', path, body)
      await answer.text()
      return answer.headers.get('location')?.split('/').at(-1) ?? ''
    },
    async replace(path, body) {
      await (await ask('PUT', path, body)).text()
    },
    async secretOf(realm, id) {
      const answer = await ask('GET', `/${realm}/clients/${id}/client-secret`)
      return ((await answer.json()) as { readonly value: string }).value
    },
  }
}

async function tokenAt(url: string): Promise<string> {
  const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: 'admin-cli',
      grant_type: 'password',
      username: administrator.name,
      password: administrator.password,
    }),
  })
  return ((await answer.json()) as { readonly access_token: string }).access_token
}
