import { latestHandshake, type Payload, payloadOf, type ServerInfo } from '@junctor/plugin-sdk/link'

/**
 * The server before a person has agreed. It declares what the real one may have, because other nodes read this once for each
 * link.
 */
export function unconnectedServer(backend: string): ServerInfo {
  return {
    revision: latestHandshake,
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
    },
    info: { name: backend, version: '0' },
    instructions: undefined,
  }
}

/** The name of the tool that a backend offers until the person has agreed. */
export const connectTool = 'connect'

/** The only tool of a backend until the person has agreed. */
export function connectTools(backend: string): readonly Payload[] {
  const description = `Connects ${backend} with the account of the user. It returns a link for the user to open. Until then, ${backend} has no other tools.`
  return [payloadOf({ name: connectTool, title: `Connect ${backend}`, description, inputSchema: { type: 'object' } })]
}
