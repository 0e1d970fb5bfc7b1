import type { Caller } from './caller.ts'

/** The callers that are at home on this node: the only way from a backend to its clients outside of calls. */
export interface HomeCallers {
  /** The caller of a session, to be told or asked. Not counted as use of the session. */
  peek(session: string): Caller | undefined
  homes(): Iterable<Caller>
}
