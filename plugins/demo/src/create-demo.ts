import { createBackend, type LocalBackend, type Log } from '@junctor/plugin-sdk'
import { createCounter } from './counter.ts'
import { addMethod } from './methods/add.ts'
import { listenErrors, listenLogs } from './methods/listen.ts'
import { longTask } from './methods/long-task.ts'
import { greetingPrompt } from './prompts/greeting.ts'
import { createCounterResource } from './resources/counter.ts'
import { greetingResource } from './resources/greeting.ts'
import { add } from './tools/add.ts'
import { ask } from './tools/ask.ts'
import { echo } from './tools/echo.ts'
import { image } from './tools/image.ts'
import { link } from './tools/link.ts'
import { log } from './tools/log.ts'
import { progress } from './tools/progress.ts'
import { roots } from './tools/roots.ts'
import { slow } from './tools/slow.ts'
import { sound } from './tools/sound.ts'
import { summarize } from './tools/summarize.ts'
import { createTick } from './tools/tick.ts'

/** A backend with one small example of everything that a backend can do. It has its own counter. */
export function createDemo(name: string, logTo: Log): LocalBackend {
  const counter = createCounter()
  return createBackend({
    name,
    log: logTo,
    info: { name: 'junctor-demo', title: 'Junctor demo', version: '0.0.0' },
    instructions: 'Small tools to try a gateway with. Begin with echo; progress, ask and summarize send messages back.',
    tools: [echo, add, image, sound, link, log, progress, slow, ask, summarize, roots, createTick(counter)],
    resources: [createCounterResource(counter), greetingResource],
    prompts: [greetingPrompt],
    methods: [addMethod, listenLogs, listenErrors, longTask],
  })
}
