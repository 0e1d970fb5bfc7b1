import { requestId } from '@junctor/jsonrpc'
import type { JobKind } from '../../src/jobs/record/job-record.ts'
import type { Submission } from '../../src/jobs/record/submission.ts'

/**
 * A submission of a ping by Ada, in a session whose home is node `one`.
 *
 * @param id the id of the request
 */
export function sampleSubmission(kind: JobKind, id = 1): Submission {
  return {
    kind,
    request: { kind: 'request', dialect: '2.0', id: requestId(id), method: 'ping', params: undefined },
    context: {
      tenant: 'default',
      principal: { issuer: 'local', subject: 'ada', key: 'local ada' },
      session: 's',
      revision: '2025-11-25',
      client: { info: {}, capabilities: {} },
      trace: undefined,
    },
    home: 'one',
  }
}
