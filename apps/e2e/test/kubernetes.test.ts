import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { loadConfig } from '@junctor/config'
import { demoPlugin } from '@junctor/plugin-demo'
import { mcpPlugin } from '@junctor/plugin-mcp'
import type { Plugin } from '@junctor/plugin-sdk'
import { findNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

// Checks of deploy/kubernetes that need no cluster: all its parts exist and fit together.

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, '../../..')
const folder = join(repository, 'deploy/kubernetes')
const plugins = [mcpPlugin, demoPlugin] as unknown as readonly Plugin[]

type Labels = Readonly<Record<string, string>>

interface Selector {
  readonly matchLabels: Labels
}

interface Probe {
  readonly timeoutSeconds?: number
  readonly httpGet: { readonly path: string; readonly port: string }
}

interface Container {
  readonly name: string
  readonly image: string
  readonly command: readonly string[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly env: readonly {
    readonly name: string
    readonly value?: string
    readonly valueFrom?: {
      readonly secretKeyRef?: { readonly name: string; readonly key: string }
      readonly fieldRef?: { readonly fieldPath: string }
    }
  }[]
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly subPath?: string }[]
}

interface Pod {
  readonly shareProcessNamespace?: boolean
  readonly terminationGracePeriodSeconds: number
  readonly containers: readonly [Container]
  readonly volumes: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[]
}

interface Workload {
  readonly kind: 'Deployment' | 'StatefulSet'
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly replicas: number
    readonly serviceName?: string
    readonly selector: Selector
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod }
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[]
  }
}

interface Service {
  readonly kind: 'Service'
  readonly metadata: { readonly name: string }
  readonly spec: { readonly selector: Labels; readonly ports: readonly { readonly targetPort: string }[] }
}

interface Budget {
  readonly kind: 'PodDisruptionBudget'
  readonly spec: { readonly maxUnavailable: number; readonly selector: Selector }
}

interface Policy {
  readonly kind: 'NetworkPolicy'
  readonly spec: {
    readonly podSelector: Selector
    readonly ingress: readonly { readonly ports: readonly { readonly port: string }[] }[]
  }
}

interface Namespace {
  readonly kind: 'Namespace'
  readonly metadata: { readonly name: string }
}

type Resource = Workload | Service | Budget | Policy | Namespace

interface Kustomization {
  readonly namespace: string
  readonly resources: readonly string[]
  readonly images: readonly { readonly name: string }[]
  readonly configMapGenerator: readonly { readonly name: string; readonly files: readonly string[] }[]
}

function readText(...path: readonly string[]): string {
  return readFileSync(join(folder, ...path), 'utf8')
}

const kustomization = parse(readText('kustomization.yaml')) as Kustomization
const permissions = parse(readText('../nats/permissions/kustomization.yaml')) as Kustomization
const resources = kustomization.resources
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => parseAllDocuments(readText(name)).map((document) => document.toJS() as Resource))
const workloads = resources.filter(isWorkload)
const named = workloads.map((workload) => [workload.metadata.name, workload] as const)
const nodes = named.filter(([name]) => name !== 'nats')

/** Possible content of the secret. */
const secret: Readonly<Record<string, string>> = {
  JUNCTOR_CLUSTER_KEY: 'a-cluster-key-of-at-least-32-characters',
  GATEWAY_PASSWORD: 'the-password-of-gateways',
  WORKER_PASSWORD: 'the-password-of-workers',
  JUNCTOR_ADMIN_TOKEN: 'a-token-for-operators',
  JUNCTOR_KEY_HASH: `sha256:${'0'.repeat(64)}`,
}

function isWorkload(found: Resource): found is Workload {
  return found.kind === 'Deployment' || found.kind === 'StatefulSet'
}

function containerOf({ spec }: Workload): Container {
  return spec.template.spec.containers[0]
}

/** The environment of a container, as Kubernetes builds it. */
function environmentOf(workload: Workload): Record<string, string> {
  const filled = containerOf(workload).env.map(({ name, value, valueFrom }) => {
    if (valueFrom?.fieldRef !== undefined) return [name, `${workload.metadata.name}-0`] as const
    const from = valueFrom?.secretKeyRef
    if (from === undefined) return [name, value ?? ''] as const
    expect(from.name).toBe('junctor')
    expect(secret).toHaveProperty(from.key)
    return [name, secret[from.key] ?? ''] as const
  })
  return Object.fromEntries(filled)
}

/** Whether a selector finds pods of a workload. */
function selects(labels: Labels, { spec }: Workload): boolean {
  const own = spec.template.metadata.labels
  return Object.entries(labels).every(([name, value]) => own[name] === value)
}

function configFor(workload: Workload) {
  const loaded = loadConfig(join(folder, 'junctor.yaml'), { plugins, env: environmentOf(workload) })
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}

let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'junctor-kubernetes-'))
})
afterAll(() => rmSync(copy, { recursive: true }))

test('there are gateways, workers and three servers of NATS', () => {
  expect(named.map(([name, { spec }]) => [name, spec.replicas])).toEqual([
    ['nats', 3],
    ['gateway', 3],
    ['worker', 2],
  ])
})

test('every file of the folder is used, and every file that is named exists', () => {
  const files = kustomization.configMapGenerator.flatMap((generator) => generator.files)
  const local = kustomization.resources.filter((name) => name.endsWith('.yaml'))
  expect(readdirSync(folder).toSorted()).toEqual(['kustomization.yaml', 'example.env', ...local, ...files].toSorted())
  const elsewhere = kustomization.resources.filter((name) => !name.endsWith('.yaml'))
  expect(elsewhere.filter((name) => !existsSync(join(folder, name, 'kustomization.yaml')))).toEqual([])
  const granted = permissions.configMapGenerator.flatMap((generator) => generator.files)
  expect(granted.filter((name) => !existsSync(join(folder, '../nats/permissions', name)))).toEqual([])
})

test.each(named)('%s selects its own pods, and only its own', (_name, workload) => {
  expect(workloads.filter((other) => selects(workload.spec.selector.matchLabels, other))).toEqual([workload])
  const budgets = resources.filter((found) => found.kind === 'PodDisruptionBudget')
  const own = budgets.filter(({ spec }) => selects(spec.selector.matchLabels, workload))
  expect(own.map(({ spec }) => spec.maxUnavailable)).toEqual([1])
})

test.each(named)(
  'the probes of %s go to a port of its own and wait for a busy node, and its mounts have volumes',
  (_name, workload) => {
    const { ports, startupProbe, livenessProbe, readinessProbe, volumeMounts } = containerOf(workload)
    const portNames = ports.map(({ name }) => name)
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) expect(portNames).toContain(probe.httpGet.port)
    for (const probe of [livenessProbe, readinessProbe]) expect(probe.timeoutSeconds).toBe(5)
    const { template, volumeClaimTemplates = [] } = workload.spec
    const volumes = [
      ...template.spec.volumes.map(({ name }) => name),
      ...volumeClaimTemplates.map(({ metadata }) => metadata.name),
    ]
    expect(volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted())
    const generated = [...kustomization.configMapGenerator, ...permissions.configMapGenerator].map(({ name }) => name)
    const used = template.spec.volumes.flatMap(({ configMap }) => (configMap === undefined ? [] : [configMap.name]))
    expect(generated).toEqual(expect.arrayContaining(used))
  },
)

test('services lead to ports of pods, and policies name ports of pods', () => {
  for (const { spec } of resources.filter((found) => found.kind === 'Service')) {
    const found = workloads.filter((workload) => selects(spec.selector, workload)).flatMap(portsOf)
    expect(found).toEqual(expect.arrayContaining(spec.ports.map(({ targetPort }) => targetPort)))
  }
  const policies = resources.filter((found) => found.kind === 'NetworkPolicy')
  for (const { spec } of policies) {
    const found = workloads.filter((workload) => selects(spec.podSelector.matchLabels, workload)).flatMap(portsOf)
    const asked = spec.ingress.flatMap(({ ports }) => ports.map(({ port }) => port))
    expect(found).toEqual(expect.arrayContaining(asked))
  }
  const free = workloads.filter(
    (workload) => !policies.some(({ spec }) => selects(spec.podSelector.matchLabels, workload)),
  )
  expect(free).toEqual([])
})

function portsOf(workload: Workload): string[] {
  return containerOf(workload).ports.map(({ name }) => name)
}

test.each(nodes)('%s runs a command of the image, with a valid configuration', (name, workload) => {
  const { command, image, volumeMounts, ports } = containerOf(workload)
  const [program = ''] = command
  expect(existsSync(join(repository, 'bin', program))).toBe(true)
  expect(kustomization.images.map((entry) => entry.name)).toContain(image)
  // The folder is mounted, and not its file: only then does a change arrive.
  expect(volumeMounts).toContainEqual({ name: 'config', mountPath: '/etc/junctor', readOnly: true })
  expect(command.at(-1)).toBe('/etc/junctor/junctor.yaml')
  // Log collectors read each line as JSON.
  expect(command).toContain('--json')
  const { fabric, backends, listen } = configFor(workload)
  const open = [...(name === 'gateway' ? [['http', listen.http?.port]] : []), ['admin', listen.admin?.port]]
  expect(ports.map((port) => [port.name, port.containerPort])).toEqual(open)
  expect(backends.some(({ runsOn }) => runsOn === 'workers')).toBe(true)
  expect((fabric as Exclude<typeof fabric, 'memory'>).nats.user).toBe(name)
})

test.each(nodes)('%s has the time to end that its configuration gives it, and ten seconds more', (_name, workload) => {
  const { drainDelayMs = Infinity, graceMs = Infinity } = configFor(workload).limits
  const granted = workload.spec.template.spec.terminationGracePeriodSeconds * 1000
  expect(granted).toBeGreaterThan(drainDelayMs + graceMs + 10_000)
})

test('the pods of nodes reap what programs of backends leave behind: a node is not the first process', () => {
  expect(nodes.map(([, { spec }]) => spec.template.spec.shareProcessNamespace)).toEqual([true, true])
})

test('gateways and workers differ only in their names, their program, its ports and its user of NATS', () => {
  const own = ['NATS_USER', 'NATS_PASSWORD']
  const common = nodes.map(([name, { spec }]) => {
    const { containers, ...pod } = spec.template.spec
    const [{ name: containerName, command, ports, env, ...container }] = containers
    expect([containerName, command[0], ports.length]).toEqual([
      name,
      name === 'gateway' ? 'junctor' : 'junctor-worker',
      name === 'gateway' ? 2 : 1,
    ])
    // The labels of a component are in its pods' spread too.
    const written = JSON.stringify({ pod, container, env: env.filter((entry) => !own.includes(entry.name)) })
    return written.replaceAll(`"app.kubernetes.io/component":"${name}"`, '')
  })
  expect(common[0]).toBe(common[1])
})

test('nodes know the servers of NATS by the names of their pods, and clients may use the names of the service', () => {
  const [, nats] = named.find(([name]) => name === 'nats') ?? []
  const [, gateway] = named.find(([name]) => name === 'gateway') ?? []
  if (nats === undefined || gateway === undefined) throw new Error('Expected NATS and gateways')
  const { fabric, listen } = configFor(gateway)
  const { servers, replicas } = (fabric as Exclude<typeof fabric, 'memory'>).nats
  const { serviceName, replicas: count } = nats.spec
  const pods = Array.from({ length: count }, (_, index) => `nats-${index}.${serviceName}`)
  expect(servers.map((server) => new URL(server).hostname)).toEqual(pods)
  expect(replicas).toBe(count)
  for (const pod of pods) expect(readText('nats.conf')).toContain(`nats://${pod}:6222`)
  const service = resources.find((found) => found.kind === 'Service' && selects(found.spec.selector, gateway))
  const host = `${(service as Service).metadata.name}.${kustomization.namespace}.svc`
  expect(listen.http?.allowedHosts).toContain(host)
})

test('NATS accepts its configuration, with the users of the nodes', async () => {
  const [, nats] = named.find(([name]) => name === 'nats') ?? []
  if (nats === undefined) throw new Error('Expected NATS')
  mkdirSync(join(copy, 'permissions'))
  cpSync(join(folder, 'nats.conf'), join(copy, 'nats.conf'))
  for (const file of permissions.configMapGenerator.flatMap(({ files }) => files)) {
    cpSync(join(folder, '../nats/permissions', file), join(copy, 'permissions', file))
  }
  const { volumeMounts, command } = containerOf(nats)
  const mounted = volumeMounts.map(({ mountPath }) => mountPath)
  expect(mounted).toEqual(expect.arrayContaining(['/etc/nats/nats.conf', '/etc/nats/permissions', '/data']))
  expect(command.at(-1)).toBe('/etc/nats/nats.conf')
  const server = await findNatsServer()
  const { stderr } = await run(server, ['-t', '-c', join(copy, 'nats.conf')], { env: environmentOf(nats) })
  expect(stderr).toContain('is valid')
  for (const [name] of nodes) expect(readText('nats.conf')).toContain(`user: ${name}`)
})

test('no other values must be filled in than the documented ones', () => {
  const asked = [...readText('example.env').matchAll(/^(\w+)=$/gm)].map(([, name = '']) => name)
  expect(asked.toSorted()).toEqual(Object.keys(secret).toSorted())
})
