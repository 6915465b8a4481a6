import { abilities } from '../../accounts/teams/roles.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { boolean, integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { get, member, owner, post } from './operation.ts'
import { count, decimalCount, time } from './scalars.ts'

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
export const usableModel = object({
  ...shownFields,
  sampling: described(
    'What it is sampled with if a request says nothing; null if only the upstream knows.',
    nullable(object({ temperature: decimalCount, topP: decimalCount })),
  ),
})
export type UsableModel = Shape<typeof usableModel>

const catalogueModel = object({
  ...shownFields,
  aliases: array(string()),
  isDefault: boolean,
  isLocal: described('Whether this server runs it itself.', boolean),
  isAvailable: boolean,
  price: described(
    'Millionths of the currency for a million tokens; null if it costs nothing here.',
    nullable(object({ promptMicros: count, cachedMicros: count, completionMicros: count })),
  ),
  speed: described(
    'Averages of all requests of yesterday and today; null before the first.',
    nullable(
      object({
        firstTokenMs: nullable(decimalCount),
        tokensPerSecond: described(
          'Of one answer, after its first token; null if no stream was long enough to measure.',
          nullable(decimalCount),
        ),
      }),
    ),
  ),
})
export type CatalogueModel = Shape<typeof catalogueModel>

const bytes = described('Bytes.', count)
const listedModel = object({
  ...shownFields,
  aliases: array(string()),
  isDefault: boolean,
  createdAt: time,
  ownedBy: string(),
  state: described(
    '`unloaded` models are loaded by the next request; `failed` ones cannot be served; those that are `unreachable` have upstreams, but none that works.',
    oneOf('unloaded', 'loading', 'ready', 'failed', 'stopped', 'unreachable'),
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
  installed: described(
    'Of a model on this machine; null for an upstream.',
    nullable(
      object({
        source: described(
          'Those of the `list` can be changed while the server runs; the others come from the settings.',
          oneOf('settings', 'list'),
        ),
        pulledFrom: described(
          'The address of its files, or `upload`; null if they were added by path.',
          nullable(string()),
        ),
        ownsFiles: described('Whether its files are deleted with it.', boolean),
        quantisation: nullable(string()),
        parameters: nullable(count),
        licence: nullable(string()),
        trainedContextTokens: nullable(count),
        layers: nullable(count),
        neededBytes: described('Main memory that it needs when it is loaded, calculated from its files.', count),
        fits: described('Whether that is less than all models together may use.', boolean),
        own: described(
          'What was set for this model alone; null: the settings decide.',
          object({ contextTokens: nullable(count), slots: nullable(count), gpuLayers: nullable(count) }),
        ),
      }),
    ),
  ),
  slots: described('Maximum answers at once.', count),
  inFlight: described('Answers in progress.', count),
  waiting: described('Requests in its queue.', count),
})
export type ListedModel = Shape<typeof listedModel>

const capacity = {
  memoryBytes: described('What all loaded models together may use.', count),
  diskBytes: described('Free on the disk of the data directory for models: 256 MiB stay free for the database.', count),
}

const pull = object({
  name: string(),
  from: described('The address of its first file, without its query.', string()),
  state: described(
    '`elsewhere`: another process downloads it, such as `helix models pull`, and only there it can be stopped.',
    oneOf('running', 'paused', 'failed', 'complete', 'elsewhere'),
  ),
  reason: described('Why it failed, in English; null in other states.', nullable(string())),
  receivedBytes: described('Of the file that is being downloaded.', count),
  totalBytes: nullable(count),
  file: described('Which of the files of a split model, from 1 on.', count),
  files: count,
  bytesPerSecond: nullable(count),
})
export type ModelPull = Shape<typeof pull>

const repository = object({
  id: described('`owner/name`.', string()),
  downloads: nullable(count),
  likes: nullable(count),
  licence: nullable(string()),
  isGated: described('Only for those who accepted its terms on the hub.', boolean),
})

const hubFile = object({
  source: described('To be sent to pull it.', string()),
  from: described('The address of its first file, as in a download.', string()),
  name: described('The name that the model gets, unless another is sent.', string()),
  fileName: string(),
  parts: count,
  sizeBytes: count,
  quantisation: nullable(string()),
  neededBytes: described('Estimated: the context and the buffers come on top of the weights.', count),
  fit: described('Whether there is the memory for it, and the space on the disk.', oneOf('fits', 'memory', 'disk')),
})
export type HubFileShown = Shape<typeof hubFile>

const name = string({ maxLength: 96 })

/** Browsers send a file in parts, so that each arrives within the time for a request. */
export const uploadPartBytes = 2 * 2 ** 20

export const modelOperations = {
  listModels: get('/admin/models', owner, 'Lists the models with their state, memory and load.', {
    answer: object({
      ...{ data: array(listedModel), ...capacity },
      hubUrl: described('The model hub that is searched.', string()),
    }),
  }),
  changeModel: post(
    '/admin/models/{name}/edit',
    owner,
    'Changes a model of the list. If more than its aliases change, it is loaded again.',
    {
      body: object({
        aliases: optional(array(name, { max: 20, of: 'strings' })),
        contextTokens: optional(nullable(integer({ min: 256, max: 1_048_576 }))),
        slots: optional(nullable(integer({ min: 1, max: 64 }))),
        gpuLayers: optional(nullable(integer({ min: 0, max: 10_000 }))),
      }),
    },
  ),
  makeModelDefault: post('/admin/models/{name}/default', owner, 'Makes a chat model the default, and loads it.', {}),
  removeModel: post(
    '/admin/models/{name}/remove',
    owner,
    'Removes a model of the list, and the files that were downloaded or uploaded for it. Running answers complete.',
    {},
  ),
  searchModelHub: get('/admin/model-hub', owner, 'Searches the model hub for repositories with GGUF files.', {
    query: object({ search: string({ maxLength: 200 }) }),
    answer: object({ data: array(repository) }),
  }),
  listHubFiles: get(
    '/admin/model-hub/files',
    owner,
    'Lists the models in a repository of the hub, and whether they fit this machine.',
    {
      query: object({ repository: string({ maxLength: 200 }) }),
      answer: object({ data: array(hubFile), ...capacity }),
    },
  ),
  listPulls: get(
    '/admin/model-pulls',
    owner,
    'Lists the downloads of models, incomplete ones of earlier runs included.',
    {
      answer: object({ data: array(pull) }),
    },
  ),
  startPull: post('/admin/model-pulls', owner, 'Starts the download of a model, which is added once it is complete.', {
    body: object({
      source: described('`hf:OWNER/REPOSITORY/FILE`, or the URL of a GGUF file.', string({ maxLength: 2000 })),
      name: optional(described('By default that of the file.', nullable(name))),
    }),
    answer: pull,
    status: 201,
  }),
  pausePull: post('/admin/model-pulls/{name}/pause', owner, 'Stops a download, which can be resumed.', {}),
  resumePull: post('/admin/model-pulls/{name}/resume', owner, 'Continues a download where it stopped.', {
    answer: pull,
  }),
  discardPull: post(
    '/admin/model-pulls/{name}/discard',
    owner,
    'Stops a download and deletes what was downloaded. Of a complete one, only the report is removed.',
    {},
  ),
  beginUpload: post(
    '/admin/model-uploads',
    owner,
    'Starts the upload of a GGUF file. Checks its name and size first.',
    {
      body: object({ name, sizeBytes: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) }),
      answer: object({ id: string(), partBytes: described('The most bytes in one part.', count) }),
      status: 201,
    },
  ),
  sendUploadPart: post(
    '/admin/model-uploads/{id}/parts/{offset}',
    owner,
    'Takes the next bytes of an upload as its body, from this offset on.',
    { answer: object({ receivedBytes: count }) },
  ),
  finishUpload: post('/admin/model-uploads/{id}/finish', owner, 'Checks an upload and adds it to the models.', {
    answer: object({ name: string() }),
  }),
  abortUpload: post('/admin/model-uploads/{id}/abort', owner, 'Gives up an upload and deletes what has arrived.', {}),
  listCatalogue: get('/models', member(abilities.see), 'Lists the models that the organisation can use.', {
    answer: object({
      data: array(catalogueModel),
      currency: string(),
    }),
  }),
}
