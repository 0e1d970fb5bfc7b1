import type { Cell } from '../src/cell.ts'
import { inGateway } from '../src/in-gateway.ts'
import { type PrintedConversation, converse } from '../src/json-rpc-3/conversation.ts'
import { createPuppet } from '../src/json-rpc-3/puppet.ts'
import { type Framing, openTextWire } from '../src/json-rpc-3/text-wire.ts'
import { verifies } from '../src/verifies.ts'

// The conversations of section 11, word for word, over every transport, and over HTTP with both kinds of streams.

const regular: readonly PrintedConversation[] = [
  {
    name: '11.1',
    printed: `
--> {"jsonrpc": "3.0", "method": "add", "params": [1, 2], "id": 1}
<-- {"jsonrpc": "3.0", "result": 3, "id": 1}`,
  },
  {
    name: '11.1.1',
    printed: `
--> {"jsonrpc": "3.0", "method": "add", "params": [1, 2], "id": 1}
--> {"jsonrpc": "3.0", "method": "add", "params": [5, 4], "id": 2}
<-- {"jsonrpc": "3.0", "result": 9, "id": 2}
<-- {"jsonrpc": "3.0", "result": 3, "id": 1}`,
  },
  {
    name: '11.1.2',
    printed: `
--> {"jsonrpc": "3.0", "method": "add", "params": [1, 2], "id": 1}
<-- {"jsonrpc": "3.0", "ack": {}, "id": 1}
    /** after a long time */
<-- {"jsonrpc": "3.0", "result": 3, "id": 1}`,
  },
]

const streams: readonly PrintedConversation[] = [
  {
    name: '11.2',
    printed: `
--> {"jsonrpc": "3.0", "method": "listen.logs", "params": {}, "id": 2, "options": {"stream": true}}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 1"}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 2"}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "result": "End of logs"}`,
  },
  {
    name: '11.2.1',
    printed: `
--> {"jsonrpc": "3.0", "method": "listen.logs", "params": {}, "id": 2, "options": {"stream": true}}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 1"}
--> {"jsonrpc": "3.0", "method": "listen.errors", "params": {}, "id": 5, "options": {"stream": true}}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 2"}
<-- {"jsonrpc": "3.0", "stream": {"id": 5}, "data": "Err entry 1"}
<-- {"jsonrpc": "3.0", "stream": {"id": 5}, "data": "Err entry 2"}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 3"}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "result": "End of logs for Stream 2"}
<-- {"jsonrpc": "3.0", "stream": {"id": 5}, "data": "Err entry 3"}
<-- {"jsonrpc": "3.0", "stream": {"id": 5}, "data": "Err entry 5"}`,
  },
]

const acks: readonly PrintedConversation[] = [
  {
    name: '11.3',
    printed: `
--> {"jsonrpc": "3.0", "method": "start.longTask", "params": {}, "id": 3}
<-- {"jsonrpc": "3.0", "ack": {}, "id": 3}
<-- {"jsonrpc": "3.0", "result": "Task completed", "id": 3}`,
  },
  {
    name: '11.3.1',
    extensions: ['progress'],
    printed: `
--> {"jsonrpc": "3.0", "method": "start.longTask", "params": {}, "id": 3}
<-- {"jsonrpc": "3.0", "ack": {}, "id": 3}
<-- {"jsonrpc": "3.0", "ack": {"progress": 10, "total": 20}, "id": 3}
<-- {"jsonrpc": "3.0", "ack": {"progress": 20, "total": 20}, "id": 3}
<-- {"jsonrpc": "3.0", "result": "Task completed", "id": 3}`,
  },
]

const aborts: readonly PrintedConversation[] = [
  {
    name: '11.4',
    extensions: [],
    printed: `
--> {"jsonrpc": "3.0", "method": "listen.logs", "params": {}, "id": 2, "options": {"stream": true}}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 1"}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 2"}
--> {"jsonrpc": "3.0", "method": "request.cancel", "params": {"stream": 2, "abort": true}}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "error": {"code": -32800, "message": "Request cancelled by client."}}`,
  },
  {
    name: '11.4.1',
    extensions: ['abort'],
    printed: `
--> {"jsonrpc": "3.0", "method": "listen.logs", "params": {}, "id": 2, "options": {"stream": true}}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 1"}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 2"}
--> {"jsonrpc": "3.0", "options": {"stream": 2, "abort": true}}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "error": {"code": -32800, "message": "Request cancelled by client."}}`,
  },
  {
    name: '4.2, the other way to name a stream',
    extensions: [],
    printed: `
--> {"jsonrpc": "3.0", "method": "listen.logs", "params": {}, "id": 2, "options": {"stream": true}}
<-- {"jsonrpc": "3.0", "ack": {"id": 2}}
<-- {"jsonrpc": "3.0", "stream": {"id": 2, "data": "Log entry 1"}}
--> {"jsonrpc": "3.0", "method": "request.cancel", "params": {"stream": true, "id": 2}}
<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "error": {"code": -32800, "message": "Request cancelled by client."}}`,
  },
]

/** Runs each conversation with its own gateway. */
async function haveAll(conversations: readonly PrintedConversation[], cell: Cell): Promise<void> {
  const framings: readonly Framing[] = cell.way === 'http' ? ['events', 'lines'] : ['lines']
  for (const conversation of conversations) {
    for (const framing of framings) {
      const puppet = createPuppet(['add', 'listen.logs', 'listen.errors', 'start.longTask'])
      // oxlint-disable-next-line no-await-in-loop
      await inGateway(
        cell,
        { puppet: { plugin: 'puppet' } },
        async ({ gateway }) => {
          const wire = await openTextWire(gateway, cell, framing)
          try {
            await converse(conversation, wire, puppet)
          } finally {
            // After the end of standard input, the gateway waits for open calls.
            for (const call of puppet.calls) call.finish(null)
            await wire.close()
          }
        },
        { plugins: [puppet.plugin] },
      )
    }
  }
}

verifies(['C-11.1', 'C-5.1'], {}, (cell) => haveAll(regular, cell))
verifies(['C-11.2', 'C-6.1', 'C-6.2'], {}, (cell) => haveAll(streams, cell))
verifies(['C-11.3', 'C-5.3'], {}, (cell) => haveAll(acks, cell))
verifies(['C-11.4', 'C-4.2.1', 'C-6.4', 'C-6.5'], {}, (cell) => haveAll(aborts, cell))
