import type { Sink, View } from '@junctor/exchange'
import { payloadOf, printAck, type RequestId, requestId } from '@junctor/jsonrpc'

/**
 * The extension `pubsub` of JSON-RPC 3.0 (section 6.5): a stream continues under its own id in another place of the
 * client's transport, and an ack names the place. Returns the view of that stream, given that of a request for one.
 * Returns the given view when the client has not negotiated the extension, or the transport has no such place.
 *
 * @param over called when the stream there has ended; `lost`: because it has no listener any more
 */
export function redirectedView(view: View, sink: Sink, over: (stream: RequestId, lost: boolean) => void): View {
  if (!view.extensions.includes('pubsub') || sink.redirect === undefined) return view
  let id: RequestId | undefined
  const place = sink.redirect(
    ({ stream, server }) => printAck(view.id, payloadOf({ stream: { id: stream, pubServer: server } }), true),
    (lost) => id !== undefined && over(id, lost),
  )
  if (place === undefined) return view
  id = requestId(place.stream)
  return { ...view, id }
}
