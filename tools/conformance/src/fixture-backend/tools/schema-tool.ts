import { type FixtureTool, text } from './fixture-tool.ts'

/** A tool whose schema has keywords that are lost when a schema is parsed and printed again (SEP-1613, SEP-2106). */
export const schemaTool: FixtureTool = {
  definition: {
    name: 'json_schema_2020_12_tool',
    description: 'Has a schema with the vocabulary of JSON Schema 2020-12',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword, in data that is never awaited
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
  run: (args) => text(`Called with ${JSON.stringify(args)}`),
}
