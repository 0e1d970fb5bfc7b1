import { expect, test } from 'vitest'
import { subjectsOf } from './subjects.ts'

test('subjects start with the cluster, and names from nodes and clients are escaped', () => {
  const subjects = subjectsOf('prod')
  expect(subjects.root).toBe('junctor.v1.prod')
  expect(subjects.call('search')).toBe('junctor.v1.prod.call.search')
  expect(subjects.call('$session')).toBe('junctor.v1.prod.call.=24session')
  expect(subjects.call('>')).toBe('junctor.v1.prod.call.=3E')
  expect(subjects.node('n1', 'call')).toBe('junctor.v1.prod.node.n1.call')
  expect(subjects.inbox('n1')).toBe('junctor.v1.prod.node.n1.in.>')
  expect(subjects.inbox('n1', 'a*')).toBe('junctor.v1.prod.node.n1.in.a=2A')
  expect(subjects.all('alive')).toBe('junctor.v1.prod.all.alive')
  expect(subjects.entries('mail', 's_1')).toBe('junctor.v1.prod.log.mail.s_1')
  expect(subjects.entries('mail')).toBe('junctor.v1.prod.log.mail.>')
  expect(subjects.item('jobs', 'job 1')).toBe('junctor.v1.prod.queue.jobs.job=201')
  expect(subjects.pieces('kv jobs', 'x')).toBe('junctor.v1.prod.pieces.kv=20jobs.x')
  expect(subjects.loan('jobs')).toBe('junctor.v1.prod.loan.jobs.>')
  expect(subjects.held('jobs', 'a.b')).toBe('junctor.v1.prod.held.jobs.a=2Eb')
  expect(subjects.lane('jobs')).toBe('junctor.v1.prod.lane.jobs.>')
})

test('clusters with different names never share a subject', () => {
  const names = ['a', 'a.b', 'a_b', 'a__b', '>', '*', 'a=b', 'A']
  for (const of of [
    (cluster: string) => subjectsOf(cluster).root,
    (cluster: string) => subjectsOf(cluster).bucket('b'),
    (cluster: string) => subjectsOf('x').stream('log', cluster),
  ]) {
    expect(new Set(names.map(of)).size).toBe(names.length)
  }
  expect(subjectsOf('a').bucket('b_c')).not.toBe(subjectsOf('a_b').bucket('c'))
  expect(subjectsOf('a.b').stream('queue', 'c d')).toMatch(/^[\w-]+$/)
})
