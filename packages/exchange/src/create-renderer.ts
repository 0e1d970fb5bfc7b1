import { gatheredLimit } from './gathered-chunks.ts'
import { HandshakeRenderer } from './render-handshake.ts'
import { V3Renderer } from './render-v3.ts'
import type { Renderer } from './renderer.ts'
import type { View } from './view.ts'

/**
 * Creates the renderer for one round, in the dialect of its request.
 *
 * @param limit the maximum size of chunks that are gathered for a client without a stream, in characters of JSON text
 */
export function createRenderer(view: View, limit: number = gatheredLimit): Renderer {
  return view.dialect === '3.0' ? new V3Renderer(view, limit) : new HandshakeRenderer(view, limit)
}
