import { describe, expect, it } from 'vitest'
import { documentOf, openApiClient } from './open-api-client.ts'
import { useApi } from './use-api.ts'

const api = useApi()

const text = { type: 'string' }
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` })

/** Opens a document with one operation, whose body and answer have a schema. */
async function open(schema: object, schemas: object, mediaType = 'application/json') {
  const content = { [mediaType]: { schema } }
  const responses = { 200: { description: '', content: { 'application/json': { schema } } } }
  const paths = { '/x': { post: { operationId: 'run', requestBody: { content }, responses } } }
  api.opened = await openApiClient(
    { 'openapi.json': documentOf(paths, { components: { schemas } }) },
    { baseUrl: api.server.url },
  )
  return api.opened.client
}

/** What the API received for each of these bodies; `refused` where nothing was sent. */
async function outcomes(schema: object, schemas: object, bodies: readonly object[]) {
  const client = await open(schema, schemas)
  const found: unknown[] = []
  for (const body of bodies) {
    // oxlint-disable-next-line no-await-in-loop -- the requests are in the order of the bodies
    const { isError } = await client.callTool('run', { body })
    found.push(isError === true ? 'refused' : JSON.parse(String(api.server.requests.at(-1)?.body)))
  }
  return found
}

describe('schemas that lead back to themselves for the same value can be checked', () => {
  it('inheritance with its alternatives', async () => {
    const Pet = { type: 'object', required: ['kind'], properties: { kind: text }, oneOf: [ref('Cat'), ref('Dog')] }
    const Cat = { allOf: [ref('Pet'), { required: ['claws'], properties: { claws: { type: 'integer' } } }] }
    const Dog = { allOf: [ref('Pet'), { required: ['tail'], properties: { tail: text } }] }
    const bodies = [{ kind: 'cat', claws: 18 }, { claws: 18 }, { kind: 'cat', claws: 'many' }]
    expect(await outcomes(ref('Pet'), { Pet, Cat, Dog }, bodies)).toEqual([bodies[0], 'refused', 'refused'])
    await api.opened?.close()
    expect(await outcomes(ref('Cat'), { Pet, Cat, Dog }, bodies)).toEqual([bodies[0], 'refused', 'refused'])
  })

  it('two that are all of each other', async () => {
    const A = { properties: { a: text }, allOf: [ref('B')] }
    const B = { properties: { b: text }, allOf: [ref('A')] }
    const bodies = [{ a: 'x', b: 'y' }, { a: 1 }, { b: 1 }]
    expect(await outcomes(ref('A'), { A, B }, bodies)).toEqual([bodies[0], 'refused', 'refused'])
  })

  it('two that are one of each other', async () => {
    const A = { oneOf: [ref('B'), { required: ['a'] }] }
    const B = { oneOf: [ref('A'), { required: ['b'] }], properties: { b: text } }
    const bodies = [{ a: 'x' }, { b: 'x' }]
    expect(await outcomes(ref('A'), { A, B }, bodies)).toEqual(bodies)
  })

  it.each(['application/json', 'multipart/form-data'])('many times, as %s', async (mediaType) => {
    const Many = { allOf: Array.from({ length: 10 }, () => ref('Many')) }
    const client = await open(ref('Many'), { Many }, mediaType)
    expect(await client.callTool('run', { body: {} })).toMatchObject({ structuredContent: { ok: true } })
  })
})

it('a discriminator chooses where several schemas match', async () => {
  const schema = {
    oneOf: [ref('Cat'), ref('Dog')],
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
  }
  const Cat = { required: ['kind'], properties: { kind: text, claws: { type: 'integer' } } }
  const Dog = { required: ['kind'], properties: { kind: text, tail: text } }
  const bodies = [{ kind: 'cat', claws: 18 }, { claws: 18 }]
  expect(await outcomes(schema, { Cat, Dog }, bodies)).toEqual([bodies[0], 'refused'])
  expect((await api.opened?.client.listTools())?.[0]).toMatchObject({
    inputSchema: { properties: { body: { description: 'kind chooses the schema: "cat"' } } },
  })
})

describe('members that only answers have are not required', () => {
  const id = { ...text, readOnly: true }
  const Base = { type: 'object', required: ['id', 'name'], properties: { id, name: text } }
  const schemas = { Base, Id: id, Named: { required: ['id', 'name'] } }
  it.each<[string, object]>([
    ['by the schema that has them', ref('Base')],
    ['by a schema that is more than the one that has them', { allOf: [ref('Base')], required: ['id', 'name'] }],
    ['by another part', { allOf: [{ required: ['id', 'name'] }, ref('Base')] }],
    ['by an alternative', { properties: { id, name: text }, anyOf: [{ required: ['id', 'name'] }] }],
    ['when the mark is behind a reference', { properties: { id: ref('Id') }, required: ['id', 'name'] }],
    ['when the mark is in a part', { properties: { id: { allOf: [ref('Id')] } }, required: ['id', 'name'] }],
  ])('%s', async (_, schema) => {
    expect(await outcomes(schema, schemas, [{ name: 'Tom' }, {}])).toEqual([{ name: 'Tom' }, 'refused'])
  })
})

describe('objects that are closed for themselves can have what they are composed of', () => {
  const closed = { type: 'object', additionalProperties: false }
  const Name = { ...closed, properties: { name: text } }
  const Mail = { ...closed, properties: { mail: text } }
  it.each<[string, object, readonly object[], readonly object[]]>([
    ['inheritance', { ...closed, required: ['name'], allOf: [ref('Name')] }, [{ name: 'a' }], [{}, { name: 1 }]],
    ['more than is inherited', { allOf: [ref('Name'), { properties: { age: {} } }] }, [{ name: 'a', age: 1 }], []],
    ['alternatives', { properties: { age: {} }, oneOf: [ref('Name'), ref('Mail')] }, [{ age: 1 }, { mail: 'a' }], []],
    ['several parents', { allOf: [ref('Name'), { ...closed, allOf: [ref('Mail')] }] }, [{ name: 'a', mail: 'b' }], []],
    ['others stay closed', { ...Name, anyOf: [{ required: ['name'] }] }, [{ name: 'a' }], [{ name: 'a', b: 1 }]],
  ])('%s', async (_what, schema, sent, refused) => {
    const bodies = [...sent, ...refused]
    expect(await outcomes(schema, { Name, Mail }, bodies)).toEqual([...sent, ...refused.map(() => 'refused')])
  })
})
