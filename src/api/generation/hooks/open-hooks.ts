import { ApiError } from '../../../base/api-error.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Log } from '../../../base/log.ts'
import { OperatorError } from '../../../base/operator-error.ts'
import { isTextTool } from '../../../config/built-in-tools.ts'
import { type HookSetting, splitSecrets } from '../../../config/hook-setting.ts'
import { PatternRefused } from '../../../grammar/pattern-refused.ts'
import type { AcceptedRequest, RewriteAnswer } from '../execute-request.ts'
import type { GenerationRequest } from '../request/generation-request.ts'
import { checkAnswer } from './check-answer.ts'
import type { Hook, HookContext, HookText } from './hook.ts'
import { createHttpHook } from './http-hook.ts'
import { createPatternHook } from './pattern-hook.ts'
import { promptTexts, withPromptTexts } from './prompt-texts.ts'
import { redactEvents } from './redact-events.ts'
import { openRequestHooks, type RequestHooks } from './run-hooks.ts'

/** What hooks leave of a request, and what they will do with its answer. */
export type Hooked<Request> = {
  request: Request
  rewrite: RewriteAnswer | undefined
  /** The texts of the prompt; null if no hook changed any. */
  replaced: readonly string[] | null
}

/** The hooks of the settings. */
export interface Hooks {
  /** Before a request is answered. Throws if it is blocked. */
  before<Request extends GenerationRequest>(
    request: Request,
    context: HookContext,
    options: { progress: AcceptedRequest['progress']; signal: AbortSignal },
  ): Promise<Hooked<Request>>
  /** The same for texts from which nothing is generated: returns what is left of them, null if nothing was changed. */
  beforeInputs(
    texts: readonly HookText[],
    context: HookContext,
    options: { progress: AcceptedRequest['progress']; signal: AbortSignal },
  ): Promise<readonly string[] | null>
}

type HooksOptions = {
  settings: readonly HookSetting[]
  /** The setting `hookSecret`. */
  secret: string | null
  clock: Clock
  log: Log
}

/** Undefined without hooks, so that requests pay nothing. Throws if a pattern is not supported. */
export const openHooks = ({ settings, secret, clock, log }: HooksOptions): Hooks | undefined => {
  if (settings.length === 0) return undefined
  const secrets = secret === null ? [] : splitSecrets(secret)
  const hooks = settings.map((setting) => createHook(setting, clock, secrets))
  return {
    async before(request, context, { progress, signal }) {
      const own = openRequestHooks({ hooks, context, progress, log })
      if (own.of('after').length > 0) refuseUnseenItems(request)
      const first = own.of('before')
      const replaced = first.length === 0 ? null : await own.run(first, promptTexts(request), 'before', signal)
      return {
        request: replaced === null ? request : withPromptTexts(request, replaced),
        rewrite: own.of('after').length === 0 ? undefined : rewriteWith(own),
        replaced,
      }
    },
    async beforeInputs(texts, context, { progress, signal }) {
      const own = openRequestHooks({ hooks, context, progress, log })
      const first = own.of('before')
      return first.length === 0 ? null : own.run(first, texts, 'before', signal)
    },
  }
}

/** Hooks remove items, because they see texts only: the client would wait for what it has to act on, and get an empty answer. */
const refuseUnseenItems = ({ prompt }: Pick<GenerationRequest, 'prompt'>): void => {
  const native = prompt.type === 'chat' ? prompt.native : undefined
  const unseen = native?.api === 'responses' ? native.builtInTools.filter((tool) => !isTextTool(tool)) : []
  if (unseen.length > 0)
    throw ApiError.of('built_in_tools_checked_answer', { tools: unseen.join(', ') }, { param: 'tools' })
}

const createHook = (setting: HookSetting, clock: Clock, secrets: readonly string[]): Hook => {
  if (setting.url !== null) return createHttpHook(setting, clock, secrets)
  try {
    return createPatternHook(setting)
  } catch (error) {
    if (!(error instanceof PatternRefused)) throw error
    throw new OperatorError(`A pattern of the hook ${setting.name} is not supported: ${error.message}.`)
  }
}

/** First those that decide piece by piece, then those that need the whole answer. */
const rewriteWith =
  (own: RequestHooks): RewriteAnswer =>
  (events, signal) => {
    const streamed = own.of('after').flatMap((hook) => (hook.stream === null ? [] : [{ ...hook, stream: hook.stream }]))
    const others = own.of('after').filter(({ stream }) => stream === null)
    const redacted = streamed.length === 0 ? events : redactEvents(events, streamed, own)
    return others.length === 0 ? redacted : checkAnswer(redacted, others, own, signal)
  }
