import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { peersIn } from './peers.ts'

const manifests: Readonly<Record<string, string>> = {
  python: 'requirements.txt',
  go: 'go.mod',
  rust: 'Cargo.toml',
  java: 'pom.xml',
}
const page = readFileSync(join(import.meta.dirname, '../../../docs/interop.md'), 'utf8')

test.each(peersIn('/cache'))('the version of $language is that of its manifest, and of the page', (peer) => {
  const version = peer.sdk.split(' ')[1] ?? ''
  const manifest = readFileSync(join(import.meta.dirname, '../peers', peer.name, manifests[peer.name] ?? ''), 'utf8')
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(manifest).toContain(version)
  expect(page).toContain(`\`${peer.sdk}\``)
})
