import type { JobRecord } from '../../src/jobs/record/job-record.ts'

/** A task of Ada that has not begun: it calls the tool `a`, and was submitted at node `one`. */
export const sampleJob: JobRecord = {
  id: 'j_AAAAAAAAAAAAAAAAAAAAAA',
  owner: 'owner',
  kind: 'task',
  tenant: 'default',
  principal: { issuer: 'local', subject: 'ada', key: 'local ada' },
  home: 'one',
  from: 'one',
  revision: '2025-11-25',
  client: { info: {}, capabilities: {} },
  request: { id: '1', dialect: '2.0', method: 'tools/call', params: '{"name":"a"}' },
  state: 'queued',
  fence: 0,
  attempt: 0,
  emitted: false,
  createdAt: 1000,
  updatedAt: 1000,
  ttlMs: 100,
}
