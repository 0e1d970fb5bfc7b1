import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type PetShop, startPetShop } from '../fixtures/pet-shop.ts'
import type { Cell } from '../src/cell.ts'
import { demo, inGateway } from '../src/in-gateway.ts'
import { namesOf, resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import type { WireClient } from '../src/wire-client.ts'

const auth = { key: 'shop-secret' }

/** Runs a gateway in front of a pet shop, which is closed with the gateway. */
async function inFrontOf(
  cell: Cell,
  body: (client: WireClient, shop: PetShop) => Promise<void>,
  options: object = {},
): Promise<void> {
  const shop = await startPetShop()
  try {
    const backend = { openapi: `${shop.url}/openapi.json`, auth, ...options }
    await inGateway(cell, { pets: backend, demo: demo() }, async ({ client }) => body(await client(), shop))
  } finally {
    await shop.close()
  }
}

const call = async (client: WireClient, name: string, args = {}) =>
  client.request('tools/call', { name: `pets__${name}`, arguments: args })

verifies('OPENAPI-1', {}, async (cell) => {
  await inFrontOf(cell, async (client) => {
    const { tools } = resultOf(await client.request('tools/list'))
    expect(tools).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'pets__getPet',
          inputSchema: {
            type: 'object',
            properties: { id: { type: 'integer' } },
            required: ['id'],
            additionalProperties: false,
          },
          annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
        }),
        expect.objectContaining({
          name: 'pets__deletePet',
          annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
        }),
      ]),
    )
    expect(resultOf(await call(client, 'addPet', { body: { name: 'Tom' } }))).toMatchObject({
      structuredContent: { id: 7, name: 'Tom' },
    })
    expect(resultOf(await call(client, 'getPet', { id: 5 }))).toMatchObject({ structuredContent: { id: 5 } })
    expect(textOf(await call(client, 'getPet', { id: 'five' }))).toContain('/id: must be integer (got "five")')
    expect(textOf(await call(client, 'deletePet', { id: 5 }))).toBe('HTTP 204, without content')
  })
})

verifies('OPENAPI-2', {}, async (cell) => {
  await inFrontOf(cell, async (client) => {
    const first = resultOf(await call(client, 'listPets'))
    expect(first).toMatchObject({
      structuredContent: { result: [{ id: 1, name: 'Pet 1' }] },
      _meta: { 'junctor/nextPage': { arguments: { page: 2 } } },
    })
    expect(first['content']).toMatchObject([{}, { text: 'There are more results: call again with {"page":2}.' }])
    expect(resultOf(await call(client, 'listPets', { page: 2 }))['content']).toHaveLength(1)
    const odd = resultOf(await call(client, 'getPet', { id: 13 }))
    expect(odd).toMatchObject({ structuredContent: { id: 13, owner: null } })
    expect(odd['isError']).toBeUndefined()
  })
})

verifies('OPENAPI-3', {}, async (cell) => {
  await inFrontOf(cell, async (client) => {
    const failed = await call(client, 'getPet', { id: 404 })
    expect(resultOf(failed)).toMatchObject({ isError: true })
    expect(textOf(failed)).toBe('GET /pets/{id} was answered with HTTP 404.\n{"message":"no pet 404"}')
  })
})

verifies('OPENAPI-4', {}, async (cell) => {
  await inFrontOf(cell, async (client, shop) => {
    await call(client, 'getPet', { id: 1 })
    expect(shop.received).toMatchObject([{ 'x-shop-key': 'shop-secret' }])
    expect(JSON.stringify(client.received)).not.toMatch(/shop-secret|x-shop-key/i)
  })
})

verifies('OPENAPI-5', {}, async (cell) => {
  await inFrontOf(
    cell,
    async (client, shop) => {
      const before = namesOf(await client.request('tools/list'))
      expect(before).not.toContain('pets__countPets')
      shop.grow()
      await expect
        .poll(() => client.messagesOf('notifications/tools/list_changed').length, { timeout: 20_000 })
        .toBeGreaterThan(0)
      expect(namesOf(await client.request('tools/list'))).toEqual(
        expect.arrayContaining([...before, 'pets__countPets']),
      )
      expect(resultOf(await call(client, 'countPets'))).toMatchObject({ structuredContent: { result: 3 } })
    },
    { refreshSeconds: 1 },
  )
})

verifies('OPENAPI-6', {}, async (cell) => {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-openapi-'))
  const write = (name: string, text: string): object => {
    writeFileSync(join(folder, name), text)
    return { openapi: join(folder, name), baseUrl: 'http://127.0.0.1:9' }
  }
  const get = '{ get: { operationId: good } }'
  const broken = "{ get: { operationId: broken, parameters: [{ $ref: '#/nowhere' }] } }"
  const backends = {
    some: write('some.yaml', `openapi: 3.1.0\npaths:\n  /a: ${get}\n  /b: ${broken}`),
    none: write('none.yaml', 'swagger: "2.0"'),
    demo: demo(),
  }
  await inGateway(cell, backends, async ({ client, gateway }) => {
    const names = namesOf(await (await client()).request('tools/list'))
    expect(names.filter((name) => !name.startsWith('demo__'))).toEqual(['some__good'])
    expect(names).toContain('demo__echo')
    const status = await gateway.nodes[0]?.status()
    const error = expect.objectContaining({
      message: expect.stringContaining('none.yaml:1: expected an OpenAPI document') as string,
    }) as Error
    expect(status?.find(({ name }) => name === 'some')?.warnings).toEqual([
      expect.stringContaining('some.yaml:4: GET /b has no tool: the reference #/nowhere names nothing'),
    ])
    expect(status).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'none', error })]))
  })
  rmSync(folder, { recursive: true })
})
