import { array, object } from '../http/schema/containers.ts'
import { integer, string } from '../http/schema/scalars.ts'
import type { Client } from '../operations/client.ts'
import { post, socket } from './operation.ts'

const supportFile = object({ name: string(), text: string() })

export const supportOperations = {
  collectSupport: post('/support', socket, 'Collects what helps to find a fault, without secrets.', {
    body: object({ sample_ms: integer({ min: 0, max: 10_000 }) }),
    answer: object({ files: array(supportFile) }),
  }),
}

type SupportDependencies = {
  /** In the order of the archive. `sampleMs`: for how long the CPU is sampled. */
  collect(sampleMs: number): Promise<{ name: string; text: string }[]>
}

export const createSupportControl = ({ collect }: SupportDependencies): Client<typeof supportOperations> => ({
  collectSupport: async ({ body }) => ({ files: await collect(body.sample_ms) }),
})
