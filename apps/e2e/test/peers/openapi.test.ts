import { afterAll, expect } from 'vitest'
import { startPetShop } from '../../fixtures/pet-shop.ts'
import { describeFeatures, type Feature } from '../../src/peers/describe-features.ts'
import { sortedNames } from '../../src/peers/sorted-names.ts'

const features: readonly Feature[] = [
  {
    name: 'lists',
    async run(client) {
      expect(await sortedNames(client.tools())).toEqual([
        'pets__addPet',
        'pets__deletePet',
        'pets__getPet',
        'pets__listPets',
      ])
    },
  },
  {
    name: 'structured content, which the SDK checks against the output schema',
    async run(client) {
      expect(await client.callTool('pets__getPet', { id: 1 })).toMatchObject({ structuredContent: { id: 1 } })
      expect(await client.callTool('pets__listPets')).toMatchObject({ structuredContent: { result: [{ id: 1 }] } })
      expect(await client.callTool('pets__addPet', { body: { name: 'Tom' } })).toMatchObject({
        structuredContent: { name: 'Tom' },
      })
    },
  },
  {
    name: 'an answer that differs from the document, and one without content',
    async run(client) {
      expect(await client.callTool('pets__getPet', { id: 13 })).toMatchObject({ structuredContent: { owner: null } })
      expect(await client.callTool('pets__deletePet', { id: 1 })).toMatchObject({
        content: [{ text: 'HTTP 204, without content' }],
      })
    },
  },
  {
    name: 'an error of the API',
    async run(client) {
      expect(await client.callTool('pets__getPet', { id: 404 })).toMatchObject({ isError: true })
    },
  },
]

const shop = await startPetShop()
afterAll(() => shop.close())

describeFeatures(
  () => ({ pets: { openapi: `${shop.url}/openapi.json`, auth: { key: 'shop-secret' } } }),
  features,
  'longest',
)
