import { choice, choices, modelName, type Setting, text } from './setting.ts'
import { upstreamCapabilities, upstreamFields, upstreamKinds } from './upstream-names.ts'
import { upstreams } from './upstream-setting.ts'
import { httpUrl } from './url-setting.ts'

/** Models from elsewhere. */
export const upstreamSettings = {
  upstreamUrl: httpUrl({
    default: null,
    text: 'Base URL (ending in `/v1`) of an OpenAI-compatible engine to use instead of the embedded model.',
  }),
  upstreamModel: modelName({ default: null, text: 'Name of the model at the upstream; required with `upstreamUrl`.' }),
  upstreamKey: text({ default: null, secret: true, text: 'API key for the upstream, sent as a bearer token.' }),
  upstreamKind: choice(upstreamKinds, {
    default: 'compatible',
    text: 'Kind of the upstream, which determines the optional request fields it accepts; see docs/upstreams.md.',
  }),
  upstreamFeatures: choices(['none', ...upstreamFields], {
    default: [],
    defaultText: 'those of `upstreamKind`',
    text: 'Optional request fields the upstream accepts, instead of those of its kind. Requests with others are refused.',
  }),
  upstreamCapabilities: choices(upstreamCapabilities, {
    default: [],
    text: 'What messages to the upstream may contain besides text: images, also as addresses that the upstream reads, and audio.',
  }),
  upstreams: upstreams({
    default: [],
    text: 'Upstreams to use beside the models on this machine, for example `[{"name": "gpu", "url": "http://10.0.0.5:8000/v1", "keyFrom": "GPU_KEY", "models": ["qwen"]}]`; see docs/upstreams.md.',
  }),
} satisfies Record<string, Setting<unknown>>
