import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

/** Keeps all events of one session, so that a client that reconnects gets the events that it missed. */
export function createEventMemory(): EventStore {
  const events: { readonly stream: string; readonly message: Parameters<EventStore['storeEvent']>[1] }[] = []
  return {
    async storeEvent(stream, message) {
      events.push({ stream, message })
      return String(events.length)
    },
    async replayEventsAfter(last, { send }) {
      const stream = events[Number(last) - 1]?.stream
      if (stream === undefined) throw new Error(`Expected an event id of this session, got "${last}"`)
      for (const [index, event] of events.entries()) {
        // The event that opens a stream is kept as an empty message, for its id alone.
        const missed = index >= Number(last) && event.stream === stream && 'jsonrpc' in event.message
        if (missed) await send(String(index + 1), event.message)
      }
      return stream
    },
  }
}
