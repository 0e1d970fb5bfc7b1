import { serverMark, type ServerPlace } from '../../upstream/calls/server-mark.ts'

/** A backend's own task that a job waits for. */
export type TaskOfServer =
  | { readonly kind: 'own'; readonly taskId: string }
  /** Another server has it, which was behind the name of the backend before. */
  | { readonly kind: 'foreign' }

/** The id of a backend's task as a job stores it: with the mark of its server. */
export function bindTask(entry: ServerPlace, taskId: string): string {
  return `@${serverMark(entry)}+${taskId}`
}

/** Reads a stored id. Nodes of an earlier version stored the id alone: that counts as the backend's own. */
export function unbindTask(entry: ServerPlace, stored: string): TaskOfServer {
  const [, mark, taskId = ''] = /^@([\w-]{43})\+(.*)$/s.exec(stored) ?? []
  if (mark === undefined) return { kind: 'own', taskId: stored }
  return mark === serverMark(entry) ? { kind: 'own', taskId } : { kind: 'foreign' }
}
