import type { Caller } from './caller.ts'

/** The callers whose home is this node. Backends reach their clients only through these, outside of calls. */
export interface HomeCallers {
  /** The caller of a session, for a notification or a question. Does not count as use of the session. */
  peek(session: string): Caller | undefined
  homes(): Iterable<Caller>
}
