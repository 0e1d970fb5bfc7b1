import { describeFabric } from '@junctor/testkit'
import { createMemoryBus, createMemoryFabric } from '../src/index.ts'

describeFabric('the memory fabric', async () => {
  const bus = createMemoryBus()
  const fabrics = [createMemoryFabric(bus), createMemoryFabric(bus)] as const
  return {
    fabrics,
    async close() {
      for (const fabric of fabrics) await fabric.close()
    },
  }
})
