import type { Sink, View } from '@junctor/exchange'
import { payloadOf, printAck, type RequestId, requestId } from '@junctor/jsonrpc'

/**
 * The extension `pubsub` of JSON-RPC 3.0 (section 6.5): a stream goes on under an id of its own in another place of its
 * client's transport, and an ack says where. Gives the view of the stream there; the one that it was given where the
 * client has not negotiated that, or there is no such place.
 *
 * @param over told when nothing more is sent there; `lost`: because nobody listens
 */
export function divertedView(view: View, sink: Sink, over: (stream: RequestId, lost: boolean) => void): View {
  if (!view.stream || !view.extensions.includes('pubsub') || sink.divert === undefined) return view
  let id: RequestId | undefined
  const place = sink.divert(
    ({ stream, server }) => printAck(view.id, payloadOf({ stream: { id: stream, pubServer: server } }), true),
    (lost) => id !== undefined && over(id, lost),
  )
  if (place === undefined) return view
  id = requestId(place.stream)
  return { ...view, id }
}
