import type { Revision } from './revision.ts'

/**
 * A profile's own way over HTTP, where it is not Streamable HTTP: its sessions are also named by the path
 * (`/mcp/{tenant}/{session}`) and by the query (`session_id`), and their own streams look different.
 */
export interface HttpShape {
  /** Whether requests of a session have to name its revision (`MCP-Protocol-Version`). */
  namesRevision(revision: Revision): boolean
  /**
   * Whether a session's own stream is lines (NDJSON). Else, and for a client that accepts nothing else, it is events,
   * as of HTTP+SSE: the first names the URL to post to.
   */
  streamsLines(revision: Revision): boolean
  /**
   * The first line of a stream of lines, a message as JSON text.
   *
   * @param cursor the place from which the stream goes on, for a client that asks for it
   */
  greeting(session: string, cursor?: string): string
  /** The sign of life on a stream of lines, a message as JSON text. @param now epoch milliseconds */
  ping(now: number, cursor?: string): string
}
