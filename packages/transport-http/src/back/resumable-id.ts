/** The id of an event, for `Last-Event-ID`. Undefined: no header can contain it, so the stream cannot be resumed there. */
export function resumableId(id: string): string | undefined {
  return /^[\u0020-\u007e]+$/.test(id) ? id : undefined
}
