import type { Backend, CallFabric, Link, Scope } from '@junctor/contracts'
import type { Client, Outcome } from '@junctor/exchange'
import { JunctorError } from '@junctor/protocol'
import { isLeaving, linkMethods, printScope, readLinkEnd, readOpened } from './link-protocol.ts'
import { noWorkerError } from './no-worker-error.ts'
import { nodeRequest } from '../../nodes/node-request.ts'
import { reasonOf } from '../../shared/errors.ts'
import { nodeId } from '../../shared/node-id.ts'
import { ownExchange } from '../../shared/own-exchange.ts'
import { type LostHolder, RemoteLink } from './remote-link.ts'

/** How often an open is tried when the found node has no room or leaves: another node may accept it. */
const attempts = 3

/**
 * A backend whose links are opened by other nodes, its hosts. A link stays on its node; when the node is lost, the link
 * ends, and the next link is opened on another node.
 *
 * @param local the backend as this node would open it: it has what is known without a link
 * @param lost how errors describe a holder of links that is gone. Default: it was a node
 */
export function remoteBackend(local: Backend, fabric: CallFabric, lost: LostHolder = lostNode(local.name)): Backend {
  const { name, correlates, isPersonal, takesCallerToken, followsEra, methods, changesAlone } = local
  let count = 0
  const nextId = (): string => nodeId(fabric.node, `${name}.${(count++).toString(36)}`)

  const open = async (scope: Scope, client: Client, signal: AbortSignal): Promise<Link | 'elsewhere'> => {
    signal.throwIfAborted()
    const opened = Promise.withResolvers<unknown>()
    const left = Promise.withResolvers<Error>()
    const hold = ownExchange(nextId(), client.context, {
      notify: (notification) => client.notify(notification),
      ask: (request, options) => client.ask(request, options),
      chunk(data): undefined {
        if (isLeaving(data)) left.resolve(lost.error())
        else opened.resolve(data)
      },
    })
    const stop = (): void => hold.end('cancelled')
    signal.addEventListener('abort', stop)
    try {
      const over = fabric.call({ service: name }, nodeRequest(linkMethods.open, printScope(scope)), hold)
      const refusal = await Promise.race([opened.promise.then(() => undefined), over])
      signal.throwIfAborted()
      if (refusal === undefined) {
        const ended = over.then((outcome) => endOf(name, outcome, lost))
        const link = readOpened(await opened.promise)
        return new RemoteLink({ fabric, backend: name, ...link, hold, nextId, ended, left: left.promise, lost })
      }
      if (isElsewhere(refusal)) return 'elsewhere'
      throw endOf(name, refusal, lost) ?? new JunctorError('BACKEND_EXITED', `a link to ${name} closed while it opened`)
    } catch (error) {
      hold.end('cancelled')
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  return {
    name,
    correlates,
    ...(isPersonal !== undefined && { isPersonal }),
    ...(takesCallerToken !== undefined && { takesCallerToken }),
    ...(followsEra !== undefined && { followsEra }),
    ...(methods !== undefined && { methods }),
    ...(changesAlone !== undefined && { changesAlone }),
    async open(scope, client, signal) {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const link = await open(scope, client, signal)
        if (link !== 'elsewhere') return link
      }
      throw new JunctorError('LIMIT_REACHED', `no node that hosts ${name} has opened another link`)
    },
    close: () => local.close(),
  }
}

/** Why a link ended or could not be opened. `undefined`: it closed normally. */
function endOf(backend: string, outcome: Outcome, lost: LostHolder): Error | undefined {
  if (outcome.kind === 'complete') {
    const error = readLinkEnd(outcome.result)
    return error === undefined ? undefined : new Error(error)
  }
  if (reasonOf(outcome) === 'backend_unavailable') {
    return noWorkerError(backend)
  }
  return lost.error()
}

function lostNode(backend: string): LostHolder {
  return {
    error: () => new JunctorError('NODE_LEFT', `the node that held a link to ${backend} has left`),
    details: { lostNode: true },
  }
}

/** Whether a node refused to open a link that another node may open. */
function isElsewhere(outcome: Outcome): boolean {
  return outcome.kind === 'error' && reasonOf(outcome) !== 'backend_unavailable'
}
