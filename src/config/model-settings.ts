import { findBundledModel } from './find-bundled-model.ts'
import { contextTokensRange, idleMinutesRange, models } from './model-setting.ts'
import { integer, modelName, path, type Setting, text } from './setting.ts'
import { httpUrl } from './url-setting.ts'

/** Models on this machine, and the hub from which they are pulled. */
export const modelSettings = {
  model: path({
    default: findBundledModel(),
    defaultText: 'the bundled `models/helix-v1`',
    text: 'Path to a model folder containing a `model.json`, or to a GGUF file.',
  }),
  models: models({
    default: [],
    text: 'Models to serve, for example `[{"name": "small", "path": "/models/small.gguf", "aliases": ["tiny"], "default": true}]`; see docs/models.md. If it is set, the bundled model is not served unless it is listed.',
  }),
  defaultModel: modelName({
    default: null,
    text: 'Name of the default model if engine nodes serve it, whatever `models` and `upstreams` mark; the model of `model` is then not loaded on this machine. Requires `redis`; see docs/operating.md.',
  }),
  modelName: modelName({ default: null, text: 'Name under which a GGUF file or an upstream model is served.' }),
  contextTokens: integer({
    default: null,
    defaultText: "the model's own; 8192 for a GGUF file",
    ...contextTokensRange,
    text: 'Context length: maximum tokens of prompt and completion combined. The server does not start with more than the default model was trained for.',
  }),
  modelIdleMinutes: integer({
    default: 15,
    ...idleMinutesRange,
    text: 'Minutes without requests after which a model is unloaded. 0 means never. Does not apply to the default model.',
  }),
  modelMemoryLimitBytes: integer({
    default: null,
    defaultText: 'the memory of the machine or container',
    min: 1_048_576,
    max: 1_000_000_000_000_000,
    text: 'Memory for all loaded models together. If it is short, models without requests are unloaded, the least recently used first.',
  }),
  modelHubUrl: httpUrl({
    default: 'https://huggingface.co',
    text: 'Model hub for `helix models pull hf:OWNER/REPOSITORY/FILE`.',
  }),
  modelHubToken: text({
    default: null,
    secret: true,
    text: 'Access token for the model hub, for files that are not public.',
  }),
} satisfies Record<string, Setting<unknown>>
