import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { announce } from './announce.ts'
import { type LeanMessage, resultOf } from './answer.ts'

// The echo on bare Fastify. With the argument "schema" the answer is printed by a serializer that was compiled from
// one.

const echoSchema = {
  type: 'object',
  properties: {
    jsonrpc: { type: 'string' },
    id: { type: 'integer' },
    result: {
      type: 'object',
      properties: {
        content: {
          type: 'array',
          items: { type: 'object', properties: { type: { type: 'string' }, text: { type: 'string' } } },
        },
      },
    },
  },
}

const app = fastify()
const schema = process.argv[2] === 'schema' ? { response: { 200: echoSchema } } : {}

app.post('/mcp', { schema }, (request, reply) => {
  const message = request.body as LeanMessage
  reply.send({ jsonrpc: '2.0', id: message.id, result: resultOf(message) })
})

await app.listen({ host: '127.0.0.1', port: 0 })
announce((app.server.address() as AddressInfo).port)
