import { describe, expect, it } from 'vitest'
import { eventually } from '@junctor/testkit'
import {
  call,
  gates,
  logged,
  made,
  manage,
  managedNodes,
  openSession,
  parsedFile,
  start,
  token,
  toolsOf,
} from './managed-nodes.ts'

managedNodes()

describe('the admin port of a node', () => {
  it('adds, changes and removes a backend, which clients of open sessions can use immediately', async () => {
    const place = await start()
    const session = await openSession(place.url)
    expect(await toolsOf(place.url, session)).toEqual(['ours__hello', 'ours__wait', 'ours__read'])

    const added = await manage(place, 'PUT', 'more', { greet: 'first' })
    expect(added).toMatchObject({ status: 201, body: { name: 'more', change: 'added', revision: 1, source: 'added' } })
    expect(added.etag).toBe('"1"')
    expect(await toolsOf(place.url, session)).toContain('more__hello')
    expect(await call(place.url, session, 'more__hello')).toBe('first')

    expect(await manage(place, 'PUT', 'more', { greet: 'first' })).toMatchObject({
      status: 200,
      body: { change: 'unchanged' },
    })
    expect(await manage(place, 'PUT', 'more', { greet: 'second' })).toMatchObject({
      status: 200,
      body: { revision: 2 },
    })
    expect(await call(place.url, session, 'more__hello')).toBe('second')

    const { body } = await manage(place, 'GET', '')
    expect(body['backends']).toMatchObject([
      { name: 'ours', source: 'file', backend: { greet: 'of the file' } },
      { name: 'more', source: 'added', revision: 2, tenants: ['default'], backend: { greet: 'second' } },
    ])
    expect(await manage(place, 'DELETE', 'more')).toMatchObject({ status: 200, body: { change: 'removed' } })
    expect(await toolsOf(place.url, session)).toEqual(['ours__hello', 'ours__wait', 'ours__read'])
    expect(await manage(place, 'DELETE', 'more')).toMatchObject({ status: 404, body: { error: 'unknown_backend' } })
    expect(await manage(place, 'GET', 'more')).toMatchObject({ status: 404 })
    await eventually(() => expect([made.get('first'), made.get('second')]).toEqual([0, 0]))
  })

  it.each([
    ['changed', 'PUT', { greet: 'after' }],
    ['removed', 'DELETE', undefined],
  ])('lets a call in flight end when its backend is %s', async (_, method, entry) => {
    const place = await start()
    const session = await openSession(place.url)
    await manage(place, 'PUT', 'more', { greet: 'before' })
    const answer = call(place.url, session, 'more__wait')
    const headers = { authorization: `Bearer ${token}`, connection: 'close' }
    const status = async () => (await fetch(`${place.admin}/status`, { headers })).text()
    await eventually(async () => expect(await status()).toMatch(/"name":"more"[^}]*"inFlight":1/))
    expect((await manage(place, method, 'more', entry)).status).toBe(200)
    gates.waiting.resolve()
    expect(await answer).toBe('before')
    await eventually(() => expect(made.get('before')).toBe(0))
  })

  it('refuses what only the file may have, and changes nothing', async () => {
    const place = await start()
    expect(await manage(place, 'PUT', 'ours', { greet: 'x' })).toMatchObject({
      status: 409,
      body: { error: 'invalid_backend' },
    })
    expect(await manage(place, 'DELETE', 'ours')).toMatchObject({ status: 409, body: { error: 'backend_of_the_file' } })
    expect(await manage(place, 'PUT', 'more', { plugin: './x.ts' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_backend', problems: [{ kind: 'backend_kind', path: 'plugin' }] },
    })
    expect(await manage(place, 'PUT', 'Upper', { greet: 'x' })).toMatchObject({ status: 400 })
    const { body } = await manage(place, 'GET', '')
    expect(body['backends']).toHaveLength(1)
  })

  it.each([
    ['no token', { authorization: '' }, { greet: 'x' }, 401],
    ['another token', { authorization: 'Bearer another-token-of-16' }, { greet: 'x' }, 401],
    ['null', {}, 'null', 400],
    ['a list', {}, '[]', 400],
    ['a number', {}, '7', 400],
    ['no JSON', {}, '{"greet":', 400],
    ['an empty body', {}, '', 400],
    ['another type', { 'content-type': 'text/plain' }, { greet: 'x' }, 415],
    ['a large body', {}, { greet: 'x'.repeat(70_000) }, 413],
    ['a condition that it does not know', { 'if-match': 'W/"1"' }, { greet: 'x' }, 400],
    ['a state that is not there', { 'if-match': '*' }, { greet: 'x' }, 412],
  ])('refuses %s', async (_, headers, entry, status) => {
    const place = await start()
    expect((await manage(place, 'PUT', 'more', entry, headers)).status).toBe(status)
    const { body } = await manage(place, 'GET', '')
    expect(body['backends']).toHaveLength(1)
  })

  it('takes a change only if nobody changed the backend in between', async () => {
    const place = await start()
    await manage(place, 'PUT', 'more', { greet: 'first' }, { 'if-none-match': '*' })
    expect(await manage(place, 'PUT', 'more', { greet: 'x' }, { 'if-none-match': '*' })).toMatchObject({ status: 412 })
    expect(await manage(place, 'PUT', 'more', { greet: 'second' }, { 'if-match': '"1"' })).toMatchObject({
      status: 200,
    })
    const late = await manage(place, 'PUT', 'more', { greet: 'third' }, { 'if-match': '"1"' })
    expect(late).toMatchObject({ status: 412, body: { error: 'precondition_failed' } })
    expect(await manage(place, 'DELETE', 'more', undefined, { 'if-match': '"1"' })).toMatchObject({ status: 412 })
    expect(await manage(place, 'GET', 'more')).toMatchObject({ body: { backend: { greet: 'second' } } })
  })

  it('keeps the former state when a backend cannot be created', async () => {
    const place = await start()
    await manage(place, 'PUT', 'more', { greet: 'good' })
    const refused = await manage(place, 'PUT', 'more', { greet: 'broken' })
    expect(refused).toMatchObject({ status: 422, body: { error: 'backend_refused' } })
    expect(await manage(place, 'GET', 'more')).toMatchObject({ body: { backend: { greet: 'good' } } })
    expect(await manage(place, 'PUT', 'new', { greet: 'broken' })).toMatchObject({ status: 422 })
    expect(await manage(place, 'GET', 'new')).toMatchObject({ status: 404 })
    expect(await call(place.url, await openSession(place.url), 'more__hello')).toBe('good')
  })

  it('has no such path when the node was given no plugins', async () => {
    const place = await start({}, { managed: false })
    expect(await manage(place, 'GET', '')).toMatchObject({ status: 404 })
  })

  it('answers no client', async () => {
    const place = await start()
    const answer = await fetch(new URL('/backends', place.url), {
      headers: { authorization: `Bearer ${token}`, connection: 'close' },
    })
    expect(answer.status).toBe(404)
    await answer.text()
  })
})

describe('the file', () => {
  it('keeps added backends when it changes, and takes their name when it has it itself', async () => {
    const place = await start()
    const session = await openSession(place.url)
    await manage(place, 'PUT', 'more', { greet: 'added' })
    const both = { backends: { ours: { greet: 'changed' } } }
    expect(await place.node.reload(parsedFile(both))).toMatchObject({
      kind: 'taken',
      changes: { backends: { changed: ['ours'] } },
    })
    expect(await call(place.url, session, 'ours__hello')).toBe('changed')
    expect(await call(place.url, session, 'more__hello')).toBe('added')

    await place.node.reload(parsedFile({ backends: { more: { greet: 'of the file' } } }))
    expect(await call(place.url, session, 'more__hello')).toBe('of the file')
    expect(await manage(place, 'GET', 'more')).toMatchObject({
      body: { source: 'added', problems: [{ kind: 'name_taken' }] },
    })
    expect(logged.join('\n')).toContain('a backend that was added cannot be served')

    await place.node.reload(parsedFile())
    expect(await call(place.url, session, 'more__hello')).toBe('added')
  })

  it('changes at the same time as added backends, and no change is lost', async () => {
    const place = await start()
    const session = await openSession(place.url)
    const [reloaded, ...managed] = await Promise.all([
      place.node.reload(parsedFile({ backends: { ours: { greet: 'changed' } } })),
      ...['a', 'b', 'c'].map((name) => manage(place, 'PUT', name, { greet: name })),
    ])
    expect(reloaded.kind).toBe('taken')
    expect(managed.map(({ status }) => status)).toEqual([201, 201, 201])
    const greetings = await Promise.all(
      ['ours', 'a', 'b', 'c'].map((name) => call(place.url, session, `${name}__hello`)),
    )
    expect(greetings).toEqual(['changed', 'a', 'b', 'c'])
  })

  it('decides which tenants there are', async () => {
    const tenants = { one: { backends: ['ours'] }, two: { backends: [] } }
    const place = await start({ tenants, auth: { anonymous: true } })
    const at = (tenant: string) => place.url.replace(/\/mcp.*$/, `/mcp/${tenant}`)
    expect(await manage(place, 'PUT', 'more', { greet: 'x' })).toMatchObject({
      status: 400,
      body: { problems: [{ path: 'tenants' }] },
    })
    expect(await manage(place, 'PUT', 'more', { greet: 'x', tenants: ['two'] })).toMatchObject({ status: 201 })
    expect(await toolsOf(at('one'), await openSession(at('one')))).toEqual(['ours__hello', 'ours__wait', 'ours__read'])
    expect(await toolsOf(at('two'), await openSession(at('two')))).toEqual(['more__hello', 'more__wait', 'more__read'])
  })
})

it('no secret of an added backend is shown or logged', async () => {
  const place = await start()
  const headers = { authorization: 'Bearer swordfish' }
  const answers = [
    await manage(place, 'PUT', 'more', { greet: 'x', headers }),
    await manage(place, 'PUT', 'more', { greet: 'broken', headers }),
    await manage(place, 'PUT', 'other', { greet: 7, headers: { authorization: ['swordfish'] } }),
    await manage(place, 'GET', 'more'),
    await manage(place, 'GET', ''),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 422, 400, 200, 200])
  const [, broken] = answers
  expect(broken?.body['message']).toContain('it is broken')
  expect(JSON.stringify(answers)).not.toContain('swordfish')
  expect(logged.join('\n')).not.toContain('swordfish')
})
