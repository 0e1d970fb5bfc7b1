import { expect, test } from 'vitest'
import { checkRecords } from './check-records.ts'

const sections = (events: string, audit: string): Parameters<typeof checkRecords>[0] =>
  ({ events: { file: events }, audit: { file: audit } }) as Parameters<typeof checkRecords>[0]

test.each([
  ['one file', './all.ndjson', '/folder/all.ndjson', 1],
  ['two files', './events.ndjson', './audit.ndjson', 0],
  ['one device', '/dev/stdout', '/dev/stdout', 0],
])('%s for events and audit', (_what, events, audit, problems) => {
  expect(checkRecords(sections(events, audit), '/folder')).toHaveLength(problems)
})
