import type { UpstreamKind } from '../../config/upstream-names.ts'
import type { Attributes } from '../../traces/span.ts'
import type { UpstreamAccess } from './upstream-request.ts'

/** Those that the GenAI conventions have a name for; others are called by their kind. */
const providerNames: Partial<Record<UpstreamKind, string>> = { azure: 'azure.ai.openai', mistral: 'mistral_ai' }

/** By the path after `/v1`. */
const operations: Readonly<Record<string, string>> = {
  '/chat/completions': 'chat',
  '/messages': 'chat',
  '/completions': 'text_completion',
  '/embeddings': 'embeddings',
}

type Described = Pick<UpstreamAccess, 'baseUrl' | 'kind'> & { model: string; upstream?: string | undefined }

/** What a trace says about requests to a model of an upstream. Never its key. */
export const createCallDescription = ({
  baseUrl,
  kind,
  model,
  upstream,
}: Described): ((path: string) => Attributes) => {
  const { hostname, port, protocol } = new URL(baseUrl)
  const always = {
    'gen_ai.provider.name': providerNames[kind] ?? kind,
    'gen_ai.request.model': model,
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    'helix.upstream': upstream,
  }
  return (path) => ({ 'gen_ai.operation.name': operations[path] ?? 'rerank', ...always })
}
