import { resolve } from 'node:path'
import { fileOf } from './file-of.ts'
import { knownDocuments } from './known-documents.ts'
import { startAnyApi } from './start-any-api.ts'
import { tryDocument } from './try-document.ts'

const usage = `pnpm openapi [FILE…]

Makes tools of large public OpenAPI documents, and calls each of them with a client of the official SDK. Without files:
of GitHub, Stripe and Kubernetes, which are downloaded to .cache/openapi once. Exits with 1 when a tool does not work,
and with 2 when a document is not there.`

const files = process.argv.slice(2)
if (files.some((word) => word.startsWith('-'))) console.log(usage)
else {
  const api = await startAnyApi()
  const documents = files.length > 0 ? files.map((file) => ({ file })) : await Promise.all(knownDocuments.map(fileOf))
  for (const document of documents) {
    if ('lacks' in document) {
      console.log(`lacks   ${document.lacks}`)
      process.exitCode ||= 2
      continue
    }
    // oxlint-disable-next-line no-await-in-loop -- each is measured alone
    const { tools, listMs, listSize, called, refused, failed, warnings } = await tryDocument(
      resolve(document.file),
      api,
    )
    const size = (listSize / 1e6).toFixed(1)
    console.log(`${failed.length === 0 ? 'ok    ' : 'failed'}  ${document.file}`)
    console.log(
      `        ${tools} tools, listed in ${Math.round(listMs)} ms (${size} MB); ${called} called, ${refused} not called: no arguments could be made up`,
    )
    for (const line of [...warnings, ...failed.slice(0, 20)]) console.log(`        ${line}`)
    if (failed.length > 0) process.exitCode = 1
  }
  await api.close()
}
