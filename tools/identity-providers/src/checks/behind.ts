import { type Check, expectSame } from '../check.ts'
import { tokenOfProgram } from '../requests.ts'
import type { Scene } from '../scene.ts'

/** A server behind the gateway, to which the gateway goes with a service account of its own. */
export function behindChecks({ acme, asking }: Scene): readonly Check[] {
  return [
    {
      name: 'a gateway goes to a server behind it with client credentials',
      run: async () => {
        const answer = await fetch(asking.endpoint, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            authorization: `Bearer ${await tokenOfProgram(acme, acme.robot, 'asked')}`,
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': 'behind__demo__echo',
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: {
              name: 'behind__demo__echo',
              arguments: { message: 'hello' },
              _meta: {
                'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                'io.modelcontextprotocol/clientInfo': { name: 'program', version: '1' },
                'io.modelcontextprotocol/clientCapabilities': {},
              },
            },
          }),
        })
        const text = await answer.text()
        expectSame([answer.status, text.includes('hello'), text.includes('"isError":true')], [200, true, false], text)
      },
    },
  ]
}
