import { anyArguments, latestHandshake, type Payload, payloadOf, type ServerInfo } from '@junctor/plugin-sdk/link'

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

/** The name of the tool with which people begin and end that the backend is called with their account. */
export const connectTool = 'connect'

/** The tool {@link connectTool}. Until the person has agreed, the backend has no other one. */
export function describeConnect(backend: string): Payload {
  const description = `Connects ${backend} with the account of the user, or ends that. It returns a link for the user to open. The other tools of ${backend} are there when it is connected.`
  return payloadOf({ name: connectTool, title: `Connect ${backend}`, description, inputSchema: anyArguments })
}

/**
 * The tool {@link connectTool} of a backend for which the caller's token is exchanged. It is listed while there is no
 * token.
 */
export function describeTokenNeeded(backend: string): Payload {
  const description = `${backend} is called with a token that is made from the access token of the user, and there is none now. This tool says why, or connects ${backend}. The other tools of ${backend} are there when it is connected.`
  return payloadOf({ name: connectTool, title: `Connect ${backend}`, description, inputSchema: anyArguments })
}
