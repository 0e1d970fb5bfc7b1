import { type Receiver, silentLog } from '@junctor/contracts'
import { describeTransport, type EchoedTransport, untilNoDescendants } from '@junctor/testkit'
import { childOptions } from '../fixtures/child-options.ts'
import { createChildTransport, createGuard } from '../src/back/index.ts'

function createEchoChild(receiver: Receiver): EchoedTransport {
  const guard = createGuard(silentLog)
  const transport = createChildTransport({ ...childOptions(guard, 'echo'), limits: { graceMs: 200 } }, receiver)
  const { pid } = transport
  if (pid === undefined) throw new Error('Expected a process, got none')
  const signal = (name: NodeJS.Signals): void => void process.kill(pid, name)
  return {
    transport,
    stall: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    destroy: () => signal('SIGKILL'),
    async dispose() {
      await guard.close()
      await untilNoDescendants()
    },
  }
}

describeTransport('a child process', createEchoChild)
