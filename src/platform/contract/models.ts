import { array, nullable, object } from '../../http/schema/containers.ts'
import { boolean, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { get, owner } from './operation.ts'
import { count, time } from './scalars.ts'

export const modelCapability = oneOf(
  'tools',
  'reasoning',
  'grammar',
  'logprobs',
  'token_ids',
  'template',
  'embeddings',
  'rerank',
  'vision',
  'audio',
)

const shownFields = {
  id: string(),
  kind: oneOf('chat', 'embedding', 'rerank'),
  contextTokens: described('Null if unknown, for example with an upstream.', nullable(count)),
  capabilities: described('Empty until the model has been loaded for the first time.', array(modelCapability)),
}

/** A model as the playground shows it. */
export const usableModel = object(shownFields)
export type UsableModel = Shape<typeof usableModel>

const bytes = described('Bytes.', count)
const listedModel = object({
  ...shownFields,
  aliases: array(string()),
  isDefault: boolean,
  createdAt: time,
  ownedBy: string(),
  state: described(
    '`unloaded` models are loaded by the next request; `failed` ones cannot be served.',
    oneOf('unloaded', 'loading', 'ready', 'failed', 'stopped'),
  ),
  reason: described('Why it failed; null in other states.', nullable(string())),
  memory: described(
    'Planned memory; null unless it is loaded on this machine.',
    nullable(
      object({
        ...{ weights: bytes, cache: bytes, buffers: bytes },
        gpuBytes: described('How much of these is in the memory of GPUs.', bytes),
      }),
    ),
  ),
  gpu: described(
    'The GPU that it runs on, its memory and the library that uses it; null on the CPU.',
    nullable(string()),
  ),
  gpuFault: described('Why it runs on the CPU although `engineGpu` is on; null otherwise.', nullable(string())),
  diskBytes: described('Size of its files; null for an upstream.', nullable(count)),
  slots: described('Maximum answers at once.', count),
  inFlight: described('Answers in progress.', count),
  waiting: described('Requests in its queue.', count),
})
export type ListedModel = Shape<typeof listedModel>

export const modelOperations = {
  listModels: get('/admin/models', owner, 'Lists the models with their state, memory and load.', {
    answer: object({ data: array(listedModel) }),
  }),
}
