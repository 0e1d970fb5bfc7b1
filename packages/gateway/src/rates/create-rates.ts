import type { Emit, ErrorReporter, Fabric } from '@junctor/contracts'
import type { PresentNodes } from '../nodes/present-nodes.ts'
import type { ControlListener } from '../nodes/subscribe-controls.ts'
import { CallRates, type TenantCalls } from './call-rates.ts'
import { readRateControl, toRateControl } from './rate-control.ts'

/** The rates of a node, and the exchange of counts with the other nodes. */
export interface Rates {
  readonly calls: CallRates
  /** Counts the calls of other nodes. */
  readonly control: ControlListener
  /** Sends its counts to the other nodes, and forgets callers that made none lately. Called every second. */
  sweep(): void
  /** Sends no more counts. */
  close(): void
}

/** The other gateways, which get the counts of this node. */
export interface RatesParts {
  readonly fabric: Pick<Fabric, 'send'>
  readonly nodes: Pick<PresentNodes, 'gateways'>
  readonly emit: Emit
  readonly reportError: ErrorReporter
}

/** How long an urgent count waits for further calls, in milliseconds. */
const soonMs = 2

/** Limits in one message: what nodes send each other is bounded. */
const mostInMessage = 500

/** Sweeps between two looks for callers that made no calls lately. */
const sweepsBetweenLooks = 10

/** Creates the rates of a node. They are empty until `calls.applyConfig`. */
export function createRates({ fabric, nodes, emit, reportError }: RatesParts): Rates {
  const calls = new CallRates(emit)
  let soon: NodeJS.Timeout | undefined
  let sweeps = 0
  let isClosed = false

  const send = async (batch: TenantCalls): Promise<void> => {
    try {
      // A message may be lost: then the others admit more until the next.
      await fabric.send('all', toRateControl(batch))
    } catch (error) {
      reportError('control', error)
    }
  }

  const sendCalls = (): void => {
    clearTimeout(soon)
    soon = undefined
    // They wait for the first other node, which may only not be known yet.
    if (isClosed || nodes.gateways().length === 0) return
    for (const { tenant, calls: all } of calls.takeUnsent()) {
      for (let from = 0; from < all.length; from += mostInMessage) {
        void send({ tenant, calls: all.slice(from, from + mostInMessage) })
      }
    }
  }

  calls.onUrgent = () => {
    if (isClosed || soon !== undefined || nodes.gateways().length === 0) return
    soon = setTimeout(sendCalls, soonMs).unref()
  }

  return {
    calls,
    control(received) {
      const control = readRateControl(received)
      if (control.kind === 'read') calls.countRemote(control.value)
      return control
    },
    sweep() {
      sendCalls()
      sweeps += 1
      if (sweeps % sweepsBetweenLooks === 0) calls.sweep()
    },
    close() {
      isClosed = true
      clearTimeout(soon)
    },
  }
}
