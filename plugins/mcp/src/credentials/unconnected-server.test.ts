import { expect, test } from 'vitest'
import { describeConnect, describeTokenNeeded } from './unconnected-server.ts'

test.each([describeConnect('mail'), describeTokenNeeded('mail')])(
  'its tool has a schema that clients accept who ask for properties',
  (tool) => {
    expect(tool.value()).toMatchObject({ name: 'connect', inputSchema: { type: 'object', properties: {} } })
  },
)
