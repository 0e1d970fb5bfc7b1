import type { Message, ParsedFrame, Unreadable } from '@junctor/jsonrpc'

/** The messages of a frame: those of a batch, or the single one. */
export function entriesOf(frame: ParsedFrame): readonly (Message | Unreadable)[] {
  if (frame.kind === 'batch') return frame.entries
  return [frame.kind === 'message' ? frame.message : frame]
}
