import { expect, it } from 'vitest'
import { createTestBackend } from '../../test/support/test-backend.ts'
import { tenantOf } from '../../test/support/test-nodes.ts'
import { BareNames } from '../upstream/catalogue/bare-names.ts'
import { mergeView } from '../upstream/catalogue/tenant-view.ts'
import { resourceRoute } from './resource-route.ts'

const view = mergeView(tenantOf([]), [])
const { entry: one } = createTestBackend({ prefix: '' }, { name: 'one' })
const { entry: two } = createTestBackend({ prefix: '' }, { name: 'two' })
const { entry: named } = createTestBackend({ prefix: 'named' }, { name: 'named' })
const { entry: own } = createTestBackend({ prefix: '', builtIn: true }, { name: '$gateway' })

it.each([
  ['the lone backend without a prefix', [one, named], one],
  ['it, beside the gateway’s own tools', [own, one, named], one],
  ['no backend, when two have no prefix', [one, two], undefined],
  ['no backend, when only the gateway’s own tools exist', [own], undefined],
] as const)('a URI that no backend lists belongs to %s', (_, backends, expected) => {
  const tenant = tenantOf(backends)
  const owner = resourceRoute({ view, bare: new BareNames(view, tenant) }, tenant, 'file:///unlisted')
  expect(owner.kind === 'one' ? owner.route.entry : undefined).toBe(expected)
})
