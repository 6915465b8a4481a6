import { type ChoiceJson, completionJson } from '../../src/api/chat-completions/shapes.ts'
import { storedCompletionJson, storedEchoesJson } from '../../src/api/chat-completions/stored-completion-json.ts'
import { createStoredCompletionRoutes } from '../../src/api/stored-completions/routes.ts'
import { ApiError } from '../../src/base/api-error.ts'
import { newId } from '../../src/base/ids.ts'
import { unlimitedBodies } from '../../src/http/body-budget.ts'
import { createCors } from '../../src/http/cors.ts'
import { createDispatch } from '../../src/http/dispatch.ts'
import { createForwarded } from '../../src/http/forwarded.ts'
import { listen } from '../../src/http/listen.ts'
import { createKeyGuard } from '../../src/keys/key-guard.ts'
import { createKeyRegistry } from '../../src/keys/key-registry.ts'
import { createKeyVerifier } from '../../src/keys/verify-key.ts'
import { guardRoutes, noGuards } from '../../src/operations/guard-routes.ts'
import type { Metadata } from '../../src/store/contract.ts'
import { createLogCatcher } from './log-catcher.ts'
import { createManualClock } from './manual-clock.ts'
import { addOrganisation, openScratchStore, scratchDirectory } from './scratch-store.ts'

const bodyLimitBytes = 65_536
const limits = { headerLimitBytes: 65_536, headersTimeoutMs: 10_000, bodyTimeoutMs: 10_000, idleTimeoutMs: 10_000 }

type Kept = { model?: string; createdAt?: number; metadata?: Metadata | null; messages?: object[]; text?: string }

/**
 * The routes of stored completions over a real store, with real keys of two organisations. Completions are inserted
 * directly, so that a test sets their time, model and messages.
 */
export const openStoredCompletions = async () => {
  const scratch = scratchDirectory()
  const clock = createManualClock()
  const store = await openScratchStore(scratch.path, clock)
  const verifier = createKeyVerifier({ records: store.keys, clock })
  const registry = createKeyRegistry({ store, clock })
  const { log } = createLogCatcher({ clock, format: 'json' })
  const routes = createStoredCompletionRoutes({ completions: store.completions, bodyLimitBytes })
  const locate = createForwarded({ trustedProxies: [] })
  const pageGuard = { visitor: () => {}, member: () => Promise.reject(ApiError.of('not_signed_in', {})) }
  const dispatch = createDispatch({
    routes: guardRoutes(routes, {
      ...noGuards,
      keyGuard: createKeyGuard({ verifier, lastUsed: { touch: () => {} } }),
      pageGuard,
    }),
    locate,
    cors: createCors([]),
    bodies: unlimitedBodies(),
    showUnknown: () => false,
    clock,
    log,
  })
  const listener = await listen({ host: '127.0.0.1', port: 0, tls: null }, limits, dispatch)
  const url = `http://127.0.0.1:${listener.address?.port}`

  const openOrganisation = async (organisationId: string) => {
    const created = await registry.create({ name: 'test', organisationId })
    if (created.outcome === 'refused') throw new Error(created.reason)
    const headers = { authorization: `Bearer ${created.key}`, 'content-type': 'application/json' }
    const call = (method: string, path = '', body?: unknown) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return fetch(`${url}/v1/chat/completions${path}`, { method, headers, ...sent })
    }
    /** Stores as a chat request with `store: true` would; returns the id. */
    const keep = async ({ model = 'helix-v1', createdAt = 1_700_000_000_000, ...kept }: Kept = {}) => {
      const id = newId('chatcmpl')
      const created = Math.floor(createdAt / 1000)
      const message = { role: 'assistant' as const, content: kept.text ?? 'Hello', refusal: null }
      const choices: ChoiceJson[] = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }]
      const head = { id, created, model, fingerprint: 'fp_test' }
      const answered = completionJson(head, choices, usage, {
        metadata: null,
        promptTokenIds: null,
        promptLogprobs: null,
      })
      const completion = await storedCompletionJson({
        completion: answered,
        requestId: 'req_test',
        echoes: storedEchoesJson(echoes),
        turnAfter: () => undefined,
      })
      const messages = JSON.stringify(kept.messages ?? [{ role: 'user', content: 'Hi' }])
      const { metadata = null } = kept
      await store.completions.insert({ id, organisationId, createdAt, model, metadata, completion, messages })
      return id
    }
    return { key: created.key, call, keep }
  }
  return {
    url,
    /** Another organisation with its own key, so that each test can have its own list. */
    newOrganisation: async () => openOrganisation(await addOrganisation({ dataDir: scratch.path })),
    async close() {
      listener.closeAllConnections()
      await listener.close()
      await store[Symbol.asyncDispose]()
      scratch[Symbol.dispose]()
    },
  }
}

export type StoredCompletions = Awaited<ReturnType<typeof openStoredCompletions>>

const usage = { promptTokens: 3, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 }
const echoes = {
  toolChoice: null,
  seed: 7,
  topP: 1,
  temperature: 0.5,
  presencePenalty: 0,
  frequencyPenalty: 0,
  inputUser: null,
  tools: null,
  responseFormat: null,
}
