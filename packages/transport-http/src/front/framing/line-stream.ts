import { mediaTypes } from '@junctor/protocol'
import { type Framing, streamHeaders } from './framing.ts'

/**
 * One message in each line (NDJSON). The format has no event ids, so a stream cannot be resumed, and no comments: an
 * empty line is the keep-alive, which readers of NDJSON skip.
 */
export const lineStream: Framing = {
  headers: streamHeaders(mediaTypes.ndjson),
  resumable: false,
  begin: () => '',
  message: (text) => `${text}\n`,
  keepAlive: () => '\n',
  comeBack: '',
}
