import { join } from 'node:path'
import type { Feature } from './features.ts'
import type { Lack, Peer } from './peer.ts'

const sides = ['client', 'server'] as const

function onBothSides(feature: Feature, reason: string): readonly Lack[] {
  return sides.map((side) => ({ side, feature, reason }))
}

const noTasks = onBothSides('tasks', 'it does not have the tasks extension')
const noCancellation = onBothSides('cancellation', 'it does not send `notifications/cancelled`, or act on it')

/** The SDKs that are tried. What they build goes to folders below `cache`. */
export function peersIn(cache: string): readonly Peer[] {
  return [python(cache), go(cache), rust(cache), java(cache)]
}

function python(cache: string): Peer {
  const program = join(cache, 'python/bin/python')
  return {
    name: 'python',
    language: 'Python',
    sdk: 'mcp 2.3.0',
    eras: ['handshake', 'stateless'],
    needs: ['python3', '-c', 'import venv, ensurepip'],
    build: [
      ['python3', '-m', 'venv', join(cache, 'python')],
      [program, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
    ],
    server: [program, 'server.py'],
    client: [program, 'client.py'],
    lacks: noTasks,
  }
}

function go(cache: string): Peer {
  const folder = join(cache, 'go')
  return {
    name: 'go',
    language: 'Go',
    sdk: 'github.com/modelcontextprotocol/go-sdk 1.8.0',
    eras: ['handshake', 'stateless'],
    needs: ['go', 'version'],
    build: [['go', 'build', '-o', `${folder}/`, './server', './client']],
    server: [join(folder, 'server')],
    client: [join(folder, 'client')],
    lacks: [
      ...noTasks,
      {
        side: 'server',
        feature: 'cancellation',
        era: 'stateless',
        transport: 'http',
        reason: 'the context of a tool call does not end when the client closes the stream of the call',
      },
    ],
  }
}

function rust(cache: string): Peer {
  const target = join(cache, 'rust')
  return {
    name: 'rust',
    language: 'Rust',
    sdk: 'rmcp 3.11.0',
    eras: ['handshake', 'stateless'],
    needs: ['cargo', '--version'],
    build: [['cargo', 'build', '--quiet', '--locked', '--target-dir', target]],
    server: [join(target, 'debug/server')],
    client: [join(target, 'debug/client')],
    lacks: [],
  }
}

function java(cache: string): Peer {
  const target = join(cache, 'java')
  const classPath = `${join(target, 'classes')}:${join(target, 'lib')}/*`
  return {
    name: 'java',
    language: 'Java',
    sdk: 'io.modelcontextprotocol.sdk:mcp 2.1.0',
    eras: ['handshake'],
    needs: ['mvn', '--version'],
    build: [['mvn', '--quiet', '--batch-mode', 'compile', `-Dinterop.directory=${target}`]],
    server: ['java', '-cp', classPath, 'interop.Server'],
    client: ['java', '-cp', classPath, 'interop.Client'],
    lacks: [...noTasks, ...noCancellation],
  }
}
