import { WebSocket } from 'undici'

/**
 * Opens a WebSocket to an HTTP endpoint with an API key. Resolves with undefined when it is refused: then it is closed.
 */
export async function openSocket(url: string, key: string): Promise<WebSocket | undefined> {
  const socket = new WebSocket(url.replace('http:', 'ws:'), {
    protocols: ['mcp'],
    headers: { authorization: `Bearer ${key}` },
  })
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.addEventListener('open', () => resolve(true))
    socket.addEventListener('error', () => resolve(false))
    socket.addEventListener('close', () => resolve(false))
  })
  return isOpen ? socket : undefined
}
