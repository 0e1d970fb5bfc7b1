import { openOnlySession } from './cell.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { type Subject, subjectNamed } from './subjects.ts'

/** The running subjects, and the servers behind them. */
export interface RunningServers {
  of(subject: Subject): ServerProcess
  stop(): Promise<void>
}

/** Starts each subject once, after the server behind it. */
export async function startServers(subjects: readonly Subject[]): Promise<RunningServers> {
  const servers = new Map<string, ServerProcess>()
  const start = async (subject: Subject): Promise<number | undefined> => {
    const port = subject.behind === undefined ? undefined : await start(subjectNamed(subject.behind))
    const started = servers.get(subject.name)
    if (started !== undefined) return started.port
    const server = await startServer(subject.program(port))
    servers.set(subject.name, server)
    if (subject.wire === 'stdio') await openOnlySession(server)
    return server.port
  }
  for (const subject of subjects) await start(subject)
  return {
    of({ name }) {
      const server = servers.get(name)
      if (server === undefined) throw new Error(`the server ${name} was not started`)
      return server
    },
    async stop() {
      await Promise.all([...servers.values()].map((server) => server.stop()))
    },
  }
}
