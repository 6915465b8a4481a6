import type { UpstreamKind } from '../../config/upstream-names.ts'
import { type UpstreamDialect, upstreamDialects } from './upstream-kinds.ts'

/** How an upstream is addressed. */
export type UpstreamAccess = {
  /** Without a slash at its end. */
  baseUrl: string
  /** Null if it needs none. */
  key: string | null
  kind: UpstreamKind
  /** Only of Azure's older addresses, which contain the deployment; null: none. */
  apiVersion: string | null
}

/** The version of the Messages API that requests and answers are written for. */
const messagesVersion = '2023-06-01'

/** The headers with the key, in the manner of the kind. */
export const accessHeaders = ({ key, kind }: Pick<UpstreamAccess, 'key' | 'kind'>): Record<string, string> => {
  const { wire, auth } = upstreamDialects[kind]
  return {
    ...(wire === 'messages' ? { 'anthropic-version': messagesVersion } : {}),
    ...(key === null ? {} : keyHeader(auth, key)),
  }
}

const keyHeader = (auth: UpstreamDialect['auth'], key: string): Record<string, string> =>
  auth === 'bearer' ? { authorization: `Bearer ${key}` } : { [auth]: key }

/** The rest of the address for a request about a model; `path` begins with a slash. */
export const modelPath = ({ apiVersion }: Pick<UpstreamAccess, 'apiVersion'>, model: string, path: string): string =>
  apiVersion === null ? path : `/deployments/${encodeURIComponent(model)}${path}?api-version=${apiVersion}`

/** The rest of the address of the list of models. Anthropic's has 20 models on a page unless more are asked for. */
export const modelsPath = ({ kind, apiVersion }: Pick<UpstreamAccess, 'kind' | 'apiVersion'>): string => {
  if (apiVersion !== null) return `/models?api-version=${apiVersion}`
  return upstreamDialects[kind].wire === 'messages' ? '/models?limit=1000' : '/models'
}

/** Where chats are sent. */
export const chatPath = (kind: UpstreamKind): string =>
  upstreamDialects[kind].wire === 'messages' ? '/messages' : '/chat/completions'
