import type { Revision } from './revision.ts'

/**
 * How a profile uses HTTP when it does not use Streamable HTTP: the path (`/mcp/{tenant}/{session}`) and the query
 * (`session_id`) can also name the session, and the session's own stream has a different format.
 */
export interface HttpShape {
  /** Whether requests of a session must name its revision (`MCP-Protocol-Version`). */
  namesRevision(revision: Revision): boolean
  /**
   * Whether a session's own stream is lines (NDJSON). Else, and for a client that accepts only events, it is an event
   * stream as in HTTP+SSE, whose first event names the URL to post to.
   */
  streamsLines(revision: Revision): boolean
  /**
   * Returns the first line of a stream of lines, a message as JSON text.
   *
   * @param cursor the position from which the stream continues, for a client that asks for it
   */
  greeting(session: string, cursor?: string): string
  /**
   * Returns the keep-alive message of a stream of lines, as JSON text.
   *
   * @param now epoch milliseconds
   */
  ping(now: number, cursor?: string): string
}
