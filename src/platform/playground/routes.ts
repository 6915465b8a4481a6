import { requireName } from '../../accounts/require-name.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import { shorten } from '../../http/schema/scalars.ts'
import type { Member } from '../../operations/callers.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { type PlaygroundRecords, type PromptReader, promptsOfAccount } from '../../store/playground-contract.ts'
import { promptOperations, type SavedPrompt } from '../contract/prompts.ts'
import { promptJson } from './prompt-json.ts'
import { requireContent } from './require-content.ts'

type PlaygroundRoutesDependencies = { playground: PlaygroundRecords; clock: Clock }

/** Drafts and saved prompts. What they contain is the site's, and is only stored and returned. */
export const createPlaygroundRoutes = ({ playground, clock }: PlaygroundRoutesDependencies): Route[] => {
  const show = async (caller: Member, id: string, version: number | null = null): Promise<SavedPrompt> => {
    const found = await playground.findPrompt(toPromptReader(caller), id, version)
    if (found === null) throw notFound(id)
    return { ...found, prompt: promptJson(found.prompt, caller.accountId) }
  }
  const setRemoved = async (caller: Member, id: string, isRemoved: boolean): Promise<void> => {
    const now = clock.now()
    if (!(await playground.setPromptRemoved(toPromptReader(caller), id, isRemoved ? now : null))) throw notFound(id)
  }
  return [
    createRoute(promptOperations.showDraft, async ({ caller }) => {
      const draft = await playground.findDraft(toPromptReader(caller))
      return draft ?? { content: null, version: 0, savedAt: null }
    }),
    createRoute(promptOperations.saveDraft, async ({ caller, body }) => {
      const version = await playground.saveDraft(toPromptReader(caller), requireContent(body.content), clock.now())
      if (version === null) throw ApiError.of('not_signed_in', {})
      return { version }
    }),
    createRoute(promptOperations.listPrompts, async ({ caller }) => ({
      data: (await playground.listPrompts(toPromptReader(caller))).map((each) => promptJson(each, caller.accountId)),
    })),
    createRoute(promptOperations.createPrompt, async ({ caller, body: { name, isShared, content } }) => {
      const id = newId('prm')
      const prompt = { id, name: requireName(name), isShared, content: requireContent(content), savedAt: clock.now() }
      const outcome = await playground.insertPrompt(toPromptReader(caller), prompt)
      if (outcome === 'too_many') throw ApiError.of('too_many_prompts', { limit: promptsOfAccount })
      return show(caller, id)
    }),
    createRoute(promptOperations.showPrompt, ({ caller, params, query }) =>
      show(caller, params.prompt, query.version ?? null),
    ),
    createRoute(promptOperations.changePrompt, async ({ caller, params, body: { name, isShared, content } }) => {
      const changes = {
        ...(name === undefined ? {} : { name: requireName(name) }),
        ...(isShared === undefined ? {} : { isShared }),
        ...(content === undefined ? {} : { content: requireContent(content) }),
      }
      if (!(await playground.changePrompt(toPromptReader(caller), params.prompt, changes, clock.now())))
        throw notFound(params.prompt)
      return show(caller, params.prompt)
    }),
    createRoute(promptOperations.removePrompt, ({ caller, params }) => setRemoved(caller, params.prompt, true)),
    createRoute(promptOperations.restorePrompt, ({ caller, params }) => setRemoved(caller, params.prompt, false)),
  ]
}

const toPromptReader = ({ accountId, organisationId }: Member): PromptReader => ({ accountId, organisationId })

const notFound = (id: string): ApiError => ApiError.of('prompt_not_found', { id: shorten(id) })
