import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Log, silentLog } from '@junctor/contracts'
import { nkeys } from '@nats-io/transport-node'
import { eventually, type NatsServer, renewedCredentials, startNatsServer, testCredentials } from '@junctor/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { connectNats } from '../src/connect-nats.ts'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.toReversed()) await one.close()
  open.length = 0
})

async function start(...options: Parameters<typeof startNatsServer>): Promise<NatsServer> {
  const server = await startNatsServer(...options)
  open.push({ close: () => server.stop() })
  return server
}

async function connected(...[options, log = silentLog]: [Parameters<typeof connectNats>[0], Log?]) {
  const connection = await connectNats(options, log)
  open.push(connection)
  return connection
}

/** Writes a file for one test. */
async function written(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nats-test-'))
  open.push({ close: () => rm(folder, { recursive: true }) })
  const file = join(folder, 'file')
  await writeFile(file, text)
  return file
}

test('connects, and reconnects after the server was down', async () => {
  const server = await start()
  const logged: string[] = []
  const log: Log = { ...silentLog, warn: (message) => logged.push(message), info: (message) => logged.push(message) }
  const connection = await connected({ servers: [server.url] }, log)
  const received: string[] = []
  connection.subscribe('subject', { callback: (_error, message) => void received.push(message.string()) })
  await connection.flush()
  await server.kill()
  await eventually(() => expect(logged).toEqual(['the connection to NATS is lost']))
  await server.restart()
  await eventually(() => expect(logged).toEqual(['the connection to NATS is lost', 'connected to NATS again']))
  connection.publish('subject', 'after')
  await eventually(() => expect(received).toEqual(['after']))
})

test('a server that refuses the credentials again and again is logged once, until the connection is restored', async () => {
  const users = (password: string): string => `authorization: { user: me, password: ${password} }`
  const config = await written(users('first'))
  const server = await start({ args: ['-c', config] })
  const logged: unknown[] = []
  const note = (message: string, details?: { readonly error?: unknown }) => logged.push(details?.error ?? message)
  const connection = await connected(
    { servers: [server.url], user: 'me', password: 'first' },
    { ...silentLog, warn: note, info: note },
  )
  const attempts: string[] = []
  const counted = (async () => {
    for await (const { type } of connection.status()) if (type === 'error') attempts.push(type)
  })()
  await writeFile(config, users('second'))
  await server.restart()
  await eventually(() => expect(attempts.length).toBeGreaterThan(3))
  const refused = ['the connection to NATS is lost', expect.stringMatching(/authorization/i)]
  expect(logged).toEqual(refused)
  await writeFile(config, users('first'))
  await server.restart()
  await eventually(() => expect(logged).toEqual([...refused, 'connected to NATS again']))
  await connection.close()
  await counted
})

test('an unreachable server is an error that names the server without its password', async () => {
  const reserved = createServer().listen(0, '127.0.0.1')
  await once(reserved, 'listening')
  const { port } = reserved.address() as AddressInfo
  reserved.close()
  const failed = connectNats({ servers: [`nats://me:hunter2@127.0.0.1:${port}`] }, silentLog)
  const error = await failed.then(() => undefined, String)
  expect(error).toContain('FABRIC_UNAVAILABLE')
  expect(error).toContain(`127.0.0.1:${port}`)
  expect(error).not.toContain('hunter2')
})

test('a server without JetStream is refused, and the error names the remedy', async () => {
  const { url } = await start({ jetStream: false })
  await expect(connectNats({ servers: [url] }, silentLog)).rejects.toMatchObject({
    code: 'FABRIC_UNAVAILABLE',
    message: expect.stringContaining('-js') as string,
  })
})

test.each([
  ['publish', '$JS.API.INFO'],
  ['subscribe', '_INBOX.>'],
])('a user that may not %s to %s is told from an account without JetStream', async (operation, subject) => {
  const permissions = `{ ${operation}: { deny: "${subject}" } }`
  const config = await written(`authorization { users: [{ user: me, password: secret, permissions: ${permissions} }] }`)
  const { url } = await start({ args: ['-c', config] })
  await expect(connectNats({ servers: [url], user: 'me', password: 'secret' }, silentLog)).rejects.toMatchObject({
    message: expect.stringContaining('does not allow this user what a node needs') as string,
    cause: { message: expect.stringContaining(subject.replace('>', '')) as string },
  })
})

test('a server that has no leader is told from one without JetStream', async () => {
  // The other servers of this NATS cluster are down. For ten seconds it does not answer, then it says so.
  const { url } = await start({
    args: ['-n', 'one', '--cluster_name', 'two', '--cluster', 'nats://127.0.0.1:-1', '--routes', 'nats://127.0.0.1:1'],
  })
  await expect(connectNats({ servers: [url] }, silentLog)).rejects.toMatchObject({
    code: 'FABRIC_UNAVAILABLE',
    message: expect.stringContaining('has no leader') as string,
  })
})

test('servers that elect a leader are asked again: what they were asked before is lost', async () => {
  let asked = 0
  const electing = createServer((socket) => {
    let inbox: readonly string[] = []
    socket.on('error', () => {})
    socket.write('INFO {"server_id":"x","version":"2.12.0","headers":true,"max_payload":1048576,"proto":1}\r\n')
    socket.on('data', (data) => {
      const text = data.toString()
      inbox = /^SUB (\S+)\.\* (\d+)/m.exec(text) ?? inbox
      const [, reply] = /^H?PUB \$JS\.API\.INFO (\S+)/m.exec(text) ?? []
      if (text.includes('PING')) socket.write('PONG\r\n')
      if (reply !== undefined && ++asked === 2) socket.write(`MSG ${reply} ${inbox[2]} 2\r\n{}\r\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(electing, 'listening')
  open.push({ close: async () => void electing.close() })
  const { port } = electing.address() as AddressInfo
  await connected({ servers: [`127.0.0.1:${port}`] })
  expect(asked).toBe(2)
})

test('an old server is refused', async () => {
  const info = { server_id: 'x', version: '2.9.3', headers: true, max_payload: 1_048_576, proto: 1 }
  const old = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(`INFO ${JSON.stringify(info)}\r\n`)
    socket.on('data', (data) => data.includes('PING') && socket.write('PONG\r\n'))
  }).listen(0, '127.0.0.1')
  await once(old, 'listening')
  open.push({ close: async () => void old.close() })
  const { port } = old.address() as AddressInfo
  await expect(connectNats({ servers: [`127.0.0.1:${port}`] }, silentLog)).rejects.toMatchObject({
    code: 'FABRIC_UNAVAILABLE',
    message: expect.stringContaining('2.9.3') as string,
  })
})

describe('credentials', () => {
  test('a user and a password', async () => {
    const { url } = await start({ args: ['--user', 'me', '--pass', 'secret'] })
    await connected({ servers: [url], user: 'me', password: 'secret' })
    await expect(connectNats({ servers: [url], user: 'me', password: 'wrong' }, silentLog)).rejects.toMatchObject({
      code: 'FABRIC_UNAVAILABLE',
      message: expect.stringContaining('refused the credentials') as string,
    })
    await expect(connectNats({ servers: [url] }, silentLog)).rejects.toMatchObject({
      message: expect.stringContaining('refused the credentials') as string,
    })
  })

  test('a token', async () => {
    const { url } = await start({ args: ['--auth', 'token'] })
    await connected({ servers: [url], token: 'token' })
    await expect(connectNats({ servers: [url], token: 'wrong' }, silentLog)).rejects.toMatchObject({
      code: 'FABRIC_UNAVAILABLE',
      message: expect.stringContaining('refused the credentials') as string,
    })
  })

  test('the seed of an nkey, plain or in the text of a credentials file', async () => {
    const pair = nkeys.createUser()
    const seed = new TextDecoder().decode(pair.getSeed())
    const config = await written(`authorization: { users: [ { nkey: ${pair.getPublicKey()} } ] }`)
    const { url } = await start({ args: ['-c', config] })
    await connected({ servers: [url], nkey: seed })
    await connected({ servers: [url], credentials: credentialsOf(seed) })
    const wrong = new TextDecoder().decode(nkeys.createUser().getSeed())
    for (const options of [{ nkey: wrong }, { credentials: credentialsOf(wrong) }]) {
      await expect(connectNats({ servers: [url], ...options }, silentLog)).rejects.toMatchObject({
        code: 'FABRIC_UNAVAILABLE',
        message: expect.stringContaining('refused the credentials') as string,
      })
    }
  })

  test.each([{ nkey: 'SU' }, { nkey: '' }, { credentials: 'nothing of the kind' }])(
    'malformed ones are an error before the first connection: %j',
    async (options) => {
      const failed = connectNats({ servers: ['nats://127.0.0.1:1'], ...options }, silentLog)
      await expect(failed).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    },
  )
})

describe('TLS', () => {
  async function startWithTls({ cert, key } = testCredentials, args: readonly string[] = []): Promise<string> {
    const files = ['--tlscert', await written(cert), '--tlskey', await written(key)]
    const { port } = await start({ args: ['--tls', ...files, ...args] })
    return `tls://127.0.0.1:${port}`
  }

  test('with the authority that issued the certificate of the server', async () => {
    const connection = await connected({ servers: [await startWithTls()], tls: { ca: testCredentials.cert } })
    expect(connection.info).toHaveProperty('tls_required', true)
  })

  test.each(['first', 'last'])('a server without it is refused where the %s address asks for it', async (place) => {
    const { port } = await start({ args: ['--user', 'me', '--pass', 'secret'] })
    const servers = [`tls://127.0.0.1:${port}`, 'nats://127.0.0.1:1']
    const options = { servers: place === 'first' ? servers : servers.toReversed(), user: 'me', password: 'secret' }
    const failed = connectNats(options, silentLog)
    await expect(failed).rejects.toMatchObject({ code: 'FABRIC_UNAVAILABLE' })
  })

  test('without that authority the connection is refused', async () => {
    const url = await startWithTls()
    for (const options of [{}, { tls: {} }]) {
      await expect(connectNats({ servers: [url], ...options }, silentLog)).rejects.toMatchObject({
        code: 'FABRIC_UNAVAILABLE',
        message: expect.stringMatching(/unknown authority: fabric\.nats\.tls\.ca/) as string,
      })
    }
  })

  test('a server that does not accept the certificate of the client is told from one that cannot be reached', async () => {
    const url = await startWithTls(testCredentials, ['--tlsverify', '--tlscacert', await written(testCredentials.cert)])
    const own = { ca: testCredentials.cert }
    const failures = await Promise.allSettled(
      [own, { ...own, ...renewedCredentials }].map(
        async (tls) => await connectNats({ servers: [url], tls }, silentLog),
      ),
    )
    expect(failures).toMatchObject([
      { reason: { message: expect.stringContaining('it may require a certificate (fabric.nats.tls.cert)') } },
      { reason: { message: expect.stringContaining('it may refuse the certificate in fabric.nats.tls.cert') } },
    ])
  })
})

/** Returns the text of a credentials file: a token, which this server does not require, and the seed. */
function credentialsOf(seed: string): string {
  const part = (name: string, text: string): string => `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`
  return `${part('NATS USER JWT', 'e30.e30.e30')}\n${part('USER NKEY SEED', seed)}`
}
