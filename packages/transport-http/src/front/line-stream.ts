import { mediaTypes } from '@junctor/protocol'
import { type Framing, headersOf } from './framing.ts'

/**
 * A message in each line (NDJSON). It has no place for event ids, so nothing can be asked for again; and none for
 * comments: an empty line is the sign of life, which readers of NDJSON pass over.
 */
export const lineStream: Framing = {
  headers: headersOf(mediaTypes.ndjson),
  resumable: false,
  begin: () => '',
  message: (text) => `${text}\n`,
  keepAlive: () => '\n',
  comeBack: '',
}
